"""Entries about the controller, the pools' and tables' configuration, days, people, alarms and devices."""

from __future__ import annotations

from dataclasses import dataclass

from jackpotd.core.facts import By
from jackpotd.core.limits import Limits
from jackpotd.core.money import Atoms
from jackpotd.core.parameters import PoolParams, TableParams
from jackpotd.core.postings import Posting


@dataclass(frozen=True, slots=True)
class EpochBegan:
    """A controller leads: epoch = max(last + 1, Unix seconds) (design 6)."""

    at_ms: int
    epoch: int
    version: str
    config_hash: str
    package_hash: str


@dataclass(frozen=True, slots=True)
class PoolOpened:
    """A new pool starts at its seed; the house pays it (design 7)."""

    at_ms: int
    params: PoolParams
    postings: tuple[Posting, ...]


@dataclass(frozen=True, slots=True)
class StorageNoted:
    """The ledger's disk is nearly full (`low`): no bet is taken until it has room again."""

    at_ms: int
    low: bool


@dataclass(frozen=True, slots=True)
class ClockNoted:
    """The machine's clock is synchronised; or it is not known to be, and the gaming day is provisional."""

    at_ms: int
    day: int
    synchronised: bool


@dataclass(frozen=True, slots=True)
class ClockJumped:
    """The machine's clock was set by so much, and the gaming day is provisional; at_ms: by the clock as it is now."""

    at_ms: int
    day: int
    by_ms: int


@dataclass(frozen=True, slots=True)
class BreakerArmed:
    """From now on the pool's breaker compares with these limits, and counts afresh."""

    at_ms: int
    limits: Limits


@dataclass(frozen=True, slots=True)
class TableSet:
    """A table is configured, new or otherwise than before."""

    at_ms: int
    params: TableParams


@dataclass(frozen=True, slots=True)
class TableOpened:
    """A supervisor opened the table."""

    at_ms: int
    table: str
    by: By


@dataclass(frozen=True, slots=True)
class TableClosed:
    """A supervisor closed the table."""

    at_ms: int
    table: str
    by: By


@dataclass(frozen=True, slots=True)
class DealChanged:
    """A supervisor has the table deal from another device, or from "claims"; was: the one before (61/2004 11(4))."""

    at_ms: int
    table: str
    deal: str
    was: str
    by: By
    why: str


@dataclass(frozen=True, slots=True)
class DayMeter:
    """A pool's amounts at the ends of a gaming day."""

    pool: str
    opening_atoms: Atoms
    closing_atoms: Atoms


@dataclass(frozen=True, slots=True)
class ClockDoubt:
    """Why the times of a gaming day are not proved: the clock "jumped" by so much, or is "unsynchronised"."""

    at_ms: int
    why: str
    by_ms: int


@dataclass(frozen=True, slots=True)
class DayProvisional:
    """The gaming day that ends now is provisional, since its clock was in doubt; `DayClosed` follows."""

    at_ms: int
    day: int
    doubts: tuple[ClockDoubt, ...]


@dataclass(frozen=True, slots=True)
class DayClosed:
    """The gaming day ends and the next begins; what it leaves open is named."""

    at_ms: int
    day: int
    by: By
    meters: tuple[DayMeter, ...]
    held_rounds: tuple[str, ...]
    pending_hits: tuple[str, ...]
    carried_bets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FactsArchived:
    """The payloads of facts of the rows `first` to `last` are in an archive from now on; fields as in the act."""

    at_ms: int
    by: By
    day: int
    first: int
    last: int
    closed: int
    facts: int
    rows: str
    sha256: str
    file: str


@dataclass(frozen=True, slots=True)
class OperatorChanged:
    """change: added, disabled or password (another one); never the secret."""

    at_ms: int
    by: By
    name: str
    role: str
    unix_user: str
    change: str


@dataclass(frozen=True, slots=True)
class AlarmRaised:
    """Something needs a person; todo: what to do."""

    at_ms: int
    alarm: str
    code: str
    text: str
    table: str
    device: str
    todo: str


@dataclass(frozen=True, slots=True)
class AlarmCleared:
    """The cause is gone."""

    at_ms: int
    alarm: str


@dataclass(frozen=True, slots=True)
class AlarmAcknowledged:
    """Someone has seen the alarm, which stays until its cause is gone; seen: the text of one of the shell's own."""

    at_ms: int
    alarm: str
    by: By
    seen: str


@dataclass(frozen=True, slots=True)
class DeviceTaken:
    """The board at a place is known: its serial number, its journal, and the event id committed so far."""

    at_ms: int
    table: str
    device: str
    serial: str
    device_kind: int
    journal: int
    mark: int


@dataclass(frozen=True, slots=True)
class JournalMoved:
    """Events up to `mark` of this journal will never come: the device no longer has them."""

    at_ms: int
    table: str
    device: str
    mark: int


@dataclass(frozen=True, slots=True)
class DeviceOnline:
    """The device is reached and has nothing old left to say."""

    at_ms: int
    table: str
    device: str


@dataclass(frozen=True, slots=True)
class DeviceOffline:
    """The device is not reached."""

    at_ms: int
    table: str
    device: str
    why: str


@dataclass(frozen=True, slots=True)
class DeviceFaulted:
    """The device's own fault, or "" when it has cleared it."""

    at_ms: int
    table: str
    device: str
    fault: str


@dataclass(frozen=True, slots=True)
class DeviceForeign:
    """A board of another serial number answers at this place, and is not served; "": no other does any more."""

    at_ms: int
    table: str
    device: str
    serial: str


@dataclass(frozen=True, slots=True)
class DeviceVoted:
    """The first of two persons accepts what stands at this place now. serial "": a device that has none."""

    at_ms: int
    table: str
    device: str
    serial: str
    by: By
    why: str


@dataclass(frozen=True, slots=True)
class DeviceReplaced:
    """Technician and supervisor accepted another device at this place. was: the serial number before it."""

    at_ms: int
    table: str
    device: str
    serial: str
    was: str
    by: tuple[By, ...]
    why: str
