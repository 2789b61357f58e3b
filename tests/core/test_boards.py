"""Boards of the table bus at their places: serial numbers, journals, gaps (devices.md section 3)."""

from __future__ import annotations

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.closing import why_closed
from jackpotd.core.devices import committed
from jackpotd.core.state import Phase
from tests.support.felt import KEYPAD, Felt, Spot, device, stud_table
from tests.support.pools import stud_pool


def house(serial: str | None = None) -> Spot:
    """A table whose panel is configured, with a pinned serial number or not, and not yet reached."""
    felt = Felt([stud_pool()], [stud_table(devices=(KEYPAD,))])
    felt.tables = [stud_table(devices=(device("panel", serial=serial), KEYPAD))]
    felt.configure()
    return felt.spot("T01")


def panel(spot: Spot) -> tuple[str, int, int]:
    """Serial number, journal number and highest committed event of the panel."""
    board = spot.table.devices["panel"]
    return board.serial, board.journal, committed(spot.felt.state, board)


def test_the_first_serial_number_seen_at_a_place_is_taken_and_acknowledged_up_to_its_oldest_event() -> None:
    spot = house()
    spot.hello("panel", "BP-0001", oldest=41, newest=43)
    taken = spot.felt.said(e.DeviceTaken)
    assert (taken.serial, taken.device_kind, taken.journal, taken.mark) == ("BP-0001", 1, 1, 40)
    assert panel(spot) == ("BP-0001", 1, 40)
    assert spot.hello("panel", "BP-0001", oldest=41, newest=43) == []


def test_an_empty_journal_is_acknowledged_up_to_its_newest_event() -> None:
    spot = house()
    spot.hello("panel", "BP-0001", oldest=1, newest=0)
    assert panel(spot) == ("BP-0001", 1, 0)


def test_a_pinned_place_takes_its_own_board_only() -> None:
    spot = house("BP-0007")
    spot.hello("panel", "BP-0001")
    assert panel(spot) == ("", 0, 0)
    assert spot.felt.state.alarms["foreign_device-T01.panel"].text == (
        "panel of table T01 answers as BP-0001, not BP-0007"
    )
    spot.hello("panel", "BP-0007")
    assert panel(spot)[0] == "BP-0007"
    assert spot.felt.alarms() == []


@pytest.mark.parametrize("phase", [Phase.OPEN, Phase.LOCKED])
def test_another_board_at_a_taken_place_is_refused(phase: Phase) -> None:
    spot = house()
    spot.hello("panel", "BP-0001")
    spot.back("panel")
    if phase is Phase.LOCKED:
        spot.lock()
    spot.hello("panel", "BP-0002")
    assert panel(spot)[0] == "BP-0001"
    assert spot.hello("panel", "BP-0002") == []
    assert spot.table.devices["panel"].why == "BP-0002 answers in its place"
    assert {"foreign_device-T01.panel", "offline-T01.panel"} <= set(spot.felt.alarms())
    assert spot.table.hold_code == ("" if phase is Phase.OPEN else "device_lost")


def test_a_journal_below_what_is_committed_is_a_lost_one_and_holds() -> None:
    spot = house()
    spot.hello("panel", "BP-0001", oldest=1, newest=0)
    spot.back("panel")
    spot.bet(3)
    assert panel(spot) == ("BP-0001", 1, 2)
    spot.hello("panel", "BP-0001", oldest=1, newest=1)
    assert panel(spot) == ("BP-0001", 2, 0)
    assert spot.table.hold_code == "journal_lost"
    assert spot.table.live == {"stud-main": [3]}
    assert spot.felt.alarms() == ["held-T01", "journal_lost-T01.panel"]
    spot.void()
    assert spot.felt.alarms() == []
    spot.bet(5)
    assert panel(spot) == ("BP-0001", 2, 2)


def test_a_journal_that_is_as_far_as_the_ledger_is_in_step() -> None:
    spot = house()
    spot.hello("panel", "BP-0001", oldest=1, newest=0)
    spot.bet(3)
    assert spot.hello("panel", "BP-0001", oldest=3, newest=2) == []
    assert panel(spot) == ("BP-0001", 1, 2)


def moved_to_another_table() -> tuple[Spot, Spot]:
    """A table whose panel had bets, and another that the panel was moved to, the first being configured no more."""
    spot = house()
    spot.hello("panel", "BP-0001", oldest=1, newest=0)
    spot.bet(3)
    spot.felt.tables = [stud_table("T02", devices=(device("panel"), KEYPAD))]
    spot.felt.configure()
    return spot, spot.felt.spot("T02")


def test_a_board_that_moved_here_keeps_the_marks_of_its_journal() -> None:
    _, other = moved_to_another_table()
    other.hello("panel", "BP-0001", oldest=1, newest=5)
    assert panel(other) == ("BP-0001", 1, 2)


def test_a_board_that_moved_here_with_a_lost_journal_gets_a_new_one() -> None:
    _, other = moved_to_another_table()
    other.hello("panel", "BP-0001", oldest=1, newest=0)
    assert panel(other) == ("BP-0001", 2, 0)


def two_tables() -> tuple[Spot, Spot]:
    """Two tables whose panels are not yet reached."""
    spot = house()
    spot.felt.tables.append(stud_table("T02", devices=(device("panel"), KEYPAD)))
    spot.felt.configure()
    return spot, spot.felt.spot("T02")


@pytest.mark.parametrize("reached", [False, True])
def test_a_second_board_of_a_number_that_another_place_has_is_refused(reached: bool) -> None:
    spot, other = two_tables()
    spot.hello("panel", "BP-0001", oldest=1, newest=0)
    if reached:
        spot.back("panel")
    other.hello("panel", "BP-0001", oldest=1, newest=5)
    assert panel(other) == ("", 0, 0)
    assert spot.felt.state.alarms["foreign_device-T02.panel"].text == (
        "panel of table T02 answers as BP-0001, which is panel of table T01"
    )
    other.hello("panel", "BP-0002", oldest=1, newest=5)
    assert panel(other) == ("BP-0002", 1, 0)
    assert spot.felt.alarms() == []


def test_a_board_is_taken_where_it_moved_to_once_its_old_place_is_configured_no_more() -> None:
    spot, other = two_tables()
    spot.hello("panel", "BP-0001", oldest=1, newest=0)
    other.hello("panel", "BP-0001")
    assert panel(other)[0] == ""
    spot.felt.tables[0] = stud_table(devices=(KEYPAD,))
    spot.felt.configure()
    other.hello("panel", "BP-0001")
    assert panel(other)[0] == "BP-0001"


def test_of_two_places_that_had_a_board_the_one_where_it_is_reached_keeps_it() -> None:
    spot, other = moved_to_another_table()
    other.hello("panel", "BP-0001", oldest=3, newest=5)
    spot.felt.tables.append(stud_table(devices=(device("panel"), KEYPAD)))
    spot.felt.configure()
    assert spot.hello("panel", "BP-0001", oldest=3, newest=5) == []
    other.back("panel")
    spot.hello("panel", "BP-0001", oldest=3, newest=5)
    assert spot.felt.alarms() == ["foreign_device-T01.panel"]
    assert other.hello("panel", "BP-0001", oldest=3, newest=5) == []


def test_events_that_the_device_no_longer_has_are_a_gap_which_is_committed_and_holds() -> None:
    spot = house()
    spot.hello("panel", "BP-0001", oldest=1, newest=0)
    spot.back("panel")
    spot.watch("panel", f.JournalGap(11))
    moved = spot.felt.said(e.JournalMoved)
    assert moved.mark == 10
    assert panel(spot) == ("BP-0001", 1, 10)
    assert spot.table.hold_code == "journal_gap"
    assert spot.felt.alarms() == ["held-T01", "journal_gap-T01.panel"]
    assert spot.watch("panel", f.JournalGap(11)) == []


def test_an_event_out_of_order_before_the_mark_is_a_repeat() -> None:
    spot = house()
    spot.hello("panel", "BP-0001", oldest=1, newest=0)
    spot.bet(3, "ante")
    spot.say("panel", f.BetMoved(5, "ante", on=True), seq=1)
    assert spot.felt.last is None
    assert spot.table.bets == {3: ["ante"]}


def test_a_device_that_was_never_reached_keeps_the_progressive_closed() -> None:
    spot = house()
    assert why_closed(spot.felt.state, spot.table) == "panel offline: not yet reached"
