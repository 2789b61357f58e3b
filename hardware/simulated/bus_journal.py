"""Non-volatile memory of a simulated bus device: what a power cut does not take.

Laws
1. Event ids start at 1 and rise through power cuts; only an acknowledgement forgets an event.
2. What is unacknowledged is never overwritten: a full journal takes nothing more.
3. Three quarters full, the device closes; the last quarter is for what still happens while it does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice

CAPACITY = 256  # ten full frames: a daemon away for minutes on a busy table
_ANSWERED = 40  # more records than any frame holds


class Journal:
    """Numbered event records, and the boot and session counters that make a device's nonces new."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self.boots = 0
        self.sessions = 0
        self.oldest = 1
        self._capacity = capacity
        self._records: deque[bytes] = deque()

    @property
    def newest(self) -> int:
        """Id of the newest event; oldest - 1 when empty."""
        return self.oldest + len(self._records) - 1

    @property
    def room(self) -> int:
        """Events that can still be taken."""
        return self._capacity - len(self._records)

    @property
    def nearly_full(self) -> bool:
        """Three quarters full: closed until the daemon acknowledges."""
        return len(self._records) * 4 >= self._capacity * 3

    def append(self, record: bytes) -> int | None:
        """The new event's id; None when the journal is full."""
        if self.room == 0:
            return None
        self._records.append(record)
        return self.newest

    def forget(self, ack: int) -> None:
        """Forget events up to `ack`, which must be held or already forgotten."""
        if ack > self.newest:
            raise ValueError(f"event {ack} was never journalled")
        while self.oldest <= ack:
            self._records.popleft()
            self.oldest += 1

    def held(self) -> Sequence[bytes]:
        """The oldest held records, at least as many as a frame can carry."""
        return tuple(islice(self._records, _ANSWERED))
