"""How much luck is credible: bounds that chance exceeds once in so many windows at most, as lines of whole numbers.

Laws
1. A line says: with n trials, less than start + n x per trial. Each line is a true bound, so the least of them is.
2. It is Chernoff's bound: for every theta > 0, P(S >= t) <= exp(n x growth(theta) - theta x t), where one trial brings
   E[exp(theta x S)] <= exp(growth). Setting the right side to 1/one_in gives t = (ln(one_in) + n x growth) / theta.
3. Stud: the seats of a round share one pack, so growth bounds every joint chance of theirs (`stud_growth`). Baccarat: a
   round is one trial, however many bet. Rounds count as independent; those of one shoe are so within a few per cent of
   their spread, and the bound leaves room for nearly a fifth (a test plays shoes and measures it).
4. One prize alone is always credible: no theta is larger than ln(one_in).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from math import comb

from jackpotd.core.limits import Line, Parts
from jackpotd.odds.chances import HAND_CARDS, PACK, STUD_COUNTS

# Far beyond what a whole number at the end of it can show.
_DIGITS = 50
# Theta falls by the square root of two from line to line, so the nearest is within a fifth of the best one and
# the bound within 2% of the best deviation. The last is 1/8192 of the first: right for millions of hits in a window.
_THETAS = 27
# A line is kept if it is the least anywhere up to so many trials: 6,000 tables' seats for months.
_MOST_TRIALS = 2**34
_MOST_SEATS = 7  # 61/2004 2

# What a prize weighs in the sum that is bounded: 1 for counting hits, its amount for counting money.
Weights = Mapping[str, int]
Growth = Callable[[Decimal, Weights], Decimal]


def stud_growth(theta: Decimal, weights: Weights) -> Decimal:
    """The growth of one bet at stud.

    With Y = exp(theta x what a seat wins) - 1, a round brings the sum of E[product of Y] over all sets of its seats. A
    further seat's five cards come from the rest of the pack, which has no more hands of a tier than the whole:
    whatever the others hold, E[Y] <= sum of count x (exp(theta x weight) - 1) / hands of the rest. The number of seats
    that is worst counts.
    """
    one = sum((STUD_COUNTS[tier] * ((theta * weight).exp() - 1) for tier, weight in weights.items()), Decimal(0))
    joint, chances = Decimal(1), []
    for seat in range(_MOST_SEATS):
        joint = joint * one / comb(PACK - HAND_CARDS * seat, HAND_CARDS)
        chances.append(joint)
    return max(
        sum((comb(seats, many) * chances[many - 1] for many in range(1, seats + 1)), Decimal(0)) / seats
        for seats in range(1, _MOST_SEATS + 1)
    )


def round_growth(chances: Mapping[str, Fraction]) -> Growth:
    """The growth of one round at baccarat, which has one tier at most."""

    def growth(theta: Decimal, weights: Weights) -> Decimal:
        parts = [_decimal(chances[tier]) * ((theta * weight).exp() - 1) for tier, weight in weights.items()]
        return sum(parts, Decimal(0))

    return growth


def _decimal(chance: Fraction) -> Decimal:
    return Decimal(chance.numerator) / chance.denominator


def lines(one_in: int, games: Sequence[tuple[Growth, Weights]], unit: int) -> tuple[Line, ...]:
    """The bound on a sum over trials of several games, in `unit` parts of a weight; rounded up.

    The trials of different games are independent: their growths add.
    """
    heaviest = max(weight for _, weights in games for weight in weights.values())
    with localcontext(prec=_DIGITS):
        rarity = Decimal(one_in).ln()
        found = []
        for number in range(_THETAS):
            theta = rarity / heaviest / Decimal(2) ** (Decimal(number) / 2)
            per_trial = tuple(_up(growth(theta, weights) / theta * unit) for growth, weights in games)
            found.append(Line(_up(rarity / theta * unit), per_trial))
    return _least(found)


def _up(value: Decimal) -> Parts:
    """Rounded up, and one more for what fifty digits do not show."""
    return Parts(int(value.to_integral_value(ROUND_CEILING)) + 1)


def _least(found: list[Line]) -> tuple[Line, ...]:
    """The lines that are the least at some power of two of trials, all games alike or one alone."""
    kept: set[Line] = set()
    games = range(len(found[0].per_trial))
    for played in [list(games), *([game] for game in games)]:
        trials = 1
        while trials <= _MOST_TRIALS:
            kept.add(min(found, key=lambda line: line.at([trials * (game in played) for game in games])))
            trials *= 2
    return tuple(line for line in found if line in kept)
