"""The master's half of a table-bus session: nonces, keys, counters, and which frames to believe.

Laws
1. No frame is believed before its counter is greater than the last one taken and its tag holds.
2. While a HELLO is awaited anything else is stale, not forged; so is a HELLO to the OPEN before the last.
3. Every frame sent has a new, greater counter, retries included; a session is worn out long before the counter ends.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from hardware.bus_codec import DAEMON, Frame, FrameType, Seal, encode_frame, frame_bytes
from hardware.bus_payloads import HelloPayload, decode_hello, encode_open

RENEW_AT = 1 << 31  # a new session well before a counter reaches 2^32


class Exchange(NamedTuple):
    """Bytes of the line; `sent`: by the daemon."""

    data: bytes
    sent: bool


class Verdict(StrEnum):
    """What a well-formed frame is worth."""

    BELIEVED = "believed"
    OLD = "old"
    STALE = "stale"
    FORGED = "forged"


class Session:
    """Session after session with one device."""

    __slots__ = ("_address", "_heard_ctr", "_hello", "_key", "_nonce", "_nonce_before", "_seal", "_sent_ctr")

    def __init__(self, address: int, key: bytes | None) -> None:
        self._address = address
        self._key = key
        self._nonce: bytes | None = None
        self._nonce_before: bytes | None = None
        self._hello: Frame | None = None
        self._seal = Seal(None, b"", b"")
        self._sent_ctr = self._heard_ctr = 0

    @property
    def worn(self) -> bool:
        """Whether a counter is so high that a new session must be opened."""
        return max(self._sent_ctr, self._heard_ctr) >= RENEW_AT

    def open(self, nonce: bytes) -> bytes:
        """OPEN with a new nonce; what the device said before is not awaited any more."""
        self._nonce_before, self._nonce = self._nonce, nonce
        self._hello = None
        return self._opening(nonce)

    def greetings(self) -> list[Exchange]:
        """What began the session, or is about to: enough for a witness who comes now."""
        if self._nonce is None:
            return []
        opening = Exchange(self._opening(self._nonce), sent=True)
        return [opening] if self._hello is None else [opening, Exchange(frame_bytes(self._hello), sent=False)]

    def _opening(self, nonce: bytes) -> bytes:
        return encode_frame(self._address, DAEMON, FrameType.OPEN, 0, encode_open(nonce), None)

    def greet(self, frame: Frame) -> HelloPayload | Verdict:
        """Begin the session that a HELLO answers our last OPEN with. PayloadError if it is ill-formed."""
        if self._nonce is None or frame.ctr != 0:
            return Verdict.STALE
        hello = decode_hello(frame.payload)
        seal = Seal(self._key, self._nonce, hello.nonce)
        if seal.holds(frame):
            self._seal = seal
            self._hello = frame
            self._sent_ctr = self._heard_ctr = 0
            return hello
        if self._nonce_before is not None and Seal(self._key, self._nonce_before, hello.nonce).holds(frame):
            return Verdict.STALE
        return Verdict.FORGED

    def judge(self, frame: Frame) -> Verdict:
        """What a frame of a running session is worth; one that is believed moves the counter."""
        if frame.ctr <= self._heard_ctr:
            return Verdict.OLD
        if not self._seal.holds(frame):
            return Verdict.FORGED
        self._heard_ctr = frame.ctr
        return Verdict.BELIEVED

    def write(self, frame_type: FrameType, payload: bytes) -> bytes:
        """A frame of the running session."""
        self._sent_ctr += 1
        return encode_frame(self._address, DAEMON, frame_type, self._sent_ctr, payload, self._seal)
