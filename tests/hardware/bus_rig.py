"""A table bus on a bench: the real master, simulated devices, a line with faults, and a ledger that commits late."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

from hardware.bus_master import REPLY_WAIT_TTY_MS, BusMaster
from hardware.bus_peer import BusDevice
from hardware.bus_reports import BusReport, Events, Gap, Hello
from hardware.reports import Report
from hardware.simulated.bus_device import BusDeviceSim
from hardware.simulated.line import FaultyLine


def nonces() -> Iterator[bytes]:
    return (number.to_bytes(8, "little") for number in count(1))


@dataclass(slots=True)
class Ledger:
    """High-water mark and reports by serial number; fails on a hole."""

    high: dict[str, int] = field(default_factory=dict)
    counted: dict[str, list[Report]] = field(default_factory=dict)
    gaps: list[tuple[str, int]] = field(default_factory=list)
    repeats: int = 0

    def commit(self, serial: str, report: Events | Gap) -> int:
        if isinstance(report, Gap):
            self.gaps.append((serial, report.oldest))
            self.high[serial] = max(self.high[serial], report.oldest - 1)
            return self.high[serial]
        for said in report.said:
            assert said.seq is not None
            if said.seq <= self.high[serial]:
                self.repeats += 1
                continue
            assert said.seq == self.high[serial] + 1, "an event was skipped"
            self.high[serial] = said.seq
            self.counted.setdefault(serial, []).append(said.what)
        return self.high[serial]


class Wire:
    """One direction: what is sent arrives a millisecond later, or as late and as bad as the line makes it."""

    def __init__(self, line: FaultyLine | None) -> None:
        self._line = line
        self._under_way: deque[tuple[int, bytes]] = deque()

    def send(self, data: bytes, now_ms: int) -> None:
        last_ms = self._under_way[-1][0] if self._under_way else now_ms
        for delay_ms, piece in [(0, data)] if self._line is None else self._line.carry(data):
            last_ms = max(last_ms, now_ms + 1) + delay_ms
            self._under_way.append((last_ms, piece))

    def arrived(self, now_ms: int) -> Iterator[bytes]:
        while self._under_way and self._under_way[0][0] <= now_ms:
            yield self._under_way.popleft()[1]


class Rig:
    """Everything on one port, in steps of a millisecond."""

    def __init__(
        self,
        devices: Sequence[BusDeviceSim],
        configured: Sequence[BusDevice] | None = None,
        *,
        to_devices: FaultyLine | None = None,
        to_master: FaultyLine | None = None,
        commit_ms: int = 3,
        reply_wait_ms: int = REPLY_WAIT_TTY_MS,
    ) -> None:
        self.devices = devices
        if configured is None:
            configured = [BusDevice(device.serial, device.address, device.key) for device in devices]
        fresh = nonces()
        self.master = BusMaster(configured, lambda: next(fresh), reply_wait_ms)
        self.ledger = Ledger()
        self.now_ms = 0
        self.sent = 0
        self.reports: list[BusReport] = []
        self.accepting = True
        self.committing = True
        self.commit_ms = commit_ms
        self._serials: dict[str, str] = {}
        self._waiting: deque[tuple[int, Events | Gap]] = deque()
        self._down, self._up = Wire(to_devices), Wire(to_master)
        for device in devices:
            device.power_on(0)

    def run(self, for_ms: int) -> list[BusReport]:
        """Let time pass; what the master reported meanwhile."""
        before = len(self.reports)
        for _ in range(for_ms):
            self._step()
            self.now_ms += 1
        return self.reports[before:]

    def run_until_counted(self, limit_ms: int) -> None:
        """Let time pass until every journal is committed and acknowledged."""
        for _ in range(limit_ms):
            self._step()
            self.now_ms += 1
            if all(device.journal.newest < device.journal.oldest for device in self.devices):
                return
        raise AssertionError("events are still held after the time allowed")

    def _step(self) -> None:
        for data in self._down.arrived(self.now_ms):
            for answer in [device.feed(data, self.now_ms) for device in self.devices]:
                if answer:
                    self._up.send(answer, self.now_ms)
        for device in self.devices:
            device.tick(self.now_ms)
        for data in self._up.arrived(self.now_ms):
            self._hear(self.master.received(data, self.now_ms))
        self._commit()
        self._hear(self.master.timed_out(self.now_ms))
        self._send()

    def _send(self) -> None:
        frame = self.master.next_frame(self.now_ms)
        if frame is None:
            return
        self.sent += 1
        assert self.master.next_frame(self.now_ms) is None, "two requests on a half-duplex line"
        self._down.send(frame.frame, self.now_ms)

    def _hear(self, reports: list[BusReport]) -> None:
        self.reports += reports
        for report in reports:
            if isinstance(report, Hello) and self.accepting:
                self.accept(report)
            elif isinstance(report, Events | Gap):
                self._waiting.append((self.now_ms + self.commit_ms, report))

    def accept(self, hello: Hello) -> None:
        """As the daemon does: from what is committed of this board, or from the oldest it holds."""
        self._serials[hello.device] = hello.serial
        ack = self.ledger.high.setdefault(hello.serial, hello.oldest - 1)
        self.master.accept(hello, ack)

    def _commit(self) -> None:
        while self.committing and self._waiting and self._waiting[0][0] <= self.now_ms:
            report = self._waiting.popleft()[1]
            self.master.ack(report.device, self.ledger.commit(self._serials[report.device], report))
        for device in self.devices:
            if device.serial in self.ledger.high:
                assert device.journal.oldest - 1 <= self.ledger.high[device.serial], "forgotten before it was committed"
