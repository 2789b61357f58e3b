"""All ports of a controller: which there should be by the configuration, started, stopped and exchanged.

Laws
1. A port whose devices did not change is left alone by a reload.
2. Only devices that the ledger knows are served: a table whose change waits keeps its old devices.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from hardware.drivers import TABLE_BUS
from jackpotd.core.facts import DeviceLost
from jackpotd.core.parameters import TableParams
from jackpotd.daemon.bus_port import BusPort
from jackpotd.daemon.config_settings import Config, DeviceSettings
from jackpotd.daemon.ports import Shell, watched
from jackpotd.daemon.stream_port import StreamPort

Port = BusPort | StreamPort
# A device, the table it serves as the ledger has it, and its key: another of any is another port.
Served = tuple[DeviceSettings, TableParams, bytes | None]


class Fleet:
    """The ports, one task each."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._running: dict[str, tuple[tuple[Served, ...], Port, asyncio.Task[None]]] = {}
        self._wanted: dict[str, tuple[Served, ...]] = {}
        self._changed = asyncio.Event()

    def follow(self, config: Config, keys: Mapping[str, bytes]) -> None:
        """Serve these devices from now on; `keys` by the devices' labels."""
        wanted: dict[str, list[Served]] = {}
        for device in config.devices:
            table = self._shell.engine.state.tables.get(device.table)
            if table is not None and device.name in table.devices:
                wanted.setdefault(device.port, []).append((device, table.params, keys.get(device.label)))
        self._wanted = {port: tuple(served) for port, served in wanted.items()}
        self._changed.set()

    async def run(self) -> None:
        """Keep the ports as wanted, for ever; a port that fails ends the process."""
        async with asyncio.TaskGroup() as group:
            while True:
                await self._changed.wait()
                self._changed.clear()
                await self._stop_unwanted()
                for name, wanted in self._wanted.items():
                    if name not in self._running:
                        port = self._port(wanted)
                        task = group.create_task(port.run(), name=f"port {name}")
                        self._running[name] = (wanted, port, task)

    async def _stop_unwanted(self) -> None:
        for name, (served, port, task) in tuple(self._running.items()):
            if self._wanted.get(name) == served:
                continue
            del self._running[name]
            task.cancel()
            await asyncio.wait([task])
            if isinstance(port, BusPort):
                port.close()
            for device, _, _ in served:
                self._shell.inbox.put_now(watched(self._shell, device, DeviceLost("not served any more")))

    def pause(self) -> None:
        """The ledger does not commit: every bus locks out and falls silent."""
        self._each_bus(BusPort.pause)

    def resume(self) -> None:
        """The ledger commits again."""
        self._each_bus(BusPort.resume)

    def _each_bus(self, act: Callable[[BusPort], None]) -> None:
        for _, port, _ in self._running.values():
            if isinstance(port, BusPort):
                act(port)

    def _port(self, served: tuple[Served, ...]) -> Port:
        first, params, _ = served[0]
        if first.driver != TABLE_BUS:
            return StreamPort(self._shell, first, params)
        devices = [device for device, _, _ in served]
        tables = {device.table: table for device, table, _ in served}
        keys = {device.label: key for device, _, key in served if key is not None}
        return BusPort(self._shell, devices, tables, keys)
