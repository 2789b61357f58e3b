"""A daemon's side of one bus device that a test steers by hand."""

from __future__ import annotations

from hardware.bus_codec import Frame, FrameReader, FrameType
from hardware.bus_events import Kind
from hardware.bus_payloads import (
    CommandPayload,
    HelloPayload,
    decode_events,
    decode_response,
    encode_command,
    encode_number,
)
from hardware.bus_session import Session
from hardware.reports import Report
from hardware.simulated.bus_device import BusDeviceSim
from hardware.simulated.bus_journal import Journal

KEY = bytes(range(16))
NONCE = b"daemon-1"


class Host:
    """A daemon's side that a test steers by hand."""

    def __init__(self, device: BusDeviceSim, nonce: bytes = NONCE) -> None:
        self.device = device
        self.session = Session(device.address, device.key)
        self.hello = self.open(nonce)

    def open(self, nonce: bytes) -> HelloPayload:
        (frame,) = frames(self.device.feed(self.session.open(nonce), 0))
        hello = self.session.greet(frame)
        assert isinstance(hello, HelloPayload)
        return hello

    def ask(self, frame_type: FrameType, payload: bytes, now_ms: int = 0) -> Frame | None:
        answer = frames(self.device.feed(self.session.write(frame_type, payload), now_ms))
        assert all(self.session.judge(frame) == "believed" for frame in answer)
        return answer[0] if answer else None

    def poll(self, ack: int, now_ms: int = 0) -> Frame | None:
        return self.ask(FrameType.POLL, encode_number(ack), now_ms)

    def command(self, command_id: int, code: int, data: bytes, now_ms: int = 0) -> tuple[int, int]:
        answer = self.ask(FrameType.CMD, encode_command(CommandPayload(command_id, code, data)), now_ms)
        assert answer is not None
        assert answer.type is FrameType.RSP
        return decode_response(answer.payload)


def frames(wire: bytes) -> list[Frame]:
    found = FrameReader().feed(wire)
    assert all(isinstance(frame, Frame) for frame in found)
    return [frame for frame in found if isinstance(frame, Frame)]


def booted(kind: Kind = Kind.COMBINED, key: bytes | None = KEY, journal: Journal | None = None) -> BusDeviceSim:
    device = BusDeviceSim(kind, "CB-0001", 5, key, journal)
    device.power_on(0)
    return device


def ids(answer: Frame | None) -> list[int | None]:
    assert answer is not None
    return [said.seq for said in decode_events(answer.payload, Kind.COMBINED, keyed=True)]


def journalled(device: BusDeviceSim) -> list[Report]:
    """Everything but the boot, as the wire tells it."""
    host = Host(device)
    found: list[Report] = []
    while True:
        answer = host.poll(device.journal.oldest - 1)
        assert answer is not None
        said = decode_events(answer.payload, Kind.COMBINED, keyed=True)
        if not said:
            return found[1:]
        found += [one.what for one in said]
        assert said[-1].seq is not None
        host.poll(said[-1].seq)
