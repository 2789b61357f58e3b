"""The ledger's owner: one thread that opens, writes and closes it; the event loop only waits.

Law: after a failed write nothing is tried again. The error reaches the engine, which ends the process (design 2).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from jackpotd.ledger.port import Head, Ledger, Mark, Snapshot

T = TypeVar("T")


class LedgerWriter:
    """A ledger in its own thread. Use `opened` to make one."""

    def __init__(self, thread: ThreadPoolExecutor, ledger: Ledger) -> None:
        self._thread = thread
        self._ledger = ledger
        self.site = ledger.site
        self.uuid = ledger.uuid
        self.head: Head = ledger.head
        self.tidy_due = False
        self.kept_logs = 0  # checkpoints in a row that a reader kept from finishing

    @classmethod
    async def opened(cls, make: Callable[[], Ledger]) -> LedgerWriter:
        """Open the ledger in its thread. LedgerError as `make` raises it."""
        thread = ThreadPoolExecutor(1, thread_name_prefix="ledger")
        try:
            ledger = await asyncio.get_running_loop().run_in_executor(thread, make)
        except BaseException:
            thread.shutdown(wait=False)
            raise
        return cls(thread, ledger)

    async def run(self, work: Callable[[Ledger], T]) -> T:
        """Do something with the ledger in its thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, self._ledger)

    async def append(self, bodies: Sequence[bytes], marks: Sequence[Mark]) -> Head:
        """Commit rows; durable when this returns."""

        def work(ledger: Ledger) -> tuple[Head, bool]:
            return ledger.append(bodies, marks), ledger.checkpoint_due()

        self.head, self.tidy_due = await self.run(work)
        return self.head

    async def save(self, snapshot: Snapshot) -> None:
        """Keep a snapshot."""
        await self.run(lambda ledger: ledger.save_snapshot(snapshot))

    async def tidy(self, *, idle: bool) -> None:
        """Checkpoint when it is due, or when there is nothing else to do."""
        if idle or self.tidy_due:
            self.tidy_due = False
            finished = await self.run(lambda ledger: ledger.checkpoint() if ledger.checkpoint_due(idle=idle) else None)
            if finished is not None:
                self.kept_logs = 0 if finished else self.kept_logs + 1

    async def close(self) -> None:
        """Let the ledger go."""
        await self.run(lambda ledger: ledger.close())
        self._thread.shutdown(wait=True)
