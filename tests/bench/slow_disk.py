"""Commits a second on a disk whose fdatasync takes 5 ms, one under way at a time.

strace lets every fdatasync return 5 ms late and stops at no other call; the raw loop, which writes a page and syncs it,
runs under it too. Engine: an item is put into the inbox when the one before is settled, so that each is a commit of its
own. Wire: the same with a device on a pseudo-terminal, which sends its next event in answer to the acknowledging POLL;
what the device's process takes for its answer is in that figure.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path

from jackpotd.core.facts import BetMoved, ControllerStarted, DeviceBack, DeviceHello, SiteConfigured, What
from jackpotd.core.state import State
from jackpotd.daemon.board import Board
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.config import load
from jackpotd.daemon.engine import Engine, settled_future
from jackpotd.daemon.inbox import Inbox, Item
from jackpotd.daemon.writer import LedgerWriter
from jackpotd.ledger.open import open_ledger
from tests.bench.figures import Figure, raw_fdatasync_s
from tests.bench.floor import SITE, playing, write_config
from tests.bench.pipeline import rate
from tests.bench.stations import Plan, Stations
from tests.support.broker import Mosquitto
from tests.support.sources import ROOT

_PLAN = Plan(ports=(1,), script="moves")
_WARM_S, _MEASURED_S = 1.0, 6.0
_RAW_EVENT = bytes.fromhex("0710e80300000101")
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
    raw, engine = _slowly("raw", folder), _slowly("engine", folder)
    broker = Mosquitto(folder / "broker")
    broker.start()
    try:
        with Stations(_PLAN) as stations, playing(folder, broker.url, stations, prefix=_SLOW):
            stations.play(_WARM_S)
            wire = rate(stations.play(_MEASURED_S))
    finally:
        broker.stop()
    return [
        Figure("raw fdatasyncs a second", raw, "1/s"),
        Figure("commits a second, engine", engine, "1/s"),
        Figure("commits to raw, engine", engine / raw, "ratio", asked=0.80),
        Figure("commits a second, wire", wire, "1/s"),
        Figure("commits to raw, wire", wire / raw, "ratio"),
    ]


def _slowly(what: str, folder: Path) -> float:
    """A second's worth of it, done in a process of its own on the slow disk."""
    command = [*_SLOW, sys.executable, "-m", "tests.bench.slow_disk", what, str(folder)]
    return float(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)


async def _engine_commits_per_s(folder: Path) -> float:
    config = load(write_config(folder, "mqtt://127.0.0.1:1", [(str(folder / "port"), 1)], pools=1))
    url = f"sqlite:///{folder / 'engine.db'}"
    clock, inbox, board = Clock(), Inbox(), Board()
    writer = await LedgerWriter.opened(lambda: open_ledger(url, SITE, create="bench"))
    engine = Engine(State(), writer, inbox, clock, "bench", 0)
    engine.observers.append(board.committed)

    def item(what: What, table: str = "", seq: int | None = None) -> Item:
        now_ms = clock.utc_ms()
        raw = b"" if seq is None else _RAW_EVENT
        return Item(table, "panel" if table else "", what, now_ms, now_ms, clock.monotonic_ns(), seq, raw)

    table = config.tables[0].table
    await engine.commit(
        [item(ControllerStarted("bench", "", "", 1)), item(SiteConfigured(config.pools, config.tables))]
    )
    await engine.commit([item(DeviceHello("BP-0001", 5, 1, 1, 0), table), item(DeviceBack(), table)])
    done = 0
    async with asyncio.TaskGroup() as group:
        running = group.create_task(engine.run())
        began = time.perf_counter()
        while time.perf_counter() - began < _MEASURED_S:
            done += 1
            event = item(BetMoved(1, "ante", on=done % 2 == 1), table, done)
            settled, event.settled = settled_future(asyncio.get_running_loop())
            inbox.put([event])
            await settled
        took_s = time.perf_counter() - began
        engine.end()
        await running
    await writer.close()
    return done / took_s


if __name__ == "__main__":
    if sys.argv[1] == "raw":
        print(1 / raw_fdatasync_s(Path(sys.argv[2]), cold=False))
    else:
        print(asyncio.run(_engine_commits_per_s(Path(sys.argv[2]))))
