"""The older part of the chain, verified by a child of the lowest priority that never outlives its parent."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from jackpotd.core.facts import ChainBroken
from jackpotd.core.parameters import BreakerParams, PoolParams
from jackpotd.daemon import chain_child, chain_watch, odds_child
from jackpotd.daemon.chain_watch import watch_chain
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.metrics import Metrics
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.ledger.memory import MemoryLedger
from jackpotd.ledger.open import open_ledger
from jackpotd.ledger.verify import PROGRESS_ROWS, first_break
from tests.support import sleeping_child
from tests.support.ledgers import SITE, UUID, append_said, bet, url_of
from tests.support.pools import stud_pool
from tests.support.sources import ROOT
from tests.support.until import until


class Watched:
    """One verification, and what came of it."""

    def __init__(self) -> None:
        self.alarms = ShellAlarms(Clock())
        self.metrics = Metrics()
        self.broken: list[ChainBroken] = []

    async def watch(self, url: str, last_row: int) -> None:
        await watch_chain(url, last_row, self.alarms, self.metrics, self.broken.append)

    @property
    def state(self) -> str:
        name = "jackpotd_ledger_chain"
        states = ("checking", "verified", "broken", "unknown")
        (found,) = [state for state in states if self.metrics.registry.get_sample_value(name, {name: state})]
        return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger of 80 rows."""
    made = tmp_path / "ledger.db"
    ledger = open_ledger(url_of(made), SITE, create=UUID)
    append_said(ledger, range(1, 41))
    ledger.close()
    return made


def falsify(path: Path, row: int, column: str, value: bytes) -> None:
    """Change a row as somebody with the file in his hands would: the guards are taken off and put back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        (guard,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'row_update'").fetchone()
        connection.execute("DROP TRIGGER row_update")
        connection.execute(f"UPDATE row SET {column} = ? WHERE seq = ?", (value, row))
        connection.execute(guard)


def test_a_sound_past_is_verified_and_disturbs_nobody(path: Path) -> None:
    watched = Watched()
    asyncio.run(watched.watch(url_of(path), 80))
    assert watched.state == "verified"
    assert (watched.broken, watched.alarms.active) == ([], {})


def test_after_a_start_that_read_every_row_nothing_is_left_to_verify(tmp_path: Path) -> None:
    watched = Watched()
    asyncio.run(watched.watch(url_of(tmp_path / "never looked at"), 0))
    assert watched.state == "verified"


@pytest.mark.parametrize(
    ("column", "value"), [("body", bet(7)), ("hash", b"x" * 32), ("body", b""), ("body", b"\x00not json")]
)
def test_a_break_names_its_row(path: Path, column: str, value: bytes) -> None:
    falsify(path, 33, column, value)
    watched = Watched()
    asyncio.run(watched.watch(url_of(path), 80))
    assert watched.state == "broken"
    assert [word.row for word in watched.broken] == [33]


def test_a_break_after_the_snapshot_is_not_this_checks_to_find(path: Path) -> None:
    falsify(path, 33, "body", bet(7))
    watched = Watched()
    asyncio.run(watched.watch(url_of(path), 32))
    assert watched.state == "verified"


def test_rows_that_are_not_there_are_a_break(path: Path) -> None:
    watched = Watched()
    asyncio.run(watched.watch(url_of(path), 81))
    assert watched.broken == [ChainBroken(81, "it is missing")]


def test_a_check_that_could_not_be_made_alarms(tmp_path: Path) -> None:
    watched = Watched()
    asyncio.run(watched.watch(url_of(tmp_path / "gone.db"), 80))
    assert watched.state == "unknown"
    assert "chain_check-ledger" in watched.alarms.active
    assert watched.broken == []


def test_a_check_that_cannot_be_started_alarms_and_the_daemon_goes_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(path))  # a file that nobody may execute
    watched = Watched()
    asyncio.run(watched.watch(url_of(path), 80))
    assert watched.state == "unknown"
    assert "cannot be started: Permission denied" in watched.alarms.active["chain_check-ledger"].text


def test_the_check_ends_with_the_daemon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain_watch, "chain_child", sleeping_child)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    written = tmp_path / "pid"

    async def cut_short() -> int:
        task = asyncio.get_running_loop().create_task(Watched().watch(str(written), 80))
        await asyncio.to_thread(until, lambda: written.exists() and bool(written.read_text("utf-8")), "the child's id")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return int(written.read_text(encoding="utf-8"))

    pid = asyncio.run(cut_short())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def child(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)


def test_the_check_has_the_lowest_priority_there_is() -> None:
    done = child(
        "import os\n"
        "from jackpotd.daemon.chain_child import yield_to_everybody\n"
        "yield_to_everybody()\n"
        "print(os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0) == os.SCHED_IDLE)"
    )
    assert done.stdout == "19 True\n", done.stderr


def test_the_check_imports_no_more_than_the_ledger() -> None:
    done = child("import jackpotd.daemon.chain_child, sys; print('asyncio' in sys.modules, 'pydantic' in sys.modules)")
    assert done.stdout == "False False\n", done.stderr


def test_a_check_whose_parent_is_gone_ends_without_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "long.db"
    ledger = open_ledger(url_of(path), SITE, create=UUID)
    ledger.append([bet(1)] * PROGRESS_ROWS, [])
    ledger.close()
    command = [sys.executable, "-m", chain_child.__name__, url_of(path), str(PROGRESS_ROWS)]
    stranger = subprocess.run([*command, str(os.getpid() + 1)], cwd=ROOT, check=False, capture_output=True, text=True)
    assert (stranger.returncode, stranger.stdout) == (1, "")
    ours = subprocess.run([*command, str(os.getpid())], cwd=ROOT, check=True, capture_output=True, text=True)
    assert ours.stdout == '{"row": 0, "why": ""}\n'


@pytest.mark.parametrize("child_name", ["chain_child", "odds_child"])
def test_a_child_whose_daemon_was_killed_meanwhile_ends_without_a_word(path: Path, child_name: str) -> None:
    arguments = [url_of(path), "80", str(os.getpid())] if child_name == "chain_child" else []
    command = [sys.executable, "-m", f"jackpotd.daemon.{child_name}", *arguments]
    asked = b"".join(
        odds_child.written(PoolParams, stud_pool(breaker=BreakerParams(10_000_000, 86_400_000))) for _ in range(2)
    )
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command, cwd=ROOT, check=False, input=asked, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, b"")


def test_progress_is_told() -> None:
    ledger = MemoryLedger(SITE, UUID)
    ledger.append([bet(1)] * (PROGRESS_ROWS + 1), [])
    told: list[tuple[int, int]] = []
    assert first_break(ledger, PROGRESS_ROWS + 1, lambda done, of: told.append((done, of))) is None
    assert told == [(PROGRESS_ROWS, PROGRESS_ROWS + 1)]
