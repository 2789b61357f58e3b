"""In doubt, hold: nothing of the round moves until a supervisor decides (design 1, law 7)."""

from __future__ import annotations

from jackpotd.core import entries as e
from jackpotd.core.alarms import HOLDS
from jackpotd.core.book import Book
from jackpotd.core.state import Phase, Table


def hold(book: Book, table: Table, code: str, detail: str = "") -> None:
    """Hold the table's round; a round held already keeps its first reason."""
    if table.phase is Phase.HELD:
        return
    name = table.params.table
    text = f"{HOLDS[code]}: {detail}" if detail else HOLDS[code]
    book.write(e.RoundHeld(book.at_ms, name, table.round, code, text))
    book.alarm("held", name, f"round {table.round} of table {name} is held: {text}", name)


def released(book: Book, table: Table) -> None:
    """The round is held no more."""
    book.clear("held", table.params.table)
