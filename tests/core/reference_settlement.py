"""Section 4 of the rules once more, in exact fractions of a payout unit; knows nothing of the program.

A pool's terms are a plain dictionary: unit, seed, limit (None: none), reserve and overflow it starts with, `fixed` and
`share` by tier (share as a fraction of the pool), and the readings by their names. A tier that `fixed` has not wins
nothing. In the dispatches' pools the royal flush alone has the whole, the straight flush alone a share; a level may
have others.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Any

Terms = dict[str, Any]


class Book:
    """The accounts of a pool while a round is paid."""

    def __init__(self, terms: Terms, pool: int | Fraction, reserve: int | Fraction, overflow: int | Fraction) -> None:
        self.terms = terms
        self.pool, self.reserve, self.overflow = Fraction(pool), Fraction(reserve), Fraction(overflow)
        self.house = Fraction(0)  # what the house has paid, less what it has kept
        self.paid: list[tuple[str, int, Fraction]] = []
        self.restarted = False

    def down(self, amount: Fraction) -> Fraction:
        """Whole payout units."""
        unit = self.terms["unit"]
        return Fraction(floor(amount / unit) * unit)

    def pay(self, tier: str, seats: Sequence[int], each: Fraction, pool_at_most: Fraction) -> None:
        due = each * len(seats)
        from_pool = min(due, pool_at_most, self.pool)
        self.pool -= from_pool
        self.house += due - from_pool
        self.paid += [(tier, seat, each) for seat in seats]

    def close(self, emptied: bool) -> None:
        paid = sum((each for _, _, each in self.paid), Fraction(0))
        if not emptied and (paid == 0 or self.pool >= self.terms["unit"]):
            return
        self.restarted = True
        if self.terms["remainder"] == "house":
            self.house -= self.pool
            self.pool = Fraction(0)
        seed = Fraction(self.terms["seed"])
        from_reserve = min(seed, self.reserve)
        self.reserve -= from_reserve
        self.house += seed - from_reserve
        self.pool += seed + self.overflow
        self.overflow = Fraction(0)
        limit = self.terms["limit"]
        if limit is not None and self.pool > limit:
            self.overflow = self.pool - limit
            self.pool = Fraction(limit)


def stud(
    terms: Terms, pool: int | Fraction, reserve: int | Fraction, overflow: int | Fraction, winners: dict[int, str]
) -> Book:
    book = Book(terms, pool, reserve, overflow)
    base = book.pool
    shares = {seat: terms["share"].get(tier, 0) for seat, tier in winners.items()}
    playing = [seat for seat in sorted(winners) if winners[seat] in terms["fixed"]]
    royals = [seat for seat in playing if shares[seat] == 1]
    straights = [seat for seat in playing if 0 < shares[seat] < 1]
    for seat in (straights if royals else []) + [s for s in playing if not royals or s not in straights]:
        tier = winners[seat]
        fixed = Fraction(terms["fixed"][tier])
        if seat in straights:
            part = (base if terms["straight_flush_base"] == "round" else book.pool) * terms["share"][tier]
            part = book.down(part)
            cap = part if terms["fixed_prizes_from"] == "house" else book.pool
            book.pay(tier, [seat], max(fixed, part), cap)
        elif seat not in royals:
            book.pay(tier, [seat], fixed, Fraction(0) if terms["fixed_prizes_from"] == "house" else book.pool)
        elif seat == royals[0]:
            count = len(royals)
            if terms["several_royals"] == "split_greater":
                each = book.down(max(fixed, book.pool) / count)
            else:
                each = max(fixed, book.down(book.pool / count))
            book.pay(tier, royals, each, book.pool)
    book.close(emptied=bool(royals))
    return book


def baccarat(
    terms: Terms, pool: int | Fraction, reserve: int | Fraction, overflow: int | Fraction, tier: str, seats: list[int]
) -> Book:
    book = Book(terms, pool, reserve, overflow)
    share, fixed = Fraction(terms["share"].get(tier, 0)), Fraction(terms["fixed"].get(tier, 0))
    if not seats:
        return book
    part = book.down(book.pool * share)
    whole = book.pool if share == 1 else max(fixed, part)
    each = book.down(whole / len(seats))
    house_first = terms["fixed_prizes_from"] == "house" and share != 1
    book.pay(tier, sorted(seats), each, part if house_first else book.pool)
    book.close(emptied=share == 1)
    return book
