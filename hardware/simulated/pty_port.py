"""A pseudo-terminal with simulated devices behind it: a serial port for everybody who opens its path.

Laws
1. It stays open on both ends, so that the host may come and go; `unplug` is the only way to lose it.
2. A wire does not wait: what the host does not read in time is lost and counted.
3. `link` always points to the pseudo-terminal in use, as a by-id path does.
"""

from __future__ import annotations

import asyncio
import os
import tty
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from hardware.simulated.line import FaultyLine
from hardware.simulated.wire import PortDevice, Wire

_READ_BYTES: Final = 4096


class PtyPort:
    """A port, plugged in while the context lasts. `link`: a path to keep pointing to it."""

    def __init__(
        self,
        devices: Sequence[PortDevice] = (),
        *,
        link: Path | None = None,
        to_host: FaultyLine | None = None,
        to_devices: FaultyLine | None = None,
    ) -> None:
        self.lost_bytes = 0
        self._link = link
        self._wire = Wire(devices, self._write, to_host=to_host, to_devices=to_devices)
        self._ends: tuple[int, int] | None = None
        self._terminal = ""

    @property
    def path(self) -> str:
        """What to open: the link where there is one."""
        return str(self._link or self._terminal)

    def __enter__(self) -> Self:
        """Plug in."""
        self.plug()
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """Unplug."""
        self.unplug()

    def plug(self) -> None:
        """Appear, under a new name of the system's and the same link."""
        assert self._ends is None, "already plugged in"
        master, slave = self._ends = os.openpty()
        os.set_blocking(master, False)
        tty.setraw(slave)  # before the host opens it, so that nothing echoes
        self._terminal = os.ttyname(slave)
        if self._link:
            fresh = self._link.with_name(self._link.name + ".new")
            fresh.symlink_to(self._terminal)
            fresh.replace(self._link)
        asyncio.get_running_loop().add_reader(master, self._readable, master)
        self._wire.open()

    def unplug(self) -> None:
        """Disappear, in mid-frame if need be."""
        if self._ends is None:
            return
        (master, slave), self._ends = self._ends, None
        self._wire.close()
        asyncio.get_running_loop().remove_reader(master)
        if self._link:
            self._link.unlink()
        os.close(slave)
        os.close(master)

    def send(self, data: bytes) -> None:
        """Bytes of a device that talks unasked."""
        self._wire.send(data)

    def _readable(self, master: int) -> None:
        self._wire.heard(os.read(master, _READ_BYTES))

    def _write(self, data: bytes) -> None:
        if self._ends is None:
            return
        try:
            sent = os.write(self._ends[0], data)
        except BlockingIOError:
            sent = 0
        self.lost_bytes += len(data) - sent
