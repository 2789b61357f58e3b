"""Events a second from pseudo-terminals to the committed ledger, everything that the daemon does included.

32 keyed table-bus devices, each on a port of its own, answer every acknowledging POLL with a full EVENTS frame of 24
bets, and at most 512 events are under way. The daemon is the real one, with Mosquitto; an event is a fact and an entry:
two rows. Raw: direct SQLite transactions of 64 rows of the same size, in turn with the daemon's, so that the ratio is
of neighbours in time; its median counts.
"""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from statistics import mean, median

from jackpotd.ledger.open import read_ledger
from tests.bench.figures import NS_PER_S, Figure, percentile, raw_rows_per_s
from tests.bench.floor import playing
from tests.bench.stations import Plan, Stations, Timed
from tests.support.broker import Mosquitto

_PLAN = Plan(ports=(1,) * 32, script="moves", burst=24, in_flight=512)
_WARM_S, _MEASURED_S, _TURNS = 2.0, 2.0, 5
_SAMPLED_ROWS = 2_000


def measure(folder: Path) -> list[Figure]:
    """The rate, its ratio to raw, and how long an event waits for its acknowledgement."""
    broker = Mosquitto(folder / "broker")
    broker.start()
    times: list[Timed] = []
    rates, raws, spent_s = [], [], 0.0
    try:
        with Stations(_PLAN) as stations, playing(folder, broker.url, stations) as daemon:
            stations.play(_WARM_S)
            body_bytes = _body_bytes(daemon.ledger)
            for _ in range(_TURNS):
                began_s = _processor_s(daemon.process.pid)
                played = stations.play(_MEASURED_S)
                spent_s += _processor_s(daemon.process.pid) - began_s
                times += played
                rates.append(rate(played))
                raws.append(raw_rows_per_s(folder, body_bytes))
    finally:
        broker.stop()
    waits_ms = [(frame.acked_ns - frame.sent_ns) / 1e6 for frame in times for _ in range(frame.events)]
    ratio = median(ours / raw for ours, raw in zip(rates, raws, strict=True))
    return [
        Figure("events a second", median(rates), "1/s"),
        Figure("raw rows a second", median(raws), "1/s"),
        Figure("row", body_bytes, "bytes"),
        Figure("events to raw rows", ratio, "ratio", asked=0.12, aim=0.20),
        Figure("acknowledged within, p50", percentile(waits_ms, 50), "ms"),
        Figure("acknowledged within, p99", percentile(waits_ms, 99), "ms", asked=40, at_most=True),
        Figure("the daemon's processor time an event", spent_s * 1e6 / len(waits_ms), "us"),
    ]


def rate(times: list[Timed]) -> float:
    """Events a second between the first and the last acknowledgement."""
    acked = [frame.acked_ns for frame in times]
    return sum(frame.events for frame in times) * NS_PER_S / (max(acked) - min(acked))


def _processor_s(pid: int) -> float:
    """Processor time of all threads of a process."""
    user, system = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _body_bytes(ledger: Path) -> int:
    with closing(read_ledger(f"sqlite:///{ledger}")) as reader:
        last = reader.head.seq
        return round(mean(len(row.body) for row in reader.rows(last - _SAMPLED_ROWS, last)))
