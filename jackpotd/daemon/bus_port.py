"""A port of the table bus: its link, read and written for the master of the line.

Laws
1. One task reads, and what came counts before anything is said.
2. The inbox being full stops the reading: the bytes wait in the line, not here.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress

from hardware.bus_master import REPLY_WAIT_SOCKET_MS, REPLY_WAIT_TTY_MS, BusMaster
from hardware.links import Link, LinkError
from jackpotd.core.parameters import TableParams
from jackpotd.daemon.bus_line import BusLine
from jackpotd.daemon.config_settings import DeviceSettings
from jackpotd.daemon.ports import Shell, keep_open, serial_settings

_NONCE_BYTES = 8
_MS_PER_S = 1_000
# A frame with its delimiters, or what there is of it: each is judged, and recorded, by itself.
_FRAMES = re.compile(rb"\0*[^\0]*\0?")


class BusPort:
    """The devices of one port, and their link while it is open."""

    def __init__(
        self, shell: Shell, devices: Sequence[DeviceSettings], tables: dict[str, TableParams], keys: dict[str, bytes]
    ) -> None:
        self._shell = shell
        self._first = devices[0]
        wait_ms = REPLY_WAIT_SOCKET_MS if self._first.port.startswith("socket://") else REPLY_WAIT_TTY_MS
        self._master = BusMaster([], lambda: shell.random_bytes(_NONCE_BYTES), wait_ms)
        self._link: Link | None = None
        self.line = BusLine(shell, self._first.port, self._master, self._nudge)
        for device in devices:
            self.line.add(device, tables[device.table], keys.get(device.label))

    async def run(self) -> None:
        """Serve the port for ever."""
        await keep_open(self._shell, self._first.port, serial_settings(self._first), self._serve, self._lost)

    async def _serve(self, link: Link) -> None:
        self._link = link
        self.line.opened()
        try:
            while True:
                await self._turn(link)
        finally:
            self._link = None

    async def _turn(self, link: Link) -> None:
        """Say what is due, if the line is free, and hear the line until there is something else to do."""
        self._say_what_is_due(link)
        data = await self._heard(link)
        now = self._shell.clock.now()
        for frame in filter(None, _FRAMES.findall(data)):
            self._shell.recorder.heard(self._master.asks or next(iter(self.line.places)), frame, now)
            self.line.heard(frame, now)
        self.line.waited(now)
        if len(self._shell.inbox):
            await asyncio.sleep(0)  # the engine first: the line's next question can wait, what was said cannot
        await self._shell.inbox.room()

    async def _heard(self, link: Link) -> bytes:
        """The next bytes; none when something is to be said, or the master wants its turn. What came counts first."""
        wake_ms = self._master.wake_at_ms()
        if wake_ms is None:
            return await link.read_unless_woken()
        wait_s = max(0, wake_ms - self._shell.clock.monotonic_ms()) / _MS_PER_S
        timer = asyncio.get_running_loop().call_later(wait_s, link.wake)
        try:
            return await link.read_unless_woken()
        finally:
            timer.cancel()

    def _say_what_is_due(self, link: Link) -> None:
        now = self._shell.clock.now()
        transmit = self._master.next_frame(now.monotonic_ms)
        if transmit is not None:
            self._shell.recorder.sent(transmit.device, transmit.frame, now)
            link.write(transmit.frame)

    def _nudge(self) -> None:
        """Say at once what is new to say. While an answer is awaited it has to wait: its turn comes with the answer."""
        if self._link is not None and not self._master.awaits_answer:
            with suppress(LinkError):  # whoever reads this link is told the same
                self._say_what_is_due(self._link)
            self._link.wake()  # the master wants its turn at another time now

    def _lost(self, error: LinkError) -> None:
        self.line.lost(error.plain, self._shell.clock.now())
