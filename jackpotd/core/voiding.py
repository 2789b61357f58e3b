"""A void round (61/2004 11, 2/2009): bets go back, folds are undone, progressive bets carry or are refunded."""

from __future__ import annotations

from jackpotd.core import entries as e
from jackpotd.core.book import Book
from jackpotd.core.facts import By
from jackpotd.core.holding import released
from jackpotd.core.money import Atoms
from jackpotd.core.postings import Posting
from jackpotd.core.state import Table


def refund(pool: str, stakes: int) -> list[Posting]:
    """The house pays stakes back; the pool keeps what they contributed (design 1, law 9)."""
    return [Posting(f"house:{pool}", Atoms(-stakes)), Posting(f"wagers:{pool}", Atoms(stakes))]


def void(book: Book, table: Table, cause: str, by: By | None) -> None:
    """Void the round in play. Carried bets are in the pool already and contribute nothing again (61/2004 11(1))."""
    carried: dict[int, list[str]] = {}
    refunded: dict[int, list[str]] = {}
    postings: list[Posting] = []
    for pool in book.pools_of(table):
        name, bet = pool.params.pool, pool.params.bet_atoms
        seats = table.live.get(name, [])
        refunds = table.params.game == "baccarat" and pool.params.void_round == "refund"  # stud has no choice
        for seat in seats:
            (refunded if refunds else carried).setdefault(seat, []).append(name)
        if refunds and seats:
            postings += refund(name, len(seats) * bet)
    released(book, table)
    book.write(
        e.RoundVoided(
            at_ms=book.at_ms,
            table=table.params.table,
            round=table.round,
            cause=cause,
            by=by,
            carried={seat: tuple(pools) for seat, pools in carried.items()},
            refunded={seat: tuple(pools) for seat, pools in refunded.items()},
            postings=tuple(postings),
        )
    )
