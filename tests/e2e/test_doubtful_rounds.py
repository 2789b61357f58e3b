"""What cannot be believed is held: the progressive closed, an alarm on MQTT, metrics and log, nothing paid (law 7)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hardware.reports import ShoeResult, Target
from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.plays import BarePlay, JournaledPlay, Play, SequencedPlay


def card_twice_in_one_pack(floor: Floor) -> Play:
    play = BarePlay(floor)
    locked(play)
    play.deal_some()
    play.table.deal("9H")
    return play


def card_too_many(floor: Floor) -> Play:
    play = BarePlay(floor)
    locked(play)
    play.deal_some()
    play.deal_rest()
    play.table.deal("8C")
    return play


def unreadable_card(floor: Floor) -> Play:
    play = BarePlay(floor)
    locked(play)
    play.deal_some()
    play.spoil()
    return play


def round_ended_with_cards_missing(floor: Floor) -> Play:
    play = BarePlay(floor)
    locked(play)
    play.deal_some()
    play.finish()
    return play


def cards_and_no_bets(floor: Floor) -> Play:
    play = BarePlay(floor)
    floor.start()
    play.table.wait_open()
    play.lock()
    floor.seen.table("T01", phase="locked")
    play.deal_some()
    return play


def result_that_is_not_ours(floor: Floor) -> Play:
    play = SequencedPlay(floor)
    locked(play)
    play.deal_some()
    play.deal_rest()
    play.table.shoe_port.send(play.table.shoe.result(ShoeResult("player", player_pair=True, banker_pair=False)))
    return play


def forced_quit(floor: Floor) -> Play:
    play = SequencedPlay(floor)
    locked(play)
    play.deal_some()
    play.deal_rest()
    play.table.shoe_port.send(play.table.shoe.result(ShoeResult("forced_quit", player_pair=False, banker_pair=False)))
    return play


def another_card_for_a_filled_place(floor: Floor) -> Play:
    play = SequencedPlay(floor)
    locked(play)
    play.deal_some()
    play.table.shoe_port.send(play.table.shoe.card("KD", Target.PLAYER, 1))
    return play


def message_lost_on_a_numbered_line(floor: Floor) -> Play:
    play = SequencedPlay(floor)
    locked(play)
    play.deal_some()
    play.table.shoe.say("P")
    play.deal_rest()
    return play


def shoes_own_error(floor: Floor) -> Play:
    play = SequencedPlay(floor)
    locked(play)
    play.deal_some()
    play.spoil()
    return play


def packet_of_four(floor: Floor) -> Play:
    play = JournaledPlay(floor)
    locked(play)
    play.table.deal("9H", "TH", "JH", "QH")
    return play


def locked(play: Play) -> None:
    play.floor.start()
    play.bets()
    play.lock()
    play.floor.seen.meter(play.pool, play.pencil.bets(2))


CASES: dict[Callable[[Floor], Play], str] = {
    card_twice_in_one_pack: "a card came more often than the packs hold it",
    card_too_many: "a card came that the round has no place for",
    unreadable_card: "a card could not be read",
    round_ended_with_cards_missing: "the round ended before every hand was complete",
    cards_and_no_bets: "cards are dealt and no seat has a bet",
    result_that_is_not_ours: "the shoe's result is not ours",
    forced_quit: "the shoe was made to quit the round",
    another_card_for_a_filled_place: "two different cards for one place",
    message_lost_on_a_numbered_line: "messages of a device were lost",
    shoes_own_error: "a card could not be read",
    packet_of_four: "a packet had a wrong number of cards",
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_doubtful_round_is_held_and_nothing_is_paid(floor: Floor, case: Callable[[Floor], Play]) -> None:
    play = case(floor)
    name, seen = play.table.name, floor.seen
    seen.table(name, phase="held", progressive="closed", why=lambda why: CASES[case] in why)
    alarm = seen.alarm(f"held-{name}")
    assert CASES[case] in alarm["text"]
    assert alarm["todo"]
    play.table.wait_shows(True, *([0] * play.table.seats))
    assert not play.table.place(3, "progressive")
    assert play.table.shows()[2].startswith("ROUND HELD")
    seen.meter(play.pool, play.pencil.meter, "live")
    assert seen.hits() == {}
    assert raw_ledger.entries(floor.ledger, "prize_locked", "round_settled") == []
    metrics = floor.metrics()
    assert metrics[f'jackpotd_table_phase{{phase="held",table="{name}"}}'] == 1
    assert metrics['jackpotd_alarms_active{code="held"}'] == 1
    assert f"round held table={name}" in floor.said()


def test_a_supervisor_enters_the_card_that_could_not_be_read_and_the_round_is_paid(floor: Floor) -> None:
    play = BarePlay(floor)
    locked(play)
    supervisor = floor.person("ana", "supervisor")
    cards = play.cards
    play.table.deal(*cards[:4])
    play.table.shoe.load([cards[4]])
    play.table.shoe_port.send(play.table.shoe.deal_unread())
    floor.seen.table("T01", phase="held")
    play.table.deal(*cards[5:])
    floor.seen.wait(lambda: len(raw_ledger.entries(floor.ledger, "card_taken")) == len(cards), "the other cards")
    hand, index = ("1", "4", "0")[4 % 3], 4 // 3 + 1
    supervisor.does("round.card", table="T01", hand=hand, index=index, card=cards[4])
    supervisor.does("round.confirm", table="T01", why="the card lies face up on the table")
    floor.seen.no_alarm("held-T01")
    play.finish()
    play.prizes()
    floor.seen.hit(play.pool, play.hit, "pending")
    floor.seen.meter(play.pool, play.pencil.meter)
