"""Commits a second on a disk whose fdatasync takes 5 ms, with one event under way.

strace lets every fdatasync of the daemon return 5 ms late, and every one of the raw loop; it stops at no other call.
Each event is sent in answer to the POLL that acknowledged the one before, so that each is a commit of its own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.bench.figures import Figure, raw_fdatasync_s
from tests.bench.floor import playing
from tests.bench.pipeline import rate
from tests.bench.stations import Plan, Stations
from tests.support.broker import Mosquitto
from tests.support.sources import ROOT

_PLAN = Plan(ports=(1,), script="moves")
_WARM_S, _MEASURED_S = 1.0, 6.0
_SLOW = (
    "strace",
    "-D",  # the daemon stays our child, so that signals reach it
    "-f",
    "--seccomp-bpf",
    "-o",
    "/dev/null",
    "-e",
    "trace=fdatasync",
    "-e",
    "inject=fdatasync:delay_exit=5000",
)


def measure(folder: Path) -> list[Figure]:
    """Commits a second and their ratio to raw writes with fdatasync."""
    broker = Mosquitto(folder / "broker")
    broker.start()
    try:
        with Stations(_PLAN) as stations, playing(folder, broker.url, stations, prefix=_SLOW):
            stations.play(_WARM_S)
            commits = rate(stations.play(_MEASURED_S))
    finally:
        broker.stop()
    raw_command = [*_SLOW, sys.executable, "-m", "tests.bench.slow_disk", str(folder)]
    raw = 1 / float(subprocess.run(raw_command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    return [
        Figure("commits a second", commits, "1/s"),
        Figure("raw fdatasyncs a second", raw, "1/s"),
        Figure("commits to raw", commits / raw, "ratio", asked=0.80),
    ]


if __name__ == "__main__":
    print(raw_fdatasync_s(Path(sys.argv[1]), cold=False))
