"""Luck reckoned the long way, with nothing of the product's: exact binomial tails in whole numbers."""

from __future__ import annotations

from fractions import Fraction
from math import comb


def at_least(hits: int, trials: int, chance: Fraction) -> Fraction:
    """The chance of so many hits or more in independent trials."""
    one, none = chance.numerator, chance.denominator - chance.numerator
    fewer = sum(comb(trials, count) * one**count * none ** (trials - count) for count in range(min(hits, trials + 1)))
    return 1 - Fraction(fewer, chance.denominator**trials)


def first_beyond(trials: int, chance: Fraction, one_in: int) -> int:
    """The least number of hits that is less likely than one in so many."""
    one, none = chance.numerator, chance.denominator - chance.numerator
    whole = chance.denominator**trials
    left, hits = whole, 0
    while left * one_in > whole:
        left -= comb(trials, hits) * one**hits * none ** (trials - hits)
        hits += 1
    return hits


def seats_of_one_round(hands: list[int], cards: int) -> Fraction:
    """The chance that seats dealt five cards each from what is left all get one of so many hands, in turn."""
    chance = Fraction(1)
    for seat, good in enumerate(hands):
        chance *= Fraction(good, comb(cards - 5 * seat, 5))
    return chance
