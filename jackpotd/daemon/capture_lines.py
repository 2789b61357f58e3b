"""A capture, line by line: JSON objects that together say everything a controller was told (design 4, `replay`).

Laws
1. The first line may be a header. A capture that says nothing but bytes and acts is whole: what the controller's watch
   would have said is then derived. One whose header says `watch` holds every such word, and nothing is derived.
2. `t` is in seconds after `start`, written to the millisecond; `skew_ms` is what the monotonic clock is ahead of it.
3. What does not fit is refused with its reason; an unknown key too, for it may be what somebody relied on.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

import orjson

from jackpotd.daemon.notices import utc_text
from jackpotd.ledger.port import LedgerError
from jackpotd.ledger.words import WORDS, ControllerWord

# The longest line holds the parameters of every table and pool, as a row of the ledger may (`MAX_BODY_BYTES`).
MAX_LINE_BYTES = 4 * 1024 * 1024 + 4_096
NIL_UUID = str(UUID(int=0))
_MS_PER_S = 1_000
# Thirty years either way: a clock that was set may run back, but no date leaves the calendar.
_MAX_T_MS = 1_000_000_000_000
_MAX_EPOCH = 1 << 53
_MAX_NAME = 128
_LABEL = re.compile(r"[^\s/]{1,64}/[^\s/]{1,64}")


class CaptureError(Exception):
    """A capture that cannot be replayed; one sentence, which the reader of the file completes with the line."""


class LinkState(StrEnum):
    """GONE: the device is served no more; ANEW: its session was given up without a word on the line."""

    OPEN = "open"
    LOST = "lost"
    GONE = "gone"
    ANEW = "anew"


@dataclass(frozen=True, slots=True)
class Header:
    """When and with which ledger a capture begins. `after`, `head`: the ledger's last row before it, hash in hex.

    `part` counts the files of one start of the controller from 1; `watch` as in law 1.
    """

    start_ms: int = 0
    epoch: int = 1
    ledger: str = NIL_UUID
    after: int = 0
    head: str = ""
    part: int = 1
    monotonic_ms: int = 0
    watch: bool = False


@dataclass(frozen=True, slots=True)
class Bytes:
    """What a device sent, or was sent. `past`: before this file, which only says where the line stands."""

    t_ms: int
    device: str
    data: bytes
    sent: bool = False
    skew_ms: int = 0
    past: bool = False


@dataclass(frozen=True, slots=True)
class Acted:
    """A person's act. `role` as the controller verified it; a replay cannot."""

    t_ms: int
    operator: str
    role: str | None
    op: str
    args: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Worded:
    """A word of the controller's own watch: about a device ("T01/shoe"), a table ("T01"), or itself ("")."""

    t_ms: int
    about: str
    word: ControllerWord


@dataclass(frozen=True, slots=True)
class Linked:
    """What became of a device's link."""

    t_ms: int
    device: str
    state: LinkState


@dataclass(frozen=True, slots=True)
class Clocked:
    """What was known of a device's clock before this file: `DeviceClock.known`."""

    t_ms: int
    device: str
    recent_ms: int
    earlier_ms: int | None
    began_ms: int


Told = Bytes | Acted | Worded | Linked | Clocked
Record = Header | Told


# ---- writing


def t_text(t_ms: int) -> str:
    """Milliseconds as seconds with three decimals; never through a float."""
    sign = "-" if t_ms < 0 else ""
    return f"{sign}{abs(t_ms) // _MS_PER_S}.{abs(t_ms) % _MS_PER_S:03d}"


def line_of(record: Record) -> bytes:
    """A record as its line, with the line's end."""
    if isinstance(record, Header):
        return orjson.dumps(_header_fields(record), option=orjson.OPT_APPEND_NEWLINE)
    rest = orjson.dumps(_fields(record))
    return b'{"t":' + t_text(record.t_ms).encode() + b"," + rest[1:] + b"\n"


def _header_fields(header: Header) -> dict[str, Any]:
    return {
        "start": utc_text(header.start_ms),
        "epoch": header.epoch,
        "ledger": header.ledger,
        "after": header.after,
        "head": header.head,
        "part": header.part,
        "monotonic_ms": header.monotonic_ms,
        "watch": header.watch,
    }


def _fields(record: Told) -> dict[str, Any]:
    match record:
        case Bytes():
            fields: dict[str, Any] = {"device": record.device, "dir": "tx" if record.sent else "rx"}
            fields["hex"] = record.data.hex(" ")
            if record.skew_ms:
                fields["skew_ms"] = record.skew_ms
            return fields | ({"past": True} if record.past else {})
        case Acted():
            role = {} if record.role is None else {"role": record.role}
            return {"operator": record.operator, **role, "op": record.op, "args": record.args}
        case Worded():
            about = {} if not record.about else {"device" if "/" in record.about else "table": record.about}
            return {**about, "word": WORDS.encode(record.word)}
        case Linked():
            return {"device": record.device, "link": record.state}
        case Clocked():
            return {"device": record.device, "clock_ms": [record.recent_ms, record.earlier_ms, record.began_ms]}


# ---- reading


def read_line(line: bytes, *, first: bool) -> Record:
    """The record of a line; CaptureError says what is wrong with it. Only the `first` may be a header."""
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise CaptureError(f"not JSON: {error}") from None
    if type(fields) is not dict:
        raise CaptureError("not a JSON object")
    if "t" not in fields:
        if not first:
            raise CaptureError('no "t"; only the first line may be without one')
        return _read_header(_Fields(fields))
    found = _Fields(fields)
    t_ms = found.t_ms()
    for key, read in _READERS.items():
        if key in fields:
            record = read(found, t_ms)
            found.done()
            return record
    raise CaptureError("says neither hex, op, word, link nor clock_ms")


class _Fields:
    """Takes a line's values one after the other, each of its type; what is left over is unknown."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self._left = fields

    def take(self, key: str, kind: type, default: Any = None, *, needed: bool = False) -> Any:
        if key not in self._left:
            if needed:
                raise CaptureError(f'no "{key}"')
            return default
        value = self._left.pop(key)
        if type(value) is not kind:
            raise CaptureError(f'"{key}" is no {_KINDS[kind]}')
        return value

    def number(self, key: str, default: int, lowest: int, highest: int) -> int:
        value: int = self.take(key, int, default)
        if not lowest <= value <= highest:
            raise CaptureError(f'"{key}" is not between {lowest} and {highest}')
        return value

    def name(self, key: str, default: str | None = None, *, needed: bool = False) -> Any:
        value = self.take(key, str, default, needed=needed)
        if value is not None and not 0 < len(value) <= _MAX_NAME:
            raise CaptureError(f'"{key}" has 1 to {_MAX_NAME} characters')
        return value

    def label(self) -> str:
        value: str = self.name("device", needed=True)
        if _LABEL.fullmatch(value) is None:
            raise CaptureError('"device" is written like T01/shoe')
        return value

    def t_ms(self) -> int:
        value = self._left.pop("t")
        if type(value) not in (int, float) or not abs(value * _MS_PER_S) <= _MAX_T_MS:
            raise CaptureError('"t" is no number of seconds')
        t_ms: int = round(value * _MS_PER_S)
        return t_ms

    def done(self) -> None:
        if self._left:
            raise CaptureError(f"unknown: {', '.join(sorted(self._left))}")


_KINDS = {str: "text", int: "whole number", bool: "true or false", dict: "object", list: "array"}


def _read_header(found: _Fields) -> Header:
    header = Header(
        start_ms=_start_ms(found.take("start", str)),
        epoch=found.number("epoch", 1, 1, _MAX_EPOCH),
        ledger=_uuid(found.take("ledger", str, NIL_UUID)),
        after=found.number("after", 0, 0, _MAX_EPOCH),
        head=found.take("head", str, ""),
        part=found.number("part", 1, 1, _MAX_EPOCH),
        monotonic_ms=found.number("monotonic_ms", 0, 0, _MAX_EPOCH),
        watch=found.take("watch", bool, False),
    )
    found.done()
    return header


def _start_ms(text: str | None) -> int:
    if text is None:
        return 0
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    except (ValueError, OverflowError):
        raise CaptureError('"start" is no UTC time like 2026-11-30T08:00:00.000Z') from None
    return (since.days * 86_400 + since.seconds) * _MS_PER_S + since.microseconds // _MS_PER_S


def _uuid(text: str) -> str:
    try:
        return str(UUID(text))
    except ValueError:
        raise CaptureError('"ledger" is no uuid') from None


def _read_bytes(found: _Fields, t_ms: int) -> Bytes:
    direction = found.take("dir", str, "rx")
    if direction not in ("rx", "tx"):
        raise CaptureError('"dir" is rx or tx')
    try:
        data = bytes.fromhex(found.take("hex", str))
    except ValueError:
        raise CaptureError('"hex" is no bytes in hexadecimal') from None
    skew_ms = found.number("skew_ms", 0, -_MAX_T_MS, _MAX_T_MS)
    past = found.take("past", bool, False)
    return Bytes(t_ms, found.label(), data, direction == "tx", skew_ms, past)


def _read_act(found: _Fields, t_ms: int) -> Acted:
    operator, op = found.name("operator", needed=True), found.name("op", needed=True)
    return Acted(t_ms, operator, found.name("role"), op, found.take("args", dict, {}))


def _read_word(found: _Fields, t_ms: int) -> Worded:
    try:
        word = WORDS.decode(found.take("word", dict))
    except LedgerError as error:
        raise CaptureError(str(error)) from None
    return Worded(t_ms, found.name("table") or found.name("device") or "", word)


def _read_link(found: _Fields, t_ms: int) -> Linked:
    try:
        state = LinkState(found.take("link", str))
    except ValueError:
        raise CaptureError(f'"link" is one of {", ".join(LinkState)}') from None
    return Linked(t_ms, found.label(), state)


def _read_clock(found: _Fields, t_ms: int) -> Clocked:
    match found.take("clock_ms", list):
        case [int(recent_ms), int() | None as earlier_ms, int(began_ms)]:
            return Clocked(t_ms, found.label(), recent_ms, earlier_ms, began_ms)
        case _:
            raise CaptureError('"clock_ms" is three whole numbers, of which the second may be null')


# The key that says what a line is; "t" comes with each.
_READERS: dict[str, Callable[[_Fields, int], Record]] = {
    "hex": _read_bytes,
    "op": _read_act,
    "word": _read_word,
    "link": _read_link,
    "clock_ms": _read_clock,
}
