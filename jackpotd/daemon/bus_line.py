"""What the devices of one table-bus port say and show, between the master of the line, the ledger and the board.

Laws
1. A device is acknowledged only after the commit: the ledger's callback raises the ack, nothing else does.
2. A device is polled only when the ledger has accepted its HELLO; a foreign board stays unpolled.
3. Lamps, lockout and text follow the board; after each HELLO everything is said again. Closing never waits.
4. Nothing here waits or reads a clock: the same bytes at the same times are the same items.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence

from hardware import bus_reports as b
from hardware.bus_master import BusMaster
from hardware.bus_payloads import Command
from jackpotd.core.facts import DeviceHello, DeviceLost, JournalGap
from jackpotd.core.parameters import TableParams
from jackpotd.daemon.bus_place import BusPlace
from jackpotd.daemon.capture_lines import LinkState
from jackpotd.daemon.clock import Instant
from jackpotd.daemon.config_settings import DeviceSettings
from jackpotd.daemon.ports import Shell, watched

log = logging.getLogger(__name__)


class BusLine:
    """All devices of one port, of one table or several. `nudge`: the master has something new to say."""

    def __init__(self, shell: Shell, port: str, master: BusMaster, nudge: Callable[[], None]) -> None:
        self._shell = shell
        self._port = port
        self._master = master
        self._nudge = nudge
        self._places: dict[str, BusPlace] = {}
        self._paused = False
        self._up = False
        shell.board.listeners.append(self._follow_board)

    @property
    def places(self) -> Mapping[str, BusPlace]:
        """Its devices, by label."""
        return self._places

    def add(self, device: DeviceSettings, table: TableParams, key: bytes | None) -> None:
        """Serve one more device; those that are there notice nothing."""
        self._places[device.label] = BusPlace(self._shell, device, table, key)
        self._master.add(self._places[device.label].bus_device())
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
            now = self._shell.clock.now()
            for label in self._master.polled():
                self._shell.recorder.link(label, LinkState.ANEW, now)
            self._master.resume()
            self._nudge()

    # ---- the line

    def opened(self) -> None:
        """The link is open."""
        self._tell_link(up=True)

    def heard(self, data: bytes, now: Instant) -> None:
        """Bytes from the line."""
        self.hear(self._master.received(data, now.monotonic_ms), now)

    def waited(self, now: Instant) -> None:
        """Nothing more came until now: the awaited answer may be overdue."""
        if not self._master.awaits_answer:
            return
        polled = self._master.polled()
        reports = self._master.timed_out(now.monotonic_ms)
        for label in polled - self._master.polled():
            self._shell.recorder.link(label, LinkState.ANEW, now)
        self.hear(reports, now)

    def lost(self, why: str, now: Instant) -> None:
        """The link ended, or could not be opened."""
        if self._up:
            for label in self._places:
                self._shell.recorder.link(label, LinkState.LOST, now)
        self._tell_link(up=False)
        self.hear([report for report in self._master.link_lost(why) if isinstance(report, b.Offline)], now)

    def past(self, now: Instant) -> None:
        """Have recorded what a replay that begins now has to know."""
        for label, exchange in self._master.past():
            self._shell.recorder.past(label, exchange.data, now, sent=exchange.sent)
        for label, place in self._places.items():
            known = place.clock.known()
            if known is not None:
                self._shell.recorder.device_clock(label, known, now)

    def _tell_link(self, *, up: bool) -> None:
        self._up = up
        for label in self._places:
            self._shell.metrics.link(label, up=up)

    # ---- what devices say

    def hear(self, reports: Sequence[b.BusReport], now: Instant) -> None:
        """What the master made of it."""
        for report in reports:
            if report.device is None or report.device in self._places:
                self._hear_one(report, now)

    def _hear_one(self, report: b.BusReport, now: Instant) -> None:
        match report:
            case b.Events():
                place = self._places[report.device]
                self._shell.metrics.frames_good(report.device, 1)
                self._shell.inbox.put(place.items(report, lambda: self._ack(report.device, report.said[-1].seq), now))
            case b.Drained():
                self._places[report.device].drained(report, now)
            case b.Hello():
                self._hello(report, now)
            case b.Gap():
                item = watched(self._places[report.device].device, JournalGap(report.oldest), now)
                item.settled = lambda error: self._ack(report.device, report.oldest - 1) if error is None else None
                self._shell.inbox.put_now(item)
            case b.Offline():
                self._offline(report, now)
            case b.WrongSerial():
                self._places[report.device].foreign(DeviceHello(report.serial, 0, 0, 1, 0), now)
            case b.Forged():
                self._shell.metrics.frames_bad(report.device, "forged", 1)
                self._places[report.device].forged()
            case b.BusNoise():
                self._shell.metrics.frames_bad(report.device or self._port, report.reason, report.count)
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

    def _hello(self, hello: b.Hello, now: Instant) -> None:
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
        item = watched(place.device, word, now)
        item.settled = decided
        self._shell.inbox.put_now(item)

    def _offline(self, report: b.Offline, now: Instant) -> None:
        place = self._places[report.device]
        self._close_table(place.device.table)
        place.lost()
        self._shell.inbox.put_now(watched(place.device, DeviceLost(report.why), now))

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
            if place.is_current():
                continue
            if place.is_pinned_anew():
                self._master.remove(label)
                self._master.add(place.bus_device())
            for code, data in place.commands():
                if self._master.command(label, code, data):
                    self._nudge()
                else:
                    place.forget(code)
            if place.must_drain():
                place.draining(self._master.poll_soon(label))
                self._nudge()
