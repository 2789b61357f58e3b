"""What the table bus reports to the daemon, and what the daemon asks of the wire.

Laws
1. Everything is frozen and names its device as the configuration does.
2. `Events` come in the order of their ids, and each id at least once; only the ledger tells repeats apart.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardware.bus_events import Kind
from hardware.reports import Said


@dataclass(frozen=True, slots=True)
class Transmit:
    """Send `frame`, then hear the line until `reply_by_ms`; nothing else may be sent before."""

    device: str
    frame: bytes
    reply_by_ms: int


@dataclass(frozen=True, slots=True)
class Hello:
    """A device began a session and holds events `oldest`..`newest`; not polled until accepted, but greeted again."""

    device: str
    serial: str
    kind: Kind
    boot: int
    oldest: int
    newest: int


@dataclass(frozen=True, slots=True)
class WrongSerial:
    """Another board than the configuration pins answers at this address; it is not polled."""

    device: str
    serial: str
    pinned: str


@dataclass(frozen=True, slots=True)
class Online:
    """The first valid answer of a device that was offline."""

    device: str


@dataclass(frozen=True, slots=True)
class Offline:
    """A device that was online no longer answers."""

    device: str
    why: str


@dataclass(frozen=True, slots=True)
class Events:
    """Journalled events, numbered from `first` without a hole; `said[i].seq` is `first + i`.

    `prompt`: it had nothing at its last answer, and nothing has kept this one up: they are told as soon as they can be.
    """

    device: str
    first: int
    said: tuple[Said, ...]
    prompt: bool


@dataclass(frozen=True, slots=True)
class Drained:
    """At this device's poll `poll_number` it had nothing that the daemon has not committed."""

    device: str
    poll_number: int


@dataclass(frozen=True, slots=True)
class Gap:
    """Events before `oldest` that were never delivered are lost: commit that, then acknowledge `oldest` - 1."""

    device: str
    oldest: int


@dataclass(frozen=True, slots=True)
class Done:
    """A device answered a command; any `status` but 0 means that it refused."""

    device: str
    code: int
    data: bytes
    status: int


@dataclass(frozen=True, slots=True)
class BusNoise:
    """Bytes or frames that counted for nothing. `device`: whose they were, or who was being heard; else None."""

    device: str | None
    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class Forged:
    """A well-formed frame in this device's name whose tag does not hold."""

    device: str


BusReport = Hello | WrongSerial | Online | Offline | Events | Drained | Gap | Done | BusNoise | Forged
