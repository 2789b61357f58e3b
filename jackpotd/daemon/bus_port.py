"""A port of the table bus: polls its devices, passes on what they say, acknowledges what the ledger has.

Laws
1. A device is acknowledged only after the commit: the ledger's callback raises the ack, nothing else does.
2. A device is polled only when the ledger has accepted its HELLO; a foreign board stays unpolled.
3. Lamps, lockout and text follow the board; after each HELLO everything is said again. Closing never waits.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress

from hardware import bus_reports as b
from hardware.bus_master import REPLY_WAIT_SOCKET_MS, REPLY_WAIT_TTY_MS, BusMaster
from hardware.bus_payloads import Command
from hardware.bus_peer import BusDevice
from hardware.links import Link, LinkError
from jackpotd.core.facts import DeviceHello, DeviceLost, JournalGap
from jackpotd.core.parameters import TableParams
from jackpotd.daemon.bus_place import BusPlace
from jackpotd.daemon.config_settings import DeviceSettings
from jackpotd.daemon.ports import Shell, keep_open, serial_settings, watched

log = logging.getLogger(__name__)

_NONCE_BYTES = 8
_MS_PER_S = 1_000


class BusPort:
    """All devices of one table-bus port, of one table or several."""

    def __init__(
        self, shell: Shell, devices: Sequence[DeviceSettings], tables: dict[str, TableParams], keys: dict[str, bytes]
    ) -> None:
        self._shell = shell
        self._first = devices[0]
        self._places: dict[str, BusPlace] = {}
        wait_ms = REPLY_WAIT_SOCKET_MS if self._first.port.startswith("socket://") else REPLY_WAIT_TTY_MS
        self._master = BusMaster([], lambda: shell.random_bytes(_NONCE_BYTES), wait_ms)
        self._link: Link | None = None
        self._paused = False
        self._up = False
        for device in devices:
            self.add(device, tables[device.table], keys.get(device.label))
        shell.board.listeners.append(self._follow_board)

    async def run(self) -> None:
        """Serve the port for ever."""
        await keep_open(self._shell, self._first.port, serial_settings(self._first), self._serve, self._lost)

    def add(self, device: DeviceSettings, table: TableParams, key: bytes | None) -> None:
        """Serve one more device; those that are there notice nothing."""
        self._places[device.label] = BusPlace(self._shell, device, table)
        self._master.add(BusDevice(device.label, device.address or 0, key, device.serial))
        self._shell.metrics.link(device.label, up=self._up)
        self._nudge()

    def remove(self, label: str) -> None:
        """Serve a device no more."""
        del self._places[label]
        self._master.remove(label)

    def close(self) -> None:
        """Follow the board no more."""
        self._shell.board.listeners.remove(self._follow_board)

    def pause(self) -> None:
        """The ledger does not commit: lock out, then ask nothing (devices.md 3)."""
        if not self._paused:
            self._paused = True
            self._master.pause()
            self._nudge()

    def resume(self) -> None:
        """The ledger commits again: greet everybody anew."""
        if self._paused:
            self._paused = False
            self._master.resume()
            self._nudge()

    # ---- the line

    async def _serve(self, link: Link) -> None:
        self._link = link
        self._tell_link(up=True)
        try:
            while True:
                await self._turn(link)
        finally:
            self._link = None

    def _tell_link(self, *, up: bool) -> None:
        self._up = up
        for label in self._places:
            self._shell.metrics.link(label, up=up)

    async def _turn(self, link: Link) -> None:
        """Say what is due, if the line is free, and hear the line until there is something else to do."""
        self._say_what_is_due(link)
        data = await self._heard(link)
        now = self._shell.clock.monotonic_ms()
        for report in (*self._master.received(data, now), *self._master.timed_out(now)):
            if report.device is None or report.device in self._places:
                await self._hear(report)

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
        transmit = self._master.next_frame(self._shell.clock.monotonic_ms())
        if transmit is not None:
            link.write(transmit.frame)

    def _nudge(self) -> None:
        """Say at once what is new to say. While an answer is awaited it has to wait: its turn comes with the answer."""
        if self._link is not None and not self._master.awaits_answer:
            with suppress(LinkError):  # whoever reads this link is told the same
                self._say_what_is_due(self._link)
            self._link.wake()  # the master wants its turn at another time now

    def _lost(self, error: LinkError) -> None:
        self._tell_link(up=False)
        for report in self._master.link_lost(error.kind):
            if isinstance(report, b.Offline):
                self._offline(report)

    # ---- what devices say

    async def _hear(self, report: b.BusReport) -> None:
        match report:
            case b.Events():
                place = self._places[report.device]
                self._shell.metrics.frames_good(report.device, 1)
                await self._shell.inbox.put(place.items(report, lambda: self._ack(report.device, report.said[-1].seq)))
            case b.Drained():
                self._places[report.device].drained(report)
            case b.Hello():
                self._hello(report)
            case b.Gap():
                item = watched(self._shell, self._places[report.device].device, JournalGap(report.oldest))
                item.settled = lambda error: self._ack(report.device, report.oldest - 1) if error is None else None
                self._shell.inbox.put_now(item)
            case b.Offline():
                self._offline(report)
            case b.WrongSerial():
                self._places[report.device].foreign(DeviceHello(report.serial, 0, 0, 1, 0))
            case b.Forged():
                self._shell.metrics.frames_bad(report.device, "forged", 1)
                self._places[report.device].forged()
            case b.BusNoise():
                self._shell.metrics.frames_bad(report.device or self._first.port, report.reason, report.count)
            case b.Done():
                if report.status:
                    extra = {"device": report.device, "code": report.code, "status": report.status}
                    log.warning("command refused", extra=extra)
            case b.Online():
                log.info("device answers", extra={"device": report.device})

    def _ack(self, device: str, event_id: int | None) -> None:
        assert event_id is not None
        self._master.ack(device, event_id)
        self._nudge()

    def _hello(self, hello: b.Hello) -> None:
        place = self._places[hello.device]
        word = DeviceHello(hello.serial, hello.kind, hello.boot, hello.oldest, hello.newest)

        def decided(_: Exception | None) -> None:
            mark = place.accepted_mark(hello)
            if mark is not None:
                self._master.accept(hello, mark)
                self._nudge()

        if place.is_known_foreign(hello.serial):
            return
        place.greeted(hello)
        item = watched(self._shell, place.device, word)
        item.settled = decided
        self._shell.inbox.put_now(item)

    def _offline(self, report: b.Offline) -> None:
        place = self._places[report.device]
        self._close_table(place.device.table)
        place.lost()
        self._shell.inbox.put_now(watched(self._shell, place.device, DeviceLost(report.why)))

    # ---- what devices show

    def _close_table(self, table: str) -> None:
        """A device of the table is gone: its other devices lock out before the ledger has heard of it (law 3)."""
        for label, place in self._places.items():
            if place.device.table == table and self._master.command(label, Command.LOCKOUT, b"\x01"):
                place.forget_lockout()
                self._nudge()

    def _follow_board(self) -> None:
        """Say what has changed; ask the devices that the lock of a round waits for."""
        for label, place in self._places.items():
            for code, data in place.commands():
                if self._master.command(label, code, data):
                    self._nudge()
                else:
                    place.forget(code)
            if place.must_drain():
                place.draining(self._master.poll_soon(label))
                self._nudge()
