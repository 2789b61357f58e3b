"""Resident memory of the daemon with ten tables, after 10,000 rounds, as the kernel counts it: shared libraries too."""

from __future__ import annotations

import re
from pathlib import Path

from tests.bench.figures import Figure
from tests.bench.floor import playing
from tests.bench.stations import ROUND, Plan, Stations
from tests.support.broker import Mosquitto

_TABLES = 10
_PLAN = Plan(ports=(5, 5), script="rounds", burst=len(ROUND), in_flight=len(ROUND) * _TABLES)
_STEP_S, _ROUNDS = 5.0, 10_000
_KIB_A_MIB = 1024


def measure(folder: Path) -> list[Figure]:
    """Resident now, and at most since the start."""
    broker = Mosquitto(folder / "broker")
    broker.start()
    try:
        with Stations(_PLAN) as stations, playing(folder, broker.url, stations, pools=_TABLES) as daemon:
            began_mib = _mib(daemon.process.pid, "VmRSS")
            played = 0
            while played < _ROUNDS:
                played += sum(frame.events for frame in stations.play(_STEP_S)) // len(ROUND)
            resident_mib, most_mib = (_mib(daemon.process.pid, name) for name in ("VmRSS", "VmHWM"))
    finally:
        broker.stop()
    return [
        Figure("resident at ready", began_mib, "MiB"),
        Figure("resident", resident_mib, "MiB", asked=64, at_most=True, aim=48),
        Figure("resident at most", most_mib, "MiB"),
        Figure("rounds", played, "rounds"),
    ]


def _mib(pid: int, name: str) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = re.search(rf"^{name}:\s+(\d+) kB$", status, re.MULTILINE)
    assert found is not None
    return int(found[1]) / _KIB_A_MIB
