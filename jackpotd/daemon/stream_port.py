"""A port with one device that talks unasked: a shoe, or a vendor's own driver.

Laws
1. Every report keeps the bytes that carried it. Noise is counted, never passed on.
2. The inbox being full stops the reading: the bytes wait in the line, not here.
"""

from __future__ import annotations

from hardware.drivers import find_driver
from hardware.links import Link, LinkError
from hardware.reports import Noise, Said
from jackpotd.core.facts import DeviceBack, DeviceLost
from jackpotd.core.parameters import TableParams
from jackpotd.daemon.config_settings import DeviceSettings
from jackpotd.daemon.inbox import Item
from jackpotd.daemon.ports import Shell, keep_open, serial_settings, watched
from jackpotd.daemon.words import Words


class StreamPort:
    """One shoe on one port."""

    def __init__(self, shell: Shell, device: DeviceSettings, table: TableParams) -> None:
        self._shell = shell
        self._device = device
        self._words = Words(table)
        last = shell.engine.state.last_frames.get(device.label)
        self._driver = find_driver(device.driver)(last=bytes.fromhex(last) if last else None)
        self._up = False

    async def run(self) -> None:
        """Serve the port for ever."""
        await keep_open(self._shell, self._device.port, serial_settings(self._device), self._serve, self._lost)

    async def _serve(self, link: Link) -> None:
        self._up = True
        self._shell.metrics.link(self._device.label, up=True)
        await self._put(list(self._driver.reopened()), [watched(self._shell, self._device, DeviceBack())])
        while True:
            data = await link.read()
            await self._put(list(self._driver.feed(data)), [])

    async def _put(self, found: list[Said | Noise], items: list[Item]) -> None:
        shell, label = self._shell, self._device.label
        now_ms, now_ns = shell.clock.utc_ms(), shell.clock.monotonic_ns()
        for one in found:
            if isinstance(one, Noise):
                shell.metrics.frames_bad(label, one.reason, one.count)
                continue
            shell.metrics.frames_good(label, 1)
            word = self._words.word(one.what)
            items.append(Item(self._device.table, self._device.name, word, now_ms, now_ms, now_ns, None, one.raw))
        if items:
            await shell.inbox.put(items)

    def _lost(self, error: LinkError) -> None:
        self._shell.metrics.link(self._device.label, up=False)
        if self._up:
            self._up = False
            self._shell.inbox.put_now(watched(self._shell, self._device, DeviceLost(error.kind)))
