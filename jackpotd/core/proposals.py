"""Acts on a pool that take two persons: the first one's word is recorded, the second's completes it (design 7).

Laws
1. The two are different operators of two roles and want the same to the letter; another word replaces the one before.
2. A word holds for a shift; after that it must be said anew, as what it was about has moved on.
3. A pool has one open proposal at most, so that nobody agrees to something else than what was asked last.
"""

from __future__ import annotations

from jackpotd.core import entries as e
from jackpotd.core.acts import By
from jackpotd.core.book import Book
from jackpotd.core.errors import RuleError
from jackpotd.core.state import Pool
from jackpotd.core.voters import with_voter

# Eight hours, a shift: whoever proposed is still there to be asked.
PROPOSAL_MS = 8 * 60 * 60 * 1_000


def both_persons(book: Book, pool: Pool, act: str, what: str, by: By, why: str) -> tuple[By, ...]:
    """The two persons who want this, or () when `by` is the first and the second is still to come."""
    persons = seconded(book, pool, act, what, by, why)
    if len(persons) == 1:
        propose(book, pool, act, what, by, why)
        return ()
    return persons


def seconded(book: Book, pool: Pool, act: str, what: str, by: By, why: str) -> tuple[By, ...]:
    """Who wants this now: `by` alone, or the one before him too. RuleError for one who may not be the second."""
    if not why.strip():
        raise RuleError("this needs its reason")
    first = pool.proposal
    wanted = first is not None and (first.act, first.what) == (act, what)
    if first is None or not wanted or book.at_ms - first.at_ms > PROPOSAL_MS:
        return (by,)
    return with_voter((first.by,), by)


def propose(book: Book, pool: Pool, act: str, what: str, by: By, why: str) -> None:
    """Record the first person's word."""
    book.write(e.PoolActProposed(book.at_ms, pool.params.pool, act, what, by, why))
