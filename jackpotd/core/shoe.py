"""What is certain of a baccarat shoe: its cards, counted from the burn that began it.

Laws
1. No dialect says that a shoe is new. A burn that follows a card in play may begin one, so the count begins anew there;
   before the first burn nothing is counted.
2. Where the shoe may have been changed or a burn missed, the count is forgotten until the next burn. So what is counted
   is always a part of one shoe.
3. A card counts as it was last believed: a supervisor's card replaces the device's. Unread cards count nowhere; neither
   does one drawn outside play, which may be put back.
"""

from __future__ import annotations

from jackpotd.core import entries as e
from jackpotd.core.book import Book
from jackpotd.core.facts import CardRead
from jackpotd.core.said import Said
from jackpotd.core.state import Table


def burnt(book: Book, table: Table, said: Said) -> None:
    """A card was burnt. One that is said again may have been counted already."""
    word = said.word
    assert isinstance(word, CardRead)
    if table.params.game == "baccarat" and said.device == table.deals and not word.again:
        begins = not table.shoe.burning
        book.write(e.CardBurnt(book.at_ms, table.params.table, word.card, begins))


def forget_shoe(book: Book, table: Table, why: str) -> None:
    """The shoe may be another one from here on."""
    if table.shoe.begun:
        book.write(e.ShoeForgotten(book.at_ms, table.params.table, why))


def missed_shoe(book: Book, table: Table, device: str, why: str) -> None:
    """A device said less than all: what deals and keeps no journal may have burnt a new shoe meanwhile."""
    if device == table.deals and table.devices[device].params.grade != "journaled":
        forget_shoe(book, table, why)
