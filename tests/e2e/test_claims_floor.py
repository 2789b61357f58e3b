"""A table without card reading: claim, key and cards, all three, or nothing is paid (design 7)."""

from __future__ import annotations

import pytest

from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.people import NoError, Person
from tests.support.reckoning import Reckoning
from tests.support.sim_tables import ClaimsTable

ROYAL = "TH JH QH KH AH"


def claimed(floor: Floor) -> tuple[ClaimsTable, Reckoning, Person]:
    """Seat 2 of three claims the highest tier; the round waits for a supervisor."""
    pencil = floor.pool("stud-main")
    table = floor.claims()
    floor.start()
    floor.bet(table, 2, 3, 5)
    table.lock()
    floor.seen.meter("stud-main", pencil.bets(3))
    table.press(lambda keypad, now: keypad.claim(2, 1, now))
    table.end_round()
    floor.seen.table("T03", phase="held", progressive="closed", why=lambda why: "seat 2 claims royal_flush" in why)
    floor.seen.alarm("held-T03")
    return table, pencil, floor.person("ana", "supervisor")


def enter(supervisor: Person, cards: str) -> None:
    for index, card in enumerate(cards.split(), start=1):
        supervisor.does("round.card", table="T03", hand="2", index=index, card=card)


def test_a_claim_with_key_and_cards_becomes_a_hit(floor: Floor) -> None:
    table, pencil, supervisor = claimed(floor)
    table.press(lambda keypad, now: keypad.turn_key(1, now))
    floor.seen.wait(lambda: raw_ledger.entries(floor.ledger, "key_used"), "the key")
    enter(supervisor, ROYAL)
    (shown,) = [one for one in supervisor.does("status")["tables"] if one["table"] == "T03"]
    assert shown["claims"] == [{"seat": 2, "tier": "royal_flush", "pool": "stud-main"}]
    assert (shown["key_used"], shown["hands"]["2"]) == (True, ROYAL.split())
    supervisor.does("round.confirm", table="T03", why="seen on the table")
    prizes = pencil.stud({2: "royal_flush"})
    hit = floor.seen.hit("stud-main", "T03.1.stud-main.royal_flush", "pending")
    assert {winner["seat"]: winner["amount"] for winner in hit["winners"]} == prizes["royal_flush"]
    floor.seen.meter("stud-main", pencil.meter, "pending")


def test_a_claim_without_the_key_is_no_hit(floor: Floor) -> None:
    _, pencil, supervisor = claimed(floor)
    enter(supervisor, ROYAL)
    with pytest.raises(NoError, match="key"):
        supervisor.does("round.confirm", table="T03", why="seen on the table")
    floor.seen.table("T03", phase="held")
    floor.seen.meter("stud-main", pencil.meter, "live")
    assert floor.seen.hits() == {}


def test_a_claim_that_the_cards_do_not_support_is_no_hit(floor: Floor) -> None:
    table, pencil, supervisor = claimed(floor)
    table.press(lambda keypad, now: keypad.turn_key(1, now))
    floor.seen.wait(lambda: raw_ledger.entries(floor.ledger, "key_used"), "the key")
    enter(supervisor, "9H TH JH QH KH")
    with pytest.raises(NoError, match="do not support"):
        supervisor.does("round.confirm", table="T03", why="seen on the table")
    refused = supervisor.does(
        "round.refuse", table="T03", seat=2, pool="stud-main", why="a straight flush from the nine"
    )
    assert (refused["phase"], refused["claims"]) == ("held", [])
    supervisor.does("round.confirm", table="T03", why="the claim is refused")
    table.end_round()
    floor.seen.table("T03", phase="open", round="T03-2", carried={})
    floor.seen.meter("stud-main", pencil.meter, "live")
    assert floor.seen.hits() == {}


def test_a_round_without_a_claim_settles_when_the_dealer_ends_it(floor: Floor) -> None:
    pencil = floor.pool("stud-main")
    table = floor.claims()
    floor.start()
    floor.bet(table, 1, 7)
    table.lock()
    floor.seen.meter("stud-main", pencil.bets(2))
    table.end_round()
    floor.seen.table("T03", phase="open", round="T03-2", progressive="open")
    floor.bet(table, 1)


def test_a_board_with_another_key_is_no_device_of_the_house(floor: Floor) -> None:
    floor.pool("stud-main")
    table = floor.claims()
    table.boards["keypad"].key = bytes(16)
    floor.start()
    floor.seen.table("T03", devices={"panel": "online", "keypad": "offline"}, progressive="closed")
    alarm = floor.seen.alarm("forged_frame-T03-keypad")
    assert "wrong tag" in alarm["text"]
    table.wait_shows(True, 0, 0, 0)
