"""The log's lines about what happened in the house: one for each occurrence that a person may ask about later.

Laws
1. A line is written after the commit, from the entry: what the log says is in the ledger.
2. What happens with every card or bet makes no line: metrics count it, the ledger has it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jackpotd.core import entries as e
from jackpotd.core.facts import By
from jackpotd.core.money import format_amount, minor_units
from jackpotd.core.parameter_changes import changes_text
from jackpotd.core.state import State
from jackpotd.daemon.engine import Committed
from jackpotd.messages.base import decimal_text

log = logging.getLogger(__name__)

Fields = dict[str, object]


@dataclass(frozen=True, slots=True)
class Line:
    """How an entry is told: its level, its words, and the fields beside them."""

    level: int
    words: str
    fields: Callable[[State, Any], Fields]


def _named(*names: str) -> Callable[[State, Any], Fields]:
    """Fields of the entry itself; people by name and role."""
    return lambda _, entry: {name: _plain(getattr(entry, name)) for name in names}


def _plain(value: object) -> object:
    if isinstance(value, By):
        return f"{value.name} ({value.role})"
    if isinstance(value, tuple):
        return ", ".join(str(_plain(part)) for part in value)
    return "" if value is None else value


def _prize(state: State, entry: e.PrizeLocked) -> Fields:
    params = state.pools[entry.pool].params
    total_minor = minor_units(state.hits[entry.hit].total_atoms)
    seats = " ".join(str(award.seat) for award in entry.awards)
    return {
        "hit": entry.hit,
        "pool": entry.pool,
        "tier": entry.tier,
        "seats": seats,
        "amount": f"{decimal_text(total_minor, params.exponent)} {params.currency}",
        "late": entry.late,
    }


def _pool_opened(_: State, entry: e.PoolOpened) -> Fields:
    params = entry.params
    seed = decimal_text(minor_units(params.seed_atoms), params.exponent)
    return {"pool": params.pool, "rules": params.rules_text(), "seed": f"{seed} {params.currency}"}


def _table_set(_: State, entry: e.TableSet) -> Fields:
    params = entry.params
    return {"table": params.table, "pools": " ".join(params.pools), "seats": params.seats}


def _operator(_: State, entry: e.OperatorChanged) -> Fields:
    # Not "name": that word is the log record's own, and logging refuses a field of it.
    return {"operator": entry.name, "role": entry.role, "change": entry.change, "by": _plain(entry.by)}


def _day_provisional(_: State, entry: e.DayProvisional) -> Fields:
    return {"day": entry.day, "why": ", ".join(doubt.why for doubt in entry.doubts)}


def _parameters_applied(_: State, entry: e.ParametersApplied) -> Fields:
    at_once = "staged" if entry.staged is not None else "in force"
    return _people(entry) | {"pool": entry.pool, "changes": changes_text(entry.changes), "now": at_once}


def _parameters_took_force(_: State, entry: e.ParametersTookForce) -> Fields:
    return {"pool": entry.params.pool, "changes": changes_text(entry.changes)}


def _moved(state: State, entry: e.PoolAdjusted | e.PoolTransferred | e.PoolRetired) -> Fields:
    exponent = state.pools[entry.pool].params.exponent
    moves = {posting.account: format_amount(posting.atoms, exponent) for posting in entry.postings}
    return _people(entry) | {"pool": entry.pool, "moves": ", ".join(f"{name} {atoms}" for name, atoms in moves.items())}


def _people(entry: e.ParametersApplied | e.PoolAdjusted | e.PoolTransferred | e.PoolRetired) -> Fields:
    return {"by": _plain(entry.by), "why": entry.why}


# An entry's own class is the key, so each function gets just the entries it names.
LINES: dict[type, Line] = {
    e.PoolOpened: Line(logging.INFO, "pool opened", _pool_opened),
    e.PoolSuspended: Line(logging.CRITICAL, "pool suspended", _named("pool", "why")),
    e.BreakerArmed: Line(logging.INFO, "breaker armed", lambda _, entry: {"pool": entry.limits.params.pool}),
    e.PoolResumed: Line(logging.WARNING, "pool resumed", _named("pool", "by", "why")),
    e.PoolActProposed: Line(logging.INFO, "pool act proposed", _named("pool", "act", "what", "by", "why")),
    e.ParametersApplied: Line(logging.WARNING, "parameters applied", _parameters_applied),
    e.ParametersTookForce: Line(logging.WARNING, "parameters in force", _parameters_took_force),
    e.PoolAdjusted: Line(logging.WARNING, "pool adjusted", _moved),
    e.PoolTransferred: Line(logging.WARNING, "pool transferred", _moved),
    e.PoolRetired: Line(logging.WARNING, "pool retired", _moved),
    e.PoolRestarted: Line(logging.INFO, "pool restarted", _named("pool", "hit")),
    e.TableSet: Line(logging.INFO, "table set", _table_set),
    e.TableOpened: Line(logging.INFO, "table opened", _named("table", "by")),
    e.TableClosed: Line(logging.INFO, "table closed", _named("table", "by")),
    e.DealChanged: Line(logging.WARNING, "table deals otherwise", _named("table", "deal", "was", "by", "why")),
    e.DayClosed: Line(logging.INFO, "day closed", _named("day", "by", "held_rounds", "pending_hits", "carried_bets")),
    e.FactsArchived: Line(logging.INFO, "facts archived", _named("day", "first", "last", "facts", "file", "by")),
    e.DayProvisional: Line(logging.WARNING, "day provisional", _day_provisional),
    e.ClockNoted: Line(logging.WARNING, "clock", _named("day", "synchronised")),
    e.ClockJumped: Line(logging.ERROR, "the clock was set", _named("day", "by_ms")),
    e.OperatorChanged: Line(logging.INFO, "operator changed", _operator),
    e.AlarmRaised: Line(logging.WARNING, "alarm raised", _named("alarm", "text")),
    e.AlarmCleared: Line(logging.INFO, "alarm cleared", _named("alarm")),
    e.AlarmAcknowledged: Line(logging.INFO, "alarm acknowledged", _named("alarm", "by")),
    e.DeviceTaken: Line(logging.INFO, "device taken", _named("table", "device", "serial", "journal")),
    e.DeviceForeign: Line(logging.WARNING, "another board answers", _named("table", "device", "serial")),
    e.DeviceVoted: Line(logging.INFO, "device accepted by one", _named("table", "device", "serial", "by", "why")),
    e.DeviceReplaced: Line(logging.WARNING, "device replaced", _named("table", "device", "serial", "was", "by", "why")),
    e.DeviceOnline: Line(logging.INFO, "device back", _named("table", "device")),
    e.DeviceOffline: Line(logging.WARNING, "device lost", _named("table", "device", "why")),
    e.RoundHeld: Line(logging.WARNING, "round held", _named("table", "round", "code", "text")),
    e.RoundConfirmed: Line(logging.INFO, "round confirmed", _named("table", "round", "by", "why")),
    e.RoundVoided: Line(logging.INFO, "round voided", _named("table", "round", "cause", "by")),
    e.ClaimRefused: Line(logging.WARNING, "claim refused", _named("table", "seat", "tier", "pool", "by", "why")),
    e.BetRefunded: Line(logging.INFO, "carried bet given back", _named("table", "seat", "pool", "by", "why")),
    e.SeatsDealt: Line(logging.INFO, "dealt without a bet", _named("table", "round", "seats", "by", "why")),
    e.CardEntered: Line(logging.INFO, "card entered", _named("table", "hand", "index", "card", "was", "by")),
    e.PrizeLocked: Line(logging.WARNING, "hit locked", _prize),
    e.HitVoted: Line(logging.INFO, "hit judged by one person", _named("hit", "vote", "by", "why")),
    e.HitApproved: Line(logging.INFO, "hit approved", _named("hit", "by")),
    e.HitPaid: Line(logging.INFO, "hit paid", _named("hit", "by", "slip")),
    e.HitRejected: Line(logging.WARNING, "hit rejected", _named("hit", "by", "why", "later_hits")),
}


def write_down(state: State, committed: Committed) -> None:
    """An engine's observer."""
    if committed.kinds.isdisjoint(LINES):
        return
    for _, entries in committed.facts:
        for entry in entries:
            line = LINES.get(type(entry))
            if line is not None:
                log.log(line.level, line.words, extra=line.fields(state, entry))
