"""A master alone with one device without a key, whose every frame the test writes by hand."""

from __future__ import annotations

from hardware.bus_codec import DAEMON, Frame, FrameReader, FrameType, encode_frame
from hardware.bus_events import Kind
from hardware.bus_master import REPLY_WAIT_TTY_MS, BusMaster
from hardware.bus_payloads import HelloPayload, encode_events, encode_hello, encode_record
from hardware.bus_peer import BusDevice
from hardware.bus_reports import BusReport, Hello, Online, Transmit
from hardware.simulated.bus_device import BusDeviceSim
from tests.hardware.bus_rig import Rig, nonces

KEY = bytes(range(16))
OTHER_KEY = bytes(16)


def panel(address: int = 1, key: bytes | None = KEY) -> BusDeviceSim:
    return BusDeviceSim(Kind.BET_PANEL, f"BP-{address}", address, key)


def online_rig(*devices: BusDeviceSim) -> Rig:
    """A rig whose devices are polled and whose boots are committed."""
    rig = Rig(devices)
    rig.run(400)
    assert all(Online(device.serial) in rig.reports for device in devices)
    return rig


def frame_of(transmit: Transmit | None) -> Frame:
    assert transmit is not None
    (frame,) = FrameReader().feed(transmit.frame)
    assert isinstance(frame, Frame)
    return frame


class Puppet:
    """A master alone with one device without a key, whose frames the test writes by hand."""

    def __init__(self, *, newest: int = 0, ack: int = 0, serial: str = "BP-1", pinned: str | None = None) -> None:
        fresh = nonces()
        self.master = BusMaster([BusDevice("panel", 1, None, pinned)], lambda: next(fresh))
        self.now_ms = 0
        self.ctr = 0
        self.opened = frame_of(self.master.next_frame(0))
        hello = HelloPayload(bytes(8), Kind.BET_PANEL, 1, newest + 1, newest, serial)
        self.greeting = self.says(FrameType.HELLO, encode_hello(hello), ctr=0)
        if isinstance(self.greeting[0], Hello):
            self.master.accept(self.greeting[0], ack)

    def says(self, frame_type: FrameType, payload: bytes, ctr: int | None = None) -> list[BusReport]:
        if ctr is None:
            self.ctr += 1
        wire = encode_frame(DAEMON, 1, frame_type, self.ctr if ctr is None else ctr, payload, None)
        return self.master.received(wire, self.now_ms)

    def events(self, first: int, number: int) -> list[BusReport]:
        record = encode_record(0x10, 5, b"\x03\x00")
        return self.says(FrameType.EVENTS, encode_events(first, [record] * number))

    def asked(self) -> Frame:
        """The next request, after waiting for it."""
        if (wake_ms := self.master.wake_at_ms()) is not None:
            self.now_ms = max(self.now_ms, wake_ms)
        return frame_of(self.master.next_frame(self.now_ms))

    def misses(self) -> list[BusReport]:
        self.now_ms += REPLY_WAIT_TTY_MS
        return self.master.timed_out(self.now_ms)
