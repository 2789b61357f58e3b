"""Findings: the list a decoder returns, in order, with noise of one kind counted together.

Laws
1. Order is kept: noise that came before a report stands before it.
2. Noise of one reason in a row is one entry, so a mebibyte of it is one entry too.
"""

from __future__ import annotations

from hardware.reports import Noise, Report, Said


class Findings:
    """What one call of a decoder found."""

    __slots__ = ("items",)

    def __init__(self) -> None:
        self.items: list[Said | Noise] = []

    def said(self, what: Report, raw: bytes, seq: int | None = None) -> None:
        """Add a report with the bytes that carried it."""
        self.items.append(Said(what, raw, seq))

    def noise(self, reason: str, count: int = 1) -> None:
        """Count noise: bytes for "junk", frames or tokens for every other reason."""
        last = self.items[-1] if self.items else None
        if isinstance(last, Noise) and last.reason == reason:
            self.items[-1] = Noise(reason, last.count + count)
        else:
            self.items.append(Noise(reason, count))
