"""A port with one device that talks unasked: a shoe, or a vendor's own driver.

Law: the inbox being full stops the reading: the bytes wait in the line, not here.
"""

from __future__ import annotations

from hardware.links import Link, LinkError
from jackpotd.core.parameters import TableParams
from jackpotd.daemon.config_settings import DeviceSettings
from jackpotd.daemon.ports import Shell, keep_open, serial_settings
from jackpotd.daemon.stream_line import StreamLine


class StreamPort:
    """One shoe on one port."""

    def __init__(self, shell: Shell, device: DeviceSettings, table: TableParams) -> None:
        self._shell = shell
        self._device = device
        self.line = StreamLine(shell, device, table)

    async def run(self) -> None:
        """Serve the port for ever."""
        await keep_open(self._shell, self._device.port, serial_settings(self._device), self._serve, self._lost)

    async def _serve(self, link: Link) -> None:
        shell = self._shell
        self.line.opened(shell.clock.now())
        while True:
            await shell.inbox.room()
            data = await link.read()
            now = shell.clock.now()
            shell.recorder.heard(self._device.label, data, now)
            self.line.heard(data, now)

    def _lost(self, error: LinkError) -> None:
        self.line.lost(error.plain, self._shell.clock.now())
