"""Each pool as the auditor keeps it, by its terms in the configuration's own text: exact fractions of an atom.

Laws
1. What a bet feeds is read from the text once more: its pool, the pool's levels, the reserve of each.
2. Of a pool that two games feed each game has its own terms: tiers by that dispatch's names, prizes by the pool's.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tests.core import reference_baccarat, reference_settlement
from tests.core.reference_settlement import Book, Terms

ATOMS_PER_UNIT = 100_000_000  # of a currency with two decimals


class PoolBook:
    """One pool as the auditor keeps it, in atoms, and every amount that was ever committed."""

    def __init__(self, pool: dict[str, Any]) -> None:
        self.terms = _terms_by_game(pool)
        self.approvals = {key: _atoms(pool[key]) for key in ("auto_pay_below", "two_person_above")}
        self.bet = _atoms(pool.get("bet", "0"))
        self.rate = _rate(pool.get("contribution", "0%"))
        self.reserve_rate = _rate(pool.get("reserve", "0%"))
        self.levels = {level: _rate(rate) for level, rate in pool.get("levels", {}).items()}
        self.pool = self.reserve = self.overflow = Fraction(0)
        self.ledger: dict[str, int] = {}
        self.history: list[tuple[float, int]] = []
        self.shown_at = 0  # the oldest committed amount that a sign may still show
        self._limit = _atoms(pool["limit"]) if "limit" in pool else None

    def current(self, since_s: float) -> set[int]:
        """The amounts that were true at some moment since then."""
        found: set[int] = set()
        for at_s, amount in reversed(self.history):
            found.add(amount)
            if at_s <= since_s:
                break
        return found

    def opens(self) -> None:
        """A new pool starts at its seed."""
        self.pool += next(iter(self.terms.values()))["seed"]

    def feed(self, bets: Fraction, rate: Fraction) -> None:
        """Contributions: this part of so much wagered, and its own reserve's part."""
        self.takes(bets * rate)
        self.reserve += bets * self.reserve_rate

    def takes(self, amount: Fraction) -> None:
        """Money comes in; what passes the limit is overflow."""
        self.pool += amount
        if self._limit is not None and self.pool > self._limit:
            self.overflow += self.pool - self._limit
            self.pool = self._limit

    def pay_stud(self, winners: dict[int, str]) -> dict[str, dict[int, int]]:
        """A stud round's prizes, by tier and seat."""
        return self._paid(reference_settlement.stud(self.terms["stud"], *self._held, winners))

    def pay_baccarat(self, player: Sequence[str], banker: Sequence[str], seats: set[int]) -> dict[str, dict[int, int]]:
        """A coup's prize."""
        terms = self.terms["baccarat"]
        tier = _baccarat_tier(terms, player, banker)
        if tier is None or tier not in terms["fixed"]:
            return {}
        return self._paid(reference_settlement.baccarat(terms, *self._held, tier, sorted(seats)))

    @property
    def _held(self) -> tuple[Fraction, Fraction, Fraction]:
        return self.pool, self.reserve, self.overflow

    def _paid(self, done: Book) -> dict[str, dict[int, int]]:
        self.pool, self.reserve, self.overflow = done.pool, done.reserve, done.overflow
        paid: dict[str, dict[int, int]] = {}
        for tier, seat, amount in done.paid:
            paid.setdefault(tier, {})[seat] = int(amount)
        return paid


def pool_books(text: str) -> dict[str, PoolBook]:
    """A book for every pool."""
    return {pool["id"]: PoolBook(pool) for pool in tomllib.loads(text)["pool"]}


def _terms_by_game(pool: dict[str, Any]) -> dict[str, Terms]:
    """Game -> its terms."""
    if "games" not in pool:
        rules = pool["rules"]
        return {"stud" if rules == "stud" else "baccarat": _terms(pool, rules, pool["prizes"])}
    return {
        name: _terms(pool, game["rules"], {tier: pool["prizes"][prize] for tier, prize in game["tiers"].items()})
        for name, game in pool["games"].items()
    }


def _terms(pool: dict[str, Any], rules: str, named: dict[str, Any]) -> Terms:
    prizes = {tier: prize for tier, prize in named.items() if prize != "not paid"}
    return {
        "rules": rules,
        "unit": _atoms(pool.get("payout_unit", "0.01")),
        "seed": _atoms(pool["seed"]),
        "limit": _atoms(pool["limit"]) if "limit" in pool else None,
        "fixed": {tier: _atoms(prize.get("fixed", "0")) for tier, prize in prizes.items()},
        "share": {tier: _rate(prize["share"]) for tier, prize in prizes.items() if "share" in prize},
        "fixed_prizes_from": pool["fixed_prizes_from"],
        "remainder": pool["remainder"],
        "straight_flush_base": pool.get("straight_flush_base"),
        "several_royals": pool.get("several_royals"),
        "any_suits": pool.get("four_of_a_kind_suits") == "any",
    }


def _baccarat_tier(terms: Terms, player: Sequence[str], banker: Sequence[str]) -> str | None:
    dealt = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
    if terms["rules"] == "baccarat-a":
        return reference_baccarat.option_a(dealt, any_suits=terms["any_suits"])
    if terms["rules"] == "baccarat-c":
        return reference_baccarat.option_c(dealt)
    return reference_baccarat.of_a_kind(dealt)


def _atoms(text: str) -> Fraction:
    return Fraction(text) * ATOMS_PER_UNIT


def _rate(text: str) -> Fraction:
    return Fraction(text.removesuffix("%")) / 100
