"""`jackpotd reload` while tables play: what changes, what waits, and who notices nothing."""

from __future__ import annotations

import json

import pytest

from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.floor_config import Block, block_text
from tests.support.sim_tables import BeeTekTable
from tests.support.terminal import USAGE, Terminal

HANDS = {1: "2S 4S 6S 8S TH", 0: "2D 3D 4D 5S 7S"}


@pytest.fixture
def table(floor: Floor) -> BeeTekTable:
    """The one table that plays."""
    floor.pool("stud-main")
    return floor.stud()


class Told:
    """What T01's topic says from now on."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._began = len(floor.seen.history)

    @property
    def closings(self) -> set[str]:
        """Every reason why the progressive was closed, but for a disk that others keep busy."""
        self._floor.seen.look()
        told = self._floor.seen.history[self._began :]
        whys = {message["why"] for topic, message in told if topic == "table/T01/state"}
        return whys - {"", "the ledger does not answer"}


def test_reload_adds_a_table_and_the_other_plays_on(floor: Floor, table: BeeTekTable) -> None:
    floor.start()
    floor.bet(table, 1)
    table.lock()
    floor.seen.table("T01", phase="locked")
    told = Told(floor)
    second = floor.shuffled()
    floor.write_config()
    changes = Terminal(floor.config).done("reload")
    assert changes["tables"]["added"] == ["T02"]
    assert changes["devices"]["added"] == ["T02/keypad", "T02/panel", "T02/shuffler"]
    assert changes["restart"] == []
    floor.seen.table("T02", progressive="open")
    floor.bet(second, 3)
    table.deal_hands({1: "2S 4S 6S 8S TH", 0: "2D 3D 4D 5S 7S"})
    floor.seen.table("T01", phase="dealt")
    assert told.closings == set()


def test_reload_with_faults_tells_all_of_them_and_changes_nothing(floor: Floor, table: BeeTekTable) -> None:
    floor.start()
    text = floor.write_config().read_text(encoding="utf-8")
    floor.config.write_text(text.replace("seats = 7", "seats = 0") + "\n[sign]\n", encoding="utf-8")
    found = Terminal(floor.config).run("reload", "--json")
    assert found.returncode == USAGE
    assert {fault["key"] for fault in json.loads(found.stdout)["result"]["faults"]} == {"table[T01].seats", "sign"}
    assert len(Terminal(floor.config).run("reload").stderr.splitlines()) == 2
    floor.config.write_text(text.replace('id = "lisboa"', 'id = "macau"'), encoding="utf-8")
    assert "site.id" in Terminal(floor.config).no("reload")
    floor.config.write_text(text, encoding="utf-8")
    assert Terminal(floor.config).done("reload")["tables"] == {"added": [], "changed": [], "removed": []}


def test_reload_says_what_waits_and_what_only_a_start_changes(floor: Floor, table: BeeTekTable) -> None:
    floor.start()
    floor.bet(table, 1)
    text = floor.write_config().read_text(encoding="utf-8")
    edits = (
        ("royal_raise_odds = 100", "royal_raise_odds = 50"),
        ("500000.00", "600000.00"),
        ("Asia/Macau", "UTC"),
        ("require_synchronised_clock = false", "keep_cores_awake = true"),
        ('min_free = "', 'min_free = "1'),
    )
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    floor.config.write_text(text, encoding="utf-8")
    changes = Terminal(floor.config).done("reload")
    assert changes["waiting"] == {"pools": ["stud-main"], "tables": ["T01"]}
    site = ["site.timezone", "site.require_synchronised_clock", "site.keep_cores_awake"]
    assert changes["restart"] == [*site, "ledger.min_free"]
    floor.seen.alarm("parameters-stud-main")


def test_a_board_that_joins_the_bus_of_a_table_in_play_or_leaves_it_closes_nobody(
    floor: Floor, table: BeeTekTable
) -> None:
    floor.start()
    terminal = Terminal(floor.config)
    floor.bet(table, 1)
    told = Told(floor)
    alone = floor.config.read_text(encoding="utf-8")
    # Nobody answers at these addresses, which is the worst that a neighbour can do.
    guest: Block = {"id": "T09", "pools": ["stud-main"], "deal": ["claims"], "seats": 7, "royal_raise_odds": 100}
    boards = [
        {"name": name, "driver": "table-bus", "port": table.bus.path, "address": address, "key": "0123" * 8}
        for name, address in (("panel", 9), ("keypad", 10))
    ]
    text = [alone, block_text("[[table]]", guest), *(block_text("[[table.device]]", board) for board in boards)]
    floor.config.write_text("\n".join(text), encoding="utf-8")
    assert terminal.done("reload")["devices"]["added"] == ["T09/keypad", "T09/panel"]
    floor.seen.table("T09", progressive="closed")
    table.lock()
    floor.seen.table("T01", phase="locked")
    floor.config.write_text(alone, encoding="utf-8")
    assert terminal.done("reload")["devices"]["removed"] == ["T09/keypad", "T09/panel"]
    table.deal_hands(HANDS)
    floor.seen.table("T01", phase="dealt")
    assert told.closings == set()
    assert {word["table"] for word in raw_ledger.words(floor.ledger, "device_lost")} == {"T09"}


def test_a_table_whose_change_waits_for_its_round_keeps_its_devices_until_then(
    floor: Floor, table: BeeTekTable
) -> None:
    floor.start()
    terminal = Terminal(floor.config)
    floor.bet(table, 1)
    table.lock()
    floor.seen.table("T01", phase="locked")
    told = Told(floor)
    text = floor.config.read_text(encoding="utf-8").replace("royal_raise_odds = 100", "royal_raise_odds = 50")
    moved = text.replace(table.shoe_port.path, str(floor.folder / "another-shoe"))
    assert moved != text
    floor.config.write_text(moved, encoding="utf-8")
    assert terminal.done("reload")["waiting"]["tables"] == ["T01"]
    table.deal_hands(HANDS)
    floor.seen.table("T01", phase="dealt")
    assert told.closings == set()
    table.end_round()
    floor.seen.table("T01", phase="open", seats={})
    assert terminal.done("reload")["waiting"]["tables"] == []
    floor.seen.table("T01", progressive="closed")


def test_a_device_that_takes_the_port_of_a_table_in_play_waits_with_it(floor: Floor, table: BeeTekTable) -> None:
    floor.start()
    terminal = Terminal(floor.config)
    floor.bet(table, 1)
    table.lock()
    floor.seen.table("T01", phase="locked")
    told = Told(floor)
    second = floor.stud("T02")
    text = (
        floor.write_config().read_text(encoding="utf-8").replace("royal_raise_odds = 100", "royal_raise_odds = 50", 1)
    )
    one, other = table.shoe_port.path, second.shoe_port.path
    swapped = text.replace(one, "(here)").replace(other, one).replace("(here)", other)
    floor.config.write_text(swapped, encoding="utf-8")
    assert terminal.done("reload")["waiting"]["tables"] == ["T01"]
    table.deal_hands(HANDS)
    floor.seen.table("T01", phase="dealt")
    assert told.closings == set()
