"""Slots: one a retained topic, holding only the newest of what is to be said there (design 6).

Laws
1. A slot keeps no history: while the broker is away or slow, only the newest waits.
2. A slot speaks at most once in its interval, and again after `again_ms` even when nothing has changed.
3. One message of a slot is under way at a time, so that none of a topic overtakes another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class Slot:
    """A retained topic. `build` makes the message for a beat; None clears the topic and lets the slot go."""

    topic: str
    interval_ms: int
    again_ms: int | None
    build: Callable[[int], bytes] | None = None
    shown: object = None  # what `build` shows; another value makes the slot dirty
    heard_ns: int = 0
    dirty: bool = True
    said_ms: int = -1_000_000
    under_way: bool = False

    def set(self, shown: object, build: Callable[[int], bytes] | None, heard_ns: int = 0) -> None:
        """Show something; nothing happens when it is what is shown already."""
        if shown != self.shown or (build is None) != (self.build is None):
            self.dirty = True
            self.heard_ns = heard_ns
        self.shown = shown
        self.build = build

    def due_ms(self) -> int | None:
        """When it may speak next; None when it has nothing to say, or what it said has not arrived yet."""
        if self.under_way:
            return None
        if self.dirty:
            return self.said_ms + self.interval_ms
        return None if self.again_ms is None else self.said_ms + self.again_ms

    @property
    def over(self) -> bool:
        """Whether its topic is to be cleared, and no more."""
        return self.build is None

    def take(self, now_ms: int, beat: int) -> bytes:
        """What to say now; empty clears the topic. It is under way until `arrived`."""
        self.dirty = False
        self.under_way = True
        self.said_ms = now_ms
        return b"" if self.build is None else self.build(beat)

    def arrived(self) -> None:
        """The broker has what was taken."""
        self.under_way = False

    def say_again(self) -> None:
        """The connection that carried what was taken is gone: nothing is known of it."""
        self.dirty = True
        self.under_way = False
