"""The bounds of luck: never below what chance brings, and near it."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from random import Random
from statistics import pvariance

import pytest

from jackpotd.core.baccarat import Side, draw
from jackpotd.core.cards import RANKS, SUITS, Card
from jackpotd.core.limits import HIT, Limits, Line, least
from jackpotd.core.options import option_tier
from jackpotd.core.parameters import BreakerParams, PoolParams, Rules
from jackpotd.odds.breaker import likeliest, limits
from jackpotd.odds.chances import tier_chances
from jackpotd.odds.credible import stud_growth
from tests.odds.reference_luck import at_least, first_beyond, seats_of_one_round
from tests.support.pools import level_pool, mixed_pool, mop, option_pool, prize, stud_pool

BREAKER = BreakerParams(10_000_000, 86_400_000)
ONE_IN = BREAKER.one_in
POOLS: dict[Rules, PoolParams] = {
    Rules.STUD: stud_pool(breaker=BREAKER),
    **{rules: option_pool(rules, breaker=BREAKER) for rules in (Rules.BACCARAT_A, Rules.BACCARAT_B, Rules.BACCARAT_C)},
}


@pytest.fixture(scope="module")
def computed() -> dict[Rules, Limits]:
    return {rules: limits(params) for rules, params in POOLS.items()}


def tripping(limits: Limits, tier: str, trials: int) -> int:
    """How many hits suspend the pool."""
    (found,) = [one for one in limits.tiers if one.tier == tier]
    return -(-least(found.lines, [trials]) // HIT)


@pytest.mark.parametrize("rules", list(Rules))
@pytest.mark.parametrize("trials", [1, 10, 300, 2_000])
def test_what_trips_is_less_likely_than_one_in_ten_million_and_little_more_than_the_first_that_is(
    computed: dict[Rules, Limits], rules: Rules, trials: int
) -> None:
    for tier, chance in likeliest(rules, "distinct").items():
        if not POOLS[rules].prize(tier).paid:
            continue
        trips, first = tripping(computed[rules], tier, trials), first_beyond(trials, chance, ONE_IN)
        if trips > trials:
            continue
        assert at_least(trips, trials, chance) * ONE_IN <= 1, tier
        assert trips <= first + 2 + first // 8, (tier, trips, first)


def test_one_prize_alone_never_trips(computed: dict[Rules, Limits]) -> None:
    for rules, found in computed.items():
        for tier in found.tiers:
            assert tripping(found, tier.tier, 1) >= 2, (rules, tier.tier)
        for row in found.money:
            top = max(max(one.fixed_atoms, row.meter_atoms * one.share_ppm // 10**6) for one in POOLS[rules].prizes)
            assert least(row.lines, [1]) > top


def test_of_royal_flushes_three_in_a_thousand_bets_are_too_many_and_two_are_not(computed: dict[Rules, Limits]) -> None:
    assert tripping(computed[Rules.STUD], "royal_flush", 1_000) == 3


def test_more_trials_make_more_credible(computed: dict[Rules, Limits]) -> None:
    for found in computed.values():
        for lines in [*(tier.lines for tier in found.tiers), *(row.lines for row in found.money)]:
            steps = [least(lines, [1 << power]) for power in range(35)]
            assert steps == sorted(steps)


def test_money_has_rows_for_doublings_of_the_seed_up_to_the_limit() -> None:
    rows = [row.meter_atoms for row in limits(stud_pool(breaker=BREAKER, limit_atoms=mop("3000000.00"))).money]
    assert rows == [mop(text) for text in ("500000.00", "1000000.00", "2000000.00", "3000000.00")]
    assert len(limits(POOLS[Rules.STUD]).money) == 7


def test_money_beyond_credible_is_less_likely_than_one_in_ten_million() -> None:
    """A pool that pays one tier a fixed amount: its money is its hits."""
    prizes = tuple(
        prize if prize.tier == "three_of_a_kind" else type(prize)(prize.tier, 0, mop("0.00"), paid=False)
        for prize in POOLS[Rules.BACCARAT_B].prizes
    )
    found = limits(option_pool(Rules.BACCARAT_B, breaker=BREAKER, prizes=prizes))
    chance = likeliest(Rules.BACCARAT_B, None)["three_of_a_kind"]
    trips = -(-least(found.money[0].lines, [500]) // mop("800.00"))
    assert at_least(trips, 500, chance) * ONE_IN <= 1
    assert trips == tripping(found, "three_of_a_kind", 500)


def test_seats_that_share_a_pack_are_within_the_bound() -> None:
    """Two and three royal flushes in one round, exactly: 4, 3 and 2 suits are left for them."""
    royal = tier_chances(Rules.STUD, 1)["royal_flush"]
    two, three = seats_of_one_round([4, 3], 52), seats_of_one_round([4, 3, 2], 52)
    assert two > royal * royal, "they are not independent: one royal flush makes another likelier"
    theta = Decimal(9)
    gain = Fraction(int(theta.exp() - 1))
    three_seats = (3 * gain * royal + 3 * gain**2 * two + gain**3 * three) / 3
    assert Fraction(stud_growth(theta, {"royal_flush": 1})) >= three_seats


def test_a_pool_of_several_games_bounds_each_games_tiers_and_the_money_of_all() -> None:
    found = limits(mixed_pool(breaker=BREAKER))
    assert found.games == ("stud", "baccarat")
    alone = limits(POOLS[Rules.STUD])
    assert found.tiers[: len(alone.tiers)] == alone.tiers
    (stud_only, both) = (least(found.money[0].lines, [1_000, bacs]) for bacs in (0, 1_000))
    assert least(alone.money[0].lines, [1_000]) <= stud_only < both


def test_a_level_counts_only_the_tiers_that_it_pays_and_one_that_pays_none_has_no_limits() -> None:
    found = limits(level_pool("mini", prize("flush", "100.00"), breaker=BREAKER))
    assert [tier.tier for tier in found.tiers] == ["flush"]
    nothing = limits(level_pool("none", breaker=BREAKER))
    assert (nothing.tiers, nothing.money) == ((), ())


def test_rounds_of_one_shoe_spread_hardly_more_than_independent_rounds_do() -> None:
    """At 1 in 10,000,000 the bound stands at 5.68 spreads where 5.20 would do: 19% more variance fits."""
    dice, shoes, rounds = Random(5), 1_000, 75
    shoe = [Card(f"{rank}{suit}") for rank in RANKS for suit in SUITS] * 8
    hits = []
    for _ in range(shoes):
        dice.shuffle(shoe)
        cards = iter(shoe)
        hits.append(sum(_three_alike(cards) for _ in range(rounds)))
    chance = tier_chances(Rules.BACCARAT_B, 8)["three_of_a_kind"]
    independent = rounds * chance * (1 - chance)
    assert pvariance(hits) < Fraction(119, 100) * independent


def _three_alike(cards: Iterator[Card]) -> bool:
    player: list[Card] = []
    banker: list[Card] = []
    while (side := draw(player, banker)) is not None:
        (player if side is Side.PLAYER else banker).append(next(cards))
    return option_tier(Rules.BACCARAT_B, player + banker, player, banker, None) == "three_of_a_kind"


def test_a_rarer_event_makes_a_higher_bound() -> None:
    rare = limits(stud_pool(breaker=BreakerParams(10**12, 86_400_000)))
    usual = limits(POOLS[Rules.STUD])
    assert tripping(rare, "flush", 100) > tripping(usual, "flush", 100)


def test_a_line_counts_the_trials_of_each_game() -> None:
    parts = [HIT] * 2
    assert Line(HIT, tuple(parts)).at([2, 3]) == 6 * HIT
