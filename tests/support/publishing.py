"""A publisher at work in a thread of its own, for tests with a real broker."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Self

from jackpotd.daemon.board import Board, HitView, MeterView
from jackpotd.daemon.broker_client import broker_client
from jackpotd.daemon.bulletin import Bulletin
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.config_addresses import BrokerAddress
from jackpotd.daemon.config_settings import MqttSettings
from jackpotd.daemon.metrics import Metrics
from jackpotd.daemon.publisher import Publisher
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.daemon.sign_watch import SignWatch
from tests.support.broker import Mosquitto
from tests.support.mqtt_client import MqttClient
from tests.support.until import until

SITE, NODE, POOL = "lisboa", "main", "stud-main"
_CANCEL_AGAIN_S = 0.5
HIT_ID = f"T01.2.{POOL}.flush"


def pending_hit() -> HitView:
    return HitView(
        hit=HIT_ID,
        pool=POOL,
        tier="flush",
        prize="flush",
        table="T01",
        round=2,
        at_ms=1_764_489_600_000,
        amount_minor=50_000,
        exponent=2,
        winners=(),
        status="pending",
        late=False,
        decided_ms=0,
        approvals=(),
        rejections=(),
        slip="",
        why="",
        show_for_ms=600_000,
        seq=2,
    )


class Publishing:
    """Between `with` and its end the publisher runs; what changes its board goes through `act`."""

    def __init__(
        self,
        broker: Mosquitto,
        *,
        tls: bool = False,
        username: str | None = None,
        password: str | None = None,
        ca: Path | None = None,
        host: str = "127.0.0.1",
        port: int | None = None,
        protocol: str = "3.1.1",
    ) -> None:
        clock = Clock()
        self.board = Board(epoch=7, seq=1)
        self.board.meters[POOL] = MeterView(POOL, 50_000_000, "live", "MOP", 2, 1, 0)
        self.alarms = ShellAlarms(clock)
        settings = MqttSettings(BrokerAddress(host, port or broker.port, tls), protocol, username, None, ca)
        bulletin = Bulletin(SITE, NODE, "0.1.0", self.board, self.alarms, clock)
        signs = SignWatch(SITE, self.board, self.alarms, clock)
        self.publisher = Publisher(
            settings,
            password,
            f"jackpotd-{SITE}-{NODE}",
            bulletin,
            self.board,
            self.alarms,
            clock,
            Metrics(),
            signs,
            Random(),
            broker_client,
        )
        self._loop = asyncio.new_event_loop()
        self._task: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._run, name="publisher")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._cancel)
        self._thread.join()
        self._loop.close()

    def act(self, change: Callable[[], object]) -> None:
        """Have something done in the publisher's thread, and wake it."""

        def changed() -> None:
            change()
            for listener in self.board.listeners:
                listener()

        self._loop.call_soon_threadsafe(changed)

    def connected(self) -> None:
        """Wait until it is."""
        until(lambda: self.publisher.connected, "a connection", lambda: str(self.alarms.active))

    def refused(self) -> str:
        """Wait until the alarm about the broker is raised; its text."""
        until(lambda: "broker-mqtt" in self.alarms.active, "an alarm about the broker")
        return self.alarms.active["broker-mqtt"].text

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._task = self._loop.create_task(self.publisher.run())
        try:
            self._loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            self._loop.run_until_complete(self._loop.shutdown_default_executor())

    def _cancel(self) -> None:
        """Cancel it until it has ended, as the daemon does: one that comes together with an error may get lost."""
        assert self._task is not None
        self._task.cancel()
        self._loop.call_later(_CANCEL_AGAIN_S, self._cancel)


def retained(broker: Mosquitto, *topics: str) -> dict[str, Any]:
    """What the broker keeps on these topics (exact ones) now, waiting until it keeps something on each."""
    kept: dict[str, Any] = {}
    with MqttClient(broker.host, broker.port) as client:
        client.subscribe(*topics)
        while not kept.keys() >= set(topics):
            message = client.next()
            if message.payload:
                kept[message.topic] = json.loads(message.payload)
    return kept
