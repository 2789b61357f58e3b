"""The publisher: the board's newest views to the broker, for ever (design 6).

Laws
1. It says what is committed and nothing else; a rise is never shown before it is on disk.
2. After every connect all retained topics are said again, and what the broker still keeps of others is cleared.
3. At most 5 meter messages a second and pool; each is said again at least every 5 s; `beat` rises with every message.
4. The broker being away or slow costs nothing but the newest message of each topic.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Mapping
from random import Random

import aiomqtt
import orjson

from hardware.reconnect import Backoff
from jackpotd.core.parameters import TableParams
from jackpotd.core.state import Alarm
from jackpotd.daemon import notices
from jackpotd.daemon.board import Board, HitView, MeterView, TableView, Wake
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.config_settings import MqttSettings
from jackpotd.daemon.metrics import Metrics
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.daemon.slots import Slot
from jackpotd.daemon.tasks import together

log = logging.getLogger(__name__)

RATE_INTERVAL_MS = 200  # 5 a second
AGAIN_MS = 4_000  # within the 5 s that signs are promised, with time for a slow broker
# Messages under way at once: below the 20 that MQTT clients and brokers allow by default.
MAX_IN_FLIGHT = 16
PUBACK_TIMEOUT_S = 10.0
KEEPALIVE_S = 10
FIRST_WAIT_S, LONGEST_WAIT_S, STABLE_S = 0.2, 10.0, 30.0
_MS_PER_S = 1_000
_NS_PER_MS = 1_000_000


class Publisher:
    """One controller's MQTT voice."""

    def __init__(
        self,
        settings: MqttSettings,
        password: str | None,
        site: str,
        node: str,
        version: str,
        board: Board,
        alarms: ShellAlarms,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._settings = settings
        self._password = password
        self._prefix = f"jackpotd/{site}"
        self._status_topic = f"{self._prefix}/status/{node}"
        self._client_id = f"jackpotd-{site}-{node}"
        self._version = version
        self._board = board
        self._alarms = alarms
        self._clock = clock
        self._metrics = metrics
        self._wake = Wake(board)
        alarms.listeners.append(self._wake.set)
        self._beat = 0
        self._slots: dict[str, Slot] = {}
        self._first_pools: dict[str, str] = {}
        self.connected = False

    def set_tables(self, tables: Mapping[str, TableParams]) -> None:
        """The tables as configured: their first pool is called `progressive` on their topic."""
        self._first_pools = {name: params.pools[0] for name, params in tables.items()}

    async def run(self) -> None:
        """Connect and speak, for ever."""
        backoff = Backoff(Random(), FIRST_WAIT_S, LONGEST_WAIT_S, STABLE_S)  # noqa: S311  # jitter, no secret
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            try:
                await self._session()
            except (aiomqtt.MqttError, OSError) as error:
                self.connected = False
                text = f"the broker {self._settings.broker} is not reached: {error}"
                self._alarms.raise_alarm("broker", "mqtt", text, "Check the broker, its address and the password.")
            await asyncio.sleep(backoff.delay_s(loop.time() - began))

    # ---- one connection

    def _client(self) -> aiomqtt.Client:
        broker = self._settings.broker
        will = orjson.dumps(notices.status("offline", self._board.epoch, self._next_beat(), self._version))
        return aiomqtt.Client(
            broker.host,
            broker.port,
            username=self._settings.username,
            password=self._password,
            identifier=self._client_id,
            protocol=aiomqtt.ProtocolVersion.V5 if self._settings.protocol == "5" else aiomqtt.ProtocolVersion.V311,
            will=aiomqtt.Will(self._status_topic, will, qos=1, retain=True),
            keepalive=KEEPALIVE_S,
            timeout=PUBACK_TIMEOUT_S,
            tls_context=self._tls() if broker.tls else None,
        )

    def _tls(self) -> ssl.SSLContext:
        ca = self._settings.ca_file
        return ssl.create_default_context(cafile=str(ca) if ca is not None else None)

    async def _session(self) -> None:
        async with self._client() as client:
            self.connected = True
            self._alarms.clear("broker", "mqtt")
            log.info("broker connected", extra={"broker": str(self._settings.broker)})
            for slot in self._slots.values():
                slot.dirty = True
            await client.subscribe([(f"{self._prefix}/alarm/+", 1), (f"{self._prefix}/pool/+/hit/+", 1)])
            try:
                await together(self._tidy(client), self._speak(client), boundary=(aiomqtt.MqttError, OSError))
            finally:
                self.connected = False

    async def _tidy(self, client: aiomqtt.Client) -> None:
        """Clear what the broker keeps of hits and alarms that are over (law 2)."""
        async for message in client.messages:
            topic = str(message.topic)
            if message.retain and message.payload and topic not in self._slots:
                await client.publish(topic, b"", qos=1, retain=True)

    async def _speak(self, client: aiomqtt.Client) -> None:
        while True:
            self._refresh()
            now = self._clock.monotonic_ms()
            due = [slot for slot in self._slots.values() if (at := slot.due_ms()) is not None and at <= now]
            if due:
                await asyncio.gather(*(self._say(client, slot) for slot in due[:MAX_IN_FLIGHT]))
                continue
            waits = [at - now for slot in self._slots.values() if (at := slot.due_ms()) is not None]
            await self._wake.wait(min(waits, default=AGAIN_MS) / _MS_PER_S)

    async def _say(self, client: aiomqtt.Client, slot: Slot) -> None:
        slot.dirty = False
        slot.said_ms = self._clock.monotonic_ms()
        heard_ns, slot.heard_ns = slot.heard_ns, 0
        build = slot.build
        payload = build(self._next_beat()) if build is not None else b""
        try:
            await client.publish(slot.topic, payload, qos=1, retain=True)
        except BaseException:
            slot.dirty = True
            raise
        if heard_ns:
            self._metrics.published(self._clock.monotonic_ns() - heard_ns)
        if build is None and slot.build is None:
            self._slots.pop(slot.topic, None)

    async def say_offline(self) -> None:
        """Say goodbye in an own short connection, when the process ends in order."""
        async with self._client() as client:
            message = notices.status("offline", self._board.epoch, self._next_beat(), self._version)
            await client.publish(self._status_topic, orjson.dumps(message), qos=1, retain=True)

    def _next_beat(self) -> int:
        self._beat += 1
        return self._beat

    # ---- from the board to the slots

    def _slot(self, topic: str, again_ms: int | None = None, interval_ms: int = RATE_INTERVAL_MS) -> Slot:
        slot = self._slots.get(topic)
        if slot is None:
            slot = self._slots[topic] = Slot(topic, interval_ms, again_ms)
        return slot

    def _refresh(self) -> None:
        """Bring every slot to the newest view; topics whose subject is gone are cleared."""
        board = self._board
        epoch = board.epoch
        self._slot(self._status_topic, AGAIN_MS).set(
            epoch, lambda beat: orjson.dumps(notices.status("online", epoch, beat, self._version))
        )
        self._refresh_meters()
        self._refresh_tables()
        wanted = self._refresh_hits() | self._refresh_alarms()
        for topic, slot in self._slots.items():
            if ("/hit/" in topic or "/alarm/" in topic) and topic not in wanted:
                slot.set(None, None)

    def _refresh_meters(self) -> None:
        board, epoch, suspended = self._board, self._board.epoch, bool(self._board.suspended)
        for name, view in board.meters.items():

            def build(beat: int, view: MeterView = view) -> bytes:
                return orjson.dumps(notices.meter(view, epoch, beat, self._clock.utc_ms(), suspended=suspended))

            slot = self._slot(f"{self._prefix}/pool/{name}/meter", AGAIN_MS)
            slot.set((view, epoch, suspended), build, view.heard_ns)

    def _refresh_tables(self) -> None:
        board, epoch, closed = self._board, self._board.epoch, self._board.suspended
        for name, view in board.tables.items():
            first = self._first_pools.get(name, "")

            def build(beat: int, view: TableView = view, first: str = first) -> bytes:
                return orjson.dumps(notices.table(view, first, epoch, beat, closed))

            self._slot(f"{self._prefix}/table/{name}/state").set((view, epoch, closed), build)

    def _refresh_hits(self) -> set[str]:
        epoch, now_ms = self._board.epoch, self._clock.utc_ms()
        wanted = set()
        for view in self._board.hits.values():
            if view.status in ("paid", "rejected") and now_ms - view.decided_ms >= view.show_for_ms:
                continue

            def build(beat: int, view: HitView = view) -> bytes:
                return orjson.dumps(notices.hit(view, epoch, beat))

            topic = f"{self._prefix}/pool/{view.pool}/hit/{view.hit}"
            self._slot(topic).set((view, epoch), build)
            wanted.add(topic)
        return wanted

    def _refresh_alarms(self) -> set[str]:
        epoch = self._board.epoch
        wanted = set()
        for active in (*self._board.alarms.values(), *self._alarms.active.values()):

            def build(beat: int, active: Alarm = active) -> bytes:
                return orjson.dumps(notices.alarm(active, epoch, beat))

            topic = f"{self._prefix}/alarm/{active.alarm}"
            self._slot(topic).set((active.alarm, active.since_ms, epoch), build)
            wanted.add(topic)
        return wanted
