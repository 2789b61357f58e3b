"""Suspending a pool: it takes and pays nothing until people have looked, and rounds that play for it are held."""

from __future__ import annotations

from jackpotd.core import entries as e
from jackpotd.core.acts import By
from jackpotd.core.book import Book
from jackpotd.core.doubt import doubt
from jackpotd.core.feeding import pools_in_play
from jackpotd.core.state import Phase, Pool


def suspend(book: Book, pool: Pool, why: str, detail: str = "", by: By | None = None) -> None:
    """Suspend a pool that is not suspended yet, and say so; by: who stops it, None for the controller itself."""
    if pool.is_stopped:
        return
    name = pool.params.pool
    book.write(e.PoolSuspended(book.at_ms, name, why, by))
    book.alarm("suspended", name, f"pool {name} is suspended: {why}{': ' if detail else ''}{detail}")


def hold_rounds_of(book: Book, pool: Pool) -> None:
    """Hold every round in play at the pool's tables: none of them may be paid from it."""
    for _, table in sorted(book.state.tables.items()):
        if table.phase is not Phase.OPEN and any(one is pool for one in pools_in_play(book.state, table)):
            doubt(book, table, "pool_suspended", pool.params.pool)
