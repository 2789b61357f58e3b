"""In doubt, hold: nothing of the round moves until a supervisor decides (design 1, law 7).

Laws
1. A held round keeps its first reason, unless a later one also puts the order of its cards in doubt.
2. Deciding the round answers what was lost on the way to it, and its wrong cards: those alarms go with it.
"""

from __future__ import annotations

from jackpotd.core import entries as e
from jackpotd.core.alarms import HOLDS
from jackpotd.core.book import Book
from jackpotd.core.shoe import forget_shoe
from jackpotd.core.state import Phase, Table

# Reasons that leave the cards as they come out: whose card follows is as certain as before.
CARDS_IN_ORDER = frozenset(
    {
        "bets_unsure",
        "card_beyond_shoe",
        "card_unreadable",
        "cards_withheld",
        "device_lost",
        "device_replaced",
        "fold_unknown",
        "lock_timeout",
        "order_repeated",
        "pool_suspended",
    }
)
_ANSWERED = ("journal_gap", "journal_lost")


def hold(book: Book, table: Table, code: str, detail: str = "") -> None:
    """Hold the table's round."""
    text = f"{HOLDS[code]}: {detail}" if detail else HOLDS[code]
    if table.phase is Phase.HELD:
        if table.hold_code not in CARDS_IN_ORDER or code in CARDS_IN_ORDER:
            return
        text = f"{table.hold_text}; {text}"
    name = table.params.table
    book.write(e.RoundHeld(book.at_ms, name, table.round, code, text))
    book.clear("held", name)
    book.alarm("held", name, f"round {table.round} of table {name} is held: {text}", name, cause=code)


def released(book: Book, table: Table) -> None:
    """The round is decided. A bare device never says that its error is over: whoever decided has seen to it."""
    book.clear("held", table.params.table)
    if f"wrong_cards-{table.params.table}" in book.state.alarms:
        book.clear("wrong_cards", table.params.table)
        forget_shoe(book, table, "decided by hand")  # one wrong count must not hold every round from here on
    for name, device in table.placed_devices():
        for code in _ANSWERED:
            book.clear_device(code, table, name)
        if device.params.grade == "bare":
            book.device_fault(table, name, "")
