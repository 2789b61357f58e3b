"""What is named as a file and is none, a pipe that nobody writes or a device without an end, is refused at once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from jackpotd.ledger.archiving import archive
from jackpotd.ledger.backup import back_up_all
from jackpotd.ledger.export import export
from jackpotd.ledger.open import open_ledger
from jackpotd.ledger.seals import seals_of
from tests.support.archived import Hands, two_days
from tests.support.ledgers import SITE, UUID, url_of
from tests.support.quiet_house import QuietHouse
from tests.support.sources import ROOT

PATIENCE_S = 60.0


def zeroes(path: Path) -> None:
    path.symlink_to("/dev/zero")


KINDS = pytest.mark.parametrize("put", [os.mkfifo, zeroes], ids=["pipe", "device"])
Put = Callable[[Path], None]


@pytest.fixture
def house(tmp_path: Path) -> QuietHouse:
    """A house whose first day is in the folder `archive`."""
    house = QuietHouse(tmp_path)
    house.write_config()
    (tmp_path / "archive").mkdir()
    with closing(open_ledger(url_of(house.ledger), SITE, create=UUID)) as ledger:
        two_days(ledger)
        archive(ledger, tmp_path / "archive", 2, Hands(ledger))
    return house


def said(*command: str | Path) -> tuple[int, str]:
    """The exit code and the one sentence, in time."""
    words = [sys.executable, "-B", *map(str, command)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    return done.returncode, (done.stdout + done.stderr).strip()


def jackpotd(house: QuietHouse, *words: str | Path) -> tuple[int, str]:
    return said("-m", "jackpotd.cli", *words, "--config", house.folder / "jackpotd.toml")


@KINDS
@pytest.mark.parametrize("action", ["verify", "export"])
def test_in_place_of_an_archive(house: QuietHouse, put: Put, action: str) -> None:
    folder = house.folder / "archive"
    (file,) = folder.iterdir()
    file.unlink()
    put(file)
    words = ("--to", house.folder / "to") if action == "export" else ()
    code, text = jackpotd(house, "ledger", action, "--archive", folder, *words)
    assert code == 1
    assert f"the archive {file} cannot be read: it is no file but a pipe or a device" in text
    assert not list(house.folder.glob("to*"))


@KINDS
def test_in_place_of_a_capture(house: QuietHouse, put: Put) -> None:
    put(capture := house.folder / "capture.jsonl")
    assert jackpotd(house, "replay", capture) == (2, f"{capture}: it is no file but a pipe or a device")


@KINDS
@pytest.mark.parametrize("command", ["backup", "export"])
def test_in_place_of_the_seals(house: QuietHouse, put: Put, command: str) -> None:
    put(seals := seals_of(house.ledger))
    code, text = jackpotd(house, "ledger", command, "--to", house.folder / "to")
    assert code == 1
    assert text.endswith(f"cannot be made: {seals}: it is no file but a pipe or a device")
    assert not list(house.folder.glob("to*"))


@KINDS
@pytest.mark.parametrize("name", ["ledger.db.seals", "operators.db"])
def test_in_a_backup(house: QuietHouse, put: Put, name: str) -> None:
    backup = house.folder / "backup"
    back_up_all(house.ledger, house.folder / "operators.db", backup)
    put(backup / name)
    house.ledger.rename(house.folder / "away")
    for left in house.folder.glob("ledger.db*"):
        left.unlink()
    code, text = jackpotd(house, "ledger", "restore", "--from", backup)
    assert code == 1
    assert text.endswith(f"{backup / name}: it is no file but a pipe or a device")
    assert not house.ledger.exists()


@KINDS
@pytest.mark.parametrize("name", ["summary.json", "seals.jsonl", "rows.jsonl", "configuration.jsonl", "--seals"])
def test_in_an_audit_package(house: QuietHouse, put: Put, name: str) -> None:
    folder = house.folder / "audit"
    export(house.ledger, folder, ())
    file = house.folder / "mine" if name == "--seals" else folder / name
    file.unlink(missing_ok=True)
    put(file)
    own: tuple[str | Path, ...] = ("--seals", file) if name == "--seals" else ()
    code, text = said("-m", "jackpotd.commands.verify_package", folder, *own)
    assert (code, text) == (2, f"{folder} is no whole package: a pipe or a device is no file: {file}")
