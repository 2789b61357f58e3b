"""What the control socket tells of the board: the committed picture in plain JSON, amounts as text.

Law: nothing is worked out here; what people read is what the ledger has and the signs are told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from jackpotd.core import entries as e
from jackpotd.core.money import format_amount
from jackpotd.core.state import Alarm
from jackpotd.daemon.board import Board, DeviceView, HitView, MeterView, TableView
from jackpotd.daemon.notices import amount_text, utc_text

# What somebody still has to do something about.
_WAITING = ("pending", "approved")


def status_view(board: Board, alarms: Iterable[Alarm]) -> dict[str, Any]:
    """Everything at a glance."""
    hits = board.hits.values()
    return {
        "epoch": board.epoch,
        "seq": board.seq,
        "day": board.day,
        "provisional": list(map(doubt_view, board.provisional)),
        "suspended": board.suspended,
        "pools": [pool_view(view, board.suspended) for _, view in sorted(board.meters.items())],
        "tables": [table_view(view, board.suspended) for _, view in sorted(board.tables.items())],
        "hits": {status: sum(view.status == status for view in hits) for status in _WAITING},
        "alarms": [alarm_view(alarm) for alarm in alarms],
    }


def pool_view(view: MeterView, suspended: str) -> dict[str, Any]:
    """A pool as the public sees it."""
    return {
        "pool": view.pool,
        "amount": amount_text(view.amount_minor, view.exponent),
        "currency": view.currency,
        "state": "retired" if view.retired_ms else "suspended" if suspended else view.state,
        "seq": view.seq,
    }


def table_view(view: TableView, suspended: str) -> dict[str, Any]:
    """A table, its devices and the round in play."""
    why = suspended or view.why
    return {
        "table": view.table,
        "game": view.game,
        "phase": view.phase,
        "progressive": "closed" if why else "open",
        "why": why,
        "round": view.round,
        "seats": _by_seat(view.seats),
        "carried": _by_seat(view.carried),
        "hands": {hand: list(cards) for hand, cards in view.hands.items()},
        "noted": list(view.noted),
        "claims": [{"seat": made.seat, "tier": made.tier, "pool": made.pool} for made in view.claims],
        "key_used": view.key_used,
        "deal": view.deals,
        "devices": dict(view.devices),
    }


def _by_seat(seats: Mapping[int, tuple[str, ...]]) -> dict[str, list[str]]:
    return {str(seat): list(bets) for seat, bets in sorted(seats.items())}


def hit_view(view: HitView) -> dict[str, Any]:
    """A hit and who has decided about it so far."""
    return {
        "hit": view.hit,
        "pool": view.pool,
        "tier": view.tier,
        "prize": view.prize,
        "table": view.table,
        "round": view.round,
        "at": utc_text(view.at_ms),
        "amount": amount_text(view.amount_minor, view.exponent),
        "winners": [
            {"seat": winner.seat, "amount": amount_text(winner.amount_minor, view.exponent)} for winner in view.winners
        ],
        "status": view.status,
        "late": view.late,
        "approvals": list(view.approvals),
        "rejections": list(view.rejections),
        "decided": utc_text(view.decided_ms) if view.decided_ms else None,
        "slip": view.slip,
        "why": view.why,
    }


def day_view(closed: e.DayClosed, doubts: Iterable[e.ClockDoubt], meters: Mapping[str, MeterView]) -> dict[str, Any]:
    """A gaming day as it was closed, with all the decimals that its meters have."""
    return {
        "day": closed.day,
        "meters": [
            {
                "pool": each.pool,
                "opening": format_amount(each.opening_atoms, meters[each.pool].exponent),
                "closing": format_amount(each.closing_atoms, meters[each.pool].exponent),
            }
            for each in closed.meters
        ],
        "held_rounds": list(closed.held_rounds),
        "pending_hits": list(closed.pending_hits),
        "carried_bets": list(closed.carried_bets),
        "provisional": list(map(doubt_view, doubts)),
    }


def doubt_view(doubt: e.ClockDoubt) -> dict[str, Any]:
    """Why a gaming day is provisional: when, and by how much the clock was set."""
    return {"at": utc_text(doubt.at_ms), "why": doubt.why, "by_ms": doubt.by_ms}


def device_view(view: DeviceView) -> dict[str, Any]:
    """A device at its place."""
    return {
        "device": view.label,
        "driver": view.driver,
        "serial": view.serial,
        "state": view.state,
        "why": view.why,
        "foreign": view.foreign,
        "accepted_by": view.accepted_by,
    }


def replacement_view(said: e.DeviceVoted | e.DeviceReplaced) -> dict[str, Any]:
    """What the two persons of a replacement have said so far."""
    by = said.by if isinstance(said.by, tuple) else (said.by,)
    return {
        "device": f"{said.table}/{said.device}",
        "serial": said.serial,
        "replaced": isinstance(said, e.DeviceReplaced),
        "by": [f"{one.name} ({one.role})" for one in by],
    }


def alarm_view(alarm: Alarm) -> dict[str, Any]:
    """An alarm that is active."""
    return {
        "alarm": alarm.alarm,
        "code": alarm.code,
        "text": alarm.text,
        "table": alarm.table,
        "device": alarm.device,
        "since": utc_text(alarm.since_ms),
        "todo": alarm.todo,
        "acknowledged": None
        if alarm.seen_by is None
        else {"by": f"{alarm.seen_by.name} ({alarm.seen_by.role})", "at": utc_text(alarm.seen_ms)},
    }
