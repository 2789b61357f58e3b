"""The bus codec on anything the line may carry: whole, split, byte by byte, noisy, oversized, ill-formed."""

from __future__ import annotations

from itertools import pairwise
from typing import get_args

import pytest
from cobs import cobs  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from hardware.bus_codec import (
    DAEMON,
    LARGEST_PAYLOAD,
    Frame,
    FrameReader,
    FrameType,
    Seal,
    crc16,
    decode_stuffed,
    encode_frame,
)
from hardware.bus_events import PLACES, VOID_REASONS, BusEvent, Kind, decode_event, encode_event
from hardware.bus_payloads import (
    HelloPayload,
    PayloadError,
    decode_command,
    decode_events,
    decode_events_head,
    decode_hello,
    decode_number,
    decode_open,
    decode_response,
    encode_events,
    encode_open,
    encode_record,
)
from hardware.reports import (
    BetMoved,
    BetsLocked,
    CardExposed,
    CardOut,
    CardUnreadable,
    Claimed,
    DeviceStarted,
    Folded,
    KeyTurned,
    Noise,
    PacketOut,
    Places,
    RoundEnded,
    ShufflerFault,
    ShufflerReady,
    UnknownEvent,
    VoidPressed,
)
from tests.support.decoding import assert_bounded

SEAL = Seal(bytes(range(16)), bytes(8), bytes(8))

seats = st.integers(1, 255)
bytes_1 = st.integers(0, 255)
bus_events: st.SearchStrategy[BusEvent] = st.one_of(
    st.builds(DeviceStarted, st.integers(0, 2**32 - 1)),
    st.builds(BetMoved, seats, st.sampled_from(sorted(PLACES)), st.booleans()),
    st.builds(Places, seats, st.integers(0, 2**16 - 1)),
    st.just(BetsLocked()),
    st.just(RoundEnded()),
    st.builds(VoidPressed, st.sampled_from(sorted(VOID_REASONS.values()))),
    st.builds(CardExposed, bytes_1),
    st.builds(Folded, seats),
    st.builds(Claimed, seats, seats, bytes_1),
    st.builds(KeyTurned, bytes_1),
    st.builds(lambda rank, suit: CardOut(rank + suit), st.sampled_from("23456789TJQKA"), st.sampled_from("SHCD")),
    st.just(CardUnreadable()),
    st.builds(ShufflerFault, bytes_1),
    st.just(ShufflerReady()),
    st.builds(PacketOut, bytes_1),
)
frames = st.builds(
    lambda kind, ctr, payload: encode_frame(DAEMON, 1, kind, ctr, payload, SEAL),
    st.sampled_from(list(FrameType)),
    st.integers(0, 2**32 - 1),
    st.binary(max_size=LARGEST_PAYLOAD),
)


def fed(chunks: list[bytes]) -> list[Frame | Noise]:
    reader = FrameReader()
    return [got for chunk in chunks for got in reader.feed(chunk)]


@given(st.lists(st.one_of(frames, st.binary(max_size=400)), max_size=6), st.lists(st.integers(0, 3000), max_size=8))
def test_a_stream_split_anywhere_gives_the_same_frames(pieces: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(pieces) + b"\0half"
    places = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    chunks = [stream[a:b] for a, b in pairwise(places)]
    whole = fed([stream])
    assert fed(chunks) == whole
    assert fed([stream[i : i + 1] for i in range(len(stream))]) == whole


@given(frames, st.binary(max_size=300))
def test_noise_before_a_frame_costs_no_frame(frame: bytes, noise: bytes) -> None:
    got = fed([noise + frame])
    assert got[-1] == decode_stuffed(frame[1:-1])
    assert isinstance(got[-1], Frame)
    assert len(fed([noise + frame + frame])) == len(got) + 1


@given(frames, st.data())
def test_one_flipped_bit_is_never_taken_for_a_frame(frame: bytes, data: st.DataObject) -> None:
    bit = data.draw(st.integers(8, (len(frame) - 1) * 8 - 1))
    bad = bytearray(frame)
    bad[bit // 8] ^= 1 << bit % 8
    # The CRC lets one in 65,536 of the worst errors through; the tag does not.
    assert all(isinstance(got, Noise) or not SEAL.holds(got) for got in fed([bytes(bad)]))


def test_an_endless_run_without_delimiter_is_one_noise_and_holds_a_bounded_buffer() -> None:
    reader = FrameReader()
    for _ in range(1000):
        assert reader.feed(b"\xff" * 1000) == []
        assert len(reader._held) <= 220
    assert reader.feed(b"\0") == [Noise("length", 1)]


@pytest.mark.parametrize("unit", [b"\0", b"\xff", b"\x01\0", b"\x05abcd\0", b"\xff" * 300 + b"\0"])
def test_a_mebibyte_of_noise_is_read_in_bounded_memory_and_linear_time(unit: bytes) -> None:
    reader = assert_bounded(FrameReader, unit)
    frame = encode_frame(DAEMON, 1, FrameType.BUSY, 1, b"", SEAL)
    assert isinstance(reader.feed(frame)[-1], Frame)


def test_a_half_frame_is_forgotten_when_the_link_is_opened_again() -> None:
    frame = encode_frame(DAEMON, 1, FrameType.BUSY, 1, b"", SEAL)
    reader = FrameReader()
    reader.feed(frame[:9])
    reader.reset()
    assert reader.feed(frame[9:]) != []
    assert isinstance(reader.feed(frame)[-1], Frame)


def stuffed(body: bytes) -> bytes:
    encoded: bytes = cobs.encode(body + crc16(body).to_bytes(2, "little"))
    return encoded


@pytest.mark.parametrize(
    ("between", "reason"),
    [
        (b"\x05\x01", "cobs"),
        (stuffed(b"\x01\x00\x01\x07"), "length"),
        (cobs.encode(bytes(19)), "crc"),
        (stuffed(b"\x02\x00\x01\x07" + bytes(12)), "version"),
        (stuffed(b"\x01\x00\x01\x09" + bytes(12)), "type"),
        (b"\x01" * 221, "length"),
        (stuffed(b"\x01\x00\x01\x07" + bytes(213)), "length"),
    ],
)
def test_what_is_no_frame_says_why(between: bytes, reason: str) -> None:
    assert decode_stuffed(between) == Noise(reason, 1)


def test_the_largest_frame_is_221_bytes_on_the_wire() -> None:
    frame = encode_frame(DAEMON, 1, FrameType.EVENTS, 1, b"\x01" * LARGEST_PAYLOAD, SEAL)
    assert len(frame) == 221
    assert isinstance(fed([frame])[0], Frame)
    with pytest.raises(ValueError, match="carries 200"):
        encode_frame(DAEMON, 1, FrameType.EVENTS, 1, bytes(LARGEST_PAYLOAD + 1), SEAL)


def test_a_seal_with_a_key_refuses_a_zero_tag_and_one_without_a_key_any_other() -> None:
    plain = Seal(None, bytes(8), bytes(8))
    with_tag = fed([encode_frame(DAEMON, 1, FrameType.BUSY, 1, b"", SEAL)])[0]
    without = fed([encode_frame(DAEMON, 1, FrameType.BUSY, 1, b"", plain)])[0]
    assert isinstance(with_tag, Frame)
    assert isinstance(without, Frame)
    assert SEAL.holds(with_tag)
    assert not SEAL.holds(without)
    assert plain.holds(without)
    assert not plain.holds(with_tag)


@given(bus_events)
def test_every_event_is_read_as_it_was_written(event: BusEvent) -> None:
    code, data = encode_event(event)
    assert decode_event(code, data, Kind.COMBINED, True) == event


def test_every_event_of_the_union_is_tried_above() -> None:
    assert len(get_args(BusEvent)) == 16  # fifteen drawn by `bus_events`, and UnknownEvent


@given(st.integers(0, 255), st.binary(max_size=8), st.sampled_from(list(Kind)), st.booleans())
def test_any_code_and_data_give_a_report_that_loses_nothing(code: int, data: bytes, kind: Kind, keyed: bool) -> None:
    report = decode_event(code, data, kind, keyed)
    if isinstance(report, UnknownEvent):
        assert (report.code, bytes.fromhex(report.data)) == (code, data)
    elif data[2:] != b"\0":  # a claim on pool 0 may name the pool or not
        assert encode_event(report) == (code, data)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("code", "data", "kind", "keyed", "why"),
    [
        (0x77, "", Kind.COMBINED, True, "unknown code"),
        (0x20, "", Kind.BET_PANEL, True, "foreign to a bet panel"),
        (0x30, "01", Kind.DEALER_KEYPAD, True, "foreign to a dealer keypad"),
        (0x40, "01", Kind.CARD_READER, True, "foreign to a card reader"),
        (0x25, "0101", Kind.DEALER_KEYPAD, False, "needs a device with a key"),
        (0x26, "01", Kind.COMBINED, False, "needs a device with a key"),
        (0x10, "0000", Kind.BET_PANEL, True, "ill-formed data"),
        (0x10, "0104", Kind.BET_PANEL, True, "ill-formed data"),
        (0x10, "010000", Kind.BET_PANEL, True, "ill-formed data"),
        (0x12, "000000", Kind.BET_PANEL, True, "ill-formed data"),
        (0x22, "04", Kind.DEALER_KEYPAD, True, "ill-formed data"),
        (0x24, "00", Kind.DEALER_KEYPAD, True, "ill-formed data"),
        (0x25, "0100", Kind.DEALER_KEYPAD, True, "ill-formed data"),
        (0x30, "00", Kind.CARD_READER, True, "ill-formed data"),
        (0x30, "0e", Kind.CARD_READER, True, "ill-formed data"),
        (0x30, "41", Kind.CARD_READER, True, "ill-formed data"),
    ],
)
def test_an_event_that_cannot_be_read_says_why(code: int, data: str, kind: Kind, keyed: bool, why: str) -> None:
    assert decode_event(code, bytes.fromhex(data), kind, keyed) == UnknownEvent(code, data, why)


def test_cards_have_the_published_bits() -> None:
    assert decode_event(0x30, b"\x38", Kind.CARD_READER, True) == CardOut("8S")
    assert decode_event(0x30, b"\x01", Kind.CARD_READER, True) == CardOut("AD")
    assert decode_event(0x30, b"\x1d", Kind.CARD_READER, True) == CardOut("KC")
    assert decode_event(0x30, b"\x2a", Kind.CARD_READER, True) == CardOut("TH")


@given(st.lists(bus_events, max_size=30), st.integers(1, 2**32 - 100), st.integers(0, 2**32 - 1))
def test_events_fill_a_frame_and_come_back_numbered(events: list[BusEvent], first: int, at_ms: int) -> None:
    coded = [encode_event(event) for event in events]
    payload = encode_events(first, [encode_record(code, at_ms, data) for code, data in coded])
    assert len(payload) <= LARGEST_PAYLOAD
    said = decode_events(payload, Kind.COMBINED, keyed=True)
    assert [one.what for one in said] == events[: len(said)]
    assert [one.seq for one in said] == list(range(first, first + len(said)))
    assert decode_events_head(payload) == (first, len(said))
    later = decode_events(payload, Kind.COMBINED, keyed=True, after=first)
    assert later == said[1:]


def test_a_frame_carries_twenty_four_bets() -> None:
    records = [encode_record(0x10, 1, b"\x01\x00")] * 40
    assert decode_events_head(encode_events(1, records)) == (1, 24)


def test_an_event_too_long_for_any_frame_is_refused_where_it_is_made() -> None:
    assert decode_events_head(encode_events(1, [encode_record(0x77, 0, bytes(189))])) == (1, 1)
    with pytest.raises(ValueError, match="never fits"):
        encode_record(0x77, 0, bytes(190))


@given(st.binary(max_size=LARGEST_PAYLOAD))
def test_any_bytes_as_events_are_read_whole_or_refused(payload: bytes) -> None:
    try:
        said = decode_events(payload, Kind.COMBINED, keyed=True)
    except PayloadError:
        return
    assert payload[5:] == b"".join(one.raw for one in said)


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        ("01000000", "EVENTS of 4"),
        ("0100000001", "break off"),
        ("01000000010510", "break off"),
        ("0100000001041000000000", "does not fit"),
        ("0100000001082000000000", "does not fit"),
        ("010000000105200000000000", "beyond the last event"),
        ("ffffffff02052000000000052000000000", "beyond the last id"),
    ],
)
def test_ill_formed_events_are_refused_whole(payload: str, why: str) -> None:
    with pytest.raises(PayloadError, match=why):
        decode_events(bytes.fromhex(payload), Kind.COMBINED, keyed=True)


def hello(*, kind: int = 1, oldest: int = 1, newest: int = 0, serial: bytes = b"BP-1") -> bytes:
    numbers = b"".join(number.to_bytes(4, "little") for number in (1, oldest, newest))
    return bytes(8) + bytes((kind,)) + numbers + serial


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (hello(serial=b""), "HELLO of 21"),
        (hello(serial=b"12345678901234567"), "HELLO of 38"),
        (hello(serial=b"BP\n1"), "printable"),
        (hello(serial=b"BP\xe91"), "printable"),
        (hello(kind=6), "unknown kind 6"),
        (hello(oldest=0), "journal from 0"),
        (hello(oldest=5, newest=3), "journal from 5 to 3"),
    ],
)
def test_an_ill_formed_hello_is_refused(payload: bytes, why: str) -> None:
    with pytest.raises(PayloadError, match=why):
        decode_hello(payload)


def test_an_empty_journal_is_oldest_one_above_newest() -> None:
    assert decode_hello(hello(oldest=8, newest=7)) == HelloPayload(bytes(8), Kind.BET_PANEL, 1, 8, 7, "BP-1")


def test_other_payloads_have_exact_sizes() -> None:
    with pytest.raises(PayloadError):
        decode_open(bytes(7))
    with pytest.raises(ValueError, match="nonce of 9"):
        encode_open(bytes(9))
    with pytest.raises(PayloadError):
        decode_number(bytes(5))
    with pytest.raises(PayloadError):
        decode_command(b"\x01")
    with pytest.raises(PayloadError):
        decode_command(bytes(35))
    with pytest.raises(PayloadError):
        decode_response(b"\x01\x00\x00")
