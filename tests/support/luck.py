"""Limits of a breaker for tests, as plain numbers in the place of computed ones."""

from __future__ import annotations

from collections.abc import Sequence

from jackpotd.core.limits import HIT, Limits, Line, MoneyLimit, Parts, TierLimit
from jackpotd.core.parameters import BreakerParams, PoolParams, game_of
from tests.support.pools import mop

DAY_MS = 24 * 3_600_000
DAILY = BreakerParams(10_000_000, DAY_MS)


def line(start: int, *per_trial: int) -> Line:
    """One game's line, flat unless it says how it rises."""
    return Line(Parts(start), tuple(map(Parts, per_trial or (0,))))


ANYTHING = line(10**9 * HIT)
ONE, TWO, TWO_AND_MORE = line(HIT), line(2 * HIT), line(2 * HIT, HIT // 10)


def plain_limits(
    params: PoolParams,
    tier: str = "flush",
    least: Line = TWO_AND_MORE,
    money: Sequence[tuple[str, str]] = (("1000000000.00", "1000000000.00"),),
) -> Limits:
    """Two flushes are credible, and one more for every ten bets; rows of money: meter, what is not credible at it."""
    games = tuple(game_of(rules) for rules in params.all_rules())
    flat = [0] * len(games)
    return Limits(
        params=params,
        games=games,
        tiers=(TierLimit(games[0], tier, (ANYTHING, least)),),
        money=tuple(MoneyLimit(mop(meter), (line(mop(most), *flat),)) for meter, most in money),
    )
