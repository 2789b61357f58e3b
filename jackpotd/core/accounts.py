"""Accounts: money moves here and nowhere else.

Law: the postings of an entry sum to zero, and no pool that they touch goes below zero; both are checked each time.
"""

from __future__ import annotations

from jackpotd.core.invariants import check_balances, check_postings
from jackpotd.core.money import Atoms
from jackpotd.core.postings import Posting
from jackpotd.core.state import Pool, State

_ACCOUNTS = {
    "pool": "pool_atoms",
    "reserve": "reserve_atoms",
    "overflow": "overflow_atoms",
    "house": "house_atoms",
    "wagers": "wagers_atoms",
    "prizes": "prizes_atoms",
}
HOLDING = frozenset({"pool", "reserve", "overflow"})  # the accounts that hold the pool's own money


def post(state: State, at_ms: int, postings: tuple[Posting, ...]) -> None:
    """Move money. Every pool touched must keep its balances (law 3 of the design)."""
    check_postings(postings)
    touched: dict[str, Pool] = {}
    for posting in postings:
        kind, _, pool_id = posting.account.partition(":")
        pool = state.pools[pool_id]
        name = _ACCOUNTS[kind]
        setattr(pool, name, Atoms(getattr(pool, name) + posting.atoms))
        if kind == "pool":
            pool.changed_ms = at_ms
        touched[pool_id] = pool
    for pool in touched.values():
        check_balances(pool)
