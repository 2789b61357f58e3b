"""Of a bet never more is taken than the bet, and of a level never its limit passed, whatever was applied when."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jackpotd.core import facts as f
from jackpotd.core.closing import why_closed
from jackpotd.core.errors import RuleError
from tests.core.test_levels import MAIN, MINI, MINI_SEED, felt, played
from tests.support.felt import ACCOUNTANT, FLUSH, ROYAL, SUPERVISOR, Felt, stud_table
from tests.support.pools import level_pool, levels, mop, prize, stud_pool


def test_two_bets_of_one_lock_that_feed_one_level_do_not_pass_its_limit_together() -> None:
    pools = [
        stud_pool(levels=levels(mini=100_000)),
        stud_pool(pool="two", levels=levels(mini=50_000)),
        level_pool(MINI, prize("flush", share_ppm=1_000_000), limit_atoms=MINI_SEED + mop("1.20")),
    ]
    spot = Felt(pools, [stud_table(pools=(MAIN, "two"))]).spot("T01")
    spot.bet(3, "ante", "progressive:stud-main", "progressive:two")
    spot.lock()
    pool = spot.felt.pool(MINI)
    assert (pool.pool_atoms, pool.overflow_atoms) == (MINI_SEED + mop("1.20"), mop("0.30"))


def apply(house: Felt, pool: str | None) -> None:
    house.configure()
    for by in (SUPERVISOR, ACCOUNTANT):
        house.act(f.ApplyPool(by, pool, "the regulator's letter"))


def test_parts_that_could_be_more_than_the_bet_until_all_have_restarted_are_not_applied() -> None:
    """The file is right, 50 + 10 + 20 + 20%; but the mini restarts before the pool that has 60% until then."""
    house = felt(contribution_ppm=600_000)
    main, mini, minor = house.pools
    house.pools = [replace(main, contribution_ppm=500_000), replace(mini, reserve_ppm=200_000), minor]
    for pool in (None, MAIN, MINI):
        with pytest.raises(RuleError, match="110% of a bet on stud-main could be taken: apply what takes less first"):
            apply(house, pool)
    house.pools = [house.pools[0], mini, minor]
    apply(house, None)
    assert house.pool(MAIN).staged == house.pools[0]
    played(house.spot("T01"), {3: ROYAL})
    assert house.pool(MAIN).params == house.pools[0]
    house.pools = [house.pools[0], replace(mini, reserve_ppm=200_000), minor]
    apply(house, None)
    assert house.pool(MINI).staged == house.pools[1]


def test_a_pool_whose_parts_in_force_are_more_than_the_bet_takes_none() -> None:
    """A new pool takes force at once, its level's lower reserve does not: the house would pay for every bet."""
    mini = level_pool(MINI, prize("flush", share_ppm=1_000_000), reserve_ppm=300_000)
    house = Felt([stud_pool(contribution_ppm=500_000, levels=levels(mini=200_000)), mini], [stud_table()])
    house.pools = [
        house.pools[0],
        replace(mini, reserve_ppm=0),
        stud_pool(pool="two", contribution_ppm=800_000, levels=levels(mini=200_000)),
    ]
    house.tables = [stud_table(pools=(MAIN, "two"))]
    house.configure()
    spot = house.spot("T01")
    assert why_closed(house.state, spot.table) == "the parts of a bet on pool two are more than the bet"
    spot.bet(3, "ante", "progressive:two")
    assert spot.table.bets == {3: ["ante"]}


def test_bets_that_lie_when_a_level_restarts_beyond_the_bet_do_not_count() -> None:
    """A ledger in which such parts wait for a restart already."""
    house = felt(tables=2)
    mini = replace(house.pools[1], reserve_ppm=300_000)
    house.state.pools[MINI].staged = mini
    house.folded.pools[MINI].staged = mini
    spot, other = house.spot("T01"), house.spot("T02")
    spot.bet(3)
    played(other, {5: FLUSH})
    assert house.pool(MINI).params == mini
    before = house.pool(MAIN).house_atoms
    spot.lock()
    assert (spot.table.live[MAIN], house.pool(MAIN).house_atoms) == ([], before)
