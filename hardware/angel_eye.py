"""Angel Eye II-EX baccarat shoe: frames out of a byte stream (devices.md section 1). Grade: sequenced.

Laws
1. 05 starts a frame wherever it stands: no other byte of a frame can be 05, so a broken frame costs itself alone.
2. A frame is the path of its bytes through `_NEXT`; a missing key ends it as noise.
3. A lost 03 loses nothing: data has bit 7 and the check has not, so the end is known, and the check covers the 03.
4. A frame equal to the last one is a repeat, across a reconnect and a restart too. A number that is not the next is a
   gap, told before the frame's own report. After power-up (`S`) any number is the next.
5. At most `_MAX_FRAME` bytes are kept, and every byte is looked at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from hardware.angel_eye_codec import BIT_7, END, START, check_of, read_message
from hardware.findings import Findings
from hardware.reports import Grade, Noise, Said, SequenceGap, ShoeStarted

_MAX_FRAME: Final = 24  # the longest known message has 8 bytes; the rest is room for data we have not met
_POWER_UP: Final = ord("S")


class _Part(Enum):
    SEQ = auto()
    CODE = auto()
    DATA = auto()
    CHECK_1 = auto()
    CHECK_2 = auto()
    WHOLE = auto()


class _Byte(Enum):
    DIGIT = auto()
    HEX_LETTER = auto()
    LETTER = auto()
    DATA = auto()
    END = auto()
    OTHER = auto()


_NEXT: Final = {
    (_Part.SEQ, _Byte.DIGIT): _Part.CODE,
    (_Part.CODE, _Byte.HEX_LETTER): _Part.DATA,
    (_Part.CODE, _Byte.LETTER): _Part.DATA,
    (_Part.DATA, _Byte.DATA): _Part.DATA,
    (_Part.DATA, _Byte.END): _Part.CHECK_1,
    (_Part.DATA, _Byte.DIGIT): _Part.CHECK_2,  # law 3
    (_Part.DATA, _Byte.HEX_LETTER): _Part.CHECK_2,
    (_Part.CHECK_1, _Byte.DIGIT): _Part.CHECK_2,
    (_Part.CHECK_1, _Byte.HEX_LETTER): _Part.CHECK_2,
    (_Part.CHECK_2, _Byte.DIGIT): _Part.WHOLE,
    (_Part.CHECK_2, _Byte.HEX_LETTER): _Part.WHOLE,
}


def _kind_of(byte: int) -> _Byte:
    if byte & BIT_7:
        return _Byte.DATA
    if byte == END:
        return _Byte.END
    character = chr(byte)
    if character.isdigit():
        return _Byte.DIGIT
    if character in "ABCDEF":
        return _Byte.HEX_LETTER
    return _Byte.LETTER if character.isalpha() else _Byte.OTHER


_KINDS: Final = tuple(_kind_of(byte) for byte in range(256))


class AngelEye:
    """The decoder of one shoe. `last`: the last frame of an earlier run, as in the ledger."""

    grade = Grade.SEQUENCED

    def __init__(self, last: bytes | None = None) -> None:
        self._frame = bytearray()
        self._part = _Part.SEQ
        self._last = None if last is None else _body(last)

    def feed(self, data: bytes) -> Sequence[Said | Noise]:
        """Take any bytes; return what they completed, in order."""
        found = Findings()
        at = 0
        while at < len(data):
            if not self._frame:
                start = data.find(START, at)
                if start != at:
                    found.noise("junk", (len(data) if start < 0 else start) - at)
                if start < 0:
                    break
                at = start
            self._take(data[at], found)
            at += 1
        return found.items

    def reopened(self) -> Sequence[Said | Noise]:
        """Give up a half frame. The numbering goes on: what was lost meanwhile shows as a gap."""
        found = Findings()
        if self._frame:
            found.noise("frame")
            self._frame.clear()
        return found.items

    def _take(self, byte: int, found: Findings) -> None:
        if byte == START:
            if self._frame:
                found.noise("frame")
            self._frame[:] = (byte,)
            self._part = _Part.SEQ
            return
        self._frame.append(byte)
        part = _NEXT.get((self._part, _KINDS[byte]))
        if part is None:
            found.noise("frame")
        elif part is _Part.WHOLE:
            self._finish(bytes(self._frame), found)
        elif len(self._frame) >= _MAX_FRAME:
            found.noise("overrun")
        else:
            self._part = part
            return
        self._frame.clear()

    def _finish(self, frame: bytes, found: Findings) -> None:
        body = _body(frame)
        if check_of(body + bytes([END])) != frame[-2:]:
            found.noise("bcc")
            return
        if body == self._last:
            found.noise("repeat")
            return
        got, expected = body[0] - ord("0"), self._expected()
        report = read_message(chr(body[1]), body[2:])
        if expected is not None and got != expected and not isinstance(report, ShoeStarted):
            found.said(SequenceGap(expected, got), frame, got)
        found.said(report, frame, got)
        self._last = body

    def _expected(self) -> int | None:
        """The number the next frame must have, or None where any will do."""
        if self._last is None or self._last[1] == _POWER_UP:
            return None
        return (self._last[0] - ord("0") + 1) % 10


def _body(frame: bytes) -> bytes:
    """What a frame says: number, code and data, whether or not its 03 arrived."""
    return frame[1:-2].removesuffix(bytes([END]))
