"""Cores that stay awake while the tables play: the kernel's bound on how long a core may take to wake (PM QoS).

A core that went to sleep takes a tenth of a millisecond and more until it works at full pace again, and what is said
at a table wakes one at each of six steps to the sign. With a bound of 0 µs none goes to sleep.

Laws
1. It is a favour and no need: without the device, or the right to it, an alarm says so and all works as before, slower.
2. Awake cores burn power: they are let go when nothing has been said for HOLD_S. The kernel forgets the bound with the
   process, however that ends.
"""

from __future__ import annotations

import asyncio
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from jackpotd.daemon.shell_alarms import ShellAlarms

DEVICE = Path("/dev/cpu_dma_latency")
# A table in play says something every few seconds; between the rounds of a whole floor no pause is as long.
HOLD_S = 10.0
# What the kernel reads: microseconds, 32 bits, the machine's byte order.
NO_SLEEP = struct.pack("=i", 0)
ANY_SLEEP = struct.pack("=i", 2_000_000_000)  # its own value for a bound that nobody set


class Bound(Protocol):
    """The kernel's device, open: what is written holds until the next, or until it is closed."""

    def write(self, data: bytes, /) -> object:
        """Set the bound. OSError: it is not taken."""
        ...

    def close(self) -> None:
        """Let it go."""
        ...


def open_bound() -> Bound:
    """The kernel's device. OSError: not there, or no right to it."""
    return os.fdopen(os.open(DEVICE, os.O_WRONLY | os.O_CLOEXEC), "wb", buffering=0)


class CpuLatency:
    """Holds the bound from when something is said until HOLD_S after the last."""

    def __init__(self, opened: Callable[[], Bound], alarms: ShellAlarms) -> None:
        self._alarms = alarms
        self._bound: Bound | None = None
        self._until_s = 0.0
        self._timer: asyncio.TimerHandle | None = None
        try:
            self._bound = opened()
        except OSError as error:
            self._complain(error)

    def hold(self) -> None:
        """Something was said: no core sleeps for the next HOLD_S."""
        if self._bound is None:
            return
        loop = asyncio.get_running_loop()
        self._until_s = loop.time() + HOLD_S
        if self._timer is None:
            self._set(NO_SLEEP)
            self._timer = loop.call_at(self._until_s, self._let_go)

    def close(self) -> None:
        """Let the cores sleep again."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._drop()

    def _let_go(self) -> None:
        loop = asyncio.get_running_loop()
        if self._until_s > loop.time():
            self._timer = loop.call_at(self._until_s, self._let_go)
        else:
            self._timer = None
            self._set(ANY_SLEEP)

    def _set(self, bound: bytes) -> None:
        try:
            if self._bound is not None:
                self._bound.write(bound)
        except OSError as error:
            self._drop()
            self._complain(error)

    def _drop(self) -> None:
        if self._bound is not None:
            self._bound.close()
            self._bound = None

    def _complain(self, error: OSError) -> None:
        self._alarms.raise_alarm(
            "cores_asleep",
            "controller",
            f"keep_cores_awake: {DEVICE} cannot be written ({error.strerror}); meters move a little later",
            "Give the service the right to it as jackpotd.service says, or take keep_cores_awake out of [site].",
        )
