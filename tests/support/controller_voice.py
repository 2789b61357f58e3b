"""A controller as signs hear it: says status, meters and hits to a broker, in the order that a test chooses."""

from __future__ import annotations

import json
from typing import Any

from tests.support.mqtt_client import MqttClient

SITE = "lisboa"
POOL = "stud-main"
EPOCH = 1_764_489_600
AT = "2026-11-30T08:00:00.000Z"
# This controller says an amount once, and a loaded machine takes its time to look at it.
PATIENT_TTL_MS = 600_000


def status(state: str = "online", *, epoch: int = EPOCH, beat: int = 1) -> dict[str, Any]:
    return {"schema": 1, "state": state, "epoch": epoch, "beat": beat, "version": "1"}


def meter(minor: int, **changes: Any) -> dict[str, Any]:
    """A meter of `minor` units; `changes` replace keys."""
    exponent = changes.get("exponent", 2)
    digits = str(minor).rjust(exponent + 1, "0")
    amount = f"{digits[:-exponent]}.{digits[-exponent:]}" if exponent else digits
    said = {
        "schema": 1,
        "pool": POOL,
        "amount": amount,
        "amount_minor": str(minor),
        "currency": "MOP",
        "exponent": 2,
        "epoch": EPOCH,
        "seq": 1,
        "beat": 1,
        "ttl_ms": 15_000,
        "state": "live",
        "at": AT,
    }
    return said | changes


def hit(name: str = "h1", state: str = "pending", **changes: Any) -> dict[str, Any]:
    said = {
        "schema": 1,
        "hit": name,
        "pool": POOL,
        "tier": "royal_flush",
        "amount": "800000.00",
        "winners": [{"table": "T01", "seat": 6, "amount": "800000.00"}],
        "state": state,
        "late": False,
        "epoch": EPOCH,
        "seq": 1,
        "beat": 1,
        "at": AT,
    }
    return said | changes


class ControllerVoice:
    """One controller. Messages have a new beat each, meters a new seq and a long life, unless a test says otherwise."""

    def __init__(self, client: MqttClient, *, node: str = "main", epoch: int = EPOCH) -> None:
        self.client = client
        self.node = node
        self.epoch = epoch
        self.seq = 0
        self.beat = 0

    def status(self, state: str = "online", **changes: Any) -> None:
        self.beat += 1
        self._say(f"status/{self.node}", status(state, epoch=self.epoch, beat=self.beat) | changes)

    def meter(self, minor: int, **changes: Any) -> dict[str, Any]:
        """Say a meter and return it, so that it can be said again."""
        self.beat += 1
        self.seq += 1
        own = {"epoch": self.epoch, "seq": self.seq, "beat": self.beat, "ttl_ms": PATIENT_TTL_MS}
        said = meter(minor, **own | changes)
        self.say_again(said)
        return said

    def say_again(self, said: dict[str, Any]) -> None:
        self._say(f"pool/{said['pool']}/meter", said)

    def hit(self, name: str = "h1", state: str = "pending", **changes: Any) -> dict[str, Any]:
        self.beat += 1
        self.seq += 1
        said = hit(name, state, **{"epoch": self.epoch, "seq": self.seq, "beat": self.beat} | changes)
        self.say_hit_again(said)
        return said

    def say_hit_again(self, said: dict[str, Any]) -> None:
        self._say(f"pool/{said['pool']}/hit/{said['hit']}", said)

    def clear_hit(self, name: str) -> None:
        self.client.publish(f"jackpotd/{SITE}/pool/{POOL}/hit/{name}", b"", retain=True)

    def wait_for_sign(self, name: str) -> None:
        """Wait until a sign is connected: what is said from then on, it hears live."""
        with MqttClient(*self.client.address) as listener:
            listener.subscribe(f"jackpotd/{SITE}/sign/{name}/state")
            while b'"offline"' in listener.next().payload:
                pass

    def _say(self, topic: str, said: dict[str, Any]) -> None:
        self.client.publish(f"jackpotd/{SITE}/{topic}", json.dumps(said).encode(), retain=True)
