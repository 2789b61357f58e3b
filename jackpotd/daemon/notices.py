"""What the controller says over MQTT: a message for each view, to the letter of design section 6."""

from __future__ import annotations

from datetime import UTC, datetime

from jackpotd.core.state import Alarm
from jackpotd.daemon.board import HitView, MeterView, TableView

Message = dict[str, object]

SCHEMA = 1
# A sign that has heard nothing for so long shows a neutral face: three of our repeats were lost.
METER_TTL_MS = 15_000
_MS_PER_S = 1_000


def utc_text(ms: int) -> str:
    """Milliseconds since 1970 as ISO 8601 in UTC."""
    seconds, rest_ms = divmod(ms, _MS_PER_S)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{rest_ms:03d}Z"


def amount_text(minor: int, exponent: int) -> str:
    """Whole minor units as a decimal amount."""
    if not exponent:
        return str(minor)
    digits = str(minor).rjust(exponent + 1, "0")
    return f"{digits[:-exponent]}.{digits[-exponent:]}"


def status(state: str, epoch: int, beat: int, version: str) -> Message:
    """The controller's own state; also its will."""
    return {"schema": SCHEMA, "state": state, "epoch": epoch, "beat": beat, "version": version}


def meter(view: MeterView, epoch: int, beat: int, now_ms: int, *, suspended: bool) -> Message:
    """A pool's amount."""
    return {
        "schema": SCHEMA,
        "pool": view.pool,
        "amount": amount_text(view.amount_minor, view.exponent),
        "amount_minor": str(view.amount_minor),
        "currency": view.currency,
        "exponent": view.exponent,
        "epoch": epoch,
        "seq": view.seq,
        "beat": beat,
        "ttl_ms": METER_TTL_MS,
        "state": "suspended" if suspended else view.state,
        "at": utc_text(now_ms),
    }


def hit(view: HitView, epoch: int, beat: int) -> Message:
    """A hit, while it is to be shown."""
    return {
        "schema": SCHEMA,
        "hit": view.hit,
        "pool": view.pool,
        "tier": view.tier,
        **({} if view.prize == view.tier else {"prize": view.prize}),
        "amount": amount_text(view.amount_minor, view.exponent),
        "winners": [
            {"table": winner.table, "seat": winner.seat, "amount": amount_text(winner.amount_minor, view.exponent)}
            for winner in view.winners
        ],
        "state": view.status,
        "late": view.late,
        "epoch": epoch,
        "seq": view.seq,
        "beat": beat,
        "at": utc_text(view.at_ms),
    }


def table(view: TableView, first_pool: str, epoch: int, beat: int, closed: str) -> Message:
    """A table's state. `closed`: why it is closed whatever the ledger says, or ""."""
    why = closed or view.why
    return {
        "schema": SCHEMA,
        "phase": view.phase,
        "progressive": "closed" if why else "open",
        "why": why,
        "seats": {str(seat): [_bet(bet, first_pool) for bet in bets] for seat, bets in view.seats.items()},
        "carried": {str(seat): list(pools) for seat, pools in view.carried.items()},
        "devices": view.devices,
        "round": view.round,
        "epoch": epoch,
        "seq": view.seq,
        "beat": beat,
    }


def _bet(bet: str, first_pool: str) -> str:
    return "progressive" if bet == f"progressive:{first_pool}" else bet


def alarm(active: Alarm, epoch: int, beat: int) -> Message:
    """An alarm, while it is active."""
    return {
        "schema": SCHEMA,
        "alarm": active.alarm,
        "code": active.code,
        "text": active.text,
        "table": active.table,
        "device": active.device,
        "since": utc_text(active.since_ms),
        "todo": active.todo,
        "epoch": epoch,
        "beat": beat,
    }
