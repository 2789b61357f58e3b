"""Events of the table bus (devices.md section 3): code and data to reports and back.

Laws
1. Every event gives a report. A code that is unknown, foreign to the device's kind, or sent without the key it needs,
   and data that does not fit, give `UnknownEvent`, so that it is committed raw, acknowledged, and holds.
2. One table says for each code who may send it, how long its data is and what it means.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import assert_never

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
    PacketOut,
    Places,
    Report,
    RoundEnded,
    ShufflerFault,
    ShufflerReady,
    UnknownEvent,
    VoidPressed,
)

RANKS = "A23456789TJQK"
SUITS = "DCHS"  # 0 diamond, 1 club, 2 heart, 3 spade
PLACES = frozenset({0, 1, 2, 3, 8, 9})
VOID_REASONS = {1: "misdeal", 2: "exposed", 3: "shuffler", 9: "other"}

_VOID_CODES = {reason: code for code, reason in VOID_REASONS.items()}
_REMEMBERED = 1024  # every bet, card and key of a table is a few hundred (code, data) pairs


class Kind(IntEnum):
    """What a device is, as its HELLO says."""

    BET_PANEL = 1
    DEALER_KEYPAD = 2
    SHUFFLER = 3
    CARD_READER = 4
    COMBINED = 5


BusEvent = (
    DeviceStarted
    | BetMoved
    | Places
    | BetsLocked
    | RoundEnded
    | VoidPressed
    | CardExposed
    | Folded
    | Claimed
    | KeyTurned
    | CardOut
    | CardUnreadable
    | ShufflerFault
    | ShufflerReady
    | PacketOut
    | UnknownEvent
)


@dataclass(frozen=True, slots=True)
class _Rule:
    """Who may send a code, the sizes its data may have, whether it needs a key, and its reading (None: ill-formed)."""

    kinds: frozenset[Kind]
    sizes: frozenset[int]
    read: Callable[[bytes], Report | None]
    needs_key: bool = False


def _moved(data: bytes, *, on: bool) -> Report | None:
    return BetMoved(data[0], data[1], on) if data[0] > 0 and data[1] in PLACES else None


def _places(data: bytes) -> Report | None:
    return Places(data[0], int.from_bytes(data[1:], "little")) if data[0] > 0 else None


def _void(data: bytes) -> Report | None:
    reason = VOID_REASONS.get(data[0])
    return None if reason is None else VoidPressed(reason)


def _fold(data: bytes) -> Report | None:
    return Folded(data[0]) if data[0] > 0 else None


def _claim(data: bytes) -> Report | None:
    return Claimed(data[0], data[1], data[2] if len(data) > 2 else 0) if data[0] > 0 and data[1] > 0 else None


def _card(data: bytes) -> Report | None:
    rank, suit = data[0] & 0x0F, data[0] >> 4
    return CardOut(RANKS[rank - 1] + SUITS[suit]) if 1 <= rank <= 13 and suit <= 3 else None


_EVERYONE = frozenset(Kind)
_PANELS = frozenset({Kind.BET_PANEL, Kind.COMBINED})
_KEYPADS = frozenset({Kind.DEALER_KEYPAD, Kind.COMBINED})
_READERS = frozenset({Kind.CARD_READER, Kind.SHUFFLER, Kind.COMBINED})
_SHUFFLERS = frozenset({Kind.SHUFFLER, Kind.COMBINED})

_RULES: dict[int, _Rule] = {
    0x01: _Rule(_EVERYONE, frozenset({4}), lambda data: DeviceStarted(int.from_bytes(data, "little"))),
    0x10: _Rule(_PANELS, frozenset({2}), lambda data: _moved(data, on=True)),
    0x11: _Rule(_PANELS, frozenset({2}), lambda data: _moved(data, on=False)),
    0x12: _Rule(_PANELS, frozenset({3}), _places),
    0x20: _Rule(_KEYPADS, frozenset({0}), lambda _: BetsLocked()),
    0x21: _Rule(_KEYPADS, frozenset({0}), lambda _: RoundEnded()),
    0x22: _Rule(_KEYPADS, frozenset({1}), _void),
    0x23: _Rule(_KEYPADS, frozenset({1}), lambda data: CardExposed(data[0])),
    0x24: _Rule(_KEYPADS, frozenset({1}), _fold),
    0x25: _Rule(_KEYPADS, frozenset({2, 3}), _claim, needs_key=True),
    0x26: _Rule(_KEYPADS, frozenset({1}), lambda data: KeyTurned(data[0]), needs_key=True),
    0x30: _Rule(_READERS, frozenset({1}), _card),
    0x31: _Rule(_READERS, frozenset({0}), lambda _: CardUnreadable()),
    0x40: _Rule(_SHUFFLERS, frozenset({1}), lambda data: ShufflerFault(data[0])),
    0x41: _Rule(_SHUFFLERS, frozenset({0}), lambda _: ShufflerReady()),
    0x42: _Rule(_SHUFFLERS, frozenset({1}), lambda data: PacketOut(data[0])),
}


@lru_cache(maxsize=_REMEMBERED)  # reports are frozen, so one value may serve every event that says the same
def decode_event(code: int, data: bytes, kind: Kind, keyed: bool) -> Report:  # noqa: FBT001 - the cache is faster by position
    """The report of one event; `keyed`: its device has a key (claims and supervisor keys count only then)."""
    rule = _RULES.get(code)
    if rule is None:
        return UnknownEvent(code, data.hex(), "unknown code")
    if kind not in rule.kinds:
        return UnknownEvent(code, data.hex(), f"foreign to a {kind.name.lower().replace('_', ' ')}")
    if rule.needs_key and not keyed:
        return UnknownEvent(code, data.hex(), "needs a device with a key")
    what = rule.read(data) if len(data) in rule.sizes else None
    return UnknownEvent(code, data.hex(), "ill-formed data") if what is None else what


def encode_event(event: BusEvent) -> tuple[int, bytes]:
    """Code and data of an event; an `UnknownEvent` gives back what it was read from."""
    match event:
        case DeviceStarted(boot):
            return 0x01, boot.to_bytes(4, "little")
        case BetMoved(seat, place, on):
            return 0x10 if on else 0x11, bytes((seat, place))
        case Places(seat, mask):
            return 0x12, bytes((seat,)) + mask.to_bytes(2, "little")
        case BetsLocked():
            return 0x20, b""
        case RoundEnded():
            return 0x21, b""
        case VoidPressed(reason):
            return 0x22, bytes((_VOID_CODES[reason],))
        case CardExposed(position):
            return 0x23, bytes((position,))
        case Folded(seat):
            return 0x24, bytes((seat,))
        case Claimed(seat, tier, pool):
            return 0x25, bytes((seat, tier, pool)) if pool else bytes((seat, tier))
        case KeyTurned(key):
            return 0x26, bytes((key,))
        case CardOut(card):
            return 0x30, bytes(((RANKS.index(card[0]) + 1) | SUITS.index(card[1]) << 4,))
        case CardUnreadable():
            return 0x31, b""
        case ShufflerFault(code):
            return 0x40, bytes((code,))
        case ShufflerReady():
            return 0x41, b""
        case PacketOut(count):
            return 0x42, bytes((count,))
        case UnknownEvent(code, data):
            return code, bytes.fromhex(data)
        case _:
            assert_never(event)
