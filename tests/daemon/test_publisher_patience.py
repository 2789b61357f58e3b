"""Hours of a broker that refuses, cuts off or swallows, on a virtual clock: how often it is tried, what is kept."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import Callable
from random import Random
from types import TracebackType
from typing import Any, Self

import aiomqtt
import pytest
from aiomqtt.exceptions import MqttConnectError

from jackpotd.core.state import Alarm
from jackpotd.daemon.board import Board, MeterView
from jackpotd.daemon.broker_client import HANDSHAKE_TIMEOUT_S
from jackpotd.daemon.bulletin import Bulletin
from jackpotd.daemon.config_addresses import BrokerAddress
from jackpotd.daemon.config_settings import MqttSettings
from jackpotd.daemon.metrics import Metrics
from jackpotd.daemon.publisher import (
    LONGEST_AWAY_S,
    LONGEST_FOUGHT_S,
    LONGEST_REFUSED_S,
    PUBACK_TIMEOUT_S,
    Publisher,
)
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.daemon.sign_watch import SignWatch
from tests.simulation.clock_loop import ClockLoop, SimClock, run_on_clock
from tests.support.publishing import NODE, POOL, SITE, pending_hit

HOUR_S = 3_600.0
START_UTC_MS = 1_764_489_600_000
NOT_AUTHORISED = 5
REFUSED = "[Errno 111] Connection refused"
RESTARTS_S = 3.0


class SimClient(aiomqtt.Client):
    """A connection that is refused, cut off at once, or to a broker that swallows all but the first greeting.

    "deaf": it greets, and acknowledges nothing.
    "restarts": every second connection is refused, the others are cut off after RESTARTS_S.
    """

    def __init__(self, fault: str, tries: int) -> None:
        self._fault = fault
        self._tries = tries
        self.cut_off = asyncio.Event()
        self.said_too_late = 0

    async def __aenter__(self) -> Self:
        if self._fault == "refused":
            raise MqttConnectError(NOT_AUTHORISED)
        if self._fault == "black hole" and self._tries > 1:
            await asyncio.sleep(HANDSHAKE_TIMEOUT_S)
            raise aiomqtt.MqttError("Operation timed out")
        if self._fault == "restarts":
            if self._tries % 2:
                raise ConnectionRefusedError(REFUSED)
            asyncio.get_running_loop().call_later(RESTARTS_S, self.cut_off.set)
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        """It takes no time."""

    async def subscribe(self, topic: Any, *args: Any, **options: Any) -> tuple[int, ...]:
        return ()

    async def publish(self, topic: str, payload: Any = None, *args: Any, **options: Any) -> None:
        if self._fault == "cut off":
            raise aiomqtt.MqttError("session taken over")
        if self._fault == "restarts":
            self.said_too_late += self.cut_off.is_set()
            await self.cut_off.wait()
            raise aiomqtt.MqttError("the connection was closed")
        await asyncio.sleep(PUBACK_TIMEOUT_S)
        raise aiomqtt.MqttError("Operation timed out")

    @property
    def messages(self) -> Any:
        return self._messages()

    async def _messages(self) -> Any:
        await asyncio.get_running_loop().create_future()
        yield None


class Voice:
    """A publisher on a virtual clock; `tries` counts its connections."""

    def __init__(self, loop: ClockLoop, fault: str) -> None:
        clock = SimClock(loop, START_UTC_MS)
        self.tries = 0
        self.client: SimClient | None = None
        self.board = Board(epoch=7, seq=1)
        self.alarms = ShellAlarms(clock)
        self.bulletin = Bulletin(SITE, NODE, "0.1.0", self.board, self.alarms, clock)
        self._fault = fault
        signs = SignWatch(SITE, self.board, self.alarms, clock)
        settings = MqttSettings(BrokerAddress("127.0.0.1", 1883, tls=False), "3.1.1", None, None, None)
        rng, metrics = Random(11), Metrics()
        self.publisher = Publisher(
            settings, None, "me", self.bulletin, self.board, self.alarms, clock, metrics, signs, rng, self._connect
        )

    def _connect(self, *_: Any) -> aiomqtt.Client:
        self.tries += 1
        self.client = SimClient(self._fault, self.tries)
        return self.client

    def changed(self, minor: int) -> None:
        """The meter moves, and everybody is told."""
        self.board.seq += 1
        self.board.meters[POOL] = MeterView(POOL, minor, "live", "MOP", 2, self.board.seq, 0)
        for listener in self.board.listeners:
            listener()


def for_an_hour(fault: str, each_s: Callable[[Voice, int], None] = lambda *_: None) -> Voice:
    """A publisher for one hour of this fault; `each_s` hears of every second."""
    voices: list[Voice] = []

    async def main(loop: ClockLoop) -> None:
        voice = Voice(loop, fault)
        voices.append(voice)
        voice.changed(0)
        async with asyncio.TaskGroup() as group:
            task = group.create_task(voice.publisher.run())
            for second in range(int(HOUR_S)):
                await asyncio.sleep(1.0)
                each_s(voice, second)
            task.cancel()

    run_on_clock(main)
    return voices[0]


@pytest.mark.parametrize(("fault", "longest_s"), [("refused", LONGEST_REFUSED_S), ("cut off", LONGEST_FOUGHT_S)])
def test_a_wrong_password_and_another_client_of_our_name_make_no_storm_of_connections(
    fault: str, longest_s: float
) -> None:
    voice = for_an_hour(fault)
    # Drawn evenly between nothing and the longest wait: twice the even share of an hour is far beyond chance.
    assert HOUR_S / longest_s < voice.tries < 2 * (HOUR_S / (longest_s / 2))
    assert set(voice.alarms.active) == {"broker-mqtt"}
    alarm = voice.alarms.active["broker-mqtt"]
    assert alarm.since_ms < START_UTC_MS + 60_000, "the alarm came and went"
    assert ("another client may use me" in alarm.text) == (fault == "cut off")


def test_a_broker_that_takes_connections_and_acknowledges_nothing_is_one_alarm() -> None:
    voice = for_an_hour("deaf")
    assert voice.tries > HOUR_S / (PUBACK_TIMEOUT_S + LONGEST_AWAY_S)
    assert set(voice.alarms.active) == {"broker-mqtt"}
    assert voice.alarms.active["broker-mqtt"].since_ms < START_UTC_MS + 60_000, "the alarm came and went"


def test_a_broker_that_restarts_again_and_again_is_looked_for_as_soon_as_ever(caplog: pytest.LogCaptureFixture) -> None:
    voice = for_an_hour("restarts")
    # Two tries and a connection's life take at most this long: it was never taken for another client of our name.
    assert voice.tries > 2 * HOUR_S / (RESTARTS_S + 2 * LONGEST_AWAY_S)
    assert "another client" not in caplog.text


def test_a_commit_in_the_moment_in_which_a_connection_ends_is_said_on_the_next() -> None:
    async def main(loop: ClockLoop) -> None:
        voice = Voice(loop, "restarts")
        task = loop.create_task(voice.publisher.run())
        await asyncio.sleep(LONGEST_AWAY_S)
        assert voice.publisher.connected
        client = voice.client
        assert client is not None
        client.cut_off.set()
        for minor in range(1, 20):
            await asyncio.sleep(0)
            new = f"pool-{minor}"  # the others' messages are under way
            voice.board.meters[new] = MeterView(new, minor, "live", "MOP", 2, voice.board.seq, 0)
            voice.changed(minor)
        assert not client.said_too_late
        assert not task.done()
        task.cancel()

    run_on_clock(main)


def test_an_hour_of_a_broker_that_swallows_everything_keeps_memory_flat() -> None:
    sizes: list[int] = []

    def move(voice: Voice, second: int) -> None:
        for more in range(20):
            voice.changed(second * 100 + more)
        # Hits and alarms come and go, as they do on a floor.
        voice.board.hits["h"] = pending_hit()
        name = f"held-T{second % 40:02}"
        voice.board.alarms = {name: Alarm(name, "held", "why", "T01", "", 1, "look")}
        if second % 600 == 599:
            sizes.append(tracemalloc.get_traced_memory()[0])

    tracemalloc.start()
    try:
        voice = for_an_hour("black hole", move)
    finally:
        tracemalloc.stop()
    assert len(sizes) == 6
    assert sizes[-1] < sizes[1] + 64 * 1024, sizes
    assert len(voice.bulletin.due(10**12)[0]) < 50, "topics of what is over are kept"
