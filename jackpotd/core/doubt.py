"""Doubt: something was lost or is not understood. The bets are locked first, so that what was staked is known."""

from __future__ import annotations

from jackpotd.core.book import Book
from jackpotd.core.holding import hold
from jackpotd.core.locking import begin_lock, lock_round
from jackpotd.core.state import Phase, Table


def doubt(book: Book, table: Table, code: str, detail: str = "") -> None:
    """Hold the round, in whatever phase it is. A closed table with no round in play has nothing to hold."""
    if table.phase is Phase.OPEN:
        if not table.open:
            return
        begin_lock(book, table, "doubt", book.fact.said_ms)
    if table.phase is Phase.LOCKING:
        lock_round(book, table)
    hold(book, table, code, detail)


def device_doubt(book: Book, table: Table, device: str, code: str, detail: str = "") -> None:
    """Doubt about a device; one that only stands by to deal has no part in the round."""
    if not table.stands_by(device):
        doubt(book, table, code, detail)
