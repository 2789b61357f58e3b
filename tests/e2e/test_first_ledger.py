"""A site's first ledger is made once; one that is not there because its disk is not mounted is not made anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import raw_ledger
from tests.support.quiet_house import QuietHouse
from tests.support.service_manager import ServiceManagerSim
from tests.support.terminal import Terminal


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[ServiceManagerSim]:
    with ServiceManagerSim(tmp_path) as hearing:
        yield hearing


@pytest.fixture
def house(tmp_path: Path) -> QuietHouse:
    """A house whose ledger lies on a disk of its own, started as the shipped unit does."""
    house = QuietHouse(tmp_path)
    (tmp_path / "disk").mkdir()
    house.ledger = tmp_path / "disk" / "ledger.db"
    house.options = ("--existing-ledger",)
    return house


def test_a_disk_that_is_not_mounted_at_the_start_is_no_start_and_no_new_ledger(
    house: QuietHouse, manager: ServiceManagerSim
) -> None:
    Terminal(house.write_config()).done("ledger", "create")
    assert house.start(manager).stop() == 0
    rows = raw_ledger.rows(house.ledger)
    mounted, place = house.folder / "mounted", house.ledger.parent
    place.rename(mounted)
    place.mkdir()  # where it would be mounted, everything is missing
    code, words = house.refused()
    assert code == 1
    advice = "mount its disk, or make the first one with `jackpotd ledger create`"
    assert words == [f"jackpotd: there is no ledger at {house.ledger}: {advice}"]
    assert list(place.iterdir()) == []
    place.rmdir()
    mounted.rename(place)
    assert house.start(manager).stop() == 0
    assert raw_ledger.rows(house.ledger)[: len(rows)] == rows


def test_the_first_ledger_is_made_once_and_only_where_none_was(house: QuietHouse, manager: ServiceManagerSim) -> None:
    terminal = Terminal(house.write_config())
    made = terminal.done("ledger", "create")
    assert made["ledger"] == str(house.ledger)
    assert raw_ledger.rows(house.ledger) == []
    assert terminal.no("ledger", "create") == f"there is a ledger at {house.ledger} already\n"
    assert house.start(manager).stop() == 0
    house.ledger.rename(house.folder / "elsewhere.db")
    assert f"the ledger {house.ledger} is gone: put it back" in terminal.no("ledger", "create")
    assert not house.ledger.exists()


def test_run_alone_makes_a_first_ledger_and_says_so(house: QuietHouse, manager: ServiceManagerSim) -> None:
    house.options = ()
    assert house.start(manager).stop() == 0
    assert house.start(manager).stop() == 0
    said = [line for line in house.said().splitlines() if "there was no ledger" in line]
    assert len(said) == 1
    assert said[0].startswith("<4>")
    assert str(house.ledger) in said[0]
