"""One word of a device, with what judging it needs."""

from __future__ import annotations

from typing import NamedTuple

from jackpotd.core.facts import Fact, TableWord


class Said(NamedTuple):
    """`device`: its name at the table; `said_ms`: when, on the controller's clock; `stale`: out of an old journal.

    A tuple, which is made in a third of the time: every word passes here.
    """

    device: str
    word: TableWord
    said_ms: int
    stale: bool


def said(fact: Fact, word: TableWord) -> Said:
    """The word of a fact."""
    return Said(fact.device, word, fact.said_ms, fact.stale)
