"""The breaker on a whole floor: armed from the exact odds, tripped by stacked packs, remembered through power cuts."""

from __future__ import annotations

import pytest

from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.people import NoError
from tests.support.sim_tables import BeeTekTable
from tests.support.until import until

NOBODY = "2D 3D 4D 5S 7S"
DAILY = {"one_in": 10_000_000, "window": "24h"}


def royal(floor: Floor, table: BeeTekTable) -> None:
    """A round whose only seat has a royal flush."""
    floor.bet(table, 2)
    table.deal_hands({2: "TS JS QS KS AS", 0: NOBODY})
    floor.seen.table(table.name, phase="dealt")
    table.end_round()


def test_a_second_royal_flush_in_two_bets_of_a_day_suspends_the_pool_and_holds_the_other_table(floor: Floor) -> None:
    pencil = floor.pool("stud-main", breaker=DAILY, hold_tables_on_hit="none")
    table, other = floor.stud(), floor.shuffled()
    floor.start()
    until(lambda: bool(raw_ledger.entries(floor.ledger, "breaker_armed")), "the breaker armed", floor.said)
    royal(floor, table)
    pencil.bets(1)
    pencil.stud({2: "royal_flush"})
    floor.seen.meter("stud-main", pencil.meter, "pending")

    floor.kill()
    floor.start()
    floor.bet(other, 5)
    other.lock()
    floor.seen.meter("stud-main", pencil.bets(1), "pending")
    royal(floor, table)
    pencil.bets(1)
    pencil.stud({2: "royal_flush"})
    floor.seen.meter("stud-main", pencil.meter, "suspended")
    why = "luck beyond 1 in 10,000,000 within 24 h: 2 royal_flush in 2 bets, at most 1 is credible"
    assert why in floor.seen.alarm("suspended-stud-main")["text"]
    floor.seen.table("T01", progressive="closed", why=f"pool stud-main suspended: {why}")
    floor.seen.table("T02", phase="held", progressive="closed")

    floor.kill()
    floor.start()
    floor.seen.meter("stud-main", pencil.meter, "suspended")
    first, second = (f"T01.{number}.stud-main.royal_flush" for number in (1, 2))
    assert [hit["hit"] for hit in floor.hit_list()] == [first, second]
    ana = floor.person("ana", "supervisor")
    ana.does("hit.approve", hit=first)
    with pytest.raises(NoError, match="is suspended"):
        ana.does("hit.pay", hit=first, slip="1")
    assert len(raw_ledger.entries(floor.ledger, "breaker_armed")) == 1
    rui = floor.person("rui", "accounting")
    _, sheet = (person.does("pool.resume", pool="stud-main", why="the packs were stacked") for person in (ana, rui))
    assert (sheet["state"], sheet["breaker"]) == ("live", "armed")
    floor.seen.meter("stud-main", pencil.meter, "pending")
