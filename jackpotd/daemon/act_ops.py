"""People's acts by the names of the control socket's operations, as captures hold them (design 4).

Laws
1. An act has one operation, and its arguments are what the act says beside who acts.
2. No secret is among them: an operator's password never comes this far.
"""

from __future__ import annotations

from typing import Any

from jackpotd.core import facts as f
from jackpotd.core.decide import ACTS
from jackpotd.core.roles import ADMIN, SUPERVISOR
from jackpotd.core.state import State
from jackpotd.ledger.port import LedgerError
from jackpotd.ledger.words import decode_act, encode_act
from jackpotd.messages.control import OPERATIONS

_CHANGE = "change"
OPS: dict[str, type[f.Act]] = {
    "hit.approve": f.ApproveHit,
    "hit.reject": f.RejectHit,
    "hit.pay": f.PayHit,
    "alarm.ack": f.AcknowledgeAlarm,
    "pool.apply": f.ApplyPool,
    "pool.adjust": f.AdjustPool,
    "pool.transfer": f.TransferPool,
    "pool.retire": f.RetirePool,
    "pool.suspend": f.SuspendPool,
    "pool.resume": f.ResumePool,
    "table.open": f.OpenTable,
    "table.close": f.CloseTable,
    "table.deal": f.ChangeDeal,
    "device.replace": f.ReplaceDevice,
    "day.close": f.CloseDay,
    "ledger.archive": f.ArchiveFacts,
    "round.void": f.VoidRound,
    "round.card": f.EnterCard,
    "round.confirm": f.ConfirmRound,
    "round.dealt": f.NameDealtSeats,
    "round.refuse": f.RefuseClaim,
    "round.refund": f.RefundBet,
    "operator.add": f.ChangeOperator,
    "operator.disable": f.ChangeOperator,
    "operator.passwd": f.ChangeOperator,
}
_CHANGES = {"operator.add": "added", "operator.disable": "disabled", "operator.passwd": "password"}
_OP_OF = {cls: op for op, cls in OPS.items() if op not in _CHANGES}
_OP_OF_CHANGE = {change: op for op, change in _CHANGES.items()}


def op_of(act: f.Act) -> tuple[str, dict[str, Any]]:
    """The operation of an act and its arguments."""
    args = encode_act(act)
    if isinstance(act, f.ChangeOperator):
        return _OP_OF_CHANGE[args.pop(_CHANGE)], args
    return _OP_OF[type(act)], args


def act_of(state: State, operator: str, role: str | None, op: str, args: dict[str, Any]) -> f.Act:
    """The act of an operation; LedgerError says what does not fit.

    Without a role the operator has the one that the ledger knows; an unknown one has that which the act takes, a
    supervisor's first.
    """
    cls = OPS.get(op)
    if cls is None:
        raise LedgerError("corrupt", f"there is no act {op!r}; there are {', '.join(OPS)}")
    by = f.By(operator, role or _role(state, operator, cls))
    if op in _CHANGES:
        return decode_act(cls, by, _operator(state, args) | args | {_CHANGE: _CHANGES[op]})
    fields = OPERATIONS[op].model_fields
    absent = {name: field.default for name, field in fields.items() if not field.is_required()}
    if cls is f.AcknowledgeAlarm:
        absent["seen"] = ""  # the daemon's own word about an alarm of its shell, which no caller says
    return decode_act(cls, by, absent | args)


def _role(state: State, operator: str, cls: type[f.Act]) -> str:
    _, roles = ACTS[cls]
    known = state.operators.get(operator)
    if known is not None and ADMIN not in roles:
        return known.role
    return SUPERVISOR if SUPERVISOR in roles else min(roles)


def _operator(state: State, args: dict[str, Any]) -> dict[str, Any]:
    """What the ledger knows of the operator who is changed."""
    name = args.get("name")
    known = state.operators.get(name) if isinstance(name, str) else None
    return {"unix_user": ""} if known is None else {"role": known.role, "unix_user": known.unix_user}
