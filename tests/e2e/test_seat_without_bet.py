"""A seat is dealt without a bet: found from the cards, held, named by a supervisor, paid by pencil (61/2004 11)."""

from __future__ import annotations

from tests.support import raw_ledger
from tests.support.floor import Floor

FLUSH, ROYAL, NOBODY = "2S 4S 6S 8S TS", "AH KH QH JH TH", "QS JC 9C 8H 3D"


def test_the_seat_is_void_alone_and_the_hands_after_it_are_their_own_again(floor: Floor) -> None:
    pencil = floor.pool("stud-main")
    table = floor.stud()
    floor.start()
    ana = floor.person("ana", "supervisor")
    floor.bet(table, 1, 6)
    table.lock()
    floor.seen.meter("stud-main", pencil.bets(2))
    table.deal_hands({1: "AS KD 7C 5H 2H", 4: ROYAL, 6: FLUSH, 0: NOBODY})
    floor.seen.table("T01", phase="held", progressive="closed", why=lambda why: "no place for" in why)
    floor.seen.wait(lambda: len(raw_ledger.entries(floor.ledger, "card_noted")) == 5, "all cards")
    named = ana.does("round.dealt", table="T01", seats=[4], why="seen on camera 4")
    assert (named["phase"], named["hands"]["4"], named["hands"]["6"]) == ("held", ROYAL.split(), FLUSH.split())
    ana.does("round.confirm", table="T01", why="the hands are as on the table")
    floor.seen.table("T01", phase="dealt")
    table.end_round()
    prizes = pencil.stud({6: "flush"})
    hit = floor.seen.hit("stud-main", "T01.1.stud-main.flush", "pending")
    assert {winner["seat"]: winner["amount"] for winner in hit["winners"]} == prizes["flush"]
    floor.seen.meter("stud-main", pencil.meter, "pending")
    assert len(floor.seen.hits()) == 1
