"""The wire between one port and the simulated devices on it.

Laws
1. Every device hears every byte from the host; what they answer is joined in their order.
2. Each direction may run over a `FaultyLine`. Late pieces keep their order, and closing loses what is still on its way.
3. Nothing waits: at most `_ON_THE_WAY` pieces are late at once, and the oldest are lost beyond that.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from hardware.simulated.line import FaultyLine

_ON_THE_WAY: Final = 4096  # pieces; a full bus frame cut at every byte is 221
_TICK_S: Final = 0.1  # a device that closes by itself after 2 s does so soon enough


class PortDevice(Protocol):
    """A simulated device that answers, and that lives by the clock."""

    def feed(self, data: bytes, now_ms: int) -> bytes:
        """What it answers to these bytes."""
        ...

    def tick(self, now_ms: int) -> None:
        """Let time pass."""
        ...


class Direction:
    """One direction: bytes pushed in are delivered, at once or as the line has it."""

    def __init__(self, deliver: Callable[[bytes], None], line: FaultyLine | None) -> None:
        self._deliver = deliver
        self._line = line
        self._late: deque[bytes] = deque(maxlen=_ON_THE_WAY)
        self._last_s = 0.0

    def push(self, data: bytes) -> None:
        """Take bytes from one end."""
        if self._line is None:
            self._deliver(data)
            return
        loop = asyncio.get_running_loop()
        for delay_ms, piece in self._line.carry(data):
            self._last_s = max(self._last_s, loop.time()) + delay_ms / 1000
            self._late.append(piece)
            loop.call_at(self._last_s, self._deliver_next)

    def close(self) -> None:
        """Lose what is on its way."""
        self._late.clear()

    def _deliver_next(self) -> None:
        if self._late:
            self._deliver(self._late.popleft())


def monotonic_ms() -> int:
    """The clock of simulated devices."""
    return time.monotonic_ns() // 1_000_000


class Wire:
    """Devices on one port. `to_port` takes what they send."""

    def __init__(
        self,
        devices: Sequence[PortDevice],
        to_port: Callable[[bytes], None],
        *,
        to_host: FaultyLine | None,
        to_devices: FaultyLine | None,
    ) -> None:
        self._devices = devices
        self._up = Direction(to_port, to_host)
        self._down = Direction(self._answer, to_devices)
        self._ticking: asyncio.TimerHandle | None = None

    def open(self) -> None:
        """Let the devices' time pass from now on."""
        self._tick()

    def close(self) -> None:
        """Stop."""
        assert self._ticking is not None, "never opened"
        self._ticking.cancel()
        self._up.close()
        self._down.close()

    def heard(self, data: bytes) -> None:
        """Bytes came from the host."""
        self._down.push(data)

    def send(self, data: bytes) -> None:
        """Bytes of a device that talks unasked."""
        self._up.push(data)

    def _tick(self) -> None:
        for device in self._devices:
            device.tick(monotonic_ms())
        self._ticking = asyncio.get_running_loop().call_later(_TICK_S, self._tick)

    def _answer(self, data: bytes) -> None:
        now_ms = monotonic_ms()
        if answer := b"".join(device.feed(data, now_ms) for device in self._devices):
            self._up.push(answer)
