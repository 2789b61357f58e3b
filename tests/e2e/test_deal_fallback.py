"""The shuffler fails during the deal: the round is void, and the table goes on from its shoe (61/2004 11(4))."""

from __future__ import annotations

import pytest

from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.people import NoError

NOBODY = "QS JS 9C 8H 3D"


def test_the_round_is_void_and_its_bets_are_played_from_the_shoe_though_the_controller_restarts(floor: Floor) -> None:
    pencil = floor.pool("stud-main")
    table = floor.shuffled(spare=True)
    floor.start()
    ana = floor.person("ana", "supervisor")
    floor.bet(table, 1, 4)
    table.lock()
    floor.seen.meter("stud-main", pencil.bets(2))
    table.deal("2S", "4S", "6S", "8S", "TS")
    floor.seen.table("T02", phase="dealing")
    with pytest.raises(NoError, match="has a round in play"):
        ana.does("table.deal", table="T02", deal="shoe", why="the shuffler jams")
    assert table.now(lambda now: table.shuffler.fail(7, now))
    table.sweep()
    carried = {"1": ["stud-main"], "4": ["stud-main"]}
    floor.seen.table("T02", phase="open", progressive="closed", carried=carried)
    assert ana.does("table.deal", table="T02", deal="shoe", why="the shuffler jams")["deal"] == "shoe"
    floor.seen.table("T02", phase="open", progressive="open", carried=carried)
    (changed,) = raw_ledger.entries(floor.ledger, "deal_changed")
    assert (changed["deal"], changed["was"], changed["by"]["name"]) == ("shoe", "shuffler", "ana")

    floor.kill()
    floor.start()
    floor.seen.table("T02", phase="open", progressive="open", carried=carried)
    table.wait_shows(False, 2, 1, 1, 2)
    floor.bet(table, 1, 4, also=())
    table.lock()
    table.deal_from_shoe({1: "2S 4S 6S 8S TS", 4: "AS KD 7C 5H 2H", 0: NOBODY})
    floor.seen.table("T02", phase="dealt", carried={})
    table.end_round()
    pencil.stud({1: "flush"})
    floor.seen.meter("stud-main", pencil.meter)
