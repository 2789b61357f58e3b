"""Wrong cards on the wire: an alarm, the round held, its awards wait for a supervisor (law 7)."""

from __future__ import annotations

from hardware.reports import Target
from jackpotd.core.cards import FULL_PACK
from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.sim_tables import AngelEyeTable

PACK = {1: "2S 4S 6S 8S TH", 4: "AS KD 7C 5H 2H", 0: "2D 3D 4D 5S 7S"}
ANOTHER = {1: "2S 4S 6S 8S TH", 4: "AS KD 7C 2H 5H", 0: "2D 3D 4D 5S 7S"}


def burn(table: AngelEyeTable, *cards: str) -> None:
    for card in cards:
        table.shoe_port.send(table.shoe.card(card, Target.BURN))


def test_a_33rd_ace_in_eight_packs_holds_the_round_and_the_supervisor_confirms_its_award(floor: Floor) -> None:
    pencil = floor.pool("bac-b")
    table = floor.baccarat("bac-b")
    floor.start()
    table.wait_open()
    aces = [ace for ace in ("AS", "AH", "AD", "AC") for _ in range(8)]
    burn(table, *aces)
    floor.bet(table, 2, 5)
    table.lock()
    floor.seen.meter("bac-b", pencil.bets(2))
    table.deal_coup("AS AH AD 2C AC AS")
    floor.seen.table("B01", phase="held", progressive="closed")
    alarm = floor.seen.alarm("wrong_cards-B01")
    assert "AS came 9 times since the shoe began, of 8 packs" in alarm["text"]
    assert floor.seen.hits() == {}
    floor.seen.wait(lambda: len(raw_ledger.entries(floor.ledger, "card_taken")) == 6, "the cards that followed")
    floor.person("ana", "supervisor").does("round.confirm", table="B01", why="a card of the last shoe")
    floor.seen.no_alarm("wrong_cards-B01")
    pencil.baccarat("five_of_a_kind", [2, 5])
    floor.seen.hit("bac-b", "B01.1.bac-b.five_of_a_kind", "pending")
    floor.seen.meter("bac-b", pencil.meter)


def test_a_pack_in_the_order_of_an_earlier_round_holds_the_round_and_nothing_is_paid(floor: Floor) -> None:
    floor.pool("stud-main")
    table = floor.stud()
    floor.start()
    for number, hands in enumerate((PACK, ANOTHER, PACK), 1):
        table.wait_open()
        floor.bet(table, 1, 4)
        table.lock()
        floor.seen.table("T01", phase="locked", round=f"T01-{number}")
        table.deal_hands(hands)
        if number < 3:
            floor.seen.table("T01", phase="dealt")
            table.end_round()
            floor.seen.table("T01", round=f"T01-{number + 1}")
            table.sweep()
    floor.seen.table("T01", phase="held", why=lambda why: "the order of an earlier round" in why)
    assert "came in the same order" in floor.seen.alarm("wrong_cards-T01")["text"]
    assert raw_ledger.entries(floor.ledger, "prize_locked") == []
    floor.person("ana", "supervisor").does("round.void", table="T01", why="the pack was not shuffled")
    floor.seen.no_alarm("wrong_cards-T01")


def test_a_shoe_that_ends_without_its_aces_holds_the_round(floor: Floor) -> None:
    floor.pool("bac-b")
    table = floor.baccarat("bac-b")
    floor.start()
    table.wait_open()
    burn(table, *[card for card in FULL_PACK for _ in range(8) if card[0] != "A"])
    floor.bet(table, 2)
    table.lock()
    floor.seen.table("B01", phase="locked")
    table.shoe_port.send(table.shoe.say("C"))
    floor.seen.table("B01", phase="held", why=lambda why: "beyond what chance makes credible" in why)
    assert "of 32 cards of rank A 0 came" in floor.seen.alarm("wrong_cards-B01")["text"]
