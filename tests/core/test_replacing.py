"""A device is replaced in mid-shift: by technician and supervisor, with a reason, and other tables play on.

devices.md section 3: "a different one later needs technician and supervisor"; design 1, law 7.
"""

from __future__ import annotations

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.closing import why_closed
from jackpotd.core.devices import committed
from jackpotd.core.errors import RuleError
from jackpotd.core.parameters import Rules
from jackpotd.core.replacing import VOTE_LASTS_MS
from jackpotd.core.state import Phase
from tests.support.felt import (
    DEALER,
    FLUSH,
    KEYPAD,
    SEQUENCED_SHOE,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    Felt,
    Spot,
    baccarat_table,
    device,
    shuffler_or_shoe,
    stud_table,
)
from tests.support.pools import option_pool, stud_pool


def house() -> Spot:
    """A stud table, one of two, with everything in step."""
    return Felt([stud_pool()], [stud_table(), stud_table("T02")]).spot("T01")


def other_board(serial: str = "BP-0002") -> Spot:
    """The table after its panel was taken off and another one connected."""
    spot = house()
    spot.lose("panel")
    spot.hello("panel", serial, newest=0)
    return spot


def serial_of(spot: Spot, name: str = "panel") -> str:
    return spot.table.devices[name].serial


# ---- two persons


def test_technician_and_supervisor_accept_the_board_that_answers_and_it_serves_with_a_journal_of_its_own() -> None:
    spot = other_board()
    spot.replace("panel", TECHNICIAN)
    voted = spot.felt.said(e.DeviceVoted)
    assert (voted.serial, voted.by, voted.why) == ("BP-0002", TECHNICIAN, "a broken place")
    spot.hello("panel", "BP-0002", newest=3)
    assert serial_of(spot) == "T01-panel"
    spot.replace("panel", SUPERVISOR)
    replaced = spot.felt.said(e.DeviceReplaced)
    assert (replaced.serial, replaced.was, replaced.by) == ("BP-0002", "T01-panel", (TECHNICIAN, SUPERVISOR))
    assert spot.felt.alarms() == ["offline-T01.panel"]
    spot.hello("panel", "BP-0002", oldest=3, newest=4)
    spot.back("panel")
    board = spot.table.devices["panel"]
    assert (board.serial, board.journal, committed(spot.felt.state, board)) == ("BP-0002", 1, 2)
    assert (why_closed(spot.felt.state, spot.table), spot.felt.alarms(), spot.phase()) == ("", [], Phase.OPEN)
    spot.bet(3)
    spot.lock()
    assert spot.table.live == {"stud-main": [3]}


@pytest.mark.parametrize(
    ("second", "text"),
    [
        (TECHNICIAN, "tom has spoken already"),
        (f.By("tina", "technician"), "tom is technician too"),
        (SURVEILLANCE, "this takes supervisor or technician"),
    ],
)
def test_neither_two_technicians_nor_anybody_else_replaces_a_device(second: f.By, text: str) -> None:
    spot = other_board()
    spot.replace("panel", TECHNICIAN)
    with pytest.raises(RuleError, match=text):
        spot.replace("panel", second)


def test_both_speak_of_the_same_board() -> None:
    spot = other_board()
    spot.replace("panel", TECHNICIAN)
    spot.hello("panel", "BP-0003", newest=0)
    assert spot.felt.state.alarms["foreign_device-T01.panel"].text.endswith("answers as BP-0003, not T01-panel")
    spot.replace("panel", SUPERVISOR)
    assert spot.felt.said(e.DeviceVoted).serial == "BP-0003"
    spot.replace("panel", TECHNICIAN)
    assert spot.felt.said(e.DeviceReplaced).by == (SUPERVISOR, TECHNICIAN)


def test_both_speak_soon_after_one_another() -> None:
    spot = other_board()
    spot.replace("panel", TECHNICIAN)
    spot.felt.now_ms += VOTE_LASTS_MS
    spot.replace("panel", SUPERVISOR)
    assert spot.felt.said(e.DeviceVoted).by == SUPERVISOR


@pytest.mark.parametrize(
    ("table", "name", "why", "text"),
    [
        ("T09", "panel", "broken", "there is no table T09"),
        ("T01", "lamp", "broken", "table T01 has no device lamp; it has panel, keypad, shoe"),
        ("T01", "panel", " ", "needs its reason"),
        ("T01", "panel", "broken", "no other board answers at T01/panel: connect the new one"),
    ],
)
def test_what_cannot_be_replaced_is_refused(table: str, name: str, why: str, text: str) -> None:
    with pytest.raises(RuleError, match=text):
        house().felt.act(f.ReplaceDevice(TECHNICIAN, table, name, why))


def test_a_table_without_devices_has_none_to_replace() -> None:
    spot = Felt([stud_pool()], [stud_table(devices=(), deal=("claims",))]).spot("T01")
    with pytest.raises(RuleError, match="it has none"):
        spot.replace("panel", TECHNICIAN)


def test_a_board_that_serves_elsewhere_is_not_accepted_here() -> None:
    spot = other_board("T02-panel")
    with pytest.raises(RuleError, match="says T02-panel, which is panel of table T02"):
        spot.replace("panel", TECHNICIAN)


def test_a_pinned_place_takes_the_board_that_people_accepted() -> None:
    """The file still names the old one; the ledger knows better."""
    params = stud_table(devices=(device("panel", serial="T01-panel"), KEYPAD), deal=("claims",))
    spot = Felt([stud_pool()], [params]).spot("T01")
    spot.hello("panel", "BP-0002", newest=0)
    spot.replace("panel", TECHNICIAN, SUPERVISOR)
    spot.hello("panel", "BP-0002", newest=0)
    assert serial_of(spot) == "BP-0002"
    spot.hello("panel", "T01-panel", newest=0)
    assert spot.table.devices["panel"].foreign == "T01-panel"


def test_the_old_board_put_back_ends_the_matter() -> None:
    spot = other_board()
    spot.replace("panel", TECHNICIAN)
    spot.hello("panel")
    spot.back("panel")
    assert (spot.table.devices["panel"].foreign, spot.felt.alarms()) == ("", [])
    with pytest.raises(RuleError, match="no other board answers"):
        spot.replace("panel", SUPERVISOR)


# ---- what a replacement does to the tables


def test_a_board_exchanged_without_a_moment_of_silence_is_gone_all_the_same() -> None:
    spot = house()
    spot.hello("panel", "BP-0002", newest=0)
    assert why_closed(spot.felt.state, spot.table) == "panel offline: BP-0002 answers in its place"


def test_bets_that_the_old_panel_had_taken_are_locked_and_held() -> None:
    spot = house()
    spot.bet(3)
    spot.lose("panel")
    spot.hello("panel", "BP-0002", newest=0)
    spot.replace("panel", TECHNICIAN, SUPERVISOR)
    assert (spot.phase(), spot.table.hold_code) == (Phase.HELD, "device_lost")
    assert spot.table.live == {"stud-main": [3]}
    spot.void("the panel was exchanged")
    assert spot.table.carried == {3: ["stud-main"]}


def test_words_that_waited_for_the_lock_are_heard_when_a_replacement_ends_it() -> None:
    spot = house()
    spot.bet(3)
    spot.say("shoe", f.CardRead("2C"))
    assert spot.phase() is Phase.LOCKING
    spot.replace("shoe", TECHNICIAN, SUPERVISOR)
    assert (spot.table.hold_code, spot.table.hands, spot.table.noted) == ("deal_replaced", {}, ["2C"])


def test_a_round_in_play_is_held_and_the_other_table_plays_on() -> None:
    spot = house()
    other = spot.felt.spot("T02")
    for table in (spot, other):
        table.bet(3)
        table.lock()
    spot.card("2C")
    spot.lose("shoe")
    spot.back("shoe")
    spot.replace("shoe", TECHNICIAN, SUPERVISOR)
    assert spot.table.hold_code == "deal_lost"
    other.deal({3: FLUSH, 0: DEALER})
    other.end()
    assert "T02.1.stud-main.flush" in spot.felt.state.hits


def test_cards_go_on_to_their_places_while_a_panel_is_replaced() -> None:
    spot = house()
    spot.bet(3)
    spot.lock()
    spot.card("AD")
    spot.lose("panel")
    spot.hello("panel", "BP-0002", newest=0)
    spot.replace("panel", TECHNICIAN, SUPERVISOR)
    spot.cards("KC KD")
    assert spot.table.hands == {"3": ["AD", "KD"], "0": ["KC"]}


def test_a_shuffler_that_stands_by_is_replaced_while_the_table_plays() -> None:
    spot = Felt([stud_pool()], [stud_table(**shuffler_or_shoe("shoe", "shuffler"))]).spot("T01")
    spot.bet(3)
    spot.lock()
    spot.hello("shuffler", "SH-0002", newest=0)
    spot.replace("shuffler", TECHNICIAN, SUPERVISOR)
    spot.hello("shuffler", "SH-0002", newest=0)
    assert (spot.phase(), serial_of(spot, "shuffler")) == (Phase.LOCKED, "SH-0002")


# ---- a device that says no serial number


def test_another_shoe_begins_with_no_last_frame_and_no_error() -> None:
    """A shoe's first number after power-up is taken as it comes (devices.md section 1), also without its `S`."""
    spot = Felt([option_pool(Rules.BACCARAT_B)], [baccarat_table(deals=SEQUENCED_SHOE)]).spot("B01")
    spot.say("shoe", f.DeviceFault("1", "unreadable", raised=True))
    assert "B01/shoe" in spot.felt.state.last_frames
    spot.replace("shoe", TECHNICIAN, SUPERVISOR)
    assert spot.felt.said(e.DeviceReplaced).serial == ""
    assert spot.felt.state.last_frames == {}
    assert (spot.felt.alarms(), why_closed(spot.felt.state, spot.table), spot.phase()) == ([], "", Phase.OPEN)
