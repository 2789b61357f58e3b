"""The limits of a pool's breaker, from its parameters alone.

Laws
1. They hold for whatever tables feed the pool: of one to eight packs the number that makes a tier likeliest counts.
2. A prize weighs what it costs at the meter of its row, whoever pays it; a 100% tier the whole meter.
"""

from __future__ import annotations

from fractions import Fraction

from jackpotd.core.limits import HIT, Limits, MoneyLimit, TierLimit
from jackpotd.core.money import Atoms, share_of
from jackpotd.core.parameters import PoolParams, Rules, game_of
from jackpotd.odds.chances import tier_chances
from jackpotd.odds.credible import Growth, Weights, lines, round_growth, stud_growth

MAX_DECKS = 8
# Money has a row for every doubling of the seed up to 64 seeds or the limit; above the last one it grows in proportion.
_DOUBLINGS = 6


def limits(params: PoolParams) -> Limits:
    """What is credible of this pool, which has a breaker; one that pays nothing has no limits."""
    breaker = params.breaker
    assert breaker is not None, "a pool without a breaker has no limits"
    games = {game_of(rules): params.of_game(game_of(rules)) for rules in params.all_rules()}
    growths = {game: _growth(seen) for game, seen in games.items()}
    return Limits(
        params=params,
        games=tuple(games),
        tiers=tuple(
            TierLimit(game, prize.tier, lines(breaker.one_in, [(growths[game], {prize.tier: 1})], HIT))
            for game, seen in games.items()
            for prize in seen.prizes
            if prize.paid
        ),
        money=tuple(
            MoneyLimit(
                meter,
                lines(breaker.one_in, [(growths[game], _costs(seen, meter)) for game, seen in games.items()], 1),
            )
            for meter in _meters(params)
            if any(prize.paid for prize in params.prizes)
        ),
    )


def _growth(params: PoolParams) -> Growth:
    """Of a pool as one game sees it."""
    if params.rules is Rules.STUD:
        return stud_growth
    return round_growth(likeliest(params.sole_rules, params.four_of_a_kind_suits))


def likeliest(rules: Rules, suits: str | None) -> dict[str, Fraction]:
    """Tier -> its greatest chance with any number of packs."""
    by_decks = [tier_chances(rules, decks, suits) for decks in range(1, MAX_DECKS + 1)]
    return {tier: max(chances[tier] for chances in by_decks) for tier in by_decks[0]}


def _costs(params: PoolParams, meter: Atoms) -> Weights:
    return {
        prize.tier: max(prize.fixed_atoms, share_of(meter, prize.share_ppm)) for prize in params.prizes if prize.paid
    }


def _meters(params: PoolParams) -> list[Atoms]:
    meters = [Atoms(params.seed_atoms << doubling) for doubling in range(_DOUBLINGS + 1)]
    if params.limit_atoms is None:
        return meters
    return [*(meter for meter in meters if meter < params.limit_atoms), params.limit_atoms]
