"""A pool kept by pencil from the configuration's own text, in exact fractions of a cent; knows nothing of the program.

Law: what the signs must show is computed here and nowhere else: bets by rules.md section 1, prizes by its section 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Any

from tests.core import reference_settlement
from tests.core.reference_settlement import Book, Terms

Winners = dict[str, dict[int, str]]  # tier -> seat -> amount


def cents(text: str) -> Fraction:
    """An amount of the configuration."""
    return Fraction(text) * 100


def rate(text: str) -> Fraction:
    """A percentage of the configuration."""
    return Fraction(text.removesuffix("%")) / 100


def shown(amount: Fraction) -> str:
    """An amount as a sign shows it: whole cents, rounded down."""
    whole, rest = divmod(floor(amount), 100)
    return f"{whole}.{rest:02d}"


def terms_of(pool: dict[str, Any]) -> Terms:
    """A [[pool]] block as the reference wants it."""
    prizes = {tier: prize for tier, prize in pool["prizes"].items() if prize != "not paid"}
    return {
        "unit": cents(pool.get("payout_unit", "0.01")),
        "seed": cents(pool["seed"]),
        "limit": cents(pool["limit"]) if "limit" in pool else None,
        "fixed": {tier: cents(prize["fixed"]) if "fixed" in prize else Fraction(0) for tier, prize in prizes.items()},
        "share": {tier: rate(prize["share"]) for tier, prize in prizes.items() if "share" in prize},
        "fixed_prizes_from": pool["fixed_prizes_from"],
        "remainder": pool["remainder"],
        "straight_flush_base": pool.get("straight_flush_base"),
        "several_royals": pool.get("several_royals"),
    }


def _prizes(pool: dict[str, Any], game: str) -> dict[str, Any]:
    """Tier -> prize at the tables of a game; of a pool of several by that game's names."""
    if "games" not in pool:
        return dict(pool["prizes"])
    tiers = pool["games"][game]["tiers"]
    return {tier: pool["prizes"][name] for tier, name in tiers.items() if name != "not paid"}


class Reckoning:
    """One pool, from its [[pool]] block. A level's says the bet and the part of it that feeds the level, too."""

    def __init__(self, pool: dict[str, Any]) -> None:
        self._terms = terms_of(pool)
        self._games = {game: terms_of(pool | {"prizes": _prizes(pool, game)}) for game in ("stud", "baccarat")}
        self._bet = cents(pool["bet"])
        self._rate = rate(pool["contribution"])
        self._reserve_rate = rate(pool.get("reserve", "0%"))
        self.pool: Fraction = self._terms["seed"]
        self.reserve = Fraction(0)

    @property
    def meter(self) -> str:
        """What the sign shows."""
        return shown(self.pool)

    def bets(self, count: int) -> str:
        """So many progressive bets are accepted; the meter then."""
        self.pool += count * self._bet * self._rate
        self.reserve += count * self._bet * self._reserve_rate
        return self.meter

    def stud(self, winners: dict[int, str]) -> Winners:
        """A stud round's prizes."""
        return self._paid(reference_settlement.stud(self._games["stud"], self.pool, self.reserve, 0, winners))

    def baccarat(self, tier: str, bettors: Sequence[int]) -> Winners:
        """A baccarat round's prize."""
        terms = self._games["baccarat"]
        return self._paid(reference_settlement.baccarat(terms, self.pool, self.reserve, 0, tier, list(bettors)))

    def _paid(self, book: Book) -> Winners:
        self.pool, self.reserve = book.pool, book.reserve
        winners: Winners = {}
        for tier, seat, amount in book.paid:
            winners.setdefault(tier, {})[seat] = shown(amount)
        return winners
