"""All ports of a controller: which there should be by the configuration, started, stopped and exchanged.

Laws
1. A port whose devices did not change is left alone by a reload.
2. Only devices that the ledger knows are served: a table whose change waits keeps its old devices.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from hardware.drivers import TABLE_BUS
from jackpotd.daemon.bus_port import BusPort
from jackpotd.daemon.config_settings import Config, DeviceSettings
from jackpotd.daemon.ports import Shell
from jackpotd.daemon.stream_port import StreamPort

Port = BusPort | StreamPort


class Fleet:
    """The ports, one task each."""

    def __init__(self, shell: Shell, environ: Mapping[str, str]) -> None:
        self._shell = shell
        self._environ = environ
        self._running: dict[str, tuple[tuple[DeviceSettings, ...], Port, asyncio.Task[None]]] = {}
        self._wanted: dict[str, tuple[DeviceSettings, ...]] = {}
        self._changed = asyncio.Event()

    def follow(self, config: Config) -> None:
        """Serve these devices from now on."""
        wanted: dict[str, list[DeviceSettings]] = {}
        for device in config.devices:
            table = self._shell.engine.state.tables.get(device.table)
            if table is not None and device.name in table.devices:
                wanted.setdefault(device.port, []).append(device)
        self._wanted = {port: tuple(devices) for port, devices in wanted.items()}
        self._changed.set()

    async def run(self) -> None:
        """Keep the ports as wanted, for ever; a port that fails ends the process."""
        async with asyncio.TaskGroup() as group:
            while True:
                await self._changed.wait()
                self._changed.clear()
                await self._stop_unwanted()
                for port, devices in self._wanted.items():
                    if port not in self._running:
                        served = self._port(devices)
                        task = group.create_task(served.run(), name=f"port {port}")
                        self._running[port] = (devices, served, task)

    async def _stop_unwanted(self) -> None:
        for port, (devices, served, task) in tuple(self._running.items()):
            if self._wanted.get(port) == devices:
                continue
            del self._running[port]
            task.cancel()
            await asyncio.wait([task])
            if isinstance(served, BusPort):
                served.close()

    def pause(self) -> None:
        """The ledger does not commit: every bus locks out and falls silent."""
        self._each_bus(BusPort.pause)

    def resume(self) -> None:
        """The ledger commits again."""
        self._each_bus(BusPort.resume)

    def _each_bus(self, act: Callable[[BusPort], None]) -> None:
        for _, served, _ in self._running.values():
            if isinstance(served, BusPort):
                act(served)

    def _port(self, devices: tuple[DeviceSettings, ...]) -> Port:
        tables = {name: table.params for name, table in self._shell.engine.state.tables.items()}
        if devices[0].driver != TABLE_BUS:
            return StreamPort(self._shell, devices[0], tables[devices[0].table])
        keys = {device.label: key for device in devices if (key := self._key(device)) is not None}
        return BusPort(self._shell, devices, tables, keys)

    def _key(self, device: DeviceSettings) -> bytes | None:
        if device.key_hex is not None:
            return bytes.fromhex(device.key_hex)
        return bytes.fromhex(device.key_file.read(self._environ)) if device.key_file is not None else None
