"""A simulated Alpha or BetaBrite LED sign: reads packets as the real one does, and shows what was whole.

Laws
1. A packet begins with five zero bytes or more; a pause of a second inside one ends it, and what came so far is lost.
2. A sum, where there is one, must be right; a packet with a wrong one is dropped without a word.
3. It keeps no more than `_MAX_PACKET` bytes.
"""

from __future__ import annotations

import re
from typing import Final

_PAUSE_MS: Final = 1_000
_MAX_PACKET: Final = 4_096  # a text of 125 characters makes 145; a real sign's longest file is about as long as this
_END: Final = 0x04
_PACKET: Final = re.compile(
    rb"\x00{5,}\x01(?P<type>[!-~])(?P<address>[0-9A-F?]{2})"
    rb"(?P<summed>\x02(?P<command>[A-Z])(?P<data>[^\x02\x03\x04]*)\x03?)(?P<sum>[0-9A-F]{4})?\x04",
    re.DOTALL,
)
_TEXT: Final = re.compile(rb"(?P<file>[ -~])(?:\x1b(?P<line>[ \"&0-2])(?P<mode>[a-z]))?(?P<text>[ -~]*)", re.DOTALL)


class AlphaSign:
    """A sign. `text` and `mode`: what it shows; the counters say what became of all that it heard."""

    def __init__(self, type_code: bytes = b"^", address: bytes = b"01") -> None:
        self.text = ""
        self.mode = ""
        self.packets = 0
        self.bad_packets = 0
        self.bad_sums = 0
        self.timeouts = 0
        self._type_code = type_code
        self._address = address
        self._buffer = bytearray()
        self._heard_ms = 0

    def feed(self, data: bytes, now_ms: int) -> bytes:
        """Hear bytes; a sign never answers."""
        self._expire(now_ms)
        self._heard_ms = now_ms
        for byte in data:
            self._buffer.append(byte & 0x7F)
            if byte == _END:
                self._take(bytes(self._buffer))
                self._buffer.clear()
        del self._buffer[:-_MAX_PACKET]
        return b""

    def tick(self, now_ms: int) -> None:
        """Let time pass."""
        self._expire(now_ms)

    def _expire(self, now_ms: int) -> None:
        if self._buffer and now_ms - self._heard_ms >= _PAUSE_MS:
            self._buffer.clear()
            self.timeouts += 1

    def _take(self, packet: bytes) -> None:
        match = _PACKET.search(packet)
        if match is None:
            self.bad_packets += 1
            return
        if match["sum"] is not None and int(match["sum"], 16) != sum(match["summed"]) & 0xFFFF:
            self.bad_sums += 1
            return
        if match["type"] not in {b"Z", self._type_code} or match["address"] not in {b"00", self._address}:
            return
        self.packets += 1
        text = _TEXT.fullmatch(match["data"])
        if match["command"] == b"A" and text is not None and text["file"] == b"0":
            self.text = text["text"].decode("ascii")
            self.mode = (text["mode"] or b"").decode("ascii")
