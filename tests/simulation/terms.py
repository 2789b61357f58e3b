"""The pools' terms from the configuration's own text, as the auditor keeps them: exact fractions of an atom."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from typing import Any

from tests.simulation.auditor import PoolBook

ATOMS_PER_UNIT = 100_000_000  # of a currency with two decimals


def pool_books(text: str) -> dict[str, PoolBook]:
    """A book for every pool."""
    return {pool["id"]: _book(pool) for pool in tomllib.loads(text)["pool"]}


def _book(pool: dict[str, Any]) -> PoolBook:
    prizes = pool["prizes"]
    terms = {
        "unit": _atoms(pool.get("payout_unit", "0.01")),
        "seed": _atoms(pool["seed"]),
        "limit": None,
        "fixed": {tier: _atoms(prize.get("fixed", "0")) for tier, prize in prizes.items()},
        "share": {tier: _rate(prize["share"]) for tier, prize in prizes.items() if "share" in prize},
        "fixed_prizes_from": pool["fixed_prizes_from"],
        "remainder": pool["remainder"],
        "straight_flush_base": pool.get("straight_flush_base"),
        "several_royals": pool.get("several_royals"),
    }
    approvals = {key: _atoms(pool[key]) for key in ("auto_pay_below", "two_person_above")}
    return PoolBook(
        terms, approvals, _atoms(pool["bet"]), _rate(pool["contribution"]), _rate(pool.get("reserve", "0%"))
    )


def _atoms(text: str) -> Fraction:
    return Fraction(text) * ATOMS_PER_UNIT


def _rate(text: str) -> Fraction:
    return Fraction(text.removesuffix("%")) / 100
