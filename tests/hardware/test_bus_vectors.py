"""The vectors published in devices.md section 3, to the byte."""

from __future__ import annotations

from hardware.bus_codec import DAEMON, Frame, FrameReader, FrameType, Seal, crc16, encode_frame, session_id
from hardware.bus_events import Kind
from hardware.bus_payloads import (
    HelloPayload,
    decode_events,
    decode_hello,
    decode_number,
    decode_open,
    encode_events,
    encode_hello,
    encode_number,
    encode_open,
    encode_record,
)
from hardware.reports import BetMoved, Said

KEY = bytes.fromhex("000102030405060708090a0b0c0d0e0f")
DAEMON_NONCE = bytes.fromhex("0011223344556677")
DEVICE_NONCE = bytes.fromhex("8899aabbccddeeff")
SEAL = Seal(KEY, DAEMON_NONCE, DEVICE_NONCE)

OPEN = bytes.fromhex("00 03 01 01 02 01 01 01 01 01 08 11 22 33 44 55 66 77 01 01 01 01 01 01 01 03 dc 7d 00")
HELLO = bytes.fromhex(
    "00 02 01 03 01 02 01 01 01 0b 88 99 aa bb cc dd ee ff 01 07 01 01 02 29 01 01 02 2b 01 01 12 42 50 2d 30 30 30 31"
    "eb 16 80 b2 5c 18 15 02 6a b9 00"
)
POLL = bytes.fromhex("00 03 01 01 03 03 01 01 01 02 29 01 01 0b e7 7d b3 17 5a 48 26 22 1f 7c 00")
EVENTS = bytes.fromhex(
    "00 02 01 04 01 04 01 01 01 02 2a 01 01 06 02 07 10 e8 03 01 02 03 05 07 11 e2 04 01 02 03 0b ef 3a f5 c7 71 fc f2"
    "08 b0 e0 00"
)
RECORDS = (bytes.fromhex("07 10 e8 03 00 00 03 00"), bytes.fromhex("07 11 e2 04 00 00 03 00"))


def only_frame(wire: bytes) -> Frame:
    (frame,) = FrameReader().feed(wire)
    assert isinstance(frame, Frame)
    return frame


def test_the_crc_has_the_published_check_value() -> None:
    assert crc16(b"123456789") == 0x29B1


def test_the_session_id_is_the_published_one() -> None:
    assert session_id(KEY, DAEMON_NONCE, DEVICE_NONCE).hex() == "080c1b8b717e5f862fc3949b0d694679"


def test_open_is_written_and_read_as_published() -> None:
    assert encode_frame(1, DAEMON, FrameType.OPEN, 0, encode_open(DAEMON_NONCE), None) == OPEN
    frame = only_frame(OPEN)
    assert (frame.dst, frame.src, frame.type, frame.ctr, frame.tag) == (1, 0, FrameType.OPEN, 0, bytes(8))
    assert decode_open(frame.payload) == DAEMON_NONCE


def test_hello_is_written_and_read_as_published() -> None:
    hello = HelloPayload(DEVICE_NONCE, Kind.BET_PANEL, boot=7, oldest=41, newest=43, serial="BP-0001")
    assert encode_frame(DAEMON, 1, FrameType.HELLO, 0, encode_hello(hello), SEAL) == HELLO
    frame = only_frame(HELLO)
    assert (frame.dst, frame.src, frame.type, frame.ctr) == (0, 1, FrameType.HELLO, 0)
    assert SEAL.holds(frame)
    assert decode_hello(frame.payload) == hello


def test_poll_is_written_and_read_as_published() -> None:
    assert encode_frame(1, DAEMON, FrameType.POLL, 1, encode_number(41), SEAL) == POLL
    frame = only_frame(POLL)
    assert (frame.dst, frame.src, frame.type, frame.ctr) == (1, 0, FrameType.POLL, 1)
    assert SEAL.holds(frame)
    assert decode_number(frame.payload) == 41


def test_events_are_written_and_read_as_published() -> None:
    records = [encode_record(0x10, 1000, b"\x03\x00"), encode_record(0x11, 1250, b"\x03\x00")]
    assert encode_frame(DAEMON, 1, FrameType.EVENTS, 1, encode_events(42, records), SEAL) == EVENTS
    frame = only_frame(EVENTS)
    assert (frame.type, frame.ctr) == (FrameType.EVENTS, 1)
    assert SEAL.holds(frame)
    assert decode_events(frame.payload, Kind.BET_PANEL, keyed=True) == (
        Said(BetMoved(3, 0, on=True), RECORDS[0], 42, 1000),
        Said(BetMoved(3, 0, on=False), RECORDS[1], 43, 1250),
    )


def test_a_tag_of_another_direction_or_session_does_not_hold() -> None:
    poll = only_frame(POLL)
    assert not Seal(KEY, DAEMON_NONCE, bytes(8)).holds(poll)
    turned = Frame(poll.dst, 1, poll.type, poll.ctr, poll.payload, poll.tag, poll.signed)
    assert not SEAL.holds(turned)
