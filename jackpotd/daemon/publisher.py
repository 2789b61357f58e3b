"""The publisher: the bulletin's messages to the broker, for ever (design 6).

Laws
1. After every connect all retained topics are said again, and what the broker still keeps of others is cleared.
2. The broker being away or slow costs nothing but the newest message of each topic, and is one occurrence: one alarm.
3. A message counts as said when the broker has acknowledged it. One that is not acknowledged delays no other topic.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from functools import partial
from random import Random

import aiomqtt
from aiomqtt.exceptions import MqttConnectError

from hardware.reconnect import Backoff
from jackpotd.daemon.board import Board
from jackpotd.daemon.bulletin import Bulletin
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.config_settings import MqttSettings
from jackpotd.daemon.epoch_watch import EpochWatch
from jackpotd.daemon.metrics import Metrics
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.daemon.sign_watch import SignWatch
from jackpotd.daemon.slots import Slot
from jackpotd.daemon.tasks import cancellable, together

log = logging.getLogger(__name__)

# Messages under way at once: below the 20 that MQTT clients and brokers allow by default.
MAX_IN_FLIGHT = 16
PUBACK_TIMEOUT_S = 10.0
# A broker that is back is found at once, for the signs wait for both sides; one that refuses us is a person's to mend.
FIRST_WAIT_S, LONGEST_AWAY_S, LONGEST_REFUSED_S, STABLE_S = 0.2, 2.0, 10.0, 30.0
# Connections in a row that ended this soon: a broker that restarts makes one or two, another client of our name more.
CUT_SHORT_S, FOUGHT = 5.0, 5
LONGEST_FOUGHT_S = 30.0
_MS_PER_S = 1_000
_BOUNDARY = (aiomqtt.MqttError, OSError)


Connect = Callable[[MqttSettings, str | None, str, aiomqtt.Will], aiomqtt.Client]


class Publisher:
    """One controller's MQTT voice. `rng` is for jitter, and holds no secret."""

    def __init__(
        self,
        settings: MqttSettings,
        password: str | None,
        client_id: str,
        bulletin: Bulletin,
        board: Board,
        alarms: ShellAlarms,
        clock: Clock,
        metrics: Metrics,
        signs: SignWatch,
        rng: Random,
        connect: Connect,
    ) -> None:
        self._settings = settings
        self._password = password
        self._client_id = client_id
        self._bulletin = bulletin
        self._alarms = alarms
        self._clock = clock
        self._metrics = metrics
        self._signs = signs
        self._epochs = EpochWatch(bulletin.status_topic, board, alarms)
        self._rng = rng
        self._connect = connect
        self._board = board
        alarms.listeners.append(self._look_again)
        self._under_way = 0
        self._looks_at_ms = 0  # when it looks next at what is due
        self._look_now = asyncio.Event()
        self._cut_short = 0  # connections in a row
        self.connected = False

    async def run(self) -> None:
        """Connect and speak, for ever."""
        away = Backoff(self._rng, FIRST_WAIT_S, LONGEST_AWAY_S, STABLE_S)
        refused = Backoff(self._rng, FIRST_WAIT_S, LONGEST_REFUSED_S, STABLE_S)
        fought = Backoff(self._rng, LONGEST_AWAY_S, LONGEST_FOUGHT_S, STABLE_S)
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            try:
                await cancellable(self._session())
            except _BOUNDARY as error:
                lived_s = loop.time() - began
                backoff = refused if isinstance(error, MqttConnectError) else fought if self._is_fought else away
                self._alarms.raise_alarm("broker", "mqtt", *self._what_happened(error))
                await asyncio.sleep(backoff.delay_s(lived_s))

    @property
    def _is_fought(self) -> bool:
        return self._cut_short >= FOUGHT

    def _what_happened(self, error: Exception) -> tuple[str, str]:
        """The alarm's text, and what to do."""
        broker = self._settings.broker
        if self._is_fought:
            text = f"the broker {broker} takes each connection away at once: another client may use {self._client_id}"
            return text, "Look for a second controller of this site and node, and stop it."
        return (
            f"the broker {broker} is not reached: {error}",
            "Check the broker, its address and the password; the controller reads its password at its start.",
        )

    async def say_offline(self) -> None:
        """Say goodbye in an own short connection, when the process ends in order."""
        async with self._client() as client:
            await client.publish(self._bulletin.status_topic, self._bulletin.offline(), qos=1, retain=True)

    # ---- one connection

    def _client(self) -> aiomqtt.Client:
        will = aiomqtt.Will(self._bulletin.status_topic, self._bulletin.offline(), qos=1, retain=True)
        return self._connect(self._settings, self._password, self._client_id, will)

    async def _session(self) -> None:
        async with AsyncExitStack() as connection:
            try:
                client = await cancellable(connection.enter_async_context(self._client()))
            except _BOUNDARY:
                self._cut_short = 0  # the broker itself is away or refuses: nobody took the connection from us
                raise
            self.connected = True
            began = asyncio.get_running_loop().time()
            log.info("broker connected", extra={"broker": str(self._settings.broker)})
            self._bulletin.refresh()  # before the broker tells what it keeps, so that nothing current is cleared
            self._bulletin.say_all_again()
            self._signs.connected()
            self._epochs.connected()
            try:
                heard = (*self._bulletin.passing_filters(), self._signs.topics, self._epochs.topic)
                await cancellable(client.subscribe([(topics, 1) for topics in heard]))
                parts = (self._tidy(client), self._speak(client), self._signs.run(), self._stay())
                await together(*parts, boundary=_BOUNDARY)
            finally:
                self.connected = False
                self._count(asyncio.get_running_loop().time() - began)
                self._signs.disconnected()

    async def _stay(self) -> None:
        """Where connections were taken away, the alarm is over only with one that has lasted."""
        if self._is_fought:
            await asyncio.sleep(STABLE_S)
            self._cut_short = 0
            self._alarms.clear("broker", "mqtt")

    def _count(self, lived_s: float) -> None:
        """Count the connections that were cut short; who is fought over is so until one has lasted."""
        if lived_s < CUT_SHORT_S:
            self._cut_short += 1
        elif not self._is_fought:
            self._cut_short = 0

    async def _tidy(self, client: aiomqtt.Client) -> None:
        """Clear what the broker keeps of hits and alarms that are over (law 1); hear signs, and who has our name."""
        async for message in client.messages:
            topic = str(message.topic)
            if self._signs.heard(topic, message.payload, retained=bool(message.retain)):
                continue
            if self._epochs.heard(topic, message.payload):
                continue
            if message.retain and message.payload and not self._bulletin.knows(topic):
                await cancellable(client.publish(topic, b"", qos=1, retain=True, timeout=PUBACK_TIMEOUT_S))

    async def _speak(self, client: aiomqtt.Client) -> None:
        self._under_way = 0
        me = asyncio.current_task()
        async with asyncio.TaskGroup() as saying:

            def moved() -> None:
                """What was just committed is said at once; its next look may have to come earlier."""
                if me is None or me.cancelling():
                    return  # this connection is about to end; the next one says all
                next_ms = self._say_due(client, saying)
                if next_ms < self._looks_at_ms:
                    self._look_again()

            self._board.listeners.insert(0, moved)  # the sign first, then the lamps
            try:
                while True:
                    self._look_now.clear()
                    self._looks_at_ms = self._say_due(client, saying)
                    wait_s = (self._looks_at_ms - self._clock.monotonic_ms()) / _MS_PER_S
                    with suppress(TimeoutError):
                        async with asyncio.timeout(max(0.0, wait_s)):
                            await self._look_now.wait()
            finally:
                self._board.listeners.remove(moved)

    def _look_again(self) -> None:
        self._look_now.set()

    def _say_due(self, client: aiomqtt.Client, saying: asyncio.TaskGroup) -> int:
        """Begin to say what may be said now; the answer is when to look again, in monotonic milliseconds."""
        self._bulletin.refresh()
        now_ms = self._clock.monotonic_ms()
        due, next_ms = self._bulletin.due(now_ms)
        room = MAX_IN_FLIGHT - self._under_way
        for slot in due[:room]:
            self._under_way += 1
            heard_ns, slot.heard_ns = slot.heard_ns, 0
            payload = slot.take(now_ms, self._bulletin.next_beat())
            # Called here, so that it leaves in the commit's own turn; only the broker's answer is waited for.
            words = client.publish(slot.topic, payload, qos=1, retain=True, timeout=PUBACK_TIMEOUT_S)
            saying.create_task(words).add_done_callback(partial(self._answered, slot, heard_ns))
        # Those for whom there is no room wait until one that is under way has arrived.
        return next_ms

    def _answered(self, slot: Slot, heard_ns: int, answer: asyncio.Task[None]) -> None:
        """The broker has acknowledged it, or the connection is over, and the next one says all again."""
        if answer.cancelled() or answer.exception() is not None:
            return
        slot.arrived()
        self._under_way -= 1
        if not self._is_fought:
            self._alarms.clear("broker", "mqtt")  # not before: a broker may take connections and acknowledge nothing
        if heard_ns:
            self._metrics.published(self._clock.monotonic_ns() - heard_ns)
        if slot.over and not slot.dirty:
            self._bulletin.forget(slot)
        self._look_again()
