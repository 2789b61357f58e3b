"""The ledger's owner: one thread that opens, writes and closes it; the event loop only waits.

Law: after a failed write nothing is tried again. The error reaches the engine, which ends the process (design 2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from jackpotd.daemon.owner_thread import Owner, OwnerThread
from jackpotd.ledger.port import Archived, Head, Ledger, Mark, Snapshot

T = TypeVar("T")


class LedgerWriter:
    """A ledger in its own thread. Use `opened` to make one."""

    def __init__(self, owner: Owner, ledger: Ledger) -> None:
        self._owner = owner
        self._ledger = ledger
        self.site = ledger.site
        self.uuid = ledger.uuid
        self.head: Head = ledger.head
        self.tidy_due = False
        self.kept_logs = 0  # checkpoints in a row that a reader kept from finishing

    @classmethod
    async def opened(cls, make: Callable[[], Ledger], owner: Owner | None = None) -> LedgerWriter:
        """Open the ledger in its thread. LedgerError as `make` raises it."""
        owner = owner or OwnerThread("ledger")
        try:
            ledger = await owner.do(make)
        except BaseException:
            owner.close()
            raise
        return cls(owner, ledger)

    async def run(self, work: Callable[[Ledger], T]) -> T:
        """Do something with the ledger in its thread."""
        return await self._owner.do(lambda: work(self._ledger))

    async def append(self, bodies: Sequence[bytes], marks: Sequence[Mark], archives: Sequence[Archived] = ()) -> Head:
        """Commit rows; durable when this returns."""

        def work(ledger: Ledger) -> tuple[Head, bool]:
            return ledger.append(bodies, marks, archives), ledger.checkpoint_due()

        self.head, self.tidy_due = await self.run(work)
        return self.head

    async def work(self, work: Callable[[Ledger], None]) -> None:
        """Something that may write, and grow the log."""

        def done(ledger: Ledger) -> bool:
            work(ledger)
            return ledger.checkpoint_due()

        self.tidy_due = await self.run(done)

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
        self._owner.close()
