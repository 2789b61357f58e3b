"""How long an event takes to its acknowledgement, and to an independent MQTT subscriber, when little is going on.

20 tables, each with its own pool, port and keyed device, play rounds without card reading at 20 events a second
together. Acknowledgement: from the EVENTS frame written to the acknowledging POLL read. Subscriber: from the same
moment to the message that first shows the event: the table's state for bets and the end of a round, the pool's meter
for `bets locked`, which also takes the poll that proves that no bet is missing, and a second commit.
Raw: a page written and synced, and a QoS 1 publish acknowledged, both after a pause of 50 ms, before and after.
Twice: as the daemon comes, and with `keep_cores_awake`. The raw figures that the asked ones are compared with are of
the machine as it is left, cores asleep; those with the cores awake are told too. That half needs the right to
/dev/cpu_dma_latency.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import orjson
import paho.mqtt.client as paho

from jackpotd.daemon.cpu_latency import NO_SLEEP, open_bound
from tests.bench.figures import Figure, percentile, raw_fdatasync_s
from tests.bench.floor import CONTRIBUTION_MINOR, SEED_MINOR, SITE, playing, pool_of, table_of
from tests.bench.stations import ROUND, Plan, Stations, Timed
from tests.support.broker import Mosquitto
from tests.support.mqtt_client import MqttClient

_TABLES = 20
_PLAN = Plan(ports=(1,) * _TABLES, script="rounds", every_ms=50)
# Whole rounds, so that the next run begins with an ante.
_WARM_S, _MEASURED_S = 4.0, 32.0
_SHOWN_LIMIT_S = 2.0
_COLD_TRIES, _COLD_PAUSE_S = 60, 0.05
_LOCK = 2
_AWAKE = "cores awake: "
Shown = dict[tuple[str, int, int], int]  # table, round, step of it -> when it was first seen


@dataclass(frozen=True, slots=True)
class Raw:
    """The raw figures of one moment."""

    sync_ms: float
    publish_ms: float


@dataclass(frozen=True, slots=True)
class Played:
    """What was played and seen; `skipped` events a table were only to get warm."""

    times: list[Timed]
    shown: Shown
    skipped: int


class _Watcher(MqttClient):
    """A subscriber that notes when it first saw each step of each round."""

    def __init__(self, broker: Mosquitto) -> None:
        super().__init__(broker.host, broker.port, client_id="bench")
        self.shown: Shown = {}

    def _on_message(self, client: paho.Client, userdata: object, message: paho.MQTTMessage) -> None:
        now_ns = time.monotonic_ns()
        kind, name = message.topic.split("/")[2:4]
        said = orjson.loads(message.payload)
        steps = _steps_of_pool(name, said) if kind == "pool" else _steps_of_table(name, said)
        for step in steps:
            self.shown.setdefault(step, now_ns)


_TABLE_OF_POOL = {pool_of(number, _TABLES): table_of(number) for number in range(_TABLES)}


def _steps_of_pool(pool: str, meter: dict[str, Any]) -> list[tuple[str, int, int]]:
    """A meter that rose shows the lock of the round that it has grown to."""
    rounds = (int(meter["amount_minor"]) - SEED_MINOR) // CONTRIBUTION_MINOR
    return [(_TABLE_OF_POOL[pool], rounds - 1, _LOCK)]


def _steps_of_table(table: str, state: dict[str, Any]) -> list[tuple[str, int, int]]:
    """A table's state shows its bets, and by its round's number the end of the one before."""
    number = int(state["round"].rpartition("-")[2]) - 1
    bets = range(sum(len(placed) for placed in state["seats"].values()))
    return [(table, number - 1, len(ROUND) - 1), *((table, number, bet) for bet in bets)]


def measure(folder: Path) -> list[Figure]:
    """Both latencies beside the raw ones."""
    broker = Mosquitto(folder / "broker")
    broker.start()
    try:
        raw = [_raw(folder, broker)]
        asleep = _played(folder / "asleep", broker, awake=False)
        raw.append(_raw(folder, broker))
        bound = open_bound()
        awake = _played(folder / "awake", broker, awake=True)
        raw.append(_raw(folder, broker))
        bound.write(NO_SLEEP)
        awake_raw = _raw(folder, broker)
        bound.close()
    finally:
        broker.stop()
    cold = Raw(median(one.sync_ms for one in raw), median(one.publish_ms for one in raw))
    return [
        *_raw_figures("", cold),
        *_figures("", asleep, cold),
        *_figures(_AWAKE, awake, cold),
        *_raw_figures(_AWAKE, awake_raw),
    ]


def _played(folder: Path, broker: Mosquitto, *, awake: bool) -> Played:
    folder.mkdir()
    with (
        Stations(_PLAN) as stations,
        playing(folder, broker.url, stations, pools=_TABLES, awake=awake),
        _Watcher(broker) as seen,
    ):
        seen.subscribe(f"jackpotd/{SITE}/pool/+/meter", f"jackpotd/{SITE}/table/+/state")
        skipped = sum(frame.events for frame in stations.play(_WARM_S)) // _TABLES
        times = stations.play(_MEASURED_S)
        time.sleep(_SHOWN_LIMIT_S)
    return Played(times, seen.shown, skipped)


def _raw_figures(prefix: str, raw: Raw) -> list[Figure]:
    return [
        Figure(f"{prefix}cold fdatasync", raw.sync_ms, "ms"),
        Figure(f"{prefix}cold QoS 1 publish", raw.publish_ms, "ms"),
    ]


def _figures(prefix: str, played: Played, raw: Raw) -> list[Figure]:
    times, shown, skipped = played.times, played.shown, played.skipped
    acked = [(one.acked_ns - one.sent_ns) / 1e6 for one in times]
    by_step: list[list[float]] = [[] for _ in ROUND]
    for one in times:
        for event in range(skipped + one.number, skipped + one.number + one.events):
            number, step = divmod(event, len(ROUND))
            by_step[step].append((shown[table_of(one.device), number, step] - one.sent_ns) / 1e6)
    seen = [wait for waits in by_step for wait in waits]
    return [
        Figure(f"{prefix}EVENTS to POLL, p50", percentile(acked, 50), "ms", asked=raw.sync_ms + 1.5, at_most=True),
        Figure(f"{prefix}EVENTS to POLL, p99", percentile(acked, 99), "ms"),
        Figure(f"{prefix}byte to subscriber, p50", percentile(seen, 50), "ms"),
        Figure(f"{prefix}byte to subscriber, p99", percentile(seen, 99), "ms"),
        Figure(f"{prefix}bets locked to meter, p50", percentile(by_step[_LOCK], 50), "ms"),
        Figure(
            f"{prefix}byte to subscriber, p50, to cold fdatasync and publish",
            percentile(seen, 50) / (raw.sync_ms + raw.publish_ms),
            "ratio",
            asked=2.5,
            at_most=True,
        ),
    ]


def _raw(folder: Path, broker: Mosquitto) -> Raw:
    return Raw(1e3 * raw_fdatasync_s(folder, cold=True), 1e3 * _raw_publish_s(broker))


def _raw_publish_s(broker: Mosquitto) -> float:
    took = []
    with MqttClient(broker.host, broker.port, client_id="raw") as client:
        for _ in range(_COLD_TRIES):
            time.sleep(_COLD_PAUSE_S)
            began = time.perf_counter()
            client.publish("raw", b"x" * 250, retain=True)
            took.append(time.perf_counter() - began)
    return median(took)
