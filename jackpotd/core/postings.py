"""Postings: one movement of money on one account.

Law: the postings of an entry sum to zero. Accounts are kind:<pool>. pool, reserve and overflow hold money;
house, wagers and prizes are where it comes from and goes to: bets come out of wagers, prizes go into prizes.
"""

from __future__ import annotations

from dataclasses import dataclass

from jackpotd.core.money import Atoms


@dataclass(frozen=True, slots=True)
class Posting:
    """Money that enters (positive) or leaves (negative) an account."""

    account: str
    atoms: Atoms
