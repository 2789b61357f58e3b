"""The devices of a replay: the lines that the daemon has, fed from a capture in place of ports.

Law: a line is made when the capture first speaks of it, with the table as the ledger then has it, like a port.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from hardware.bus_witness import BusWitness
from hardware.drivers import TABLE_BUS
from jackpotd.core.parameters import TableParams
from jackpotd.daemon.bus_line import BusLine
from jackpotd.daemon.capture_lines import Bytes, CaptureError, Clocked, Linked, LinkState
from jackpotd.daemon.clock import Instant
from jackpotd.daemon.config_settings import DeviceSettings
from jackpotd.daemon.ports import Shell
from jackpotd.daemon.stream_line import StreamLine


class ReplayLines:
    """All lines. `keys` by the devices' labels; `is_whole`: a controller recorded them, and left nothing out."""

    def __init__(
        self, shell: Shell, devices: tuple[DeviceSettings, ...], keys: Mapping[str, bytes], *, is_whole: bool
    ) -> None:
        self._shell = shell
        self._is_whole = is_whole
        self._devices = {device.label: device for device in devices}
        self._keys = keys
        self._streams: dict[str, StreamLine] = {}  # by label
        self._buses: dict[str, tuple[BusLine, BusWitness]] = {}  # by port

    def forget(self) -> None:
        """A controller starts: it knows nothing of its devices yet."""
        self._streams.clear()
        for line, _ in self._buses.values():
            line.close()
        self._buses.clear()

    def open_streams(self, now: Instant) -> None:
        """Every device that talks unasked is reached: a capture without the watch's words says when one is not."""
        for device in self._devices.values():
            if device.driver != TABLE_BUS and device.table in self._shell.state.tables:
                self._stream(device).opened(now)

    def bytes(self, record: Bytes, now: Instant) -> None:
        """Bytes of a device's line. CaptureError: the configuration does not know it."""
        device = self._device(record.device)
        if device.driver == TABLE_BUS:
            line, witness = self._bus(device)
            if record.sent:
                line.hear(witness.sent(record.data, now.monotonic_ms), now)
            else:
                line.heard(record.data, now)
        elif not record.sent:  # what is sent to one that is never asked changes nothing
            self._stream(device).heard(record.data, now)

    def clock(self, record: Clocked) -> None:
        """What was known of a device's clock. CaptureError as `bytes`."""
        device = self._device(record.device)
        if device.driver != TABLE_BUS:
            raise CaptureError(f"{record.device} has no clock of its own")
        line, _ = self._bus(device)
        line.places[device.label].clock.know(record.recent_ms, record.earlier_ms, record.began_ms)

    def link(self, record: Linked, now: Instant) -> None:
        """What became of a device's link. CaptureError as `bytes`."""
        device = self._device(record.device)
        if device.driver == TABLE_BUS:
            self._bus_link(device, record.state, now)
        else:
            self._stream_link(device, record.state, now)

    def imply(self, now: Instant) -> None:
        """What a capture without the watch's words says by its bytes alone: who is in step, who has been heard out."""
        for line, witness in self._buses.values():
            line.hear(witness.implied(), now)

    def _bus_link(self, device: DeviceSettings, state: LinkState, now: Instant) -> None:
        line, witness = self._bus(device)
        match state:
            case LinkState.OPEN:
                line.opened()
            case LinkState.LOST:
                line.lost(LinkState.LOST, now)
            case LinkState.ANEW:
                witness.anew(device.label)
            case LinkState.GONE:
                line.remove(device.label)
                if not line.places:
                    line.close()
                    del self._buses[device.port]
            case _:
                assert_never(state)

    def _stream_link(self, device: DeviceSettings, state: LinkState, now: Instant) -> None:
        match state:
            case LinkState.OPEN:
                self._stream(device).opened(now)
            case LinkState.LOST:
                self._stream(device).lost(LinkState.LOST, now)
            case LinkState.ANEW:
                raise CaptureError(f"{device.label} has no session that could be given up")
            case LinkState.GONE:
                self._streams.pop(device.label, None)
            case _:
                assert_never(state)

    # ---- made when they are first spoken of

    def _stream(self, device: DeviceSettings) -> StreamLine:
        line = self._streams.get(device.label)
        if line is None:
            line = self._streams[device.label] = StreamLine(self._shell, device, self._table(device))
        return line

    def _bus(self, device: DeviceSettings) -> tuple[BusLine, BusWitness]:
        bus = self._buses.get(device.port)
        if bus is None:
            witness = BusWitness(is_whole=self._is_whole)
            bus = self._buses[device.port] = BusLine(self._shell, device.port, witness, _nothing), witness
        if device.label not in bus[0].places:
            bus[0].add(device, self._table(device), self._keys.get(device.label))
        return bus

    def _device(self, label: str) -> DeviceSettings:
        device = self._devices.get(label)
        if device is None:
            raise CaptureError(f"there is no device {label} in the configuration")
        return device

    def _table(self, device: DeviceSettings) -> TableParams:
        table = self._shell.state.tables.get(device.table)
        if table is None or device.name not in table.devices:
            raise CaptureError(f"there is no device {device.label} in the ledger yet")
        return table.params


def _nothing() -> None:
    """Nothing is said on a recorded line: the record says what was."""
