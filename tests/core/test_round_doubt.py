"""Lost devices, restarts and what is not understood: design 1, law 7, and design 7."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.closing import why_closed
from jackpotd.core.dealing import NOTED_CARDS
from jackpotd.core.parameters import DeviceParams, Rules
from jackpotd.core.state import Phase
from tests.support.felt import (
    BARE_SHOE,
    DEALER,
    FLUSH,
    NOTHING_2,
    SEQUENCED_SHOE,
    SHUFFLER,
    SUPERVISOR,
    Felt,
    Spot,
    baccarat_table,
)
from tests.support.phases import IN_PLAY, SHOES, assert_held, in_phase
from tests.support.pools import option_pool

# ---- lost and back


@pytest.mark.parametrize("name", ["panel", "keypad", "shoe"])
def test_with_bets_open_a_lost_device_only_closes_the_progressive_until_it_is_back(name: str) -> None:
    table = in_phase(Phase.OPEN)
    table.lose(name)
    assert table.phase() is Phase.OPEN
    assert why_closed(table.felt.state, table.table) == f"{name} offline: no answer"
    assert table.felt.alarms() == [f"offline-T01.{name}"]
    assert table.lose(name) == []
    table.back(name)
    assert why_closed(table.felt.state, table.table) == ""
    assert table.felt.alarms() == []
    assert table.back(name) == []
    table.lock()
    assert table.table.live == {"stud-main": [3]}


@pytest.mark.parametrize("name", ["panel", "keypad"])
@pytest.mark.parametrize("phase", IN_PLAY)
def test_after_the_lock_a_lost_device_holds_the_round(phase: Phase, name: str) -> None:
    table = in_phase(phase)
    table.lose(name)
    assert_held(table, "device_lost")
    table.back(name)
    assert_held(table, "device_lost")


@SHOES
@pytest.mark.parametrize("phase", [Phase.LOCKING, Phase.LOCKED, Phase.DEALING])
def test_a_shoe_without_a_journal_that_is_lost_before_the_deal_is_done_holds(phase: Phase, shoe: DeviceParams) -> None:
    table = in_phase(phase, shoe)
    table.lose("shoe")
    assert_held(table, "deal_lost")


@pytest.mark.parametrize("deals", [BARE_SHOE, SEQUENCED_SHOE, SHUFFLER], ids=["bare", "sequenced", "journaled"])
def test_a_dealt_round_needs_its_shoe_no_more(deals: DeviceParams) -> None:
    table = in_phase(Phase.DEALT, deals)
    table.lose(deals.name)
    assert table.phase() is Phase.DEALT
    table.back(deals.name)
    table.end()
    assert "T01.1.stud-main.flush" in table.felt.state.hits


def test_a_shuffler_with_a_journal_that_is_lost_holds_and_a_supervisor_lets_the_deal_stand_as_it_came() -> None:
    table = in_phase(Phase.LOCKED, SHUFFLER)
    table.packet(FLUSH.split())
    table.lose("shuffler")
    assert_held(table, "device_lost")
    for card in DEALER.split():  # out of its journal
        table.say("shuffler", f.CardRead(card), stale=True)
    table.back("shuffler")
    table.confirm()
    table.end()
    assert "T01.1.stud-main.flush" in table.felt.state.hits


def test_a_lock_while_a_device_is_away_holds() -> None:
    table = in_phase(Phase.OPEN)
    table.lose("keypad")
    table.card("AD")
    assert_held(table, "device_lost")


def test_a_lock_while_a_device_has_an_error_holds() -> None:
    table = in_phase(Phase.OPEN)
    table.say("shoe", f.DeviceFault("E1", "lid open", raised=True))
    assert why_closed(table.felt.state, table.table) == "shoe: lid open"
    table.lock()
    assert_held(table, "device_fault")


# ---- errors of devices


@pytest.mark.parametrize("phase", IN_PLAY)
def test_an_error_of_a_device_after_the_lock_holds(phase: Phase) -> None:
    table = in_phase(phase, SEQUENCED_SHOE)
    table.say("shoe", f.DeviceFault("1", "unreadable", raised=True))
    assert_held(table, "device_fault")
    assert "device_fault-T01.shoe" in table.felt.alarms()
    table.say("shoe", f.DeviceFault("1", "unreadable", raised=False))
    assert_held(table, "device_fault")
    assert "device_fault-T01.shoe" not in table.felt.alarms()


def test_an_error_said_twice_is_one_alarm_and_another_text_replaces_it() -> None:
    table = in_phase(Phase.OPEN, SEQUENCED_SHOE)
    table.say("shoe", f.DeviceFault("1", "unreadable", raised=True))
    assert table.say("shoe", f.DeviceFault("1", "unreadable", raised=True)) == []
    table.say("shoe", f.DeviceFault("2", "overdraw", raised=True))
    assert table.felt.state.alarms["device_fault-T01.shoe"].text == "shoe of table T01 says: overdraw"


def test_a_bare_shoe_never_says_that_its_error_is_over_so_the_supervisors_decision_ends_it() -> None:
    table = in_phase(Phase.LOCKED)
    table.say("shoe", f.DeviceFault("E3", "Card Not Read", raised=True))
    assert_held(table, "device_fault")
    table.void()
    assert table.felt.alarms() == []
    assert why_closed(table.felt.state, table.table) == ""


@SHOES
@pytest.mark.parametrize("phase", [Phase.LOCKING, Phase.LOCKED, Phase.DEALING])
def test_a_shoe_that_powers_up_in_the_middle_of_a_deal_holds(phase: Phase, shoe: DeviceParams) -> None:
    table = in_phase(phase, shoe)
    table.say("shoe", f.DeviceStarted(0))
    assert_held(table, "device_restarted")


@pytest.mark.parametrize("phase", [Phase.OPEN, Phase.DEALT])
def test_a_shoe_that_powers_up_with_nothing_to_deal_changes_no_round(phase: Phase) -> None:
    table = in_phase(phase, SEQUENCED_SHOE)
    table.say("shoe", f.DeviceFault("1", "unreadable", raised=phase is Phase.OPEN))
    table.say("shoe", f.DeviceStarted(0))
    assert table.phase() is phase
    assert table.felt.alarms() == []


@pytest.mark.parametrize("phase", IN_PLAY)
def test_a_device_with_a_journal_that_powers_up_says_all_it_has_to_say(phase: Phase) -> None:
    table = in_phase(phase)
    assert table.say("panel", f.DeviceStarted(2)) == []
    assert table.phase() is phase


# ---- gaps and unknown words


@pytest.mark.parametrize("phase", [Phase.OPEN, *IN_PLAY])
def test_a_gap_on_a_sequenced_link_holds_in_every_phase(phase: Phase) -> None:
    table = in_phase(phase, SEQUENCED_SHOE)
    table.say("shoe", f.SequenceGap(4, 6))
    assert_held(table, "sequence_gap")
    assert table.table.hold_text == "messages of a device were lost: shoe from 4 to 6"


@pytest.mark.parametrize("phase", [Phase.OPEN, *IN_PLAY])
def test_an_unknown_event_holds_in_every_phase(phase: Phase) -> None:
    table = in_phase(phase)
    table.press(f.UnknownSaid(0x66, "0102", "no such code"))
    assert_held(table, "unknown_event")


@pytest.mark.parametrize("phase", [Phase.OPEN, *IN_PLAY])
def test_skipped_events_of_a_journal_hold_in_every_phase_and_what_came_is_judged_all_the_same(phase: Phase) -> None:
    table = in_phase(phase)
    mark = table.felt.state.marks["T01-keypad#1"]
    table.press(f.KeyTurned(1), seq=mark + 3)
    assert_held(table, "journal_gap")
    assert table.table.key_used
    assert table.felt.state.marks["T01-keypad#1"] == mark + 3
    table.void()
    assert table.felt.alarms() == []


def test_what_waited_for_the_lock_is_judged_before_the_word_that_shows_a_gap() -> None:
    table = in_phase(Phase.LOCKING, SHUFFLER)
    table.say("shuffler", f.CardRead("AD"))
    table.say("shuffler", f.CardRead("JD"), seq=table.felt.state.marks["T01-shuffler#1"] + 2)
    assert table.table.noted == ["AD", "JD"]


def test_at_a_closed_table_there_is_nothing_to_hold_and_opening_it_answers_the_alarm() -> None:
    table = in_phase(Phase.OPEN)
    table.felt.act(f.CloseTable(SUPERVISOR, "T01"))
    table.press(f.KeyTurned(1), seq=9)
    assert table.phase() is Phase.OPEN
    assert table.felt.alarms() == ["journal_gap-T01.keypad"]
    table.felt.act(f.OpenTable(SUPERVISOR, "T01"))
    assert table.felt.alarms() == []


def test_a_notice_is_recorded_and_changes_nothing() -> None:
    for phase in (Phase.OPEN, *IN_PLAY, Phase.HELD):
        table = in_phase(phase)
        assert table.say("shoe", f.DeviceNotice("cut_card", "the cut card came")) == []


# ---- the first reason and the cards that follow


def test_a_held_round_keeps_its_first_reason() -> None:
    table = in_phase(Phase.DEALING)
    table.say("shoe", f.SequenceGap(1, 3))
    table.lose("panel")
    table.say("shoe", f.UnknownSaid(1, "", "odd"))
    assert_held(table, "sequence_gap")


def test_after_a_card_that_was_not_read_the_places_of_the_others_are_known() -> None:
    table = in_phase(Phase.LOCKED)
    table.card("AD")
    table.unread()
    table.cards("KD QD JD 9S TD 7S 6D 3C")
    assert table.table.hands == {"3": FLUSH.split(), "0": ["??", "QD", "9S", "7S", "3C"]}
    assert table.phase() is Phase.HELD
    table.enter("0", 1, "KC")
    table.confirm()
    assert table.phase() is Phase.DEALT


def test_a_second_doubt_about_the_cards_ends_the_certainty_and_is_added_to_the_reason() -> None:
    table = in_phase(Phase.DEALING)
    table.unread()
    table.lose("shoe")
    assert_held(table, "deal_lost")
    assert table.table.hold_text.startswith(
        "a card could not be read: card 2 of the round, hand 0; the device that deals"
    )
    assert table.felt.state.alarms["held-T01"].text == f"round 1 of table T01 is held: {table.table.hold_text}"
    table.back("shoe")
    table.card("KD")
    assert table.table.noted == ["KD"]
    assert table.table.hands == {"3": ["AD"], "0": ["??"]}


def test_a_card_too_many_at_a_held_table_is_said() -> None:
    table = in_phase(Phase.LOCKED)
    table.unread()
    table.cards("KC KD QD JD 9S TD 7S 6D 3C 2C 4C")
    assert table.table.hold_code == "card_extra"
    assert table.table.hold_text.endswith("the round has no place for: 2C")
    assert table.table.noted == ["2C", "4C"]


def test_cards_at_a_round_held_for_doubt_are_noted_and_their_number_is_bounded() -> None:
    table = in_phase(Phase.DEALING)
    table.say("shoe", f.SequenceGap(1, 3))
    table.card("2C", "burn")
    for _ in range(NOTED_CARDS + 1):
        table.unread()
    assert table.table.noted == ["??"] * NOTED_CARDS
    assert table.table.hands == {"3": ["AD"]}


def test_a_lost_panel_does_not_stop_the_deal_from_being_known() -> None:
    table = in_phase(Phase.DEALING)
    table.lose("panel")
    table.cards("KC KD QD JD 9S TD 7S 6D 3C")
    table.back("panel")
    table.confirm()
    assert table.phase() is Phase.DEALT
    table.end()
    assert "T01.1.stud-main.flush" in table.felt.state.hits


def test_at_baccarat_the_cards_after_one_that_was_not_read_are_only_noted() -> None:
    table = Felt([option_pool(Rules.BACCARAT_B)], [baccarat_table()]).spot("B01")
    table.card("8S")
    table.unread()
    table.cards("KC KS")
    assert table.table.hands == {"player": ["8S"], "banker": ["??"]}
    assert table.table.noted == ["KC", "KS"]


def test_a_card_comes_while_locking_and_the_panel_is_lost() -> None:
    table = in_phase(Phase.OPEN)
    table.say("shoe", f.CardRead("AD"))
    table.press(f.Folded(3))
    table.press(f.KeyTurned(1))
    table.lose("panel")
    assert_held(table, "device_lost")
    assert (table.table.hands, table.table.folded, table.table.key_used) == ({"3": ["AD"]}, [3], True)


@pytest.mark.parametrize(
    "word",
    [
        lambda table: table.press(f.BetsLocked()),
        lambda table: table.end(),
        lambda table: table.bet(5),
        lambda table: table.say("shoe", f.PacketOut(5)),
        lambda table: table.result("player"),
        lambda table: table.time_out("deal"),
        lambda table: table.press(f.VoidPressed("other")),
    ],
)
def test_nothing_of_a_held_round_moves_by_itself(word: Callable[[Spot], object]) -> None:
    table = in_phase(Phase.HELD)
    word(table)
    assert table.felt.last == []
    assert_held(table, "fold_unknown")


def test_with_the_supervisors_key_the_dealer_may_void_a_held_round() -> None:
    table = in_phase(Phase.HELD)
    table.press(f.KeyTurned(2))
    table.press(f.VoidPressed("other"))
    assert table.felt.said(e.RoundVoided).carried == {3: ("stud-main",)}
    assert table.felt.alarms() == []


def test_what_a_dealt_hand_was_is_kept_for_the_supervisor() -> None:
    table = in_phase(Phase.LOCKED)
    table.deal({3: NOTHING_2, 0: DEALER})
    table.lose("panel")
    assert table.table.hands == {"3": NOTHING_2.split(), "0": DEALER.split()}


def test_what_to_do_with_a_held_round_is_said_by_its_cause() -> None:
    unread = in_phase(Phase.DEALING)
    unread.say("shoe", f.CardUnread())
    assert unread.felt.state.alarms["held-T01"].todo.startswith("Enter the card that was not read")
    lost = in_phase(Phase.DEALING)
    lost.lose("keypad")
    assert lost.felt.state.alarms["held-T01"].todo.startswith("Look at the table")
