"""One word of a device, with what judging it needs."""

from __future__ import annotations

from dataclasses import dataclass

from jackpotd.core.facts import Fact, TableWord


@dataclass(frozen=True, slots=True)
class Said:
    """`device`: its name at the table; `said_ms`: when, on the controller's clock; `stale`: out of an old journal."""

    device: str
    word: TableWord
    said_ms: int
    stale: bool


def said(fact: Fact, word: TableWord) -> Said:
    """The word of a fact."""
    return Said(fact.device, word, fact.said_ms, fact.stale)
