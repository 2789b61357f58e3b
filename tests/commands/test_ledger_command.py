"""`jackpotd ledger` where something is in the way: one sentence, exit code 1, and nothing half done is left."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jackpotd.cli import main
from jackpotd.commands import verify_package
from jackpotd.daemon.config import load
from jackpotd.daemon.outside import operators_path
from jackpotd.ledger import export as exporting
from jackpotd.ledger.archiving import Done
from jackpotd.ledger.port import LedgerError
from tests.ledger.golden.keeping import goldens
from tests.support.quiet_house import QuietHouse
from tests.support.sources import ROOT


@pytest.fixture
def house(tmp_path: Path) -> QuietHouse:
    """A house whose controller is off, and whose ledger is the newest golden one."""
    folder = tmp_path / "house"
    folder.mkdir()
    goldens()[-1].put(folder)
    house = QuietHouse(folder)
    house.write_config()
    return house


@pytest.fixture
def to(tmp_path: Path) -> Path:
    return tmp_path / "to"


def config(house: QuietHouse) -> str:
    return str(house.folder / "jackpotd.toml")


def operators(house: QuietHouse) -> Path:
    return operators_path(load(Path(config(house))))


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one sentence of a command that says no."""
    assert main(["ledger", *words]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    (sentence,) = said.err.splitlines()
    return sentence


def test_operators_that_may_not_be_read_are_named_and_no_backup_is_left(
    house: QuietHouse, to: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = operators(house)
    secret.touch()
    really = os.open

    def guarded(path: Any, *more: Any, **named: Any) -> int:
        if os.fspath(path) == str(secret):
            raise PermissionError(13, "Permission denied", str(path))
        return really(path, *more, **named)

    monkeypatch.setattr(os, "open", guarded)
    said = refused(capsys, "backup", "--config", config(house), "--to", str(to))
    assert said == f"the operators {secret} may be read by the daemon's user and root alone: back up as one of them"
    assert not to.exists()


def test_operators_that_are_no_database_are_named_and_no_backup_is_left(
    house: QuietHouse, to: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    operators(house).write_text("no database" * 1000)
    said = refused(capsys, "backup", "--config", config(house), "--to", str(to))
    assert (
        said
        == f"copying the operators {operators(house)} to {to / operators(house).name} failed: file is not a database"
    )
    assert not to.exists()


@pytest.mark.parametrize("action", ["verify", "archive", "backup", "export"])
def test_a_ledger_that_cannot_be_reached_is_named_and_nothing_is_made(
    house: QuietHouse, to: Path, capsys: pytest.CaptureFixture[str], action: str
) -> None:
    far = house.folder / ("x" * 300) / "ledger.db"  # as one may not enter the folder: the system does not say yes or no
    house.write_config(ledger={"url": f"sqlite:///{far}", "min_free": "1MiB"})
    words = () if action == "verify" else ("--to", str(to))
    said = refused(capsys, action, "--config", config(house), *words)
    assert said == f"the ledger {far} cannot be reached: File name too long"
    assert not to.exists()


@pytest.mark.parametrize("action", ["verify", "archive", "backup", "export"])
def test_without_a_ledger_every_command_says_the_same_and_makes_nothing(
    house: QuietHouse, to: Path, capsys: pytest.CaptureFixture[str], action: str
) -> None:
    house.ledger.unlink()
    words = () if action == "verify" else ("--to", str(to))
    assert refused(capsys, action, "--config", config(house), *words) == f"there is no ledger at {house.ledger}"
    assert not list(to.parent.glob("to*"))


def test_a_backup_or_an_export_beside_a_folder_of_its_name_leaves_that_alone(
    house: QuietHouse, to: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to.mkdir()
    (to / "precious").touch()
    for action in ("backup", "export"):
        assert "overwrites nothing" in refused(capsys, action, "--config", config(house), "--to", str(to))
    assert [path.name for path in to.iterdir()] == ["precious"]


def test_a_key_that_the_disk_does_not_take_is_not_left_empty(to: Path) -> None:
    command = f"ulimit -f 0; exec '{sys.executable}' -B -m jackpotd.cli ledger newkey --to '{to}'"
    done = subprocess.run(["/bin/sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"{to} cannot be written: File too large\n"
    assert not to.exists()


@pytest.mark.parametrize("action", ["backup", "export", "archive", "newkey"])
def test_a_target_without_a_name_is_a_mistake_in_the_command(action: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["ledger", action, "--to", ""])
    assert "argument --to: a path is wanted, and this one is empty" in capsys.readouterr().err


def test_where_there_is_nothing_to_archive_no_folder_is_left(
    house: QuietHouse, to: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["ledger", "archive", "--config", config(house), "--to", str(to), "--before", "1"]
    assert main(command) == 0
    assert not to.exists()
    to.mkdir()
    assert main(command) == 0
    assert to.exists(), "it is another's"
    assert capsys.readouterr().out == f"there is nothing to archive to {to}\n" * 2


def test_an_archive_that_is_refused_leaves_nothing(
    house: QuietHouse, to: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise LedgerError("unfit", "the rows are not the next to be archived")

    monkeypatch.setattr("jackpotd.commands.archive_keepers.check_next", refuse)
    said = refused(capsys, "archive", "--config", config(house), "--to", str(to))
    assert said == "the rows are not the next to be archived"
    assert not to.exists()


def test_archives_in_two_folders_are_a_warning(
    house: QuietHouse, to: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def archive(*_: object) -> Done:
        return Done(["facts-2.jsonl"], 1, 100, ["facts-0.jsonl", "facts-1.jsonl"])

    monkeypatch.setattr("jackpotd.commands.ledger.archive", archive)
    assert main(["ledger", "archive", "--config", config(house), "--to", str(to)]) == 0
    assert capsys.readouterr().out.splitlines()[1] == (
        f"warning: {to} lacks 2 of the archives made before, facts-0.jsonl the oldest: move all into one folder, since"
        " --archive takes one"
    )


def test_a_second_export_to_one_folder_is_refused_and_the_first_comes_to_its_end(
    house: QuietHouse, to: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["export", "--config", config(house), "--to", str(to)]
    write = exporting._write_rows
    seconds: list[str] = []

    def meanwhile(*args: Any) -> Any:
        head = write(*args)
        if not seconds:
            seconds.append("is begun")
            seconds[:] = [refused(capsys, *command)]
        return head

    monkeypatch.setattr(exporting, "_write_rows", meanwhile)
    assert main(["ledger", *command]) == 0
    assert seconds == [
        f"{to}.new is there: another export to the same folder is under way; or one was killed: remove it"
    ]
    assert "exported to" in capsys.readouterr().out
    assert verify_package.main([str(to)]) == 0
    assert not list(to.parent.glob("to.new"))
