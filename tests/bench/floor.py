"""The daemon's side of a bench: tables without card reading, one pool or many, and the real daemon as a process.

Law: ready is what the service manager is told; nothing is measured before.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.stations import KEY, SEATS, Stations
from tests.support.daemon_process import DaemonProcess
from tests.support.floor_config import POOLS, Block, block_text

SITE = "bench"
READY_LIMIT_S = 60.0
_TOLD_CHARACTERS = 4_000  # of the daemon's log, when a bench fails
SEED_MINOR, CONTRIBUTION_MINOR = 50_000_000, 700  # of POOLS["stud-main"]


@dataclass(frozen=True, slots=True)
class Running:
    """A daemon that is ready. `ready_s`: from its start as a process to READY=1."""

    process: DaemonProcess
    ledger: Path
    ready_s: float


def pool_of(number: int, pools: int) -> str:
    """The pool of a table."""
    return f"pool-{number % pools:02}"


def table_of(number: int) -> str:
    """The table of a device."""
    return f"T{number:02}"


def write_config(
    folder: Path, broker: str, ports: Sequence[tuple[str, int]], pools: int, *, awake: bool = False
) -> Path:
    """A table a device; `ports`: path and number of devices."""
    site = {"id": SITE, "currency": "MOP", "timezone": "Asia/Macau", "require_synchronised_clock": False}
    site["keep_cores_awake"] = awake
    blocks = [
        block_text("[site]", site),
        block_text("[ledger]", {"url": f"sqlite:///{folder / 'ledger.db'}", "min_free": "1MiB"}),
        block_text("[mqtt]", {"url": broker}),
        block_text("[control]", {"socket": str(folder / "control.sock")}),
    ]
    blocks += [block_text("[[pool]]", {"id": pool_of(at, pools), **POOLS["stud-main"]}) for at in range(pools)]
    number = 0
    for path, count in ports:
        for address in range(1, count + 1):
            blocks += _table(number, pools, path, address)
            number += 1
    config = folder / "jackpotd.toml"
    config.write_text("\n".join(blocks), encoding="utf-8")
    return config


def _table(number: int, pools: int, path: str, address: int) -> list[str]:
    table: Block = {
        "id": table_of(number),
        "pools": [pool_of(number, pools)],
        "seats": SEATS,
        "deal": ["claims"],
        "royal_raise_odds": 100,
    }
    device: Block = {"name": "panel", "driver": "table-bus", "port": path, "address": address, "key": KEY.hex()}
    return [block_text("[[table]]", table), block_text("[[table.device]]", device)]


@contextmanager
def running(folder: Path, config: Path, prefix: Sequence[str] = ()) -> Iterator[Running]:
    """The daemon, ready, until the context ends."""
    notify = folder / "notify.sock"
    notify.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(notify))
        manager.settimeout(READY_LIMIT_S)
        began = time.perf_counter()
        process = DaemonProcess(config, folder / "daemon.log", prefix, {"NOTIFY_SOCKET": str(notify)})
        try:
            while b"READY=1" not in manager.recv(4096):
                pass
            yield Running(process, folder / "ledger.db", time.perf_counter() - began)
            process.stop()
        except BaseException as error:
            process.kill()
            error.add_note(process.log.read_text(encoding="utf-8")[-_TOLD_CHARACTERS:])
            raise


@contextmanager
def playing(
    folder: Path, broker: str, stations: Stations, pools: int = 1, prefix: Sequence[str] = (), *, awake: bool = False
) -> Iterator[Running]:
    """A daemon that serves these devices."""
    ports = list(zip(stations.paths, stations.plan.ports, strict=True))
    with running(folder, write_config(folder, broker, ports, pools, awake=awake), prefix) as daemon:
        yield daemon
