"""One sample of every message, as design section 6 writes it."""

from __future__ import annotations

from typing import Any

AT = "2026-11-30T08:00:00.000Z"
_METER: dict[str, Any] = {
    "schema": 1,
    "pool": "stud-main",
    "amount": "1234567.80",
    "amount_minor": "123456780",
    "currency": "MOP",
    "exponent": 2,
    "epoch": 1764489600,
    "seq": 10422,
    "beat": 9120,
    "ttl_ms": 15000,
    "state": "live",
    "at": AT,
}
SAMPLES: dict[str, dict[str, Any]] = {
    "Status": {"schema": 1, "state": "online", "epoch": 1764489600, "beat": 5, "version": "0.1.0"},
    "Meter": _METER,
    "Hit": {
        "schema": 1,
        "hit": "T01-17-stud-main-royal_flush",
        "pool": "stud-main",
        "tier": "royal_flush",
        "amount": "1000000.00",
        "winners": [{"table": "T01", "seat": 6, "amount": "1000000.00"}],
        "state": "pending",
        "late": False,
        "epoch": 1764489600,
        "seq": 10423,
        "beat": 9121,
        "at": AT,
    },
    "TableState": {
        "schema": 1,
        "phase": "open",
        "progressive": "open",
        "why": "",
        "seats": {"3": ["ante", "progressive"], "10": ["player", "progressive:bac-a"]},
        "carried": {"4": ["stud-main"]},
        "devices": {"shoe": "online", "panel": "offline"},
        "round": "17",
        "epoch": 1764489600,
        "seq": 10422,
        "beat": 9122,
    },
    "Alarm": {
        "schema": 1,
        "alarm": "offline-T01-shoe",
        "code": "offline",
        "text": "T01/shoe is not reached",
        "table": "T01",
        "device": "T01/shoe",
        "since": AT,
        "todo": "Check the cable.",
        "epoch": 1764489600,
        "beat": 9123,
    },
    "RelayUp": {
        "schema": 1,
        "node": "pit-3",
        "outbox": "0b2f4c1e-6b0e-4a52-9a47-3f1d2f6a8a11",
        "first": 101,
        "facts": [
            {"device": "T01/panel", "source": "BP-0001", "seq": 42, "t_ms": 1000, "raw": "00ff", "grade": "journaled"}
        ],
        "mac": "a" * 64,
    },
    "RelayDown": {
        "schema": 1,
        "epoch": 1764489600,
        "beat": 7,
        "ack": 100,
        "ttl_ms": 5000,
        "tables": {"T01": {"open": True, "lamps": [0, 1, 2, 3], "text": "BETS OPEN"}},
        "mac": "a" * 64,
    },
    "SignState": {
        "schema": 1,
        "state": "live",
        "pool": "stud-main",
        "epoch": 1764489600,
        "seq": 10422,
        "amount": "1234567.80",
        "others": [{"state": "neutral", "pool": "bac-b", "epoch": None, "seq": None, "amount": None}],
        "screens": 1,
        "falls": 0,
    },
}
