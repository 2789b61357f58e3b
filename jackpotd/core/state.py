"""The state: a fold of recorded rows, in plain data that a snapshot can hold.

Laws
1. Only `apply` and `note_fact` change it; whoever decides reads it.
2. Account balances are integers of atoms; a pool's pool, reserve and overflow never go below zero.
3. Everything in it is bounded by the number of pools, tables, seats and hits that are not yet paid or rejected;
   settled hits are kept for `KEPT_HITS` and then forgotten (the ledger has them for ever).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2s

from jackpotd.core.entries_hits import Award
from jackpotd.core.entries_site import ClockDoubt
from jackpotd.core.errors import RuleError
from jackpotd.core.facts import By, Fact, TableWord
from jackpotd.core.limits import Limits
from jackpotd.core.money import ZERO, Atoms
from jackpotd.core.parameters import DeviceParams, PoolParams, TableParams
from jackpotd.core.window import Bucket

# Decided hits kept for listings and signs: a busy shift's worth; older ones are in the ledger.
KEPT_HITS = 500
# Why a gaming day is provisional is kept so many times; a clock that is set more often in a day says nothing new.
KEPT_DOUBTS = 32
UNREAD_CARD = "??"
# Moves of bets kept to find the bets of the moment of the lock, which is heard a poll or two later: every place of a
# table filled and emptied once.
KEPT_MOVES = 64
# When a move was made that lay in a journal from before its device was reached.
UNKNOWN_MS = 0
# A pack is known again by so many of its first cards: two seats' round has them. Two honest packs agree in them once in
# 52 * 51 * ... * 38, about 6 * 10^24.
ORDER_CARDS = 15
# Orders kept of a table: some hours of stud; who deals a pack again does so while the players are the same.
KEPT_ORDERS = 100
# Boards that hear bets: a panel, a keypad (its lock may be the earlier one), a combined one.
BET_DEVICE_KINDS = frozenset({1, 2, 5})


class Phase(StrEnum):
    """Where a round stands (design 7). LOCKING: no bet counts any more, bet devices are being heard out."""

    OPEN = "open"
    LOCKING = "locking"
    LOCKED = "locked"
    DEALING = "dealing"
    DEALT = "dealt"
    HELD = "held"


class HitStatus(StrEnum):
    """Where a hit stands (design 7)."""

    PENDING = "pending"
    APPROVED = "approved"
    PAID = "paid"
    REJECTED = "rejected"


UNDECIDED = (HitStatus.PENDING, HitStatus.APPROVED)


@dataclass(slots=True)
class Totals:
    """What a pool has seen in its whole life. None of these ever falls: what is rejected is counted beside."""

    wagered_atoms: Atoms = ZERO  # bets that were accepted; of a bet with levels, this pool's part
    contributed_atoms: Atoms = ZERO  # what of them pool, reserve and overflow took
    locked_atoms: Atoms = ZERO  # prizes, when their hit was locked
    rejected_atoms: Atoms = ZERO  # prizes taken back since
    hits_locked: int = 0
    hits_paid: int = 0
    hits_rejected: int = 0


@dataclass(slots=True)
class Proposal:
    """What one person wants of a pool, until a second one of another role wants the same."""

    act: str
    what: str
    by: By
    why: str
    at_ms: int


@dataclass(slots=True)
class Pool:
    """A linked progressive. The six accounts are its postings summed."""

    params: PoolParams
    file: PoolParams  # what the file said when it was last read
    pool_atoms: Atoms = ZERO
    reserve_atoms: Atoms = ZERO
    overflow_atoms: Atoms = ZERO
    house_atoms: Atoms = ZERO
    wagers_atoms: Atoms = ZERO
    prizes_atoms: Atoms = ZERO
    opening_atoms: Atoms = ZERO  # the meter when the gaming day began
    changed_ms: int = 0  # when the meter last moved
    restarted_ms: int = 0
    suspended: str = ""
    staged: PoolParams | None = None  # in force from the next restart on
    proposal: Proposal | None = None
    retired_ms: int = 0
    retired_to: str = ""
    totals: Totals = field(default_factory=Totals)
    limits: Limits | None = None  # of the breaker; for other parameters than those in force they are none
    window: list[Bucket] = field(default_factory=list)

    @property
    def is_stopped(self) -> bool:
        """Whether it takes and pays nothing: suspended, or retired for good."""
        return bool(self.suspended or self.retired_ms)


@dataclass(slots=True)
class DeviceVote:
    """One person accepts another device at a place."""

    serial: str
    by: By
    at_ms: int


@dataclass(slots=True)
class Device:
    """A device at its place. serial "" until a table-bus board is taken."""

    params: DeviceParams
    serial: str = ""
    kind: int = 0
    journal: int = 0
    online: bool = False
    awaited: bool = False  # it was in step when the controller stopped, and has not been reached since
    fault: str = ""
    why: str = "not yet reached"
    foreign: str = ""  # the serial number of another board that answers here and is not served
    accepted: str = ""  # the serial number that people accepted for this place, until it is taken
    replacements: int = 0
    vote: DeviceVote | None = None  # of the first of the two persons that a replacement takes


@dataclass(slots=True)
class Claim:
    """A dealer's claim of a tier, at a table without card reading."""

    seat: int
    tier: str
    pool: str


@dataclass(slots=True)
class Deferred:
    """A word said while the round was locking."""

    device: str
    word: TableWord
    said_ms: int
    stale: bool


@dataclass(slots=True)
class Move:
    """A bet that came or left: heard at at_ms, made at said_ms, or UNKNOWN_MS."""

    seat: int
    bet: str
    on: bool
    at_ms: int
    said_ms: int


@dataclass(slots=True)
class Shoe:
    """The cards of a baccarat shoe since the burn that began it; none are counted before one (core/shoe.py)."""

    begun: bool = False
    burning: bool = False  # the last card was a burnt one
    cards: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Table:
    """A table and its round. Hands: "0" the dealer, "1".. seats, or "player" and "banker"."""

    params: TableParams
    deals: str = ""  # what of params.deal is in force: a device's name, or "claims"
    devices: dict[str, Device] = field(default_factory=dict)
    open: bool = True
    closed_after: int = 0  # a closed table's: how many hits of the site were locked before
    changed_ms: int = 0
    round: int = 1
    phase: Phase = Phase.OPEN
    bets: dict[int, list[str]] = field(default_factory=dict)
    carried: dict[int, list[str]] = field(default_factory=dict)
    moves: list[Move] = field(default_factory=list)  # the last KEPT_MOVES of this round's bets
    lock_ms: int = 0
    lock_doubt: str = ""  # why the round must be held once it is locked
    waiting: list[str] = field(default_factory=list)
    deferred: list[Deferred] = field(default_factory=list)
    live: dict[str, list[int]] = field(default_factory=dict)  # pool -> seats that take part in this round
    carried_live: dict[str, list[int]] = field(default_factory=dict)  # those of them with a carried bet
    level_of: dict[str, list[str]] = field(default_factory=dict)  # level in play -> the pools whose bets play for it
    taken: list[str] = field(default_factory=list)  # the round's cards as the device that deals gave them
    packets: int = 0
    hands: dict[str, list[str]] = field(default_factory=dict)
    noted: list[str] = field(default_factory=list)
    void_seats: list[int] = field(default_factory=list)  # dealt without a bet (61/2004 11(3))
    folded: list[int] = field(default_factory=list)
    exposed: list[int] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    key_used: bool = False
    hold_code: str = ""
    hold_text: str = ""
    held_ms: int = 0  # when this round was first held
    last_outcome: str = ""
    last_hands: dict[str, list[str]] = field(default_factory=dict)
    shoe: Shoe = field(default_factory=Shoe)
    orders: list[str] = field(default_factory=list)  # of the last KEPT_ORDERS stud packs
    last_by_hand: bool = False  # a supervisor or a void ended the last round: its shoe may still give a result

    @property
    def dealt(self) -> int:
        """How many cards were placed."""
        return len(self.taken)

    @property
    def order(self) -> str:
        """What a stud round's pack is known again by; "" where too few cards came, or one was not read."""
        first = self.taken[:ORDER_CARDS]
        if self.params.game != "stud" or len(first) < ORDER_CARDS or UNREAD_CARD in first:
            return ""
        return blake2s("".join(first).encode("ascii"), digest_size=8).hexdigest()

    def placed_devices(self) -> list[tuple[str, Device]]:
        """The devices in the configuration's order, which a snapshot does not keep."""
        return [(params.name, self.devices[params.name]) for params in self.params.devices]

    def stands_by(self, device: str) -> bool:
        """Whether this device would deal and does not: it neither closes the progressive nor holds a round."""
        if device == self.deals or device not in self.params.deal:
            return False
        return self.devices[device].kind not in BET_DEVICE_KINDS

    def devices_in_use(self) -> list[tuple[str, Device]]:
        """The devices without which the table cannot be counted."""
        return [(name, device) for name, device in self.placed_devices() if not self.stands_by(name)]

    def seats_with(self, *bets: str) -> list[int]:
        """Seats that have any of these bets, in order."""
        return sorted(seat for seat, placed in self.bets.items() if any(bet in placed for bet in bets))


@dataclass(slots=True)
class Hit:
    """One tier of one round of one pool."""

    hit: str
    pool: str
    tier: str
    prize: str
    table: str
    round: int
    at_ms: int
    awards: list[Award]
    from_pool_atoms: Atoms
    from_house_atoms: Atoms
    whole_pool: bool
    late: bool
    grade: str
    number: int  # in the order of settlement; dictionaries come back from a snapshot in the order of their keys
    status: HitStatus = HitStatus.PENDING
    decided_ms: int = 0
    approvals: list[By] = field(default_factory=list)
    rejections: list[By] = field(default_factory=list)
    why: str = ""
    slip: str = ""
    restart_pool_atoms: Atoms = ZERO
    restart_reserve_atoms: Atoms = ZERO
    restart_overflow_atoms: Atoms = ZERO
    restart_house_atoms: Atoms = ZERO

    @property
    def total_atoms(self) -> Atoms:
        """The whole hit, what limits compare (design 7)."""
        return Atoms(self.from_pool_atoms + self.from_house_atoms)


@dataclass(slots=True)
class Alarm:
    """An alarm that is raised and not cleared."""

    alarm: str
    code: str
    text: str
    table: str
    device: str
    since_ms: int
    todo: str
    seen_by: By | None = None
    seen_ms: int = 0


@dataclass(slots=True)
class Operator:
    """A person who may act; the secret lives elsewhere."""

    name: str
    role: str
    unix_user: str
    disabled: bool = False


@dataclass(slots=True)
class State:
    """Everything the controller knows."""

    epoch: int = 0
    day: int = 1
    day_began_ms: int = 0  # 0: the first day, which began with the ledger
    started_ms: int = 0
    hit_count: int = 0
    storage_low: bool = False  # the ledger's disk is nearly full
    clock_synchronised: bool = True
    doubts: list[ClockDoubt] = field(default_factory=list)  # why the day is provisional, the first KEPT_DOUBTS of them
    pools: dict[str, Pool] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    hits: dict[str, Hit] = field(default_factory=dict)
    alarms: dict[str, Alarm] = field(default_factory=dict)
    operators: dict[str, Operator] = field(default_factory=dict)
    marks: dict[str, int] = field(default_factory=dict)  # "source#journal" -> highest sequence recorded
    last_frames: dict[str, str] = field(default_factory=dict)  # source of a sequenced device -> its last frame, hex


def live_pool(state: State, name: str) -> Pool:
    """The pool of this name; RuleError without one, or when it is retired."""
    pool = state.pools.get(name)
    if pool is None:
        raise RuleError(f"there is no pool {name}; there are {', '.join(sorted(state.pools)) or 'none'}")
    if pool.retired_ms:
        raise RuleError(f"pool {name} is retired")
    return pool


def mark_key(source: str, journal: int) -> str:
    """The key of a high-water mark."""
    return f"{source}#{journal}"


def note_fact(state: State, fact: Fact) -> None:
    """Fold a fact's identity: its mark, and a sequenced device's last frame (a repeat of it counts for nothing)."""
    state.marks[f"{fact.source}#{fact.journal}"] = fact.seq
    if fact.grade == "sequenced" and fact.raw:
        state.last_frames[fact.source] = fact.raw
