"""Invariants that are checked in production: a breach is a bug and ends the process before anything is recorded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from jackpotd.core.postings import Posting

if TYPE_CHECKING:
    from jackpotd.core.state import Pool


class InvariantError(Exception):
    """Money would be made, lost or owed by a pool. Never caught: the process ends and rereads the ledger."""


def check_postings(postings: Iterable[Posting]) -> None:
    """Every entry balances (design 1, law 3)."""
    total = sum(posting.atoms for posting in postings)
    if total:
        raise InvariantError(f"postings do not sum to zero but to {total} atoms")


def check_balances(pool: Pool) -> None:
    """No pool, reserve or overflow below zero; all six accounts sum to zero."""
    held = (pool.pool_atoms, pool.reserve_atoms, pool.overflow_atoms)
    if min(held) < 0:
        raise InvariantError(f"pool {pool.params.pool} would go below zero: {held}")
    if sum(held) + pool.house_atoms + pool.wagers_atoms + pool.prizes_atoms:
        raise InvariantError(f"the accounts of pool {pool.params.pool} do not sum to zero")
