"""Facts: what devices, people and the controller's own watch said, bound to a table and to a time.

Laws
1. A fact is what was said, never what it means; entries say what it meant.
2. (source, journal, seq) names a fact for ever: a serial number and its journal, a device, an operator, the controller.
3. Times are UTC milliseconds given by the shell. `at_ms`: taken in; `said_ms`: when it happened by the device's own
   clock, mapped to the controller's. `stale`: it lay in a journal from before the device was last
   reached, or was heard so late that nobody knows when it was said.
"""

from __future__ import annotations

from dataclasses import dataclass

from jackpotd.core.acts import (
    AcknowledgeAlarm,
    Act,
    AdjustPool,
    ApplyPool,
    ApproveHit,
    ArchiveFacts,
    By,
    ChangeDeal,
    ChangeOperator,
    CloseDay,
    CloseTable,
    ConfirmRound,
    EnterCard,
    NameDealtSeats,
    OpenTable,
    PayHit,
    RefundBet,
    RefuseClaim,
    RejectHit,
    ReplaceDevice,
    ResumePool,
    RetirePool,
    SuspendPool,
    TransferPool,
    VoidRound,
)
from jackpotd.core.limits import Limits
from jackpotd.core.parameters import PoolParams, TableParams

__all__ = [
    "AcknowledgeAlarm",
    "Act",
    "AdjustPool",
    "ApplyPool",
    "ApproveHit",
    "ArchiveFacts",
    "By",
    "ChangeDeal",
    "ChangeOperator",
    "CloseDay",
    "CloseTable",
    "ConfirmRound",
    "EnterCard",
    "NameDealtSeats",
    "OpenTable",
    "PayHit",
    "RefundBet",
    "RefuseClaim",
    "RejectHit",
    "ReplaceDevice",
    "ResumePool",
    "RetirePool",
    "SuspendPool",
    "TransferPool",
    "VoidRound",
]

# ---- what shoes and readers say


@dataclass(frozen=True, slots=True)
class CardRead:
    """A card left the device. target: player, banker, burn, outside or None; index 1..3; again: a retransmission."""

    card: str
    target: str | None = None
    index: int | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class CardUnread:
    """A card left the device and could not be read."""


@dataclass(frozen=True, slots=True)
class ResultSaid:
    """The shoe's own result: player, banker, tie or forced_quit."""

    outcome: str
    player_pair: bool
    banker_pair: bool


@dataclass(frozen=True, slots=True)
class DeviceNotice:
    """Something recorded that changes no round: cut card, standby, a warning."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class DeviceFault:
    """A device reports an error raised or cleared."""

    code: str
    text: str
    raised: bool


@dataclass(frozen=True, slots=True)
class DeviceStarted:
    """A device powered up. boot 0 where it has no boot number."""

    boot: int


@dataclass(frozen=True, slots=True)
class SequenceGap:
    """A numbered link skipped numbers: something was lost."""

    expected: int
    got: int


@dataclass(frozen=True, slots=True)
class UnknownSaid:
    """An event nobody knows, or not this device's to send."""

    code: int
    data: str
    why: str


# ---- what panels, keypads and shufflers say


@dataclass(frozen=True, slots=True)
class BetMoved:
    """A chip on a place: ante, raise, player, banker, tie, progressive:<pool>; unknown:<n> for a place with no bet."""

    seat: int
    bet: str
    on: bool


@dataclass(frozen=True, slots=True)
class PlacesSaid:
    """The answer to "report all places": these are occupied. It places no bet."""

    seat: int
    bets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BetsLocked:
    """The dealer's "bets locked"."""


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The dealer's "round ended"."""


@dataclass(frozen=True, slots=True)
class VoidPressed:
    """The dealer's "void": misdeal, exposed, shuffler or other."""

    reason: str


@dataclass(frozen=True, slots=True)
class CardExposed:
    """A card was wrongly turned up. position 0: the dealer's, else a seat's."""

    position: int


@dataclass(frozen=True, slots=True)
class Folded:
    """A seat gave up (61/2004 6(7))."""

    seat: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claim at a table without card reading. tier 1 is the pool's highest; pool 0 the table's first."""

    seat: int
    tier: int
    pool: int


@dataclass(frozen=True, slots=True)
class KeyTurned:
    """A supervisor's key was turned at the keypad."""

    key: int


@dataclass(frozen=True, slots=True)
class ShufflerFault:
    """The shuffler failed."""

    code: int


@dataclass(frozen=True, slots=True)
class ShufflerReady:
    """The shuffler is ready again."""


@dataclass(frozen=True, slots=True)
class PacketOut:
    """A packet of so many cards left the shuffler."""

    count: int


# ---- what the controller's own watch saw of a device


@dataclass(frozen=True, slots=True)
class DeviceHello:
    """A table-bus device answered OPEN. An empty journal says oldest = newest + 1."""

    serial: str
    device_kind: int
    boot: int
    oldest: int
    newest: int


@dataclass(frozen=True, slots=True)
class DeviceBack:
    """The device is reached and has nothing old left to say."""


@dataclass(frozen=True, slots=True)
class DeviceLost:
    """The device is not reached any more."""

    why: str


@dataclass(frozen=True, slots=True)
class JournalGap:
    """The device no longer holds events before `oldest` that were never committed."""

    oldest: int


@dataclass(frozen=True, slots=True)
class Drained:
    """A bet device had nothing new to say after the lock began."""


@dataclass(frozen=True, slots=True)
class TimedOut:
    """A wait of the table's took too long: "lock" or "deal". round and since_ms (the table's changed_ms) name it."""

    wait: str
    round: int
    since_ms: int


# ---- what the controller says of itself


@dataclass(frozen=True, slots=True)
class ControllerStarted:
    """A controller starts leading. unix_s feeds the epoch."""

    version: str
    config_hash: str
    package_hash: str
    unix_s: int


@dataclass(frozen=True, slots=True)
class SiteConfigured:
    """The configuration as read: all pools and tables."""

    pools: tuple[PoolParams, ...]
    tables: tuple[TableParams, ...]


@dataclass(frozen=True, slots=True)
class LimitsComputed:
    """What is credible of a pool with these parameters, computed from its exact odds."""

    limits: Limits


@dataclass(frozen=True, slots=True)
class ChainBroken:
    """The background check found the ledger's chain broken at a row."""

    row: int
    why: str


@dataclass(frozen=True, slots=True)
class StorageSaid:
    """The ledger's disk has less free space than its bound (`low`), or has enough again. Bytes."""

    low: bool
    free_bytes: int
    bound_bytes: int


@dataclass(frozen=True, slots=True)
class ClockSaid:
    """Whether the machine's clock is synchronised, by how much it was set just now (0: it was not), and whether it has

    been `calm` since: for long enough without being set.
    """

    synchronised: bool
    jump_ms: int
    calm: bool


ShoeWord = CardRead | CardUnread | ResultSaid | DeviceNotice | DeviceFault | DeviceStarted | SequenceGap | UnknownSaid
BetWord = BetMoved | PlacesSaid | BetsLocked
DealerWord = RoundEnded | VoidPressed | CardExposed | Folded | Claimed | KeyTurned
ShufflerWord = ShufflerFault | ShufflerReady | PacketOut
WatchWord = DeviceHello | DeviceBack | DeviceLost | JournalGap | Drained | TimedOut
TableWord = ShoeWord | BetWord | DealerWord | ShufflerWord | WatchWord
What = TableWord | ControllerStarted | SiteConfigured | LimitsComputed | ChainBroken | StorageSaid | ClockSaid | Act


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing said. table and device are "" where there is none; raw: the bytes that carried it, in hex."""

    source: str
    journal: int
    seq: int
    at_ms: int
    said_ms: int
    table: str
    device: str
    grade: str
    raw: str
    stale: bool
    what: What
