"""Captures as a person writes them: bytes and acts, nothing of what a controller's watch adds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hardware import reports as r
from hardware.bus_codec import DAEMON, FrameType, Seal, encode_frame
from hardware.bus_events import Kind, encode_event
from hardware.bus_payloads import HelloPayload, encode_events, encode_hello, encode_number, encode_open, encode_record
from tests.support.floor_config import block_text, pool_block

KEY = bytes(range(16))
HEADER = {"start": "2026-11-30T08:00:00Z", "epoch": 7, "ledger": "00000000-0000-0000-0000-00000000002a"}
_ADDRESS = 1

Line = dict[str, Any]


def write_config(folder: Path) -> Path:
    """B01: an Angel Eye shoe and a combined device with a key. T01: a Bee-Tek shoe and one without."""
    blocks: list[tuple[str, dict[str, Any]]] = [
        ("[site]", {"id": "lisboa", "currency": "MOP", "timezone": "Asia/Macau"}),
        ("[ledger]", {"url": f"sqlite:///{folder / 'ledger.db'}"}),
        ("[mqtt]", {"url": "mqtt://127.0.0.1:1883"}),
        ("[[pool]]", pool_block("bac-b")),
        ("[[pool]]", pool_block("stud-main")),
        ("[[table]]", _table("B01", "bac-b", seats=9, decks=8, commission="five_percent")),
        ("[[table.device]]", {"name": "shoe", "driver": "angel-eye", "port": "/dev/b01-shoe"}),
        ("[[table.device]]", _panel("/dev/b01-bus", key=KEY.hex())),
        ("[[table]]", _table("T01", "stud-main", seats=7, royal_raise_odds=100)),
        ("[[table.device]]", {"name": "shoe", "driver": "bee-tek", "port": "/dev/t01-shoe"}),
        ("[[table.device]]", _panel("/dev/t01-bus")),
    ]
    config = folder / "jackpotd.toml"
    config.write_text("\n".join(block_text(header, block) for header, block in blocks), encoding="utf-8")
    return config


def _table(table: str, pool: str, **more: object) -> dict[str, Any]:
    return {"id": table, "pools": [pool], "deal": ["shoe"], **more}


def _panel(port: str, **more: object) -> dict[str, Any]:
    return {"name": "panel", "driver": "table-bus", "port": port, "address": _ADDRESS, **more}


def write(path: Path, *lines: Line) -> Path:
    """A capture of these lines."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def said(t: float, device: str, data: bytes, **more: object) -> Line:
    """Bytes of a device."""
    return {"t": t, "device": device, "hex": data.hex(" "), **more}


def acted(t: float, operator: str, op: str, **args: object) -> Line:
    """A person's act."""
    return {"t": t, "operator": operator, "op": op, "args": args}


class Panel:
    """A combined device's side of the line, and what the daemon asks it: frames with the tags of its session."""

    def __init__(self, device: str, key: bytes | None = None, serial: str = "", booted: float = 0) -> None:
        self.device = device
        self._serial = serial or f"{device[:3]}-P1"
        self._booted = booted
        self._key = key
        self._nonces = (b"daemon 1", b"device 1")
        self._seal = Seal(key, *self._nonces)
        self._asked = self._answered = self._newest = 0

    def greeting(self, t: float) -> list[Line]:
        """OPEN and HELLO; its journal is empty."""
        opening = encode_frame(_ADDRESS, DAEMON, FrameType.OPEN, 0, encode_open(self._nonces[0]), None)
        hello = encode_hello(HelloPayload(self._nonces[1], Kind.COMBINED, 1, 1, 0, self._serial))
        greeted = encode_frame(DAEMON, _ADDRESS, FrameType.HELLO, 0, hello, self._seal)
        return [said(t, self.device, opening, dir="tx"), said(t, self.device, greeted, dir="rx")]

    def poll(self, t: float) -> Line:
        """The daemon asks, and acknowledges all that came."""
        self._asked += 1
        payload = encode_number(self._newest)
        frame = encode_frame(_ADDRESS, DAEMON, FrameType.POLL, self._asked, payload, self._seal)
        return said(t, self.device, frame, dir="tx")

    def events(self, t: float, *events: r.BetMoved | r.BetsLocked | r.RoundEnded) -> Line:
        """The device answers; with nothing, that it has nothing new."""
        first = self._newest + 1
        records = [
            encode_record(code, round((t - self._booted) * 1_000), data) for code, data in map(encode_event, events)
        ]
        self._newest += len(events)
        self._answered += 1
        payload = encode_events(first, records)
        frame = encode_frame(DAEMON, _ADDRESS, FrameType.EVENTS, self._answered, payload, self._seal)
        return said(t, self.device, frame)


def bets(seat: int, *places: int) -> list[r.BetMoved]:
    """Chips on places of a seat."""
    return [r.BetMoved(seat, place, on=True) for place in places]
