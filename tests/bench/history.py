"""What a history of 1,000,000 rows costs: the start of the daemon, and `ledger verify`.

Ready: from the start of the process to READY=1, on a fresh copy of the same killed ledger each time, the replay of all
rows since the oldest snapshot allowed included. Verification: rows a second of the chain alone, and with balances.
"""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from statistics import median

from jackpotd.ledger.verify import verify_url
from tests.bench import big_ledger
from tests.bench.figures import Figure
from tests.bench.floor import running, write_config
from tests.support.broker import Mosquitto

_TABLES = 10
_STARTS = 5


def measure(folder: Path) -> list[Figure]:
    """Seconds to ready; rows a second verified."""
    broker = Mosquitto(folder / "broker")
    broker.start()
    ledger, kept = folder / "ledger.db", folder / "kept.db"
    config = write_config(folder, broker.url, [(str(folder / f"port-{at}"), 1) for at in range(_TABLES)], _TABLES)
    try:
        big_ledger.make(config, kept)
        starts = []
        for _ in range(_STARTS):
            for suffix in ("", "-wal"):
                shutil.copyfile(f"{kept}{suffix}", f"{ledger}{suffix}")
            with running(folder, config) as daemon:
                starts.append(daemon.ready_s)
            Path(f"{ledger}-shm").unlink(missing_ok=True)
    finally:
        broker.stop()
    return [
        Figure("rows", big_ledger.ROWS, "rows"),
        Figure("ready", median(starts), "s", asked=1, at_most=True),
        Figure("chain verified", _verified(ledger, balances=False), "rows/s", asked=200_000),
        Figure("chain and balances verified", _verified(ledger, balances=True), "rows/s", asked=60_000),
    ]


def _verified(ledger: Path, *, balances: bool) -> float:
    began = time.perf_counter()
    verdict = verify_url(f"sqlite:///{ledger}", balances=balances)
    assert verdict.ok, verdict.findings
    return verdict.rows / (time.perf_counter() - began)
