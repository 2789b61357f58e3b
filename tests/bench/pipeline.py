"""Events a second from pseudo-terminals to the committed ledger, everything that the daemon does included.

32 keyed table-bus devices, eight on a port, answer every acknowledging POLL with a full EVENTS frame of 24 bets, and at
most 512 events are under way. The daemon is the real one, with Mosquitto; an event is a fact and an entry, two rows.
Raw: direct SQLite transactions of 64 rows of the same size, before and after.
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

_PLAN = Plan(ports=(8, 8, 8, 8), script="moves", burst=24, in_flight=512)
_WARM_S, _MEASURED_S = 2.0, 6.0
_SAMPLED_ROWS = 2_000


def measure(folder: Path) -> list[Figure]:
    """The rate, its ratio to raw, and how long an event waits for its acknowledgement."""
    broker = Mosquitto(folder / "broker")
    broker.start()
    try:
        with Stations(_PLAN) as stations, playing(folder, broker.url, stations) as daemon:
            stations.play(_WARM_S)
            began_s = _processor_s(daemon.process.pid)
            times = stations.play(_MEASURED_S)
            spent_s = _processor_s(daemon.process.pid) - began_s
            body_bytes = _body_bytes(daemon.ledger)
    finally:
        broker.stop()
    raw = median(raw_rows_per_s(folder, body_bytes) for _ in range(3))
    events = rate(times)
    waits_ms = [(time.acked_ns - time.sent_ns) / 1e6 for time in times]
    return [
        Figure("events a second", events, "1/s"),
        Figure("the daemon's processor time an event", spent_s * 1e6 / len(times), "us"),
        Figure("raw rows a second", raw, "1/s"),
        Figure("row", body_bytes, "bytes"),
        Figure("events to raw rows", events / raw, "ratio", asked=0.12, aim=0.20),
        Figure("acknowledged within, p50", percentile(waits_ms, 50), "ms"),
        Figure("acknowledged within, p99", percentile(waits_ms, 99), "ms", asked=40, at_most=True),
    ]


def rate(times: list[Timed]) -> float:
    """Events a second between the first and the last acknowledgement."""
    acked = [time.acked_ns for time in times]
    return len(acked) * NS_PER_S / (max(acked) - min(acked))


def _processor_s(pid: int) -> float:
    """Processor time of all threads of a process."""
    user, system = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _body_bytes(ledger: Path) -> int:
    with closing(read_ledger(f"sqlite:///{ledger}")) as reader:
        last = reader.head.seq
        return round(mean(len(row.body) for row in reader.rows(last - _SAMPLED_ROWS, last)))
