"""Simulated serial lines between the daemon and the devices of one port.

Laws
1. What a line does to bytes comes from the run's own generator; a clean line still takes its time.
2. A line belongs to the running daemon: what a dead one had open is closed, and its bytes are gone.
3. Nothing is kept without bound: what nobody reads beyond a terminal's input queue is lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from hardware.links import Link, LinkError, SerialSettings
from hardware.simulated.line import Faults, FaultyLine
from tests.simulation.trace import Trace

INPUT_QUEUE_BYTES = 4_096
# A byte's way and a device's answer: a device starts its reply within 20 ms (devices.md 3).
LEAST_S, MOST_S = 0.001, 0.004


class Answering(Protocol):
    """A simulated device."""

    def feed(self, data: bytes, now_ms: int) -> bytes: ...

    def tick(self, now_ms: int) -> None: ...


_CLEAN = Faults()


@dataclass(slots=True)
class Trouble:
    """What is wrong with a line now. `stolen`: the chance that another reader takes a chunk to the host."""

    faults: Faults = _CLEAN
    stolen: float = 0.0
    unplugged: bool = False


class SimLink(Link):
    """The daemon's end."""

    def __init__(self, cable: Cable) -> None:
        self._cable = cable
        self._bytes = bytearray()
        self._waiting: asyncio.Future[None] | None = None
        self._is_woken = False
        self._fault: LinkError | None = None

    async def read(self) -> bytes:
        while not self._bytes:
            self._require()
            await self._next()
        return self._all()

    async def read_unless_woken(self) -> bytes:
        if not self._bytes:
            self._require()
            if not self._is_woken:
                await self._next()
        self._is_woken = False
        return self._all()

    def wake(self) -> None:
        self._is_woken = True
        self._go_on()

    def write(self, data: bytes) -> None:
        self._require()
        self._cable.from_daemon(data)

    def close(self) -> None:
        self.end(LinkError("closed", "closed by this side"))
        self._cable.closed(self)

    def end(self, fault: LinkError) -> None:
        """The line breaks, or its port is closed."""
        if self._fault is None:
            self._fault = fault
            self._go_on()

    def deliver(self, data: bytes) -> None:
        """Bytes arrive."""
        if self._fault is None:
            self._bytes += data[: INPUT_QUEUE_BYTES - len(self._bytes)]
            self._go_on()

    def _require(self) -> None:
        if self._fault is not None:
            raise LinkError(self._fault.kind, self._fault.text)

    async def _next(self) -> None:
        self._waiting = asyncio.get_running_loop().create_future()
        try:
            await self._waiting
        finally:
            self._waiting = None

    def _go_on(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def _all(self) -> bytes:
        data = bytes(self._bytes)
        self._bytes.clear()
        return data


class Cable:
    """One port: the devices on it, and at most one daemon."""

    def __init__(self, name: str, rng: Random, now_ms: Callable[[], int], trace: Trace) -> None:
        self.name = name
        self.devices: Sequence[Answering] = ()
        self.trouble = Trouble()
        self.link: SimLink | None = None
        self._rng = rng
        self._now_ms = now_ms
        self._trace = trace
        self._free_s = {"rx": 0.0, "tx": 0.0}

    # ---- the daemon's side

    def open(self) -> SimLink:
        """LinkError while it is unplugged or still held."""
        if self.trouble.unplugged:
            raise LinkError("absent", f"{self.name}: not there")
        if self.link is not None:
            raise LinkError("busy", f"{self.name}: in use")
        self.link = SimLink(self)
        return self.link

    def closed(self, link: SimLink) -> None:
        """The daemon let go of it."""
        if self.link is link:
            self.link = None

    def from_daemon(self, data: bytes) -> None:
        """Bytes for the devices."""
        self._carry("tx", data, self._heard)

    # ---- the devices' side

    def to_daemon(self, data: bytes) -> None:
        """Bytes of a device."""
        if self._rng.random() < self.trouble.stolen:
            return
        self._carry("rx", data, self._arrived)

    def unplug(self) -> None:
        """The adapter is pulled: everything on its way is lost."""
        self.trouble.unplugged = True
        if self.link is not None:
            self.link.end(LinkError("lost", f"{self.name}: pulled"))
            self.link = None

    def plug(self) -> None:
        """It is back."""
        self.trouble.unplugged = False

    # ---- between

    def _carry(self, way: str, data: bytes, out: Callable[[bytes, SimLink | None], None]) -> None:
        loop, link = asyncio.get_running_loop(), self.link
        faults = self.trouble.faults
        pieces = [(0, data)] if faults == _CLEAN else FaultyLine(self._rng, faults).carry(data)
        for late_ms, piece in pieces:
            least_s = loop.time() + self._rng.uniform(LEAST_S, MOST_S)
            self._free_s[way] = max(self._free_s[way], least_s) + late_ms / 1_000
            loop.call_at(self._free_s[way], out, piece, link)

    def _heard(self, data: bytes, link: SimLink | None) -> None:
        if link is not self.link:
            return
        now_ms = self._now_ms()
        self._trace.note("tx", self.name.encode(), data)
        for device in self.devices:
            if answer := device.feed(data, now_ms):
                self.to_daemon(answer)

    def _arrived(self, data: bytes, link: SimLink | None) -> None:
        if link is self.link and link is not None:
            self._trace.note("rx", self.name.encode(), data)
            link.deliver(data)


class Cables:
    """All ports of the floor, as the daemon opens them."""

    def __init__(self) -> None:
        self.by_name: dict[str, Cable] = {}

    async def open(self, port: str, _settings: SerialSettings) -> Link:
        """What `open_link` is to the daemon."""
        await asyncio.sleep(LEAST_S)
        return self.by_name[port].open()

    def cut(self) -> None:
        """The daemon is dead: the kernel closes what it had open."""
        for cable in self.by_name.values():
            if cable.link is not None:
                cable.link.end(LinkError("closed", "the process is dead"))
                cable.link = None
