"""The machine's clock: one that is not synchronised, or was set, makes the gaming day provisional.

Laws
1. Times are for people: they decide no money, and nothing is put in order by them. What is in doubt is told.
2. The mark is the day's in which it happened. A clock that is still not synchronised marks the next day too.
"""

from __future__ import annotations

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.book import Book

_MS_PER_S = 1_000
_SUBJECT, _JUMPED, _UNSYNCHRONISED = "controller", "clock_jumped", "clock_unsynchronised"
JUMPED_ALARM = f"{_JUMPED}-{_SUBJECT}"


def clock_said(book: Book, word: f.ClockSaid) -> None:
    """Mark the day, and alarm until the clock is sound again."""
    if word.jump_ms:
        book.write(e.ClockJumped(book.at_ms, book.state.day, word.jump_ms))
        way = "forward" if word.jump_ms > 0 else "back"
        text = f"the machine's clock was set {way} by {abs(word.jump_ms) // _MS_PER_S} s"
        book.restate(_JUMPED, _SUBJECT, f"{text}: gaming day {book.state.day} is provisional")
    elif word.calm:
        book.clear(_JUMPED, _SUBJECT)
    if word.synchronised != book.state.clock_synchronised:
        book.write(e.ClockNoted(book.at_ms, book.state.day, word.synchronised))
    if word.synchronised:
        book.clear(_UNSYNCHRONISED, _SUBJECT)
    else:
        text = "nothing says that the machine's clock is synchronised: gaming days are provisional"
        book.alarm(_UNSYNCHRONISED, _SUBJECT, text)


def day_ends(book: Book) -> None:
    """A day whose clock was in doubt is provisional for ever."""
    if book.state.doubts:
        book.write(e.DayProvisional(book.at_ms, book.state.day, tuple(book.state.doubts)))


def day_began(book: Book) -> None:
    """A new day takes over what is still in doubt."""
    if not book.state.clock_synchronised:
        book.write(e.ClockNoted(book.at_ms, book.state.day, synchronised=False))
