"""Payloads of the table bus (devices.md section 3): what stands between counter and tag of each frame type.

Laws
1. Sizes are exact: a payload with a byte too few or too many is a `PayloadError`, never half read.
2. Event data is `bus_events`' business; a record here is only cut out, and keeps its own bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from struct import Struct, error

from hardware.bus_codec import LARGEST_PAYLOAD, NONCE_SIZE
from hardware.bus_events import Kind, decode_event
from hardware.reports import Said

LARGEST_SERIAL = 16
LARGEST_EVENT_ID = 0xFFFF_FFFF
LARGEST_COMMAND_DATA = 32  # the dealer's text is the longest

_KINDS = {int(kind): kind for kind in Kind}
_HELLO = Struct("<8sBIII")
_NUMBER = Struct("<I")
_EVENTS = Struct("<IB")
_RECORD = Struct("<BBI")  # length, code, milliseconds since boot
_COUNTED_IN_LENGTH = 5  # code and time; the length byte does not count itself
_LARGEST_DATA = LARGEST_PAYLOAD - _EVENTS.size - _RECORD.size


class PayloadError(Exception):
    """An authentic frame whose payload does not fit its type."""


class Command(IntEnum):
    """Command codes."""

    LAMP = 0x01
    LOCKOUT = 0x02
    TEXT = 0x03
    REPORT_PLACES = 0x04
    ALL_LAMPS = 0x05


class Status(IntEnum):
    """Status of an RSP; devices.md fixes 0, and anything else means that the command was refused."""

    DONE = 0
    UNKNOWN_COMMAND = 1
    BAD_DATA = 2


@dataclass(frozen=True, slots=True)
class HelloPayload:
    """What a device says of itself: events `oldest`..`newest` are held; empty is oldest = newest + 1."""

    nonce: bytes
    kind: Kind
    boot: int
    oldest: int
    newest: int
    serial: str


@dataclass(frozen=True, slots=True)
class CommandPayload:
    """One command; a retry has the same `command_id`."""

    command_id: int
    code: int
    data: bytes


def encode_hello(hello: HelloPayload) -> bytes:
    """HELLO."""
    head = _HELLO.pack(hello.nonce, hello.kind, hello.boot, hello.oldest, hello.newest)
    return head + hello.serial.encode("ascii")


def decode_hello(payload: bytes) -> HelloPayload:
    """HELLO; the serial number is 1..16 printable ASCII characters, because it names the source of facts."""
    if not _HELLO.size < len(payload) <= _HELLO.size + LARGEST_SERIAL:
        raise PayloadError(f"a HELLO of {len(payload)} bytes")
    nonce, kind_number, boot, oldest, newest = _HELLO.unpack_from(payload)
    serial = payload[_HELLO.size :].decode("latin-1")
    if not (serial.isascii() and serial.isprintable()):
        raise PayloadError("a serial number that is not printable ASCII")
    kind = _KINDS.get(kind_number)
    if kind is None:
        raise PayloadError(f"a device of unknown kind {kind_number}")
    if not 1 <= oldest <= newest + 1:
        raise PayloadError(f"a journal from {oldest} to {newest}")
    return HelloPayload(nonce, kind, boot, oldest, newest, serial)


def encode_open(nonce: bytes) -> bytes:
    """OPEN."""
    if len(nonce) != NONCE_SIZE:
        raise ValueError(f"a nonce of {len(nonce)} bytes")
    return nonce


def decode_open(payload: bytes) -> bytes:
    """OPEN: the daemon's nonce."""
    if len(payload) != NONCE_SIZE:
        raise PayloadError(f"an OPEN of {len(payload)} bytes")
    return payload


def encode_number(number: int) -> bytes:
    """POLL (highest committed event id) and GAP (oldest id still held)."""
    return _NUMBER.pack(number)


def decode_number(payload: bytes) -> int:
    """POLL and GAP."""
    try:
        (number,) = _NUMBER.unpack(payload)
    except error:
        raise PayloadError(f"a number of {len(payload)} bytes") from None
    return int(number)


def encode_record(code: int, device_ms: int, data: bytes) -> bytes:
    """One event as it stands in EVENTS, its length byte included."""
    if len(data) > _LARGEST_DATA:
        raise ValueError(f"an event of {len(data)} bytes of data never fits a frame")
    return _RECORD.pack(_COUNTED_IN_LENGTH + len(data), code, device_ms) + data


def encode_events(first: int, records: Sequence[bytes]) -> bytes:
    """EVENTS with as many of the records, from the first, as fit one frame."""
    taken: list[bytes] = []
    room = LARGEST_PAYLOAD - _EVENTS.size
    for record in records:
        room -= len(record)
        if room < 0:
            break
        taken.append(record)
    return _EVENTS.pack(first, len(taken)) + b"".join(taken)


def decode_events_head(payload: bytes) -> tuple[int, int]:
    """Of EVENTS, the first id and the count."""
    if len(payload) < _EVENTS.size:
        raise PayloadError(f"EVENTS of {len(payload)} bytes")
    first, count = _EVENTS.unpack_from(payload)
    if first + count - 1 > LARGEST_EVENT_ID:
        raise PayloadError("events beyond the last id that can be acknowledged")
    return first, count


def decode_events(payload: bytes, kind: Kind, *, keyed: bool, after: int = 0) -> tuple[Said, ...]:
    """The reports of EVENTS with ids above `after`; each keeps its record as `raw` and its id as `seq`."""
    event_id, count = decode_events_head(payload)
    end = len(payload)
    at = _EVENTS.size
    said: list[Said] = []
    for _ in range(count):
        if at + _RECORD.size > end:
            raise PayloadError("EVENTS that break off")
        length, code, device_ms = _RECORD.unpack_from(payload, at)
        past = at + 1 + length
        if length < _COUNTED_IN_LENGTH or past > end:
            raise PayloadError("an event whose length does not fit")
        if event_id > after:
            what = decode_event(code, payload[at + 6 : past], kind, keyed)
            said.append(Said(what, payload[at:past], event_id, device_ms))
        at = past
        event_id += 1
    if at != end:
        raise PayloadError("EVENTS with bytes beyond the last event")
    return tuple(said)


def encode_command(command: CommandPayload) -> bytes:
    """CMD."""
    return bytes((command.command_id, command.code)) + command.data


def decode_command(payload: bytes) -> CommandPayload:
    """CMD."""
    if not 2 <= len(payload) <= 2 + LARGEST_COMMAND_DATA:
        raise PayloadError(f"a CMD of {len(payload)} bytes")
    return CommandPayload(payload[0], payload[1], payload[2:])


def encode_response(command_id: int, status: int) -> bytes:
    """RSP."""
    return bytes((command_id, status))


def decode_response(payload: bytes) -> tuple[int, int]:
    """RSP: command id and status."""
    if len(payload) != 2:
        raise PayloadError(f"an RSP of {len(payload)} bytes")
    return payload[0], payload[1]
