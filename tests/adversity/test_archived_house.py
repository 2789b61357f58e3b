"""A house that archives its closed days while it plays: what is left verifies, starts, and is audited by the seals."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.adversity.test_ledger_for_life import close_day, export, played, sealed, seals, verify_package
from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.plays import JournaledPlay
from tests.support.replaying import replay
from tests.support.sources import ROOT
from tests.support.until import until


@pytest.fixture
def folder(floor: Floor) -> Path:
    return floor.folder / "archive"


def archive(floor: Floor, folder: Path, *more: str) -> dict[str, Any]:
    done: dict[str, Any] = floor.command("ledger", "archive", "--to", str(folder), *more)
    return done


def bet_on(floor: Floor, play: JournaledPlay) -> None:
    """The hit is approved, and the next round's bets count."""
    floor.person("ana", "supervisor").does("hit.approve", hit=play.hit)
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))


def without_snapshots(floor: Floor) -> None:
    with closing(sqlite3.connect(floor.ledger, isolation_level=None)) as file:
        file.execute("DELETE FROM snapshot")


def test_a_closed_day_leaves_while_tables_play_and_the_house_starts_again_without_it(
    floor: Floor, folder: Path
) -> None:
    play = played(floor)
    written = raw_ledger.bodies(floor.ledger)
    done = archive(floor, folder)
    assert done["facts"] > 20
    assert archive(floor, folder)["facts"] == 0
    bet_on(floor, play)
    found = floor.command("ledger", "verify")
    assert (found["ok"], found["archived"]) == (True, done["facts"])
    assert found["bound"] > 0
    proved = floor.command("ledger", "verify", "--archive", str(folder))
    assert (proved["ok"], proved["archived"], proved["balances"]) == (True, 0, found["balances"])
    assert raw_ledger.bodies(floor.ledger).count(b"") == done["facts"]
    assert len(written) > done["facts"]
    floor.kill()
    floor.start(ledger=sealed(floor))
    floor.seen.meter(play.pool, play.pencil.meter)
    floor.kill()
    without_snapshots(floor)
    floor.start(ledger=sealed(floor))
    floor.seen.meter(play.pool, play.pencil.meter)
    assert floor.command("alarm", "list") == []
    # Of the second day, with no daemon.
    floor.person("eva", "accounting").does("day.close", day=2)
    until(lambda: len(seals(floor)) == 2, "the second seal")
    floor.stop()
    assert archive(floor, folder)["facts"] > 0
    assert floor.command("ledger", "verify", "--archive", str(folder))["archived"] == 0
    floor.start(ledger=sealed(floor))
    floor.seen.meter(play.pool, play.pencil.meter)
    until(lambda: "ledger's older rows verified" in floor.said(), "the older part of the chain")


def test_an_audit_package_is_whole_with_the_archives_and_says_what_it_lacks_without(floor: Floor, folder: Path) -> None:
    play = played(floor)
    written = raw_ledger.bodies(floor.ledger)
    facts = archive(floor, folder)["facts"]
    lean = export(floor, "lean")
    found = verify_package(lean)
    assert found.returncode == 0, found.stdout + found.stderr
    assert f"{facts:,} rows are facts whose payloads are in archives" in found.stdout
    assert f"{play.pencil.meter}  pool:{play.pool}" in found.stdout
    floor.command("ledger", "export", "--to", str(floor.folder / "whole"), "--archive", str(folder))
    found = verify_package(floor.folder / "whole")
    assert found.returncode == 0, found.stdout + found.stderr
    assert "archives" not in found.stdout
    rows = (floor.folder / "whole" / "rows.jsonl").read_bytes().splitlines()
    assert rows[: len(written)] == written[: len(rows)]


def test_an_entry_passed_off_as_archived_in_a_package_is_found_though_every_hash_and_seal_holds(
    floor: Floor, folder: Path
) -> None:
    played(floor)
    archive(floor, folder)
    package = export(floor, "package")
    rows = package / "rows.jsonl"
    lines = rows.read_bytes().splitlines()
    summary = json.loads((package / "summary.json").read_text())
    previous = sha256((summary["site"] + summary["ledger"]).encode()).digest()
    for at, line in enumerate(lines):
        said = json.loads(line)
        archived = said["row"] == "archived"
        previous = bytes.fromhex(said["hash"]) if archived else sha256(previous + line).digest()
        if said.get("kind") == "prize_locked":
            lines[at] = json.dumps({"hash": previous.hex(), "row": "archived"}).encode()
    rows.write_bytes(b"".join(line + b"\n" for line in lines))
    found = verify_package(package)
    assert found.returncode == 1
    assert "others are empty than the chain says" in found.stdout


def test_a_day_that_runs_is_not_archived_and_before_names_the_first_that_stays(floor: Floor, folder: Path) -> None:
    played(floor)
    assert archive(floor, folder, "--before", "1")["files"] == []
    done = archive(floor, folder, "--before", "2")
    (file,) = done["files"]
    first = json.loads((folder / file).read_bytes().splitlines()[0])
    assert (first["day"], first["facts"]) == (1, done["facts"])
    close_day_2 = floor.person("eva", "accounting")
    close_day_2.does("day.close", day=2)
    assert archive(floor, folder, "--before", "2")["files"] == []


def said(floor: Floor, *words: str) -> tuple[int, str]:
    """What a person at the terminal gets: the exit code, and all that is printed."""
    command = [sys.executable, "-m", "jackpotd.cli", "ledger", *words, "--config", str(floor.config)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_commands_say_in_words_what_was_done_what_rests_on_archives_and_what_is_missing(
    floor: Floor, folder: Path
) -> None:
    played(floor)
    code, text = said(floor, "archive", "--to", str(folder))
    assert (code, f"archived to {folder}: " in text, "free for rows to come" in text) == (0, True, True)
    assert said(floor, "archive", "--to", str(folder)) == (0, f"there is nothing to archive to {folder}\n")
    code, text = said(floor, "verify")
    assert code == 0
    assert re.search(r"\d+ rows are facts whose payloads are in archives: .* of \d+ the next row bears it out;", text)
    code, text = said(floor, "verify", "--archive", str(folder))
    assert (code, "payloads are in archives" in text) == (0, False)
    (file,) = folder.iterdir()
    shutil.move(file, floor.folder / "elsewhere.jsonl")
    for action in (("verify",), ("export", "--to", str(floor.folder / "x"))):
        code, text = said(floor, *action, "--archive", str(folder))
        assert (code, f"{file} is not there: name the folder that has it" in text) == (1, True)
    code, text = said(floor, "archive", "--to", str(file / "below"))
    assert (code, "cannot be made" in text) == (1, True)


def test_a_daemon_killed_while_its_ledger_is_archived_starts_and_the_command_said_again_goes_on(
    floor: Floor, folder: Path
) -> None:
    play = played(floor)
    floor.person("eva", "accounting").does("day.close", day=2)
    command = [sys.executable, "-m", "jackpotd.cli", "ledger", "archive", "--to", str(folder)]
    with subprocess.Popen([*command, "--config", str(floor.config)], cwd=ROOT, stderr=subprocess.PIPE) as archiving:
        until(lambda: "facts archived" in floor.said() or archiving.poll() is not None, "the first archive")
        floor.kill()
        archiving.communicate()
    assert archiving.returncode in (0, 1, 3)  # done before; locked out, or cut off
    floor.start(ledger=sealed(floor))
    floor.seen.meter(play.pool, play.pencil.meter)
    archive(floor, folder)
    assert archive(floor, folder)["facts"] == 0
    found = floor.command("ledger", "verify")
    assert (found["ok"], found["archived"] > 20) == (True, True)
    proved = floor.command("ledger", "verify", "--archive", str(folder))
    assert (proved["ok"], proved["archived"]) == (True, 0)


def test_a_capture_that_begins_among_archived_rows_is_replayed_beside_the_archives(floor: Floor, folder: Path) -> None:
    play = JournaledPlay(floor)
    blocks: dict[str, dict[str, object]] = {"ledger": sealed(floor), "capture": {"dir": str(floor.folder / "captures")}}
    floor.start(**blocks)
    play.bets()
    floor.stop()
    floor.start(**blocks)
    floor.seen.table("T02", phase="open", progressive="open")
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    close_day(floor)
    written = raw_ledger.bodies(floor.ledger)
    archive(floor, folder)
    floor.stop()
    _, file = sorted((floor.folder / "captures").iterdir())
    after = json.loads(file.read_bytes().splitlines()[0])["after"]
    beside_its_snapshot = replay(floor.config, file)
    assert beside_its_snapshot.code == 0, beside_its_snapshot.said
    without_snapshots(floor)
    refused = replay(floor.config, file)
    assert refused.code == 2
    assert f"the state after row {after} is told by the archive facts-" in refused.said
    done = replay(floor.config, file, archive=folder)
    assert done.code == 0, done.said
    assert done.rows == beside_its_snapshot.rows
    assert done.rows[: len(written) - after] == written[after:]
    archived = done.rows[len(written) - after :]
    assert archived == raw_ledger.bodies(floor.ledger)[len(written) :]
    assert any(b'"kind":"facts_archived"' in row for row in archived), "the archiving itself is told again"
