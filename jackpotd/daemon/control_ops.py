"""The operations of the control socket: what each asks for, who may ask, what is answered (design 4).

Laws
1. The operations are a table; who may ask stands in it, and the core checks the role once more.
2. What a person does is answered when the ledger has it, or with the reason why not; never before (design 1, law 1).
3. Every change of an operator is an entry of the ledger without the secret; changes happen one after the other.
"""

from __future__ import annotations

import asyncio
import logging
import pwd
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Any, assert_never

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.state import State
from jackpotd.daemon.board import Board
from jackpotd.daemon.books import Books
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.control_views import (
    alarm_view,
    day_view,
    device_view,
    hit_view,
    replacement_view,
    status_view,
    table_view,
)
from jackpotd.daemon.engine import Committed, Engine, settled_future
from jackpotd.daemon.identity import Caller, Identity, RefusedError
from jackpotd.daemon.inbox import Inbox, Item
from jackpotd.daemon.ledger_ops import drop_payloads, register_archive
from jackpotd.daemon.operators import Operators, OperatorsError, Record
from jackpotd.daemon.pool_views import pool_sheet
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.messages import control as m

log = logging.getLogger(__name__)

Result = dict[str, Any] | list[dict[str, Any]]


@dataclass(slots=True)
class Desk:
    """What the operations work with. `about` and `reload` are the composition root's: the controller itself."""

    engine: Engine
    inbox: Inbox
    board: Board
    books: Books
    clock: Clock
    alarms: ShellAlarms
    operators: Operators
    identity: Identity
    about: Callable[[], dict[str, Any]]
    reload: Callable[[], Awaitable[dict[str, Any]]]
    changing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def act(self, by: f.By, word: f.Act) -> list[e.Entry]:
        """Have an act decided and committed: what it led to. RuleError when it is refused."""
        entries: list[e.Entry] = []

        def seen(_state: State, committed: Committed) -> None:
            for fact, found in committed.facts:
                if fact.what is word:
                    entries.extend(found)

        future, settled = settled_future(asyncio.get_running_loop())
        now = self.clock.utc_ms()
        item = Item("", "", word, now, now, self.clock.monotonic_ns(), operator=by.name, settled=settled)
        self.engine.observers.append(seen)
        try:
            self.inbox.put_now(item)
            await future
        finally:
            self.engine.observers.remove(seen)
        return entries


class Who(Enum):
    """Who may ask."""

    STRANGER = auto()  # who is about to say who he is
    ANYBODY = auto()  # whoever the socket's mode lets in; a token that comes with it must still be good
    OPERATOR = auto()  # the core knows which roles
    ADMINISTRATOR = auto()  # root or the service's own user


@dataclass(frozen=True, slots=True)
class Operation:
    """What is done for a caller with checked arguments."""

    who: Who
    run: Callable[[Desk, Caller, Any], Awaitable[Result]]


async def answer(desk: Desk, caller: Caller, request: m.Request) -> Result:
    """The result of a request. RefusedError, RuleError or MessageError: the answer is no."""
    operation = OPERATIONS.get(request.op)
    if operation is None:
        raise RefusedError("bad_request", f"there is no operation {request.op}; this is version {m.VERSION}")
    args = m.args_of(request, m.OPERATIONS[request.op])
    _admit(desk.identity, caller, operation.who)
    return await operation.run(desk, caller, args)


def _admit(identity: Identity, caller: Caller, who: Who) -> None:
    """RefusedError for a caller who may not ask this."""
    match who:
        case Who.STRANGER:
            return
        case Who.ANYBODY:
            if caller.token is not None:
                identity.operator(caller)
        case Who.OPERATOR:
            identity.operator(caller)
        case Who.ADMINISTRATOR:
            identity.administrator(caller)
        case _:
            assert_never(who)


# ---- looking


async def _status(desk: Desk, _caller: Caller, _args: m.NoArgs) -> Result:
    return desk.about() | status_view(desk.board, _alarms(desk))


async def _hit_list(desk: Desk, _caller: Caller, _args: m.NoArgs) -> Result:
    return [hit_view(view) for view in sorted(desk.board.hits.values(), key=lambda each: each.at_ms)]


async def _alarm_list(desk: Desk, _caller: Caller, _args: m.NoArgs) -> Result:
    return [alarm_view(alarm) for alarm in _alarms(desk)]


def _alarms(desk: Desk) -> list[Any]:
    active = (*desk.board.alarms.values(), *desk.alarms.active.values())
    return sorted(active, key=lambda alarm: (alarm.since_ms, alarm.alarm))


async def _alarm_ack(desk: Desk, caller: Caller, args: m.AlarmArgs) -> Result:
    by = desk.identity.operator(caller)
    shell = desk.alarms.active.get(args.alarm)
    await desk.act(by, f.AcknowledgeAlarm(by, args.alarm, "" if shell is None else shell.text))
    if shell is not None:
        desk.alarms.acknowledge(args.alarm, by)
    return [alarm_view(alarm) for alarm in _alarms(desk) if alarm.alarm == args.alarm]


async def _pool_show(desk: Desk, _caller: Caller, args: m.PoolShowArgs) -> Result:
    books = desk.books.views
    if args.pool is not None and args.pool not in books:
        raise RefusedError("refused", f"there is no pool {args.pool}; there are {', '.join(sorted(books)) or 'none'}")
    return [pool_sheet(book, books.values()) for name, book in sorted(books.items()) if args.pool in (None, name)]


async def _device_list(desk: Desk, _caller: Caller, _args: m.NoArgs) -> Result:
    return [device_view(view) for _, view in sorted(desk.board.devices.items())]


async def _operator_list(desk: Desk, _caller: Caller, _args: m.NoArgs) -> Result:
    return [
        {
            "name": record.name,
            "role": record.role,
            "unix_user": record.unix_user or None,
            "password": bool(record.secret),
            "active": desk.identity.may_act(record.name),
        }
        for record in sorted(desk.operators.records.values(), key=lambda each: each.name)
    ]


# ---- deciding


def _operator_acts(
    word: Callable[[f.By, Any], f.Act], shown: Callable[[Desk, Any, list[e.Entry]], Result]
) -> Callable[[Desk, Caller, Any], Awaitable[Result]]:
    """An operator's act: the core's word made of the arguments, answered with what the board then shows."""

    async def run(desk: Desk, caller: Caller, args: Any) -> Result:
        by = desk.identity.operator(caller)
        entries = await desk.act(by, word(by, args))
        return shown(desk, args, entries)

    return run


def _hit(desk: Desk, args: m.HitArgs, _entries: list[e.Entry]) -> Result:
    return hit_view(desk.board.hits[args.hit])


def _table(desk: Desk, args: m.TableArgs, _entries: list[e.Entry]) -> Result:
    return table_view(desk.board.tables[args.table], desk.board.suspended)


def _replaced(_desk: Desk, _args: m.DeviceReplaceArgs, entries: list[e.Entry]) -> Result:
    (said,) = (entry for entry in entries if isinstance(entry, e.DeviceVoted | e.DeviceReplaced))
    return replacement_view(said)


def _pool(desk: Desk, args: m.PoolArgs, _entries: list[e.Entry]) -> Result:
    books = desk.books.views
    return pool_sheet(books[args.pool], books.values())


def _applied(desk: Desk, _args: m.PoolApplyArgs, entries: list[e.Entry]) -> Result:
    books = desk.books.views
    names = [entry.pool for entry in entries if isinstance(entry, e.ParametersApplied | e.PoolActProposed)]
    return [pool_sheet(books[name], books.values()) for name in names]


def _day(desk: Desk, _args: m.DayArgs, entries: list[e.Entry]) -> Result:
    (closed,) = (entry for entry in entries if isinstance(entry, e.DayClosed))
    doubts = [doubt for entry in entries if isinstance(entry, e.DayProvisional) for doubt in entry.doubts]
    return day_view(closed, doubts, desk.board.meters)


# ---- operators


async def _login(desk: Desk, caller: Caller, args: m.LoginArgs) -> Result:
    token, seconds = await desk.identity.log_in(caller.peer, args.name, args.password)
    log.info("login", extra={"operator": args.name, "by": caller.peer.unix_user})
    return {"token": token, "seconds": seconds}


async def _operator_add(desk: Desk, caller: Caller, args: m.OperatorAddArgs) -> Result:
    by = desk.identity.administrator(caller)
    if args.unix_user is None and args.password is None:
        raise RefusedError("refused", f"nothing would prove who {args.name} is: give a password, a Unix user or both")
    secret = await desk.operators.hashed(args.password) if args.password is not None else ""
    record = Record(args.name, args.role, args.unix_user or "", secret, disabled=False)
    async with desk.changing:
        known = desk.engine.state.operators.get(args.name)
        if known is not None and not known.disabled:
            raise RefusedError("refused", f"operator {args.name} exists already: disable him before he is added anew")
        await _check_unix_user(desk, record)
        await _put(desk, record)
        await desk.act(by, f.ChangeOperator(by, record.name, record.role, record.unix_user, "added"))
    desk.identity.forget(args.name)
    return {"name": args.name, "role": args.role}


async def _check_unix_user(desk: Desk, record: Record) -> None:
    """A Unix user is there and is one operator's, or two persons could be one."""
    user = record.unix_user
    if not user:
        return
    try:
        await desk.operators.run(lambda: pwd.getpwnam(user))
    except KeyError:
        raise RefusedError("refused", f"there is no Unix user {user} on this machine") from None
    for other in desk.operators.records.values():
        if other.unix_user == user and other.name != record.name and not other.disabled:
            raise RefusedError("refused", f"the Unix user {user} is operator {other.name} already")


async def _operator_disable(desk: Desk, caller: Caller, args: m.OperatorArgs) -> Result:
    by = desk.identity.administrator(caller)
    async with desk.changing:
        known, record = desk.engine.state.operators.get(args.name), desk.operators.records.get(args.name)
        if known is None and record is None:
            raise RefusedError("refused", f"there is no operator {args.name}")
        if record is not None:
            await _put(desk, replace(record, disabled=True))
        desk.identity.forget(args.name)
        if known is not None:
            await desk.act(by, f.ChangeOperator(by, known.name, known.role, known.unix_user, "disabled"))
    return {"name": args.name}


async def _operator_passwd(desk: Desk, caller: Caller, args: m.OperatorPasswordArgs) -> Result:
    by = desk.identity.administrator(caller)
    secret = await desk.operators.hashed(args.password)
    async with desk.changing:
        if not desk.identity.may_act(args.name):
            raise RefusedError("refused", f"there is no operator {args.name}, or he is disabled")
        record = desk.operators.records[args.name]
        await _put(desk, replace(record, secret=secret))
        desk.identity.forget(args.name)
        await desk.act(by, f.ChangeOperator(by, record.name, record.role, record.unix_user, "password"))
    return {"name": args.name}


async def _put(desk: Desk, record: Record) -> None:
    try:
        await desk.operators.put(record)
    except OperatorsError as error:
        log.error("operators' file", extra={"why": str(error)})  # noqa: TRY400  # the sentence says it all
        raise RefusedError("refused", str(error)) from error


# ---- the controller


async def _reload(desk: Desk, caller: Caller, _args: m.NoArgs) -> Result:
    log.info("reload", extra={"by": caller.peer.unix_user})
    async with desk.changing:
        return await desk.reload()


OPERATIONS: dict[str, Operation] = {
    "status": Operation(Who.ANYBODY, _status),
    "login": Operation(Who.STRANGER, _login),
    "hit.list": Operation(Who.ANYBODY, _hit_list),
    "hit.approve": Operation(Who.OPERATOR, _operator_acts(lambda by, a: f.ApproveHit(by, a.hit), _hit)),
    "hit.reject": Operation(Who.OPERATOR, _operator_acts(lambda by, a: f.RejectHit(by, a.hit, a.why), _hit)),
    "hit.pay": Operation(Who.OPERATOR, _operator_acts(lambda by, a: f.PayHit(by, a.hit, a.slip), _hit)),
    "alarm.list": Operation(Who.ANYBODY, _alarm_list),
    "alarm.ack": Operation(Who.OPERATOR, _alarm_ack),
    "pool.show": Operation(Who.ANYBODY, _pool_show),
    "pool.apply": Operation(Who.OPERATOR, _operator_acts(lambda by, a: f.ApplyPool(by, a.pool, a.why), _applied)),
    "pool.adjust": Operation(
        Who.OPERATOR, _operator_acts(lambda by, a: f.AdjustPool(by, a.pool, a.amount, a.why), _pool)
    ),
    "pool.transfer": Operation(
        Who.OPERATOR, _operator_acts(lambda by, a: f.TransferPool(by, a.pool, a.into, a.why), _pool)
    ),
    "pool.retire": Operation(Who.OPERATOR, _operator_acts(lambda by, a: f.RetirePool(by, a.pool, a.to, a.why), _pool)),
    "pool.suspend": Operation(Who.OPERATOR, _operator_acts(lambda by, a: f.SuspendPool(by, a.pool, a.why), _pool)),
    "pool.resume": Operation(Who.OPERATOR, _operator_acts(lambda by, a: f.ResumePool(by, a.pool, a.why), _pool)),
    "table.open": Operation(Who.OPERATOR, _operator_acts(lambda by, a: f.OpenTable(by, a.table), _table)),
    "table.close": Operation(Who.OPERATOR, _operator_acts(lambda by, a: f.CloseTable(by, a.table), _table)),
    "table.deal": Operation(
        Who.OPERATOR,
        _operator_acts(lambda by, a: f.ChangeDeal(by, a.table, a.deal, a.why), _table),
    ),
    "round.void": Operation(Who.OPERATOR, _operator_acts(lambda by, a: f.VoidRound(by, a.table, a.why), _table)),
    "round.confirm": Operation(Who.OPERATOR, _operator_acts(lambda by, a: f.ConfirmRound(by, a.table, a.why), _table)),
    "round.card": Operation(
        Who.OPERATOR,
        _operator_acts(lambda by, a: f.EnterCard(by, a.table, a.hand, a.index, a.card), _table),
    ),
    "round.dealt": Operation(
        Who.OPERATOR,
        _operator_acts(lambda by, a: f.NameDealtSeats(by, a.table, tuple(a.seats), a.cards, a.why), _table),
    ),
    "round.refuse": Operation(
        Who.OPERATOR,
        _operator_acts(lambda by, a: f.RefuseClaim(by, a.table, a.seat, a.pool, a.why), _table),
    ),
    "round.refund": Operation(
        Who.OPERATOR,
        _operator_acts(lambda by, a: f.RefundBet(by, a.table, a.seat, a.pool, a.why), _table),
    ),
    "device.list": Operation(Who.ANYBODY, _device_list),
    "device.replace": Operation(
        Who.OPERATOR,
        _operator_acts(lambda by, a: f.ReplaceDevice(by, a.table, a.device, a.why), _replaced),
    ),
    "day.close": Operation(Who.OPERATOR, _operator_acts(lambda by, a: f.CloseDay(by, a.day), _day)),
    "ledger.archive": Operation(Who.ADMINISTRATOR, register_archive),
    "ledger.drop": Operation(Who.ADMINISTRATOR, drop_payloads),
    "operator.add": Operation(Who.ADMINISTRATOR, _operator_add),
    "operator.disable": Operation(Who.ADMINISTRATOR, _operator_disable),
    "operator.passwd": Operation(Who.ADMINISTRATOR, _operator_passwd),
    "operator.list": Operation(Who.ANYBODY, _operator_list),
    "reload": Operation(Who.ADMINISTRATOR, _reload),
}
