"""The engine: the one task that decides and appends (design 1, laws 1 and 5).

Laws
1. Everything that waits is decided in order and committed in one transaction; only then is anybody told: first
   whoever said it, then those who show it.
2. A refused act changes nothing and is answered with its reason; any other error ends the process.
3. Between two commits the state is exactly the ledger's; only then do others look at it.
4. It ends between two commits, never inside one: what is kept as a snapshot is what the ledger's head says.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from jackpotd.core.decide import decide
from jackpotd.core.entries import Entry
from jackpotd.core.errors import RuleError
from jackpotd.core.facts import ArchiveFacts, Fact
from jackpotd.core.state import State
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.inbox import Inbox, Item
from jackpotd.daemon.intake import bind
from jackpotd.daemon.writer import LedgerWriter
from jackpotd.ledger.port import Archived, Head, Ledger, LedgerError, Mark
from jackpotd.ledger.restore import encode_state
from jackpotd.ledger.rows import encode_row, mark_of
from jackpotd.ledger.snapshots import snapshot_due, take_snapshot

# With nothing to do the engine wakes this often: to show that it lives, and to tidy the ledger.
IDLE_S = 1.0

T = TypeVar("T")
_Chore = tuple[Callable[[Ledger], None], asyncio.Future[None]]


@dataclass(slots=True)
class Decided:
    """What some items led to, in order, before any of it is on disk; the state is ahead of the ledger until then."""

    bodies: list[bytes] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    archives: list[Archived] = field(default_factory=list)  # that `bodies` name
    facts: list[tuple[Fact, list[Entry]]] = field(default_factory=list)
    answers: list[tuple[Item, RuleError | None]] = field(default_factory=list)
    repeats: int = 0

    def answer(self) -> None:
        """Tell everybody who waits for it; only after the commit."""
        for item, error in self.answers:
            if item.settled is not None:
                item.settled(error)


@dataclass(slots=True)
class Committed:
    """What one transaction brought: facts with their entries, and the head after it."""

    head: Head
    facts: list[tuple[Fact, list[Entry]]]
    heard_ns: int  # when the oldest byte of it was read
    took_ns: int
    kinds: frozenset[type] = field(init=False)  # of its entries: whoever is told sees at once if it concerns him

    def __post_init__(self) -> None:
        self.kinds = frozenset({type(entry) for _, entries in self.facts for entry in entries})


class Observer(Protocol):
    """Whoever is told after a commit, before the next decision. Must not wait."""

    def __call__(self, state: State, committed: Committed, /) -> None:
        """The state is exactly the ledger's now."""


@dataclass(slots=True)
class Engine:
    """Decides. `observers` are told in order; `beats` rises whenever the engine has come round.

    `writing_since_ms`: since when it has waited for the ledger, in monotonic time; it stays after a failure.
    """

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
    committed_ns: int = 0
    ending: bool = False
    _chores: deque[_Chore] = field(default_factory=deque)

    async def run(self) -> None:
        """Decide until `end`. LedgerError ends it too: the ledger has to be opened and read anew."""
        while not self.ending:
            items = await self.inbox.take(0.0 if self._chores else IDLE_S)
            self.beats += 1
            if items:
                await self.commit(items)
            await self._housekeeping(idle=not items)

    def committed_day(self) -> tuple[int, Head] | None:
        """The gaming day under way and the ledger's head; None during a commit, when the state is ahead of the head."""
        return None if self.writing_since_ms is not None else (self.state.day, self.writer.head)

    def end(self) -> None:
        """End after the commit under way; what waits behind it was never acknowledged and comes again."""
        self.ending = True
        self.inbox.wake()

    async def commit(self, items: Sequence[Item]) -> None:
        """Decide these items, commit what they mean, then tell everybody who waits for it."""
        decided = decide_all(self.state, items)
        self.repeats += decided.repeats
        if not decided.bodies:
            decided.answer()
            return
        began_ns = self.clock.monotonic_ns()
        head = await self._written(self.writer.append(decided.bodies, decided.marks, decided.archives))
        self.committed_ns = self.clock.monotonic_ns()
        heard_ns = min(item.heard_ns for item in items)
        committed = Committed(head, decided.facts, heard_ns, self.committed_ns - began_ns)
        decided.answer()
        for observer in self.observers:
            observer(self.state, committed)

    async def between_commits(self, work: Callable[[Ledger], None]) -> None:
        """Have the ledger's thread do something between two commits. LedgerError "unfit": it was not done."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._chores.append((work, done))
        self.inbox.wake()
        await done

    async def _chore(self) -> None:
        """One of what waits, so that commits go on between them; what fails but as unfit ends the engine."""
        work, done = self._chores.popleft()
        if done.done():
            return  # nobody waits for it any more
        try:
            await self._written(self.writer.work(work))
        except LedgerError as error:
            if not done.done():
                done.set_exception(error)
            if error.kind != "unfit":
                raise
        else:
            if not done.done():
                done.set_result(None)

    async def _housekeeping(self, *, idle: bool) -> None:
        if self._chores:
            await self._chore()
        if snapshot_due(self.writer.head, self.snapshot_seq):
            await self.snapshot()
        await self._written(self.writer.tidy(idle=idle))

    async def snapshot(self) -> None:
        """Keep the state as it is now, so that the next start begins here."""
        head = self.writer.head
        if head.seq > self.snapshot_seq:
            await self._written(self.writer.save(take_snapshot(head, self.version, encode_state(self.state))))
            self.snapshot_seq = head.seq

    async def _written(self, work: Awaitable[T]) -> T:
        """What the ledger's thread makes of some work, with the time taken down for whoever watches it."""
        self.writing_since_ms = self.clock.monotonic_ms()
        result = await work
        self.writing_since_ms = None
        return result


def decide_all(state: State, items: Sequence[Item]) -> Decided:
    """Decide items in order; the one way from what was said to the ledger's rows, for the daemon and for `replay`."""
    decided = Decided()
    for item in items:
        try:
            fact = bind(state, item)
            entries = decide(state, fact)
        except RuleError as error:
            decided.answers.append((item, error))
            continue
        decided.answers.append((item, None))
        if entries is None:
            decided.repeats += 1
            continue
        decided.bodies.append(encode_row(fact))
        if isinstance(fact.what, ArchiveFacts):  # its entry comes first
            said = fact.what
            decided.archives.append(Archived(len(decided.bodies) + 1, said.first, said.last, said.closed))
        decided.bodies.extend(map(encode_row, entries))
        decided.marks.append(mark_of(fact))
        decided.facts.append((fact, entries))
    return decided


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
