"""The one bounded queue between everything that speaks and the engine that decides.

Laws
1. Nothing is dropped: who put into a full inbox waits, and what he reads from waits with him (back-pressure).
2. Order is kept, and it is the order in which things were said: nothing waits outside the queue.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from jackpotd.core.facts import What

# What decides in one transaction (design 2); eight such batches may wait, some tenths of a second of full load, and
# beyond them the one read that each line had under way.
MAX_BATCH = 1_024
MAX_WAITING = 8 * MAX_BATCH


@dataclass(slots=True)
class Item:
    """One thing said, on its way to the ledger.

    `seq` and `raw` only for what a device said; `settled` is called after the commit (or the refusal) with None or the
    error, and must not wait.
    """

    table: str
    device: str
    what: What
    at_ms: int
    said_ms: int
    heard_ns: int
    seq: int | None = None
    raw: bytes = b""
    stale: bool = False
    operator: str = ""
    settled: Callable[[Exception | None], Any] | None = None


class Inbox:
    """Items waiting for the engine."""

    def __init__(self) -> None:
        self._items: deque[Item] = deque()
        self._filled = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self.overheard: Callable[[Item], None] | None = None  # told of every item as it comes in; must not wait
        self.stirred: Callable[[], None] | None = None  # told that something came in; must not wait

    def __len__(self) -> int:
        return len(self._items)

    def put(self, items: Sequence[Item]) -> None:
        """Add what one read of a line brought; then wait for `room` before the next."""
        if self.stirred is not None:
            self.stirred()
        if self.overheard is not None:
            for item in items:
                self.overheard(item)
        self._items.extend(items)
        self._filled.set()

    def put_now(self, item: Item) -> None:
        """Add the controller's own word, which is rare and need not wait: one a device or table at a time."""
        self.put((item,))

    async def room(self) -> None:
        """Wait while the inbox is full: whoever reads a line reads on after this."""
        while len(self._items) >= MAX_WAITING:
            self._room.clear()
            await self._room.wait()

    def wake(self) -> None:
        """Let whoever waits in `take` come back at once, with nothing."""
        self._filled.set()

    async def take(self, timeout_s: float) -> list[Item]:
        """Everything that waits, at most MAX_BATCH; empty when nothing came in time."""
        if not self._items:
            self._filled.clear()
            # Nothing is cancelled when the time is up: a timer wakes as `wake` does, and costs a round less.
            timer = asyncio.get_running_loop().call_later(timeout_s, self.wake)
            try:
                await self._filled.wait()
            finally:
                timer.cancel()
        return self.taken()

    def taken(self) -> list[Item]:
        """Everything that waits now, at most MAX_BATCH."""
        count = min(len(self._items), MAX_BATCH)
        taken = [self._items.popleft() for _ in range(count)]
        if len(self._items) < MAX_WAITING:
            self._room.set()
        return taken
