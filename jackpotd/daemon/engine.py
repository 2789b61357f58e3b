"""The engine: the one task that decides and appends (design 1, laws 1 and 5).

Laws
1. Everything that waits is decided in order and committed in one transaction; only then is anybody told.
2. A refused act changes nothing and is answered with its reason; any other error ends the process.
3. Between two commits the state is exactly the ledger's; only then do others look at it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from jackpotd.core.decide import decide
from jackpotd.core.entries import Entry
from jackpotd.core.errors import RuleError
from jackpotd.core.facts import Fact
from jackpotd.core.state import State
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.inbox import Inbox, Item
from jackpotd.daemon.intake import bind
from jackpotd.daemon.writer import LedgerWriter
from jackpotd.ledger.port import Head, Mark
from jackpotd.ledger.restore import encode_state
from jackpotd.ledger.rows import encode_row, mark_of
from jackpotd.ledger.snapshots import snapshot_due, take_snapshot

# With nothing to do the engine wakes this often: to show that it lives, and to tidy the ledger.
IDLE_S = 1.0


@dataclass(slots=True)
class Committed:
    """What one transaction brought: facts with their entries, and the head after it."""

    head: Head
    facts: list[tuple[Fact, list[Entry]]]
    heard_ns: int  # when the oldest byte of it was read
    took_ns: int


class Observer(Protocol):
    """Whoever is told after a commit, before the next decision. Must not wait."""

    def __call__(self, state: State, committed: Committed) -> None:
        """The state is exactly the ledger's now."""


@dataclass(slots=True)
class Engine:
    """Decides. `observers` are told in order; `beats` rises whenever the engine has come round."""

    state: State
    writer: LedgerWriter
    inbox: Inbox
    clock: Clock
    version: str
    snapshot_seq: int
    observers: list[Observer] = field(default_factory=list)
    beats: int = 0
    repeats: int = 0
    writing_since_ms: int | None = None

    async def run(self) -> None:
        """Decide for ever. LedgerError ends it: the ledger has to be opened and read anew."""
        while True:
            items = await self.inbox.take(IDLE_S)
            self.beats += 1
            if items:
                await self.commit(items)
            await self._housekeeping(idle=not items)

    async def commit(self, items: Sequence[Item]) -> None:
        """Decide these items, commit what they mean, then tell everybody who waits for it."""
        bodies: list[bytes] = []
        marks: list[Mark] = []
        facts: list[tuple[Fact, list[Entry]]] = []
        refused: list[tuple[Item, RuleError]] = []
        accepted: list[Item] = []
        for item in items:
            try:
                fact = bind(self.state, item)
                entries = decide(self.state, fact)
            except RuleError as error:
                refused.append((item, error))
                continue
            accepted.append(item)
            if entries is None:
                self.repeats += 1
                continue
            bodies.append(encode_row(fact))
            bodies.extend(map(encode_row, entries))
            marks.append(mark_of(fact))
            facts.append((fact, entries))
        if bodies:
            await self._append(bodies, marks, facts, min(item.heard_ns for item in items))
        for item in accepted:
            if item.settled is not None:
                item.settled(None)
        for item, refusal in refused:
            if item.settled is not None:
                item.settled(refusal)

    async def _append(
        self, bodies: list[bytes], marks: list[Mark], facts: list[tuple[Fact, list[Entry]]], heard_ns: int
    ) -> None:
        began_ns = self.clock.monotonic_ns()
        self.writing_since_ms = self.clock.monotonic_ms()
        head = await self.writer.append(bodies, marks)
        self.writing_since_ms = None
        committed = Committed(head, facts, heard_ns, self.clock.monotonic_ns() - began_ns)
        for observer in self.observers:
            observer(self.state, committed)

    async def _housekeeping(self, *, idle: bool) -> None:
        if snapshot_due(self.writer.head, self.snapshot_seq):
            await self.snapshot()
        await self.writer.tidy(idle=idle)

    async def snapshot(self) -> None:
        """Keep the state as it is now, so that the next start begins here."""
        head = self.writer.head
        if head.seq > self.snapshot_seq:
            await self.writer.save(take_snapshot(head, self.version, encode_state(self.state)))
            self.snapshot_seq = head.seq


def settled_future(loop: asyncio.AbstractEventLoop) -> tuple[asyncio.Future[None], Callable[[Exception | None], None]]:
    """A future, and the `settled` callback that fulfils it."""
    future: asyncio.Future[None] = loop.create_future()

    def settle(error: Exception | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)

    return future, settle
