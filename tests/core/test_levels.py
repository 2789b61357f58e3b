"""A bet that feeds several pools: the one that takes it and its levels (mini, minor, major)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.errors import RuleError
from jackpotd.core.parameters import TIERS, GameTiers, MappedTier, Rules
from jackpotd.core.postings import Posting
from jackpotd.core.state import HitStatus, Phase
from tests.support.felt import (
    ACCOUNTANT,
    DEALER,
    FLUSH,
    FOUR,
    FULL_HOUSE,
    NOTHING_2,
    ROYAL,
    STRAIGHT_FLUSH,
    SUPERVISOR,
    Felt,
    Spot,
    baccarat_table,
    stud_table,
)
from tests.support.pools import level_pool, levels, mixed_pool, mop, option_pool, prize, stud_pool

SEED, BET, SHARE = mop("500000.00"), mop("10.00"), mop("5.00")
MINI_SEED, MINI_SHARE, MINI_RESERVE = mop("1000.00"), mop("1.00"), mop("0.10")
MINOR_SEED, MINOR_SHARE = mop("20000.00"), mop("2.00")
MAIN, MINI, MINOR = "stud-main", "mini", "minor"


def felt(tables: int = 1, *, deals: bool = True, mini: dict[str, Any] | None = None, **main: Any) -> Felt:
    """Half of each bet to the pool, a tenth and its reserve to the mini, a fifth to the minor."""
    taker = {"contribution_ppm": 500_000, "levels": levels(mini=100_000, minor=200_000)}
    pools = [
        stud_pool(**(taker | main)),
        level_pool(MINI, prize("flush", share_ppm=1_000_000), **({"reserve_ppm": 10_000} | (mini or {}))),
        level_pool(
            MINOR,
            prize("royal_flush", "30000.00", 1_000_000),
            prize("straight_flush", "1000.00", 500_000),
            prize("full_house", "100.00"),
            seed_atoms=MINOR_SEED,
        ),
    ]
    names = [f"T{number:02}" for number in range(1, tables + 1)]
    return Felt(pools, [stud_table(name) if deals else stud_table(name, None) for name in names])


def played(spot: Spot, hands: dict[int, str]) -> Spot:
    """A round in which these seats have ante and progressive."""
    for seat in hands:
        spot.bet(seat)
    spot.lock()
    spot.deal(hands | {0: DEALER})
    spot.end()
    return spot


def accounts(spot: Spot, name: str) -> tuple[int, int, int, int]:
    pool = spot.felt.pool(name)
    return pool.pool_atoms, pool.reserve_atoms, pool.house_atoms, pool.wagers_atoms


def test_an_accepted_bet_feeds_the_pool_and_every_level_to_the_atom() -> None:
    spot = felt().spot("T01")
    spot.bet(3)
    spot.bet(5)
    spot.lock()
    locked = spot.felt.said(e.RoundLocked)
    assert locked.levels == {MINI: (MAIN,), MINOR: (MAIN,)}
    assert accounts(spot, MAIN) == (SEED + 2 * SHARE, 0, 2 * mop("1.90") - SEED, -2 * mop("6.90"))
    assert accounts(spot, MINI) == (MINI_SEED + 2 * MINI_SHARE, 2 * MINI_RESERVE, -MINI_SEED, -2 * mop("1.10"))
    assert accounts(spot, MINOR) == (MINOR_SEED + 2 * MINOR_SHARE, 0, -MINOR_SEED, -2 * MINOR_SHARE)
    assert sum(spot.felt.pool(name).totals.wagered_atoms for name in (MAIN, MINI, MINOR)) == 2 * BET


def test_what_a_level_cannot_take_above_its_limit_goes_to_its_own_overflow() -> None:
    spot = felt(mini={"limit_atoms": MINI_SEED + mop("0.40")}).spot("T01")
    spot.bet(3)
    spot.lock()
    pool = spot.felt.pool(MINI)
    assert (pool.pool_atoms, pool.overflow_atoms) == (MINI_SEED + mop("0.40"), mop("0.60"))


def test_the_seats_of_the_bet_play_for_every_level_and_each_level_pays_by_its_own_table() -> None:
    spot = played(felt().spot("T01"), {1: FULL_HOUSE, 3: FLUSH, 4: NOTHING_2})
    hits = {name: hit.awards for name, hit in spot.felt.state.hits.items()}
    assert hits == {
        "T01.1.stud-main.full_house": [e.Award(1, mop("1000.00"))],
        "T01.1.stud-main.flush": [e.Award(3, mop("500.00"))],
        "T01.1.mini.flush": [e.Award(3, mop("1003.00"))],  # all of the mini, this round's bets in it
        "T01.1.minor.full_house": [e.Award(1, mop("100.00"))],
    }
    assert spot.felt.meter(MAIN) == SEED + 3 * SHARE - mop("1500.00")
    assert spot.felt.meter(MINI) == MINI_SEED
    assert spot.felt.meter(MINOR) == MINOR_SEED + 3 * MINOR_SHARE - mop("100.00")
    assert spot.felt.hit("T01.1.mini.flush").prize == "flush"


def test_a_level_restarts_from_its_own_reserve_first() -> None:
    spot = played(felt().spot("T01"), {3: FLUSH})
    restarted = spot.felt.said(e.PoolRestarted)
    assert (restarted.pool, restarted.hit) == (MINI, "T01.1.mini.flush")
    assert Posting("reserve:mini", -MINI_RESERVE) in restarted.postings  # type: ignore[arg-type]
    assert accounts(spot, MINI)[:2] == (MINI_SEED, 0)


def test_several_winners_of_a_whole_level_share_it_as_royal_flushes_do() -> None:
    """61/2004 10(5), read for the tier that takes a level whole."""
    spot = played(felt().spot("T01"), {2: FLUSH, 5: "AC JC 9C 8C 2C"})
    hit = spot.felt.hit("T01.1.mini.flush")
    assert hit.awards == [e.Award(2, mop("501.00")), e.Award(5, mop("501.00"))]
    assert spot.felt.meter(MINI) == MINI_SEED


def test_shares_of_a_level_are_paid_before_it_is_taken_whole() -> None:
    """61/2004 10(7), read for a level: here half of it for the straight flush at the higher seat."""
    spot = played(felt().spot("T01"), {2: ROYAL, 5: STRAIGHT_FLUSH})
    fed = MINOR_SEED + 2 * MINOR_SHARE
    assert spot.felt.hit("T01.1.minor.straight_flush").awards == [e.Award(5, mop("10002.00"))]
    royal = spot.felt.hit("T01.1.minor.royal_flush")
    assert royal.awards == [e.Award(2, mop("30000.00"))]
    assert royal.from_pool_atoms == fed - mop("10002.00")


def test_a_folded_seat_wins_no_level() -> None:
    spot = felt().spot("T01")
    spot.bet(3)
    spot.lock()
    spot.deal({3: FLUSH, 0: DEALER})
    spot.fold(3)
    spot.end()
    assert spot.felt.state.hits == {}


def test_a_carried_bet_carries_in_all_levels_and_contributes_nothing_again() -> None:
    """61/2004 11(1)."""
    spot = felt().spot("T01")
    spot.bet(3)
    spot.lock()
    spot.void()
    assert spot.table.carried == {3: [MAIN]}
    spot.bet(3, "ante")
    spot.lock()
    assert spot.felt.said(e.RoundLocked).postings == ()
    assert spot.table.live == {MAIN: [3], MINI: [3], MINOR: [3]}
    spot.deal({3: FLUSH, 0: DEALER})
    spot.end()
    assert spot.felt.hit("T01.2.mini.flush").awards == [e.Award(3, mop("1001.00"))]


def test_a_carried_bet_goes_back_once_and_every_level_keeps_its_part() -> None:
    spot = felt().spot("T01")
    spot.bet(3)
    spot.lock()
    spot.void()
    spot.refund(3)
    postings = spot.felt.said(e.BetRefunded).postings
    assert {posting.account: posting.atoms for posting in postings} == {
        "house:stud-main": -BET,
        "wagers:stud-main": BET,
    }
    assert spot.felt.meter(MINI) == MINI_SEED + MINI_SHARE
    assert spot.table.carried == {}


def suspended(spot: Spot, pool: str) -> Spot:
    """As after a broken chain, for this pool alone."""
    for state in (spot.felt.state, spot.felt.folded):
        state.pools[pool].suspended = "looked at"
    return spot


def test_no_bet_is_taken_while_a_level_is_suspended() -> None:
    spot = suspended(felt().spot("T01"), MINI)
    spot.bet(3)
    assert spot.table.bets == {3: ["ante"]}


def test_a_level_suspended_before_the_lock_takes_nothing_and_holds_the_round() -> None:
    spot = felt().spot("T01")
    spot.bet(3)
    suspended(spot, MINI).lock()
    assert spot.felt.said(e.RoundLocked).postings == ()
    assert (spot.phase(), spot.table.hold_code) == (Phase.HELD, "pool_suspended")
    assert spot.table.hold_text.endswith(": mini")
    with pytest.raises(RuleError, match="pool mini is suspended"):
        spot.confirm()


def test_a_hit_of_a_level_closes_its_table_while_it_is_pending() -> None:
    house = felt(tables=2)
    spot = played(house.spot("T01"), {3: FLUSH})
    house.act(f.RejectHit(SUPERVISOR, "T01.1.stud-main.flush", "wrong seat"))
    spot.bet(4)
    assert spot.table.bets == {4: ["ante"]}
    other = house.spot("T02")
    other.bet(4)
    assert other.table.bets == {4: ["ante", "progressive:stud-main"]}
    house.act(f.ApproveHit(SUPERVISOR, "T01.1.mini.flush"))
    spot.bet(4, "progressive:stud-main")
    assert spot.table.bets == {4: ["ante", "progressive:stud-main"]}


def test_a_whole_level_is_not_paid_while_another_table_that_feeds_it_is_offline() -> None:
    house = felt(tables=2)
    played(house.spot("T01"), {3: FLUSH})
    house.act(f.ApproveHit(SUPERVISOR, "T01.1.mini.flush"))
    house.spot("T02").lose("panel")
    with pytest.raises(RuleError, match="table T02 of the same pool is offline"):
        house.act(f.PayHit(ACCOUNTANT, "T01.1.mini.flush", "17"))
    house.spot("T02").back("panel")
    house.act(f.PayHit(ACCOUNTANT, "T01.1.mini.flush", "17"))
    assert house.hit("T01.1.mini.flush").status is HitStatus.PAID


def test_a_rejected_hit_of_a_level_gives_the_level_its_money_back_and_no_other_pool() -> None:
    spot = played(felt().spot("T01"), {3: FLUSH})
    main = spot.felt.meter(MAIN)
    spot.felt.act(f.RejectHit(SUPERVISOR, "T01.1.mini.flush", "not his cards"))
    assert spot.felt.hit("T01.1.mini.flush").status is HitStatus.REJECTED
    assert spot.felt.meter(MINI) == MINI_SEED + MINI_SHARE
    assert (spot.felt.meter(MAIN), spot.felt.pool(MINI).prizes_atoms) == (main, 0)


def test_a_claim_of_the_bets_pool_is_a_claim_of_its_levels() -> None:
    spot = felt(deals=False).spot("T01")
    spot.bet(3)
    spot.lock()
    spot.press(f.Claimed(3, 5, 0))
    spot.end()
    spot.press(f.KeyTurned(1))
    for index, card in enumerate(FLUSH.split(), start=1):
        spot.enter("3", index, card)
    spot.confirm()
    assert sorted(spot.felt.state.hits) == ["T01.1.mini.flush", "T01.1.stud-main.flush"]


def test_levels_in_play_outlive_a_restart_of_the_controller() -> None:
    house = felt()
    spot = house.spot("T01")
    spot.bet(3)
    spot.lock()
    spot.deal({3: FLUSH, 0: DEALER})
    house.start()
    spot.connect()
    spot.end()
    assert spot.felt.hit("T01.1.mini.flush").awards == [e.Award(3, mop("1001.00"))]


def test_a_tier_that_no_level_pays_leaves_them_alone() -> None:
    spot = played(felt().spot("T01"), {3: FOUR})
    assert list(spot.felt.state.hits) == ["T01.1.stud-main.four_of_a_kind"]
    assert spot.felt.meter(MINI) == MINI_SEED + MINI_SHARE


def test_a_seat_with_two_bets_that_feed_one_level_plays_for_it_once() -> None:
    """The configuration refuses such a table, but the parameters in force may be older than the file."""
    pools = [
        stud_pool(levels=levels(mini=100_000)),
        stud_pool(pool="two", levels=levels(mini=50_000)),
        level_pool(MINI, prize("flush", share_ppm=1_000_000)),
    ]
    spot = Felt(pools, [stud_table(pools=(MAIN, "two"))]).spot("T01")
    spot.bet(3, "ante", "progressive:stud-main", "progressive:two")
    spot.bet(5, "ante", "progressive:two")
    spot.lock()
    assert spot.table.live == {MAIN: [3], "two": [3, 5], MINI: [3, 5]}
    assert spot.felt.meter(MINI) == MINI_SEED + mop("2.00")
    spot.deal({3: FLUSH, 5: "AC JC 9C 8C 2C", 0: DEALER})
    spot.end()
    assert spot.felt.hit("T01.1.mini.flush").awards == [e.Award(3, mop("501.00")), e.Award(5, mop("501.00"))]


def test_a_level_that_also_stands_at_the_table_is_settled_once() -> None:
    pools = [stud_pool(levels=levels(mini=100_000)), level_pool(MINI, prize("flush", share_ppm=1_000_000))]
    spot = Felt(pools, [stud_table(pools=(MAIN, MINI))]).spot("T01")
    spot.bet(3)
    spot.bet(5, "ante", "progressive:mini")
    spot.lock()
    spot.deal({3: FLUSH, 5: FULL_HOUSE, 0: DEALER})
    spot.end()
    assert spot.felt.hit("T01.1.mini.flush").awards == [e.Award(3, mop("1001.00"))]


# ---- levels of other rules, and levels that change


def test_the_bettors_of_an_option_share_a_levels_prize_as_they_share_the_options() -> None:
    """2/2009 17(5)-(11), read for a level."""
    taker = option_pool(Rules.BACCARAT_B, levels=levels(mini=100_000))
    whole = prize("three_of_a_kind", share_ppm=1_000_000)
    mini = level_pool(MINI, whole, prize("four_of_a_kind", share_ppm=1_000_000), rules=Rules.BACCARAT_B)
    spot = Felt([taker, mini], [baccarat_table()]).spot("B01")
    for seat in (1, 4, 7):
        spot.bet(seat)
    spot.lock()
    spot.coup("8S KD", "KC KS")
    hit = spot.felt.hit("B01.1.mini.three_of_a_kind")
    assert hit.awards == [e.Award(seat, mop("334.33")) for seat in (1, 4, 7)]
    assert hit.whole_pool
    assert spot.felt.meter(MINI) == MINI_SEED + mop("0.01")


def test_a_level_of_a_pool_over_games_is_won_by_each_game() -> None:
    taker = mixed_pool(levels=levels(mini=100_000))
    drop = prize("drop", share_ppm=500_000)
    games = tuple(
        GameTiers(
            rules,
            tuple(
                MappedTier(replace(drop, tier=tier), "drop") if tier == won else MappedTier(prize(tier, paid=False), "")
                for tier in TIERS[rules]
            ),
        )
        for rules, won in ((Rules.STUD, "flush"), (Rules.BACCARAT_B, "three_of_a_kind"))
    )
    mini = replace(level_pool(MINI), rules=None, games=games, prizes=(drop,))
    house = Felt([taker, mini], [stud_table(pools=("mega",)), baccarat_table(pools=("mega",))])
    played(house.spot("T01"), {3: FLUSH})
    flush = house.hit("T01.1.mini.flush")
    assert (flush.prize, flush.awards) == ("drop", [e.Award(3, mop("500.50"))])
    spot = house.spot("B01")
    spot.bet(2)
    spot.lock()
    spot.coup("8S KD", "KC KS")
    three = house.hit("B01.1.mini.three_of_a_kind")
    assert (three.prize, three.awards) == ("drop", [e.Award(2, mop("250.75"))])


def test_a_bet_in_play_keeps_its_levels_though_the_pool_restarts_without_them() -> None:
    """What a bet has fed it plays for; two persons applied a file without levels, and another table's royal came."""
    house = felt(tables=2)
    other = house.spot("T02")
    other.bet(5)
    other.lock()
    house.pools = [replace(house.pools[0], levels=()), *house.pools[1:]]
    house.configure()
    for by in (SUPERVISOR, ACCOUNTANT):
        house.act(f.ApplyPool(by, MAIN, "no more levels"))
    played(house.spot("T01"), {3: ROYAL})
    assert house.pool(MAIN).params.levels == ()
    other.deal({5: FLUSH, 0: DEALER})
    other.end()
    assert house.hit("T02.1.mini.flush").awards == [e.Award(5, mop("1002.00"))]
    other.bet(6)
    house.act(f.ApproveHit(SUPERVISOR, "T02.1.mini.flush"))
    house.act(f.ApproveHit(SUPERVISOR, "T02.1.stud-main.flush"))
    other.bet(6, "progressive:stud-main")
    other.lock()
    assert other.table.live == {MAIN: [6]}
    assert house.meter(MINI) == MINI_SEED
