"""All ports of a controller: which there should be by the configuration, started, stopped and exchanged.

Laws
1. A port whose devices did not change is left alone by a reload, and so are the devices of a bus that did not change.
2. Only devices that the ledger knows are served: a table whose change waits keeps its old devices, and what would
   collide with them waits too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from hardware.drivers import TABLE_BUS
from jackpotd.core.facts import DeviceLost
from jackpotd.core.parameters import TableParams
from jackpotd.daemon.absence import AbsenceWatch
from jackpotd.daemon.bus_line import BusLine
from jackpotd.daemon.bus_port import BusPort
from jackpotd.daemon.capture_lines import LinkState
from jackpotd.daemon.clock import Instant
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
        tables = self._shell.state.tables
        waiting = {params.table for params in config.tables if tables[params.table].params != params}
        kept = [one for port in self._wanted.values() for one in port if one[0].table in waiting]
        keeping = {one[0].table for one in kept}
        wanted: dict[str, list[Served]] = {}
        for one in kept:
            wanted.setdefault(one[0].port, []).append(one)
        for device in config.devices:
            table = tables.get(device.table)
            if table is None or device.table in keeping or device.name not in table.devices:
                continue
            port = wanted.setdefault(device.port, [])
            if all(_share(device, other) for other, _, _ in port):
                port.append((device, table.params, keys.get(device.label)))
        self._wanted = {port: tuple(served) for port, served in wanted.items() if served}
        self._changed.set()

    async def run(self) -> None:
        """Keep the ports as wanted, for ever; a port that fails ends the process."""
        async with asyncio.TaskGroup() as group:
            group.create_task(AbsenceWatch(self._shell, self._devices).run(), name="absence watch")
            while True:
                await self._changed.wait()
                self._changed.clear()
                await self._stop_unwanted()
                for name, wanted in self._wanted.items():
                    if name not in self._running:
                        port = self._port(wanted)
                        task = group.create_task(port.run(), name=f"port {name}")
                        self._running[name] = (wanted, port, task)

    def _devices(self) -> list[DeviceSettings]:
        return [device for served, _, _ in self._running.values() for device, _, _ in served]

    async def _stop_unwanted(self) -> None:
        for name, (served, port, task) in tuple(self._running.items()):
            wanted = self._wanted.get(name, ())
            if wanted == served:
                continue
            if isinstance(port, BusPort) and _same_line(served, wanted):
                self._running[name] = (wanted, port, task)
                self._exchange(port, served, wanted)
                continue
            del self._running[name]
            task.cancel()
            await asyncio.wait([task])
            if isinstance(port, BusPort):
                port.line.close()
            self._lost(served)

    def _exchange(self, port: BusPort, served: tuple[Served, ...], wanted: tuple[Served, ...]) -> None:
        """Other devices on a bus whose line stays as it is (law 1)."""
        gone = tuple(one for one in served if one not in wanted)
        for device, _, _ in gone:
            port.line.remove(device.label)
        self._lost(gone)
        for device, table, key in wanted:
            if (device, table, key) not in served:
                port.line.add(device, table, key)

    def _lost(self, served: tuple[Served, ...]) -> None:
        now = self._shell.clock.now()
        for device, _, _ in served:
            self._shell.recorder.link(device.label, LinkState.GONE, now)
            self._shell.inbox.put_now(watched(device, DeviceLost("not served any more"), now))

    def past(self, now: Instant) -> None:
        """Have recorded what a replay that begins now has to know of every line."""
        for _, port, _ in self._running.values():
            port.line.past(now)

    def pause(self) -> None:
        """The ledger does not commit: every bus locks out and falls silent."""
        self._each_bus(BusLine.pause)

    def resume(self) -> None:
        """The ledger commits again."""
        self._each_bus(BusLine.resume)

    def _each_bus(self, act: Callable[[BusLine], None]) -> None:
        for _, port, _ in self._running.values():
            if isinstance(port, BusPort):
                act(port.line)

    def _port(self, served: tuple[Served, ...]) -> Port:
        first, params, _ = served[0]
        if first.driver != TABLE_BUS:
            return StreamPort(self._shell, first, params)
        devices = [device for device, _, _ in served]
        tables = {device.table: table for device, table, _ in served}
        keys = {device.label: key for device, _, key in served if key is not None}
        return BusPort(self._shell, devices, tables, keys)


def _share(one: DeviceSettings, other: DeviceSettings) -> bool:
    """Whether two devices can be on one port: both on a bus, at two addresses."""
    return one.driver == other.driver == TABLE_BUS and one.address != other.address


def _same_line(served: tuple[Served, ...], wanted: tuple[Served, ...]) -> bool:
    """Whether a bus goes on: its line is set as before, and some device stays."""
    lines = {(one.driver, one.baud, one.parity, one.data_bits, one.stop_bits) for one, _, _ in (*served, *wanted)}
    return len(lines) == 1 and any(one in served for one in wanted)
