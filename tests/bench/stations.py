"""The devices' side of a bench: simulated boards on pseudo-terminals, in a process of their own, that keep the time.

Laws
1. They speak the real wire through the real codecs; only what happens at the tables is a script.
2. An event's time runs from the moment its EVENTS frame is written to the moment its acknowledging POLL was read.
3. Whoever feeds the tables decides how much is under way: a budget of events that are not acknowledged, or a clock.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from time import monotonic_ns
from types import TracebackType
from typing import NamedTuple, Self

from hardware.bus_events import BusEvent, Kind, encode_event
from hardware.bus_payloads import encode_record
from hardware.reports import BetMoved, BetsLocked, RoundEnded
from hardware.simulated.bus_device import BusDeviceSim
from hardware.simulated.bus_journal import Journal
from hardware.simulated.pty_port import PtyPort
from hardware.simulated.wire import monotonic_ms

KEY = bytes(range(16))
ANTE, PROGRESSIVE = 1, 0
SEATS = 7
_LOOK_S = 0.005
_DRAIN_LIMIT_S = 20.0  # generous: only a daemon that has ended lets a bench wait this long


class StalledError(Exception):
    """The daemon does not acknowledge; its log says why."""


class Timed(NamedTuple):
    """Events that went out in one frame: whose, the first one's place in the script, when sent and acknowledged."""

    device: int
    number: int
    events: int
    sent_ns: int
    acked_ns: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What the devices do. `ports`: how many devices each has.

    `every_ms` None: a device says `burst` events at once, and again when they are acknowledged, as far as `in_flight`
    allows for all devices together. Else one event every `every_ms`, the devices in turn.
    """

    ports: tuple[int, ...]
    script: str  # moves | rounds
    burst: int = 1
    in_flight: int = 1
    every_ms: int | None = None


# Chips that come and go, seat by seat.
MOVES: tuple[BusEvent, ...] = tuple(BetMoved(seat, ANTE, on) for seat in range(1, SEATS + 1) for on in (True, False))
# A round of a table without card reading.
ROUND: tuple[BusEvent, ...] = (
    BetMoved(1, ANTE, on=True),
    BetMoved(1, PROGRESSIVE, on=True),
    BetsLocked(),
    RoundEnded(),
)
_SCRIPTS = {"moves": MOVES, "rounds": ROUND}


class _TimedJournal(Journal):
    """A journal that notes when its events go out and when they are acknowledged."""

    def __init__(self) -> None:
        super().__init__()
        self.heard_ns = 0
        self.acknowledged: Callable[[int, int, int], None] = lambda _first, _count, _sent_ns: None
        self._frames: deque[tuple[int, int, int]] = deque()  # first id, last id, when it went out
        self._sent_id = 0
        self._sending = False

    def forget(self, ack: int) -> None:
        super().forget(ack)
        while self._frames and self._frames[0][1] <= ack:
            first, last, sent_ns = self._frames.popleft()
            self.acknowledged(first, last - first + 1, sent_ns)

    def held(self) -> Sequence[bytes]:
        self._sending = True
        return super().held()

    def sent(self) -> None:
        """An answer goes out now; what was not in an earlier one is on its way from now on."""
        if self._sending and self.newest > self._sent_id:
            self._frames.append((self._sent_id + 1, self.newest, monotonic_ns()))
            self._sent_id = self.newest
        self._sending = False


@dataclass(slots=True)
class _Station:
    """One device and its script, which it says over and over."""

    number: int
    bus: BusDeviceSim
    journal: _TimedJournal
    script: list[tuple[int, bytes]]
    said: int = 0
    first_id: int = 0
    times: list[Timed] = field(default_factory=list)

    def feed(self, data: bytes, now_ms: int) -> bytes:
        """As the port asks, with the clock read at both ends."""
        self.journal.heard_ns = monotonic_ns()
        answer = self.bus.feed(data, now_ms)
        self.journal.sent()
        return answer

    def tick(self, now_ms: int) -> None:
        """As the port asks."""
        self.bus.tick(now_ms)

    def say(self, count: int) -> None:
        """The next `count` events of the script happen."""
        now_ms = monotonic_ms() & 0xFFFF_FFFF
        for _ in range(count):
            code, data = self.script[self.said % len(self.script)]
            if self.journal.append(encode_record(code, now_ms, data)) is None:
                raise RuntimeError(f"the journal of device {self.number} is full")
            self.said += 1


class _Floor:
    """All stations of a plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.stations: list[_Station] = []
        self._under_way = 0
        self._playing = False

    def port(self, count: int) -> PtyPort:
        """The next port with its devices."""
        added = [self._station(len(self.stations) + at, at + 1) for at in range(count)]
        self.stations += added
        return PtyPort(added)

    def _station(self, number: int, address: int) -> _Station:
        journal = _TimedJournal()
        bus = BusDeviceSim(Kind.COMBINED, f"BP-{number:04}", address, KEY, journal)
        bus.power_on(monotonic_ms())
        station = _Station(number, bus, journal, [encode_event(event) for event in _SCRIPTS[self._plan.script]])
        journal.acknowledged = lambda first, count, sent_ns: self._acknowledged(station, first, count, sent_ns)
        return station

    def _acknowledged(self, station: _Station, first: int, count: int, sent_ns: int) -> None:
        station.times.append(Timed(station.number, first - station.first_id, count, sent_ns, station.journal.heard_ns))
        if self._playing and self._plan.every_ms is None and first >= station.first_id:
            self._under_way -= count
            self._burst(station)

    def _burst(self, station: _Station) -> None:
        if self._under_way + self._plan.burst <= self._plan.in_flight:
            self._under_way += self._plan.burst
            station.say(self._plan.burst)

    async def play(self, seconds: float) -> None:
        """Let the script run, then wait until all of it is acknowledged."""
        for station in self.stations:
            station.first_id = station.journal.newest + 1
            station.times.clear()
        self._under_way = 0
        self._playing = True
        if self._plan.every_ms is None:
            for station in self.stations:
                self._burst(station)
            await asyncio.sleep(seconds)
        else:
            await self._say_in_turn(seconds, self._plan.every_ms)
        self._playing = False
        await self.drained()

    async def _say_in_turn(self, seconds: float, every_ms: int) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        for turn in range(round(seconds * 1000 / every_ms)):
            # Up to a whole step late, by a rule without a period, so that no event keeps time with the polls.
            await asyncio.sleep(max(0.0, began + (turn + turn * 0.618 % 1) * every_ms / 1000 - loop.time()))
            self.stations[turn % len(self.stations)].say(1)

    async def drained(self) -> None:
        """Until every event said so far is acknowledged by a daemon that polls."""
        while any(station.journal.newest >= station.journal.oldest for station in self.stations):  # noqa: ASYNC110
            await asyncio.sleep(_LOOK_S)  # a look now and then costs the measured process nothing


def _serve(plan: Plan, pipe: Connection) -> None:
    """The devices' process: says its paths, then plays each time it is told for how long."""

    async def serving() -> None:
        floor = _Floor(plan)
        with ExitStack() as ports:
            plugged = [ports.enter_context(floor.port(count)) for count in plan.ports]
            pipe.send([port.path for port in plugged])
            while True:
                seconds: float = await asyncio.to_thread(pipe.recv)
                await floor.drained()
                await floor.play(seconds)
                pipe.send([time for station in floor.stations for time in station.times])

    asyncio.run(serving())


class Stations:
    """The devices of a plan, from `with` to its end."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.paths: list[str] = []
        spawned = multiprocessing.get_context("spawn")
        self._pipe, self._far_end = spawned.Pipe()
        self._process = spawned.Process(target=_serve, args=(plan, self._far_end), daemon=True)

    def __enter__(self) -> Self:
        self._process.start()
        self._far_end.close()
        self.paths = self._pipe.recv()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.join()

    def play(self, seconds: float) -> list[Timed]:
        """Play, and give back every frame with its times; StalledError when a daemon leaves some unacknowledged."""
        self._pipe.send(seconds)
        if not self._pipe.poll(seconds + _DRAIN_LIMIT_S):
            raise StalledError(f"not all events were acknowledged {_DRAIN_LIMIT_S:g} s after the last was said")
        times: list[Timed] = self._pipe.recv()
        return times
