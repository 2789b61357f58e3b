"""What the disk is asked to do, counted by strace; and what the ledger does when the disk refuses."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from jackpotd.ledger.open import open_ledger
from jackpotd.ledger.verify import verify_url
from tests.support.ledgers import SITE, url_of
from tests.support.sources import ROOT

_MARKER = re.compile(r'write\(2, "([a-zA-Z]\d+|end)\\n"')
_SYNC = re.compile(r"(fdatasync|fsync)\(\d+<([^>]*)>\)")


def run(path: Path, steps: str, *prefix: str) -> list[str]:
    """The outcomes of the steps, one a line."""
    command = [*prefix, sys.executable, "-m", "tests.support.ledger_child", url_of(path), steps]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return ended.stdout.splitlines()


def traced(path: Path, steps: str, *options: str) -> tuple[list[str], dict[str, list[str]]]:
    """Outcomes, and what was synced in each step: "fdatasync ledger.db-wal", ..."""
    trace = path.with_name("trace")
    strace = ["strace", "-f", "-y", "-o", str(trace), "-e", "trace=fdatasync,fsync,write", *options]
    outcomes = run(path, steps, *strace)
    step = "start"
    synced: dict[str, list[str]] = {step: []}
    for line in trace.read_text().splitlines():
        line = re.sub(r"write\(2<[^>]*>", "write(2", line)
        if marker := _MARKER.search(line):
            step = marker[1]
            synced[step] = []
        if sync := _SYNC.search(line):
            synced[step].append(f"{sync[1]} {Path(sync[2]).name}")
    return outcomes, synced


def test_every_commit_makes_exactly_one_fdatasync_and_it_is_the_logs(tmp_path: Path) -> None:
    steps = "aaaaaaaaaaaacaaaascaaarasa"
    _, synced = traced(tmp_path / "ledger.db", steps)
    commits = {step: calls for step, calls in synced.items() if step[0] in "as" and step != "start"}
    assert len(commits) == steps.count("a") + steps.count("s")
    assert set(map(tuple, commits.values())) == {("fdatasync ledger.db-wal",)}


def test_a_new_ledger_is_synced_before_it_has_its_name_and_its_folder_after(tmp_path: Path) -> None:
    _, synced = traced(tmp_path / "ledger.db", "a")
    made = synced["start"]
    folder = f"fsync {tmp_path.name}"
    assert "fsync ledger.db.new" in made
    assert folder in made[made.index("fsync ledger.db.new") :]


def test_a_checkpoint_syncs_the_log_then_the_file(tmp_path: Path) -> None:
    _, synced = traced(tmp_path / "ledger.db", "aac")
    assert synced["c3"][:2] == ["fdatasync ledger.db-wal", "fdatasync ledger.db"]


def test_a_checkpoint_with_nothing_to_move_syncs_nothing(tmp_path: Path) -> None:
    _, synced = traced(tmp_path / "ledger.db", "ccacc")
    assert [len(synced[step]) > 0 for step in ("c1", "c2", "c4", "c5")] == [False, False, True, False]


def test_a_sync_that_fails_is_never_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    _, whole = traced(path, "aaa")
    before = sum(call.startswith("fdatasync") for step in ("start", "a1", "a2") for call in whole[step])
    other = tmp_path / "other.db"
    failing = ("-e", f"inject=fdatasync:error=EIO:when={before}")
    outcomes, synced = traced(other, "aaasc", *failing)
    assert outcomes == ["a1 done 80", "a2 not_writable 80", "a3 unusable 80", "s4 unusable 80", "c5 unusable 80"]
    assert [len(synced[step]) for step in ("a1", "a2", "a3", "s4", "c5")] == [1, 1, 0, 0, 0]


def test_a_checkpoint_that_fails_ends_the_ledgers_use_too(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    _, whole = traced(path, "a")
    before = sum(call.startswith("fdatasync") for call in whole["start"])
    other = tmp_path / "other.db"
    outcomes, _ = traced(other, "acara", "-e", f"inject=fdatasync:error=EIO:when={before + 2}")
    assert [outcome.split()[1] for outcome in outcomes] == ["done", "not_writable", "unusable", "done", "done"]
    assert verify_url(url_of(other)).ok


def test_after_a_failed_sync_the_ledger_is_opened_anew_and_what_it_holds_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    _, whole = traced(path, "a")
    before = sum(call.startswith("fdatasync") for call in whole["start"])
    other = tmp_path / "other.db"
    outcomes, _ = traced(other, "aarar", "-e", f"inject=fdatasync:error=EIO:when={before + 2}")
    assert [outcome.split()[1] for outcome in outcomes] == ["done", "not_writable", "done", "done", "done"]
    verdict = verify_url(url_of(other))
    assert verdict.ok
    assert verdict.rows in {160, 240}  # whether the commit whose sync failed is there is known only by rereading


def test_a_full_disk_refuses_the_commit_and_loses_nothing_that_was_committed(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    outcomes = run(path, "aaFaaaaaaaa")
    kinds = [outcome.split()[1] for outcome in outcomes]
    assert kinds[:3] == ["done", "done", "done"]
    failed = next(number for number, kind in enumerate(kinds) if kind in {"full", "not_writable"})
    assert set(kinds[3:failed]) <= {"done"}
    assert set(kinds[failed + 1 :]) == {"unusable"}
    committed = int(outcomes[-1].split()[2])
    verdict = verify_url(url_of(path))
    assert (verdict.ok, verdict.rows) == (True, committed)
    with closing(open_ledger(url_of(path), SITE)) as again:
        assert again.head.seq == committed


@pytest.mark.parametrize("call", ["fdatasync", "pwrite64"])
@pytest.mark.parametrize("when", range(1, 60, 6))
def test_a_process_killed_in_any_write_or_sync_leaves_every_commit_that_it_reported(
    tmp_path: Path, call: str, when: int
) -> None:
    """Killed by a signal, not a power cut: what a power cut leaves depends on the disk and cannot be played here."""
    path = tmp_path / "ledger.db"
    strace = [
        "strace",
        "-f",
        "-o",
        os.devnull,
        "-e",
        f"trace={call}",
        "-e",
        f"inject={call}:signal=SIGKILL:when={when}",
    ]
    command = [*strace, sys.executable, "-m", "tests.support.ledger_child", url_of(path), "aacaasaaca"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    reported = [int(line.split()[2]) for line in ended.stdout.splitlines()]
    with closing(open_ledger(url_of(path), SITE, create="made anew")) as ledger:
        assert ledger.head.seq >= max(reported, default=0)
        assert ledger.head.seq % 80 == 0
    assert verify_url(url_of(path)).ok
