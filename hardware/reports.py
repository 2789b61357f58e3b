"""Reports: what a device said, decoded, before any table, pool or time is bound to it.

Laws
1. Reports are frozen and own their bytes; `Said.raw` is the exact frame or token that carried the report.
2. A decoder never guesses: what it cannot read is `Noise`, counted by reason, or a report that says so.
3. Cards are two characters, rank `23456789TJQKA` then suit `SHCD`: "8S", "TH".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol


class Grade(StrEnum):
    """How far a dialect can prove that nothing was lost (devices.md)."""

    JOURNALED = "journaled"
    SEQUENCED = "sequenced"
    BARE = "bare"


class Target(StrEnum):
    """Where a shoe says a card went. OUTSIDE is a card drawn outside play (locked, error or setting mode)."""

    PLAYER = "player"
    BANKER = "banker"
    BURN = "burn"
    OUTSIDE = "outside"


# ---- shoes and card readers


@dataclass(frozen=True, slots=True)
class CardOut:
    """A card left the device. `target` and `index` (1..3) only where the shoe names them; `again`: a retransmission."""

    card: str
    target: Target | None = None
    index: int | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class CardUnreadable:
    """A card left the device and could not be read."""


@dataclass(frozen=True, slots=True)
class ShoeResult:
    """The shoe's own result. `outcome`: player, banker, tie or forced_quit."""

    outcome: str
    player_pair: bool
    banker_pair: bool


@dataclass(frozen=True, slots=True)
class ShoeFault:
    """An error raised (`raised`) or cleared by a shoe; `code` as the shoe numbers it, `text` in plain words."""

    code: str
    text: str
    raised: bool


@dataclass(frozen=True, slots=True)
class ShoeNotice:
    """Something that changes no round: cut_card, standby, locked, unlocked, preset, burn_count, warning, ..."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class ShoeStarted:
    """The shoe powered up (Angel Eye `S`)."""


@dataclass(frozen=True, slots=True)
class SequenceGap:
    """A sequenced link skipped from `expected` to `got`: something was lost before the report that follows."""

    expected: int
    got: int


# ---- table bus events (devices.md section 3)


@dataclass(frozen=True, slots=True)
class DeviceStarted:
    """01"""

    boot: int


@dataclass(frozen=True, slots=True)
class BetMoved:
    """10 placed (`on`) / 11 removed. `place` as on the wire."""

    seat: int
    place: int
    on: bool


@dataclass(frozen=True, slots=True)
class Places:
    """12, the answer to command 04: bit n of `mask` = place n of `seat` is occupied."""

    seat: int
    mask: int


@dataclass(frozen=True, slots=True)
class BetsLocked:
    """20"""


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """21"""


@dataclass(frozen=True, slots=True)
class VoidPressed:
    """22. reason: misdeal, exposed, shuffler or other."""

    reason: str


@dataclass(frozen=True, slots=True)
class CardExposed:
    """23. position 0 dealer, else seat."""

    position: int


@dataclass(frozen=True, slots=True)
class Folded:
    """24"""

    seat: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """25. tier 1 = highest tier of the pool; pool 0 = the table's first."""

    seat: int
    tier: int
    pool: int


@dataclass(frozen=True, slots=True)
class KeyTurned:
    """26"""

    key: int


@dataclass(frozen=True, slots=True)
class ShufflerFault:
    """40"""

    code: int


@dataclass(frozen=True, slots=True)
class ShufflerReady:
    """41"""


@dataclass(frozen=True, slots=True)
class PacketOut:
    """42"""

    count: int


@dataclass(frozen=True, slots=True)
class UnknownEvent:
    """An event whose code is unknown, foreign to the device's kind, or whose data does not fit. `data` is hex."""

    code: int
    data: str
    why: str


Report = (
    CardOut
    | CardUnreadable
    | ShoeResult
    | ShoeFault
    | ShoeNotice
    | ShoeStarted
    | SequenceGap
    | DeviceStarted
    | BetMoved
    | Places
    | BetsLocked
    | RoundEnded
    | VoidPressed
    | CardExposed
    | Folded
    | Claimed
    | KeyTurned
    | ShufflerFault
    | ShufflerReady
    | PacketOut
    | UnknownEvent
)


class Said(NamedTuple):
    """One report with its bytes. `seq`: the device's own number (event id, or None); `device_ms`: its own clock.

    A tuple, which is made in a third of the time: every event passes here.
    """

    what: Report
    raw: bytes
    seq: int | None = None
    device_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Noise:
    """Bytes that carried nothing. `reason`: a short fixed word (bcc, overrun, repeat, ...), also a metric label."""

    reason: str
    count: int


class StreamDriver(Protocol):
    """A pure decoder of a device that talks unasked: bounded buffer, linear time, any split gives the same reports."""

    grade: Grade

    def feed(self, data: bytes) -> Sequence[Said | Noise]:
        """Take any bytes; return what they completed, in order."""
        ...

    def reopened(self) -> Sequence[Said | Noise]:
        """The link was closed and opened again: a half frame in the buffer is given up, as Noise."""
        ...
