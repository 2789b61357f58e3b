"""A backup is put back whole, where no ledger is, and nothing that is left of another one gets into it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import raw_ledger
from tests.support.quiet_house import QuietHouse
from tests.support.service_manager import ServiceManagerSim
from tests.support.terminal import Terminal

NOBODY_UID = 65_534
FILES = ("ledger.db", "ledger.db.seals", "operators.db")


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[ServiceManagerSim]:
    with ServiceManagerSim(tmp_path) as hearing:
        yield hearing


@pytest.fixture
def house(tmp_path: Path, manager: ServiceManagerSim) -> QuietHouse:
    """A house that ran once and was backed up, its state in a folder of its own."""
    house = QuietHouse(tmp_path)
    (tmp_path / "state").mkdir()
    house.ledger = tmp_path / "state" / "ledger.db"
    assert house.start(manager).stop() == 0
    (tmp_path / "state" / "ledger.db.seals").write_text("a seal\n")
    terminal_of(house).done("ledger", "backup", "--to", str(tmp_path / "backup"))
    return house


def terminal_of(house: QuietHouse) -> Terminal:
    return Terminal(house.write_config())


def restore_words(house: QuietHouse) -> tuple[str, ...]:
    return "ledger", "restore", "--from", str(house.folder / "backup")


def emptied(house: QuietHouse) -> Path:
    state = house.ledger.parent
    for path in state.iterdir():
        path.unlink()
    return state


def test_a_backup_is_restored_where_no_ledger_is_and_the_daemon_goes_on(
    house: QuietHouse, manager: ServiceManagerSim
) -> None:
    kept = raw_ledger.rows(house.folder / "backup" / "ledger.db")
    state = emptied(house)
    (state / "operators.db.new").write_text("a restore that was killed")
    found = terminal_of(house).done(*restore_words(house))
    assert (found["rows"], found["ledger"]) == (len(kept), str(house.ledger))
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in state.iterdir()} == {
        "ledger.db": 0o640,
        "ledger.db.lock": 0o640,
        "ledger.db.seals": 0o640,
        "operators.db": 0o600,
    }
    assert raw_ledger.rows(house.ledger) == kept
    assert (state / "ledger.db.seals").read_text() == "a seal\n"
    assert house.start(manager).stop() == 0
    assert raw_ledger.rows(house.ledger)[: len(kept)] == kept


def test_nothing_is_restored_beside_what_is_left_of_a_ledger(house: QuietHouse) -> None:
    terminal, state = terminal_of(house), emptied(house)
    for name in (*FILES, "ledger.db-wal", "ledger.db-shm", "ledger.db-journal", "operators.db-journal"):
        left = state / name
        left.write_text("of the former ledger")
        assert f"move {name} away first: mv {left} FOLDER" in terminal.no(*restore_words(house))
        assert {path.name for path in state.iterdir()} == {name, "ledger.db.lock"}
        assert left.read_text() == "of the former ledger"
        left.unlink()


def test_nothing_is_restored_while_a_daemon_runs(house: QuietHouse, manager: ServiceManagerSim) -> None:
    daemon = house.start(manager)
    assert "is in use by another process" in terminal_of(house).no(*restore_words(house))
    assert daemon.stop() == 0


def test_a_backup_that_is_not_in_order_is_not_restored(house: QuietHouse) -> None:
    state, copy = emptied(house), house.folder / "backup" / "ledger.db"
    copy.write_bytes(copy.read_bytes().replace(b'"journal":1', b'"journal":2', 1))
    assert "is not in order: " in terminal_of(house).no(*restore_words(house))
    assert [path.name for path in state.iterdir()] == ["ledger.db.lock"]


def test_what_is_no_backup_or_another_sites_is_not_restored(house: QuietHouse) -> None:
    state = emptied(house)
    site = {"id": "elsewhere", "currency": "MOP", "timezone": "Asia/Macau"}
    other = Terminal(house.write_config(site=site))
    assert "is of site 'lisboa', not 'elsewhere'" in other.no(*restore_words(house))
    (house.folder / "backup" / "ledger.db").unlink()
    assert "there is no backup at" in terminal_of(house).no(*restore_words(house))
    assert [path.name for path in state.iterdir()] == ["ledger.db.lock"]


def test_what_root_restores_belongs_to_the_owner_of_the_folder(house: QuietHouse) -> None:
    assert os.geteuid() == 0, "to give files away this test must be root"
    state = emptied(house)
    os.chown(state, NOBODY_UID, NOBODY_UID)
    terminal_of(house).done(*restore_words(house))
    owners = {path.name: (path.stat().st_uid, path.stat().st_gid) for path in state.iterdir()}
    assert owners == dict.fromkeys([*FILES, "ledger.db.lock"], (NOBODY_UID, NOBODY_UID))
