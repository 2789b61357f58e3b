"""Disks beneath the ledger: a simulated one with its faults under the adapter in memory, and SQLite's real file.

Laws
1. What `append` confirmed is synced; a power cut may take or tear what was written after the last sync, and nothing
   else. A batch that is torn is not there: each carries its sum.
2. Whoever listens hears of each committed batch in the moment of its commit, and after a start of what was committed
   without ever being confirmed.
3. A fault happens once: a failed write or sync, a full disk, or a commit that takes too long.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Protocol

from jackpotd.ledger.memory import MemoryLedger
from jackpotd.ledger.open import open_ledger
from jackpotd.ledger.port import Archived, Head, Ledger, LedgerError, Mark, Row, Snapshot
from tests.simulation.auditor import Violation
from tests.simulation.clock_loop import fulfil

UUID = "00000000-0000-4000-8000-000000000000"
_SUM_BYTES = 8
_LENGTH_BYTES = 4
USUAL_S = (0.0003, 0.004)
FAULTS = ("write", "sync", "full")

Committed = Callable[[int, Sequence[bytes]], None]  # the first row's number, and the rows


class Disk(Protocol):
    """Where the ledger lies."""

    stall_s: float
    fault: str

    def open(self, site: str) -> Ledger: ...

    def killed(self) -> None: ...

    def power_cut(self) -> None: ...

    def work(self, job: Callable[[], Any], future: asyncio.Future[Any]) -> None: ...


class Platter:
    """What both disks share: how long work takes, who hears of commits, the fault that is due."""

    def __init__(self, rng: Random, committed: Committed) -> None:
        self.stall_s = 0.0  # how much longer the next piece of work takes
        self.fault = ""  # what the next append meets
        self.met: list[str] = []
        self.tell = committed
        self.known = 0  # rows that were told of
        self.lives = 0
        self.stalling: Callable[[float], None] = lambda _: None
        self.failing: Callable[[], None] = lambda: None
        self.rng = rng

    def work(self, job: Callable[[], Any], future: asyncio.Future[Any]) -> None:
        """The ledger's thread: a job is done at the beginning or at the end of its time, so a death falls on both."""
        for_s, self.stall_s = self.rng.uniform(*USUAL_S) + self.stall_s, 0.0
        loop = asyncio.get_running_loop()
        if for_s > USUAL_S[1]:
            self.stalling(for_s)
        if self.rng.random() < 0.5:
            loop.call_later(for_s, self._late, self.lives, job, future)
            return
        done: asyncio.Future[Any] = loop.create_future()
        fulfil(job, done)
        loop.call_later(for_s, _pass_on, done, future)

    def _late(self, life: int, job: Callable[[], Any], future: asyncio.Future[Any]) -> None:
        if life == self.lives:  # a dead process writes nothing
            fulfil(job, future)

    def may_fail(self, fault: str) -> None:
        """The next append meets a fault."""
        self.fault = fault

    def take_fault(self) -> str:
        """The fault that is due, once."""
        fault, self.fault = self.fault, ""
        if fault:
            self.met.append(fault)
            self.failing()
        return fault

    def opened(self, rows: Sequence[bytes]) -> None:
        """A ledger was opened: what is there must begin with what was told."""
        if len(rows) < self.known:
            raise Violation("durable", f"{self.known} rows were committed, {len(rows)} are there")
        self.appended(rows[self.known :])

    def appended(self, bodies: Sequence[bytes]) -> None:
        """Rows are durable."""
        if bodies:
            first, self.known = self.known + 1, self.known + len(bodies)
            self.tell(first, bodies)


def _pass_on(done: asyncio.Future[Any], future: asyncio.Future[Any]) -> None:
    if future.cancelled():
        done.exception()
    elif (error := done.exception()) is not None:
        future.set_exception(error)
    else:
        future.set_result(done.result())


class SimDisk(Platter):
    """Batches in an image of bytes, of which the first `synced` survive a power cut."""

    def __init__(self, rng: Random, committed: Committed) -> None:
        super().__init__(rng, committed)
        self._image = bytearray()
        self._synced = 0

    def open(self, site: str) -> Ledger:
        """The ledger as the image has it; what is torn is cut off, as SQLite does with its log."""
        ledger = MemoryLedger(site, UUID)
        rows: list[bytes] = []
        whole = 0
        for end, (bodies, marks) in self._batches():
            whole = end
            if isinstance(bodies, Snapshot):
                ledger.save_snapshot(bodies)
            else:
                ledger.append(bodies, marks)
                rows += bodies
        del self._image[whole:]
        self._synced = whole
        self.opened(rows)
        return OnDisk(ledger, self)

    def killed(self) -> None:
        """The process is dead; what it wrote is the kernel's, and gets to the disk."""
        self.lives += 1
        self._synced = len(self._image)

    def power_cut(self) -> None:
        """Of what was not synced a part survives, perhaps spoilt."""
        self.lives += 1
        unsynced = len(self._image) - self._synced
        keep = self._synced + self.rng.randint(0, unsynced)
        del self._image[keep:]
        if keep > self._synced and self.rng.random() < 0.5:
            self._image[self.rng.randrange(self._synced, keep)] ^= 0xFF

    def write(self, what: object) -> None:
        """Write a record; nothing is durable yet."""
        body = pickle.dumps(what)
        self._image += len(body).to_bytes(_LENGTH_BYTES, "big") + sha256(body).digest()[:_SUM_BYTES] + body

    def tear(self) -> None:
        """The last write got only so far."""
        del self._image[self.rng.randint(self._synced, len(self._image)) :]

    def sync(self) -> None:
        """All that is written is durable."""
        self._synced = len(self._image)

    def _batches(self) -> Iterator[tuple[int, tuple[Any, Any]]]:
        at, head = 0, _LENGTH_BYTES + _SUM_BYTES
        while at + head <= len(self._image):
            length = int.from_bytes(self._image[at : at + _LENGTH_BYTES], "big")
            expected = bytes(self._image[at + _LENGTH_BYTES : at + head])
            body = bytes(self._image[at + head : at + head + length])
            if len(body) < length or sha256(body).digest()[:_SUM_BYTES] != expected:
                return
            at += head + length
            yield at, pickle.loads(body)


class OnDisk:
    """The adapter in memory, with a disk beneath it. Each commit is written and synced before it is one."""

    def __init__(self, ledger: MemoryLedger, disk: SimDisk) -> None:
        self._ledger = ledger
        self._disk = disk
        self._failed = ""

    @property
    def site(self) -> str:
        return self._ledger.site

    @property
    def uuid(self) -> str:
        return self._ledger.uuid

    @property
    def head(self) -> Head:
        return self._ledger.head

    def append(self, bodies: Sequence[bytes], marks: Sequence[Mark], archives: Sequence[Archived] = ()) -> Head:
        self._require_usable()
        fault = self._disk.take_fault()
        if fault in ("write", "full"):
            self._disk.write((list(bodies), list(marks)))
            self._disk.tear()
            raise self._fail("full" if fault == "full" else "not_writable", f"{fault} failed")
        head = self._ledger.append(bodies, marks, archives)
        self._disk.write((list(bodies), list(marks)))
        if fault == "sync":
            raise self._fail("not_writable", "the sync failed: nobody knows what is on the disk")
        self._disk.sync()
        self._disk.appended(bodies)
        return head

    def save_snapshot(self, snapshot: Snapshot) -> None:
        self._require_usable()
        self._ledger.save_snapshot(snapshot)
        self._disk.write((snapshot, None))
        self._disk.sync()

    def rows(self, after: int = 0, to: int | None = None) -> Iterator[Row]:
        return self._ledger.rows(after, to)

    def marks(self) -> Mapping[tuple[str, int], int]:
        return self._ledger.marks()

    def snapshots(self) -> list[Snapshot]:
        return self._ledger.snapshots()

    def archives(self) -> list[Archived]:
        return self._ledger.archives()

    def drop_payloads(self, seqs: Sequence[int]) -> None:
        raise NotImplementedError("the simulated house archives nothing")

    def checkpoint_due(self, *, idle: bool = False) -> bool:
        return self._ledger.checkpoint_due(idle=idle)

    def checkpoint(self) -> bool:
        return self._ledger.checkpoint()

    def structure_faults(self) -> list[str]:
        return self._ledger.structure_faults()

    def close(self) -> None:
        self._ledger.close()

    def _fail(self, kind: str, text: str) -> LedgerError:
        self._failed = text
        return LedgerError(kind, text)

    def _require_usable(self) -> None:
        if self._failed:
            raise LedgerError("unusable", f"{self._failed}; it must be opened anew")


class SqliteDisk(Platter):
    """SQLite's real file, through the real adapter; its faults are tried elsewhere, on real disks."""

    def __init__(self, rng: Random, committed: Committed, path: Path) -> None:
        super().__init__(rng, committed)
        self._path = path
        self._open: Ledger | None = None

    def open(self, site: str) -> Ledger:
        create = None if self._path.exists() else UUID
        ledger = open_ledger(f"sqlite:///{self._path}", site, create=create)
        self.opened([row.body for row in ledger.rows()])
        append = ledger.append

        def told(bodies: Sequence[bytes], marks: Sequence[Mark], archives: Sequence[Archived] = ()) -> Head:
            head = append(bodies, marks, archives)
            self.appended(bodies)
            return head

        ledger.append = told  # type: ignore[method-assign]
        self._open = ledger
        return ledger

    def killed(self) -> None:
        """The process is gone, and with it its lock."""
        self.lives += 1
        if self._open is not None:
            self._open.close()
            self._open = None

    def power_cut(self) -> None:
        """What was committed was synced, so it is the same."""
        self.killed()

    def may_fail(self, fault: str) -> None:
        """Not this one: real disks are made to fail elsewhere."""
