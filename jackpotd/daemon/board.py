"""The board: the committed picture that publisher, devices, console and metrics look at.

Laws
1. It changes only after a commit, to exactly what was committed; nobody sees a decision before it is on disk.
2. Readers never wait for it and never change it: views are frozen.
3. Closing needs no commit: `suspend` takes effect at once and covers what the ledger says.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from jackpotd.core import entries as e
from jackpotd.core.closing import why_closed
from jackpotd.core.money import minor_units
from jackpotd.core.state import Alarm, Device, Hit, HitStatus, Phase, Pool, State, Table
from jackpotd.daemon.engine import Committed
from jackpotd.daemon.outputs import TableOutputs, outputs

# Entries after which every table may look different: prizes, people's decisions, configuration.
_TOUCH_ALL = frozenset(
    {
        e.PrizeLocked,
        e.HitApproved,
        e.HitRejected,
        e.PoolSuspended,
        e.StorageNoted,
        e.PoolResumed,
        e.PoolTransferred,
        e.PoolRetired,
        e.TableSet,
        e.TableOpened,
        e.TableClosed,
        e.DealChanged,
        e.DeviceReplaced,
        e.EpochBegan,
        e.RoundVoided,
        e.BetRefunded,
        e.RoundConfirmed,
        e.CardEntered,
        e.SeatsDealt,
        e.ClaimRefused,
    }
)
_TOUCH_HITS = frozenset({e.HitVoted, e.HitPaid, e.ClockJumped})
_TOUCH_ALARMS = frozenset({e.AlarmRaised, e.AlarmCleared, e.AlarmAcknowledged})
_TOUCH_DAY = frozenset({e.DayClosed, e.ClockNoted, e.ClockJumped})
_TOUCH_DEVICES = frozenset(
    {
        e.EpochBegan,
        e.TableSet,
        e.DeviceTaken,
        e.DeviceOnline,
        e.DeviceOffline,
        e.DeviceFaulted,
        e.DeviceForeign,
        e.DeviceVoted,
        e.DeviceReplaced,
    }
)


@dataclass(frozen=True, slots=True)
class MeterView:
    """A pool as the public sees it; `heard_ns`: when the byte that last moved it was read."""

    pool: str
    amount_minor: int
    state: str  # live | pending | suspended
    currency: str
    exponent: int
    seq: int
    heard_ns: int
    retired_ms: int = 0
    show_for_ms: int = 0  # after its retirement


@dataclass(frozen=True, slots=True)
class WinnerView:
    """A seat's part of a hit."""

    table: str
    seat: int
    amount_minor: int


@dataclass(frozen=True, slots=True)
class HitView:
    """A hit as signs, people and listings see it."""

    hit: str
    pool: str
    tier: str
    prize: str  # the pool's own name of what the tier wins; the tier itself where it has none
    table: str
    round: int
    at_ms: int
    amount_minor: int
    exponent: int
    winners: tuple[WinnerView, ...]
    status: str
    late: bool
    decided_ms: int
    approvals: tuple[str, ...]
    rejections: tuple[str, ...]
    slip: str
    why: str
    show_for_ms: int
    seq: int


@dataclass(frozen=True, slots=True)
class ClaimView:
    """A dealer's claim that waits for a supervisor's key and cards."""

    seat: int
    tier: str
    pool: str


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as the console, the signs and people see it."""

    table: str
    game: str
    phase: str
    why: str  # why the progressive is closed; "" when it is open
    seats: dict[int, tuple[str, ...]]
    carried: dict[int, tuple[str, ...]]
    deals: str
    devices: dict[str, str]
    round: str
    hands: dict[str, tuple[str, ...]]
    noted: tuple[str, ...]  # cards that came and have no place in a hand
    claims: tuple[ClaimView, ...]
    key_used: bool  # a supervisor's key was turned in this round
    last_outcome: str
    last_hands: dict[str, tuple[str, ...]]
    outputs: TableOutputs
    waiting: tuple[str, ...]  # bet devices that must be heard out before the round locks
    changed_ms: int
    deal_timeout_ms: int
    seq: int


@dataclass(frozen=True, slots=True)
class DeviceView:
    """A device at its place, as people see it."""

    label: str
    driver: str
    serial: str
    state: str  # online | offline
    why: str  # why it is offline, or the error that it shows
    foreign: str  # another board that answers here
    accepted_by: str  # the first of the two persons who accept it


@dataclass(slots=True)
class Board:
    """The latest committed views, and who wants to know that they changed."""

    meters: dict[str, MeterView] = field(default_factory=dict)
    tables: dict[str, TableView] = field(default_factory=dict)
    hits: dict[str, HitView] = field(default_factory=dict)
    alarms: dict[str, Alarm] = field(default_factory=dict)
    devices: dict[str, DeviceView] = field(default_factory=dict)
    epoch: int = 0
    seq: int = 0
    day: int = 1
    provisional: tuple[e.ClockDoubt, ...] = ()  # why the day is
    suspended: str = ""
    listeners: list[Callable[[], None]] = field(default_factory=list)

    def show(self, state: State, seq: int, heard_ns: int) -> None:
        """Show everything anew (at the start)."""
        self.epoch, self.seq = state.epoch, seq
        self._show_day(state)
        self._show_pools(state, heard_ns)
        self._show_hits(state)
        for table in state.tables.values():
            self._show_table(state, table)
        self.alarms = dict(state.alarms)
        self._show_devices(state)
        self._tell()

    def committed(self, state: State, committed: Committed) -> None:
        """An engine's observer: show what this commit touched."""
        self.epoch, self.seq = state.epoch, committed.head.seq
        if committed.kinds & _TOUCH_DAY:
            self._show_day(state)
        self._show_pools(state, committed.heard_ns)
        touched = {fact.table for fact, _ in committed.facts if fact.table}
        if committed.kinds & _TOUCH_ALL:
            self._show_hits(state)
            touched = set(state.tables)
        elif committed.kinds & _TOUCH_HITS:
            self._show_hits(state)
        for name in sorted(touched):  # one order in every process, so that a run can be repeated
            self._show_table(state, state.tables[name])
        if committed.kinds & _TOUCH_ALARMS:
            self.alarms = dict(state.alarms)
        if committed.kinds & _TOUCH_DEVICES:
            self._show_devices(state)
        self._tell()

    def suspend(self, why: str) -> None:
        """The ledger cannot be written (or can again: ""): every meter says so at once."""
        if why != self.suspended:
            self.suspended = why
            self._tell()

    def _tell(self) -> None:
        for listener in self.listeners:
            listener()

    def _show_day(self, state: State) -> None:
        self.day, self.provisional = state.day, tuple(state.doubts)

    def _show_pools(self, state: State, heard_ns: int) -> None:
        pending = {hit.pool for hit in state.hits.values() if hit.status is HitStatus.PENDING}
        for name, pool in state.pools.items():
            amount = minor_units(pool.pool_atoms)
            stopped = pool.suspended or pool.retired_ms
            status = "suspended" if stopped else "pending" if name in pending else "live"
            shown = self.meters.get(name)
            now = (amount, status, pool.retired_ms)
            if shown is None or (shown.amount_minor, shown.state, shown.retired_ms) != now:
                self.meters[name] = _meter(name, pool, amount, status, self.seq, heard_ns)

    def _show_hits(self, state: State) -> None:
        self.hits = {hit.hit: _hit_view(state, hit, self._hit_seq(hit)) for hit in state.hits.values()}

    def _hit_seq(self, hit: Hit) -> int:
        """The sequence at which the hit's status was first seen, so that signs can order what is said of it."""
        shown = self.hits.get(hit.hit)
        return shown.seq if shown is not None and shown.status == hit.status.value else self.seq

    def _show_devices(self, state: State) -> None:
        views = [
            _device_view(name, device) for name, table in state.tables.items() for device in table.devices.values()
        ]
        self.devices = {view.label: view for view in views}

    def _show_table(self, state: State, table: Table) -> None:
        self.tables[table.params.table] = table_view(state, table, self.seq)


def _meter(name: str, pool: Pool, amount: int, status: str, seq: int, heard_ns: int) -> MeterView:
    params = pool.params
    return MeterView(
        name,
        amount,
        status,
        params.currency,
        params.exponent,
        seq,
        heard_ns,
        retired_ms=pool.retired_ms,
        show_for_ms=params.show_hit_for_ms,
    )


def _device_view(table: str, device: Device) -> DeviceView:
    name, vote = device.params.name, device.vote
    return DeviceView(
        label=f"{table}/{name}",
        driver=device.params.driver,
        serial=device.serial or device.accepted,
        state="online" if device.online else "offline",
        why=device.why or device.fault,
        foreign=device.foreign,
        accepted_by=f"{vote.by.name} ({vote.by.role})" if vote is not None else "",
    )


def _hit_view(state: State, hit: Hit, seq: int) -> HitView:
    pool = state.pools[hit.pool]
    return HitView(
        hit=hit.hit,
        pool=hit.pool,
        tier=hit.tier,
        prize=hit.prize,
        table=hit.table,
        round=hit.round,
        at_ms=hit.at_ms,
        amount_minor=minor_units(hit.total_atoms),
        exponent=pool.params.exponent,
        winners=tuple(WinnerView(hit.table, award.seat, minor_units(award.atoms)) for award in hit.awards),
        status=hit.status.value,
        late=hit.late,
        decided_ms=hit.decided_ms,
        approvals=tuple(f"{by.name} ({by.role})" for by in hit.approvals),
        rejections=tuple(f"{by.name} ({by.role})" for by in hit.rejections),
        slip=hit.slip,
        why=hit.why,
        show_for_ms=pool.params.show_hit_for_ms,
        seq=seq,
    )


def table_view(state: State, table: Table, seq: int) -> TableView:
    """The view of a table as committed."""
    phase, why = table.phase.value, why_closed(state, table)
    if table.phase is Phase.LOCKING:
        phase = Phase.LOCKED.value
    elif table.phase is Phase.OPEN and not table.open:
        phase = "closed"
    return TableView(
        table=table.params.table,
        game=table.params.game,
        phase=phase,
        why=why,
        seats={seat: tuple(bets) for seat, bets in table.bets.items()},
        carried={seat: tuple(pools) for seat, pools in table.carried.items()},
        deals=table.deals,
        devices={name: "online" if device.online else "offline" for name, device in table.devices.items()},
        round=f"{table.params.table}-{table.round}",
        hands={hand: tuple(cards) for hand, cards in table.hands.items()},
        noted=tuple(table.noted),
        claims=tuple(ClaimView(made.seat, made.tier, made.pool) for made in table.claims),
        key_used=table.key_used,
        last_outcome=table.last_outcome,
        last_hands={hand: tuple(cards) for hand, cards in table.last_hands.items()},
        outputs=outputs(state, table, why),
        waiting=tuple(table.waiting),
        changed_ms=table.changed_ms,
        deal_timeout_ms=table.params.deal_timeout_ms,
        seq=seq,
    )


class Wake:
    """A listener that lets one task wait for the next change."""

    def __init__(self, board: Board) -> None:
        self._event = asyncio.Event()
        board.listeners.append(self.set)

    def set(self) -> None:
        """Wake the task."""
        self._event.set()

    async def wait(self, timeout_s: float) -> bool:
        """True when something changed since the last call, False after `timeout_s`."""
        try:
            async with asyncio.timeout(timeout_s):
                await self._event.wait()
        except TimeoutError:
            return False
        self._event.clear()
        return True
