"""A pool that tables of several games feed, each winning its prizes by the tiers of its own dispatch."""

from __future__ import annotations

from typing import Any

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.closing import closed_by_rule
from jackpotd.core.parameters import Rules
from tests.support.felt import DEALER, FLUSH, ROYAL, Felt, Spot, baccarat_table, stud_table
from tests.support.pools import mixed_pool, mop, stud_pool

SEED, SHARE, POOL = mop("500000.00"), mop("7.00"), "mega"
SIX_KINGS = ("KS KD KC", "KH KS KD")  # a tie at nothing
THREE_KINGS = ("8S KD", "KC KS")


def felt(deals: bool = True, **changes: Any) -> Felt:
    more: dict[str, Any] = {"pools": (POOL,)} if deals else {"pools": (POOL,), "deals": None}
    return Felt([mixed_pool(**changes)], [stud_table(**more), baccarat_table(**more)])


def stud_round(spot: Spot, hands: dict[int, str]) -> None:
    for seat in hands:
        spot.bet(seat)
    spot.lock()
    spot.deal(hands | {0: DEALER})
    spot.end()


def coup(spot: Spot, cards: tuple[str, str], *seats: int) -> None:
    for seat in seats:
        spot.bet(seat)
    spot.lock()
    spot.coup(*cards)


def test_tables_of_two_games_feed_one_meter() -> None:
    house = felt()
    for name in ("T01", "B01"):
        house.spot(name).bet(3)
        house.spot(name).lock()
    assert house.meter(POOL) == SEED + 2 * SHARE


def test_a_royal_flush_and_six_of_a_kind_win_the_same_prize() -> None:
    house = felt()
    stud_round(house.spot("T01"), {3: ROYAL})
    royal = house.hit("T01.1.mega.royal_flush")
    assert (royal.prize, royal.whole_pool, royal.total_atoms) == ("grand", True, SEED + SHARE)
    coup(house.spot("B01"), SIX_KINGS, 2)
    six = house.hit("B01.1.mega.six_of_a_kind")
    assert (six.prize, six.whole_pool, six.total_atoms) == ("grand", True, SEED + SHARE)
    assert house.meter(POOL) == SEED


def test_each_game_pays_its_own_tiers_by_its_own_sharing() -> None:
    """61/2004 10(2)(5): the fixed amount, each. 2/2009 17(8): one fixed amount, shared."""
    house = felt()
    stud_round(house.spot("T01"), {3: FLUSH, 5: "AC JC 9C 8C 2C"})
    assert house.hit("T01.1.mega.flush").awards == [e.Award(3, mop("500.00")), e.Award(5, mop("500.00"))]
    coup(house.spot("B01"), THREE_KINGS, 1, 4)
    three = house.hit("B01.1.mega.three_of_a_kind")
    assert (three.awards, three.prize) == (
        [e.Award(1, mop("400.00")), e.Award(4, mop("400.00"))],
        "baccarat-b_three_of_a_kind",
    )


def test_a_void_round_carries_at_stud_and_is_refunded_at_baccarat_where_the_house_reads_it_so() -> None:
    house = felt(void_round="refund")
    for name in ("T01", "B01"):
        spot = house.spot(name)
        spot.bet(3)
        spot.lock()
        spot.void()
    assert house.spot("T01").table.carried == {3: [POOL]}
    assert house.spot("B01").table.carried == {}


@pytest.mark.parametrize(("name", "hands"), [("T01", {"3": ROYAL}), ("B01", {"player": "8S 8D", "banker": "8C 8H"})])
def test_a_claim_counts_tiers_as_its_own_game_does(name: str, hands: dict[str, str]) -> None:
    spot = felt(deals=False).spot(name)
    spot.bet(3)
    spot.lock()
    spot.press(f.Claimed(3, 1 if name == "T01" else 4, 0))
    spot.end()
    spot.press(f.KeyTurned(1))
    for hand, cards in hands.items():
        for index, card in enumerate(cards.split(), start=1):
            spot.enter(hand, index, card)
    spot.confirm()
    tier = {"T01": "royal_flush", "B01": "four_of_a_kind"}[name]
    assert list(spot.felt.state.hits) == [f"{name}.1.mega.{tier}"]


def test_a_pool_of_several_games_knows_its_rules_by_game() -> None:
    pool = mixed_pool()
    assert pool.all_rules() == (Rules.STUD, Rules.BACCARAT_B)
    assert pool.rules_text() == "stud+baccarat-b"
    assert pool.of_game("stud").sole_rules is Rules.STUD
    assert pool.of_game("baccarat").prize("six_of_a_kind").fixed_atoms == 0
    simple = stud_pool()
    assert simple.of_game("stud") is simple
    assert (simple.all_rules(), simple.rules_text()) == ((Rules.STUD,), "stud")


def test_a_game_that_the_pool_has_no_tiers_for_is_a_bug() -> None:
    with pytest.raises(KeyError):
        mixed_pool(games=mixed_pool().games[:1]).of_game("baccarat")


# ---- a table whose game the parameters in force do not know: the file is newer than the ledger


def stranger(deals: bool = True) -> Spot:
    """A baccarat table of a pool that, in force, is of stud alone."""
    more: dict[str, Any] = {"pools": ("stud-main",)} if deals else {"pools": ("stud-main",), "deals": None}
    return Felt([stud_pool()], [baccarat_table(**more)]).spot("B01")


def test_a_table_of_a_game_that_its_pool_does_not_know_takes_no_progressive_bet() -> None:
    spot = stranger()
    assert closed_by_rule(spot.felt.state, spot.table) == "pool stud-main has no rules for baccarat"
    spot.bet(3)
    assert spot.table.bets == {3: ["banker"]}


def test_its_rounds_are_played_and_pay_nothing_from_that_pool() -> None:
    spot = stranger()
    spot.bet(3)
    spot.lock()
    spot.coup(*SIX_KINGS)
    settled = spot.felt.said(e.RoundSettled)
    assert (settled.outcome, settled.tiers) == ("tie", ())
    assert spot.felt.state.hits == {}
    assert spot.felt.meter() == SEED


def test_a_bet_that_was_there_before_contributes_nothing_and_a_carried_one_waits() -> None:
    house = Felt([mixed_pool()], [stud_table(pools=(POOL,))])
    spot = house.spot("T01")
    spot.bet(3)
    spot.lock()
    spot.void()
    house.tables = [baccarat_table("T01", pools=(POOL,))]
    for state in (house.state, house.folded):
        state.pools[POOL].params = mixed_pool(games=mixed_pool().games[:1])
    house.configure()
    spot.connect()
    spot.bet(3, "banker")
    spot.lock()
    assert house.said(e.RoundLocked).contributions == (e.Contribution(POOL, (), ()),)
    assert spot.table.carried == {3: [POOL]}


def test_a_claim_of_a_pool_without_rules_for_the_game_is_held() -> None:
    spot = stranger(deals=False)
    spot.bet(3)
    spot.lock()
    spot.press(f.Claimed(3, 1, 0))
    assert spot.table.hold_code == "claim"
