"""A simulated broker, and the client that stands where aiomqtt's does.

Laws
1. QoS 1 as it is: a publication is acknowledged when the broker has it, and may be delivered twice; order is kept.
2. A connection that breaks publishes the will; one that is closed in order does not. A client id is held once.
3. Half-open: nothing passes either way, nobody is told, and the keep-alive ends it.
4. Silent: it takes connections and answers none; what waits is answered when it speaks again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from types import TracebackType
from typing import Any, Self

import aiomqtt

from tests.simulation.trace import Trace

LEAST_S, MOST_S = 0.0005, 0.003
KEEPALIVE_ENDS_S = 15.0  # one and a half of the controller's keep-alive
CONNECT_TIMEOUT_S = 5.0
REFUSED = "[Errno 111] Connection refused"


@lru_cache(maxsize=4_096)
def matches(topic: str, pattern: str) -> bool:
    """Whether a filter takes a topic; only `+` and a last `#` are used."""
    parts, wanted = topic.split("/"), pattern.split("/")
    if wanted[-1] == "#":
        parts, wanted = parts[: len(wanted) - 1], wanted[:-1]
    return len(parts) == len(wanted) and all(w in ("+", p) for p, w in zip(parts, wanted, strict=True))


@dataclass(slots=True)
class Weather:
    """How the broker behaves now."""

    up: bool = True
    slow_s: float = 0.0
    twice: float = 0.0  # the chance that a delivery comes twice
    no_puback: float = 0.0  # the chance that an acknowledgement gets lost


@dataclass(eq=False, slots=True)
class Session:
    """A client as the broker knows it."""

    client: SimClient
    will: aiomqtt.Will | None
    filters: list[str] = field(default_factory=list)
    half_open: bool = False
    free_s: float = 0.0


class SimBroker:
    """The broker."""

    def __init__(self, rng: Random, trace: Trace) -> None:
        self.weather = Weather()
        self.retained: dict[str, bytes] = {}
        self.sessions: dict[str, Session] = {}
        self._rng = rng
        self._trace = trace
        self._speaks = asyncio.Event()
        self._speaks.set()

    # ---- what happens to it

    def silence(self) -> None:
        """It answers nobody any more."""
        self._speaks.clear()
        for client_id in list(self.sessions):
            self.black_hole(client_id)

    def speak(self) -> None:
        """It answers again."""
        self._speaks.set()

    async def answers(self) -> bool:
        """Whether it answers somebody who connects, after some time or within the time that is waited."""
        await asyncio.sleep(self.way_s())
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                await self._speaks.wait()
        except TimeoutError:
            return False
        return self.weather.up

    def stop(self) -> None:
        """Killed: every connection breaks."""
        self.weather.up = False
        for session in list(self.sessions.values()):
            session.client.lost("the connection was closed")
        self.sessions.clear()

    def start(self, retained: dict[str, bytes]) -> None:
        """Back, with what it kept: all, nothing, or what it had yesterday."""
        self.weather.up = True
        self.retained = dict(retained)

    def black_hole(self, client_id: str) -> bool:
        """A connection goes half-open; whether there was one."""
        session = self.sessions.get(client_id)
        if session is None or session.half_open:
            return False
        session.half_open = True
        asyncio.get_running_loop().call_later(KEEPALIVE_ENDS_S, self._keepalive_over, session)
        return True

    def broken(self, client_id: str, after_s: float) -> None:
        """A client died; the broker notices at once or by its keep-alive."""
        session = self.sessions.get(client_id)
        if session is not None:
            session.half_open = True
            asyncio.get_running_loop().call_later(after_s, self._keepalive_over, session)

    def _keepalive_over(self, session: Session) -> None:
        session.client.lost("keep-alive timeout")
        self._drop(session)

    def _drop(self, session: Session) -> None:
        known = [name for name, one in self.sessions.items() if one is session]
        for name in known:
            del self.sessions[name]
        if known and session.will is not None:
            self.take(session.will.topic, _bytes(session.will.payload), retain=session.will.retain)

    # ---- what clients do

    def connected(self, client_id: str, client: SimClient, will: aiomqtt.Will | None) -> Session:
        """A new session, in place of one of the same id."""
        old = self.sessions.get(client_id)
        if old is not None:
            old.client.lost("session taken over")
            self._drop(old)
        self.sessions[client_id] = session = Session(client, will)
        return session

    def disconnected(self, client_id: str, session: Session) -> None:
        """In order: the will is forgotten."""
        if self.sessions.get(client_id) is session:
            del self.sessions[client_id]

    def take(self, topic: str, payload: bytes, *, retain: bool) -> None:
        """A publication reached the broker."""
        self._trace.note("mqtt", topic.encode(), payload)
        if retain:
            if payload:
                self.retained[topic] = payload
            else:
                self.retained.pop(topic, None)
        for session in list(self.sessions.values()):
            if any(matches(topic, pattern) for pattern in session.filters):
                self._deliver(session, topic, payload, retained=False)

    def subscribe(self, session: Session, filters: list[str]) -> None:
        """Deliver what is kept, then what comes."""
        session.filters += filters
        for topic, payload in sorted(self.retained.items()):
            if any(matches(topic, pattern) for pattern in filters):
                self._deliver(session, topic, payload, retained=True)

    def _deliver(self, session: Session, topic: str, payload: bytes, *, retained: bool) -> None:
        loop = asyncio.get_running_loop()
        times = 2 if self._rng.random() < self.weather.twice else 1
        for _ in range(times):
            session.free_s = max(session.free_s, loop.time() + self.way_s())
            loop.call_at(session.free_s, session.client.hear, topic, payload, retained)

    def way_s(self) -> float:
        """How long a packet takes."""
        return self._rng.uniform(LEAST_S, MOST_S) + self._rng.uniform(0, self.weather.slow_s)

    def loses_puback(self) -> bool:
        """Whether this acknowledgement gets lost."""
        return self._rng.random() < self.weather.no_puback


def _bytes(payload: Any) -> bytes:
    assert isinstance(payload, bytes)
    return payload


class SimClient(aiomqtt.Client):
    """One connection; `alive` is False once the process that made it is dead."""

    def __init__(
        self, broker: SimBroker, client_id: str, will: aiomqtt.Will | None, alive: Callable[[], bool] = lambda: True
    ) -> None:
        self._broker = broker
        self._id = client_id
        self._will = will
        self._alive = alive
        self._session: Session | None = None
        self._over: str | None = None
        self._inbox: deque[aiomqtt.Message] = deque()
        self._news = asyncio.Event()
        self._waiting: list[asyncio.Future[None]] = []

    async def __aenter__(self) -> Self:
        broker = self._broker
        if not await broker.answers() or not self._alive():
            raise aiomqtt.MqttError(REFUSED)
        self._session = broker.connected(self._id, self, self._will)
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        if self._passes() and self._session is not None:
            self._broker.disconnected(self._id, self._session)
        self._over = self._over or "disconnected"

    async def publish(self, topic: str, payload: Any = None, *args: Any, **options: Any) -> None:
        self._require()
        timeout_s = options.get("timeout") or CONNECT_TIMEOUT_S
        way_s = self._broker.way_s()
        if not self._passes() or self._broker.loses_puback():
            if self._passes():
                asyncio.get_running_loop().call_later(way_s, self._arrive, topic, payload, options["retain"])
            await self._wait(timeout_s)
            raise aiomqtt.MqttError("Operation timed out")
        await self._wait(way_s)
        self._arrive(topic, payload, options["retain"])
        await self._wait(self._broker.way_s())
        if not self._passes():
            await self._wait(timeout_s)
            raise aiomqtt.MqttError("Operation timed out")

    async def subscribe(self, topic: Any, *args: Any, **options: Any) -> tuple[int, ...]:
        self._require()
        await self._wait(self._broker.way_s())
        assert self._session is not None
        if not self._passes():
            await self._wait(CONNECT_TIMEOUT_S)
            raise aiomqtt.MqttError("Operation timed out")
        self._broker.subscribe(self._session, [name for name, _ in topic])
        return tuple(1 for _ in topic)

    @property
    def messages(self) -> Any:
        return self._messages()

    async def _messages(self) -> AsyncIterator[aiomqtt.Message]:
        while True:
            while self._inbox:
                yield self._inbox.popleft()
            self._require()
            self._news.clear()
            await self._news.wait()

    @property
    def under_way(self) -> int:
        """How many packets wait to be answered."""
        return len(self._waiting)

    def hear(self, topic: str, payload: bytes, retained: bool) -> None:
        """The broker delivers."""
        if self._passes():
            self._inbox.append(aiomqtt.Message(topic, payload, 1, retained, 0, None))
            self._news.set()

    def lost(self, why: str) -> None:
        """The connection broke."""
        self._over = self._over or why
        self._news.set()
        for waiting in self._waiting:
            _come_back(waiting)

    def _arrive(self, topic: str, payload: bytes, retain: bool) -> None:
        if self._passes():
            self._broker.take(topic, payload, retain=retain)

    async def _wait(self, for_s: float) -> None:
        """Some time, or the end of the connection."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[None] = loop.create_future()
        timer = loop.call_later(for_s, _come_back, waiting)
        self._waiting.append(waiting)
        try:
            await waiting
        finally:
            timer.cancel()
            self._waiting.remove(waiting)
        self._require()

    def _passes(self) -> bool:
        """Whether a packet gets through."""
        return self._alive() and self._over is None and self._session is not None and not self._session.half_open

    def _require(self) -> None:
        if self._over is not None:
            raise aiomqtt.MqttError(f"Disconnected: {self._over}")


def _come_back(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)
