"""Frames of the table bus (devices.md section 3): bytes to frames and back, tags, and the splitter of a byte stream.

Laws
1. Nothing here keeps time, counters or trust: a `Frame` is what passed COBS, length, version, type and CRC, no more.
   Whether its tag and counter hold is asked of a `Seal` and of the side that knows the session.
2. Any bytes may come, split anywhere: the same stream gives the same frames, in linear time and bounded memory.
3. What is not a frame is `Noise` under one fixed reason: length, cobs, crc, version or type.
"""

from __future__ import annotations

import hmac
from binascii import crc_hqx
from dataclasses import dataclass
from enum import IntEnum
from hashlib import blake2s
from struct import Struct

from cobs import cobs  # type: ignore[import-untyped]

from hardware.reports import Noise

VERSION = 1
DAEMON = 0x00
FIRST_DEVICE = 0x01
LAST_DEVICE = 0x7E

LARGEST_PAYLOAD = 200  # devices.md: 218 bytes before COBS, 221 on the wire with both delimiters
NONCE_SIZE = 8
TAG_SIZE = 8
SESSION_SIZE = 16
PERSON = b"tablbus1"
NO_TAG = bytes(TAG_SIZE)

_HEADER = Struct("<BBBBI")  # ver dst src type ctr
_CRC = Struct("<H")
_OVERHEAD = _HEADER.size + TAG_SIZE + _CRC.size
_LARGEST_STUFFED = LARGEST_PAYLOAD + _OVERHEAD + 1  # COBS adds one byte to anything shorter than 254
_DELIMITER = b"\0"


class FrameType(IntEnum):
    """What a frame is: OPEN, POLL and CMD come from the daemon, the others from a device."""

    OPEN = 1
    HELLO = 2
    POLL = 3
    EVENTS = 4
    CMD = 5
    RSP = 6
    BUSY = 7
    GAP = 8


_TYPES = {int(kind): kind for kind in FrameType}


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame that passed its CRC. `signed` is ver..payload, the bytes that the tag covers."""

    dst: int
    src: int
    type: FrameType
    ctr: int
    payload: bytes
    tag: bytes
    signed: bytes


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE."""
    return crc_hqx(data, 0xFFFF)


def session_id(key: bytes, daemon_nonce: bytes, device_nonce: bytes) -> bytes:
    """Session id, 16 bytes, that both sides derive from their two nonces."""
    return blake2s(daemon_nonce + device_nonce, digest_size=SESSION_SIZE, key=key, person=PERSON).digest()


class Seal:
    """Makes and checks the tags of one session; a device without a key has zero tags and no others."""

    __slots__ = ("_from_daemon", "_from_device")

    def __init__(self, key: bytes | None, daemon_nonce: bytes, device_nonce: bytes) -> None:
        if key is None:
            self._from_daemon = self._from_device = None
            return
        session = session_id(key, daemon_nonce, device_nonce)
        # The keyed start is hashed once; each tag copies it, which halves the cost of a frame.
        self._from_daemon = blake2s(session + b"\0", digest_size=TAG_SIZE, key=key, person=PERSON)
        self._from_device = blake2s(session + b"\1", digest_size=TAG_SIZE, key=key, person=PERSON)

    def tag(self, src: int, signed: bytes) -> bytes:
        """Tag over `signed`, sent by `src`; the direction byte follows from it."""
        start = self._from_daemon if src == DAEMON else self._from_device
        if start is None:
            return NO_TAG
        digest = start.copy()
        digest.update(signed)
        return digest.digest()

    def holds(self, frame: Frame) -> bool:
        """Whether the frame's tag is this session's; a zero tag never is when there is a key."""
        if self._from_daemon is not None and frame.tag == NO_TAG:
            return False
        return hmac.compare_digest(frame.tag, self.tag(frame.src, frame.signed))


def encode_frame(dst: int, src: int, frame_type: FrameType, ctr: int, payload: bytes, seal: Seal | None) -> bytes:
    """Bytes on the wire, both delimiters included; `seal` None writes a zero tag (OPEN)."""
    if len(payload) > LARGEST_PAYLOAD:
        raise ValueError(f"a payload of {len(payload)} bytes: the bus carries {LARGEST_PAYLOAD}")
    signed = _HEADER.pack(VERSION, dst, src, frame_type, ctr) + payload
    return _on_the_wire(signed + (NO_TAG if seal is None else seal.tag(src, signed)))


def frame_bytes(frame: Frame) -> bytes:
    """A frame that came, as it was on the wire."""
    return _on_the_wire(frame.signed + frame.tag)


def _on_the_wire(body: bytes) -> bytes:
    stuffed: bytes = cobs.encode(body + _CRC.pack(crc16(body)))
    return _DELIMITER + stuffed + _DELIMITER


def decode_stuffed(stuffed: bytes) -> Frame | Noise:
    """The frame between two delimiters, or why it is none."""
    if len(stuffed) > _LARGEST_STUFFED:
        return Noise("length", 1)
    try:
        whole: bytes = cobs.decode(stuffed)
    except cobs.DecodeError:
        return Noise("cobs", 1)
    if not _OVERHEAD <= len(whole) <= LARGEST_PAYLOAD + _OVERHEAD:
        return Noise("length", 1)
    if crc16(whole[:-2]) != _CRC.unpack_from(whole, len(whole) - 2)[0]:
        return Noise("crc", 1)
    version, dst, src, number, ctr = _HEADER.unpack_from(whole)
    if version != VERSION:
        return Noise("version", 1)
    frame_type = _TYPES.get(number)
    if frame_type is None:
        return Noise("type", 1)
    return Frame(dst, src, frame_type, ctr, whole[8:-10], whole[-10:-2], whole[:-10])


class FrameReader:
    """Splits a byte stream at 00 and decodes what lies between; holds at most one frame's bytes."""

    __slots__ = ("_held",)

    def __init__(self) -> None:
        self._held = b""

    @property
    def held(self) -> bytes:
        """What is there of a frame that has no end yet."""
        return self._held

    def feed(self, data: bytes) -> list[Frame | Noise]:
        """Take any bytes; what they completed, in order."""
        pieces = data.split(_DELIMITER)
        pieces[0] = self._held + pieces[0]
        # One byte too many is kept as the mark of a run that is too long; the rest of it need not be.
        self._held = pieces.pop()[: _LARGEST_STUFFED + 1]
        return [decode_stuffed(piece) for piece in pieces if piece]

    def reset(self) -> None:
        """The link was closed and opened again: what is half there belongs to nothing."""
        self._held = b""
