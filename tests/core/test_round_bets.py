"""Bets and their lock: 61/2004 6(2), 6(3) and 10(1), 2/2009 13(3), and design 7."""

from __future__ import annotations

from typing import Any

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.money import Atoms
from jackpotd.core.parameters import Rules
from jackpotd.core.postings import Posting
from jackpotd.core.state import Phase
from tests.support.felt import (
    DEALER,
    NOTHING_2,
    SUPERVISOR,
    Felt,
    Spot,
    baccarat_table,
    stud_table,
)
from tests.support.pools import mop, option_pool, stud_pool

BET, SHARE = mop("10.00"), mop("7.00")
SEED = mop("500000.00")
PROGRESSIVE = "progressive:stud-main"


def stud(**changes: Any) -> Spot:
    return Felt([stud_pool(**changes)], [stud_table()]).spot("T01")


def live(spot: Spot, pool: str = "stud-main") -> list[int]:
    return spot.table.live[pool]


# ---- which bets count


@pytest.mark.parametrize(
    ("placed", "counted"),
    [
        (["ante", PROGRESSIVE], True),
        ([PROGRESSIVE, "ante"], True),
        ([PROGRESSIVE], False),
        (["ante"], False),
        (["raise", PROGRESSIVE], False),
    ],
)
def test_a_progressive_counts_only_when_both_bets_were_accepted(placed: list[str], *, counted: bool) -> None:
    table = stud()
    table.bet(3, *placed)
    table.lock()
    assert live(table) == ([3] if counted else [])
    assert table.felt.meter() == (SEED + SHARE if counted else SEED)


@pytest.mark.parametrize(("main", "counted"), [("player", 1), ("banker", 1), ("tie", 1), ("player_pair", 0)])
def test_a_baccarat_progressive_needs_a_player_banker_or_tie_bet(main: str, counted: int) -> None:
    table = Felt([option_pool(Rules.BACCARAT_B)], [baccarat_table()]).spot("B01")
    table.bet(4, main, "progressive:baccarat-b")
    table.lock()
    assert len(live(table, "baccarat-b")) == counted


def test_a_bet_removed_before_the_lock_does_not_count() -> None:
    table = stud()
    table.bet(2)
    table.unbet(2, PROGRESSIVE)
    table.lock()
    assert live(table) == []
    assert table.table.bets == {2: ["ante"]}


def test_a_bet_placed_twice_is_one_bet_and_one_removed_twice_is_none() -> None:
    table = stud()
    table.bet(1)
    table.bet(1)
    assert table.felt.last == []
    table.unbet(1)
    table.unbet(1)
    assert table.felt.last == []
    assert table.table.bets == {}


def test_a_place_merely_still_occupied_places_no_bet() -> None:
    table = stud()
    assert table.say("panel", f.PlacesSaid(3, ("ante", PROGRESSIVE))) == []
    assert table.table.bets == {}


def test_an_accepted_bet_contributes_once_and_to_the_atom() -> None:
    table = stud(reserve_ppm=50_000)
    table.bet(1)
    table.bet(4)
    table.lock()
    locked = table.felt.said(e.RoundLocked)
    assert locked.postings == (
        Posting("wagers:stud-main", Atoms(-2 * BET)),
        Posting("pool:stud-main", Atoms(2 * SHARE)),
        Posting("reserve:stud-main", mop("1.00")),
        Posting("house:stud-main", mop("5.00")),
    )
    assert locked.contributions == (e.Contribution("stud-main", (1, 4), ()),)
    table.deal({1: NOTHING_2, 4: "2D 5H 7H 9H JC", 0: DEALER})
    assert table.felt.meter() == SEED + 2 * SHARE


def test_what_passes_the_limit_goes_to_the_overflow() -> None:
    table = stud(limit_atoms=Atoms(SEED + mop("10.00")))
    for seat in (1, 2, 3):
        table.bet(seat)
    table.lock()
    pool = table.felt.pool()
    assert (pool.pool_atoms, pool.overflow_atoms) == (SEED + mop("10.00"), mop("11.00"))


def test_a_round_in_which_nobody_bets_moves_no_money() -> None:
    table = stud()
    table.lock()
    assert table.felt.said(e.RoundLocked).postings == ()
    assert table.phase() is Phase.LOCKED


def test_a_seat_may_bet_on_each_pool_of_its_table() -> None:
    pools = [stud_pool(), stud_pool(pool="stud-mini", bet_atoms=mop("5.00"))]
    table = Felt(pools, [stud_table(pools=("stud-main", "stud-mini"))]).spot("T01")
    table.bet(1, "ante", PROGRESSIVE, "progressive:stud-mini")
    table.bet(2, "ante", "progressive:stud-mini")
    table.lock()
    assert (live(table), live(table, "stud-mini")) == ([1], [1, 2])
    assert table.felt.meter("stud-mini") == SEED + mop("7.00")


# ---- closed tables, closed progressives


def test_a_closed_table_takes_no_bet_no_lock_and_no_card() -> None:
    table = stud()
    table.bet(2)
    table.felt.act(f.CloseTable(SUPERVISOR, "T01"))
    table.bet(1)
    table.lock()
    assert (table.table.bets, table.table.phase) == ({}, Phase.OPEN)
    table.say("shoe", f.CardRead("AS"))
    assert table.phase() is Phase.OPEN
    assert table.felt.alarms() == ["closed_table_cards-T01"]
    table.felt.act(f.OpenTable(SUPERVISOR, "T01"))
    assert table.felt.alarms() == []


def test_a_chip_may_be_taken_from_a_progressive_that_a_hit_has_closed_but_not_placed() -> None:
    table = stud()
    table.bet(1)
    table.bet(2)
    table.felt.control(f.ChainBroken(7, "a bit is wrong"))
    table.bet(3)
    table.unbet(2)
    assert table.table.bets == {1: ["ante", PROGRESSIVE], 3: ["ante"]}


def test_a_pool_that_is_suspended_takes_nothing_and_the_round_is_held() -> None:
    table = stud()
    table.bet(1)
    table.felt.control(f.ChainBroken(7, "a bit is wrong"))
    table.lock()
    assert table.table.hold_code == "pool_suspended"
    assert table.felt.meter() == SEED
