"""A ledger of 1,000,000 rows, or fewer, for benches, made by the core itself: ten tables playing rounds.

It is left as a killed daemon leaves it: the newest snapshot as old as it may be, the last rows still in the log.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from pathlib import Path

from jackpotd import __version__
from jackpotd.core.decide import decide
from jackpotd.core.facts import (
    BetMoved,
    BetsLocked,
    ControllerStarted,
    DeviceBack,
    DeviceHello,
    Drained,
    Fact,
    RoundEnded,
    SiteConfigured,
    TableWord,
    What,
)
from jackpotd.core.locking import progressive
from jackpotd.core.state import State, mark_key
from jackpotd.daemon.config import load
from jackpotd.ledger.open import open_ledger
from jackpotd.ledger.port import MAX_SNAPSHOT_AGE_ROWS, Mark
from jackpotd.ledger.restore import encode_state
from jackpotd.ledger.rows import encode_row, mark_of
from jackpotd.ledger.snapshots import take_snapshot
from tests.bench.floor import SITE

ROWS = 1_000_000
_APPEND_ROWS = 4_000
_STARTED_MS = 1_764_489_600_000
_ROUND_MS = 60_000
_PANEL = "panel"
_RAW = "0710e80300000100"  # an event as it stands in EVENTS


class _Recorder:
    """What devices say, decided and encoded as the daemon does."""

    def __init__(self) -> None:
        self.state = State()
        self.bodies: list[bytes] = []
        self.marks: list[Mark] = []
        self._at_ms = _STARTED_MS

    def say(self, source: str, what: What, table: str = "", grade: str = "") -> None:
        """One fact and its entries."""
        seq = self.state.marks.get(mark_key(source, 1), 0) + 1
        self._at_ms += _ROUND_MS // 100
        raw, device = (_RAW if grade else ""), (_PANEL if table else "")
        fact = Fact(source, 1, seq, self._at_ms, self._at_ms, table, device, grade, raw, False, what)
        entries = decide(self.state, fact)
        assert entries is not None
        self.bodies += map(encode_row, (fact, *entries))
        self.marks.append(mark_of(fact))

    def take(self) -> tuple[list[bytes], list[Mark]]:
        """What was said since the last call."""
        taken = (self.bodies, self.marks)
        self.bodies, self.marks = [], []
        return taken


def _words(pool: str) -> Iterator[tuple[bool, TableWord]]:
    """A round; whether the device says it."""
    for seat in (1, 3, 6):
        yield True, BetMoved(seat, "ante", on=True)
        yield True, BetMoved(seat, progressive(pool), on=True)
    yield True, BetsLocked()
    yield False, Drained()
    yield True, RoundEnded()


def _record(config_path: Path, path: Path, rows: int) -> None:
    config = load(config_path)
    recorder = _Recorder()
    recorder.say("controller", ControllerStarted(__version__, config.sha256, "", 1))
    recorder.say("controller", SiteConfigured(config.pools, config.tables))
    for params in config.tables:
        recorder.say("controller", DeviceHello(f"BP-{params.table}", 5, 1, 1, 0), params.table)
        recorder.say("controller", DeviceBack(), params.table)
    ledger = open_ledger(f"sqlite:///{path}", SITE, create="bench")
    snapshot_at = rows - MAX_SNAPSHOT_AGE_ROWS + _APPEND_ROWS
    while ledger.head.seq < rows:
        while len(recorder.bodies) < _APPEND_ROWS:
            for params in config.tables:
                for by_device, word in _words(params.pools[0]):
                    source = f"BP-{params.table}" if by_device else "controller"
                    recorder.say(source, word, params.table, "journaled" if by_device else "")
        before = ledger.head.seq
        ledger.append(*recorder.take())
        if before < snapshot_at <= ledger.head.seq:
            ledger.save_snapshot(take_snapshot(ledger.head, __version__, encode_state(recorder.state)))
        if ledger.head.seq < snapshot_at or before < snapshot_at:
            ledger.checkpoint()
    os._exit(0)  # closed in order, SQLite would move the log into the file


def make(config: Path, path: Path, rows: int = ROWS) -> None:
    """Make it at `path`, for the tables of a configuration."""
    maker = multiprocessing.get_context("spawn").Process(target=_record, args=(config, path, rows))
    maker.start()
    maker.join()
    if maker.exitcode != 0:
        raise RuntimeError(f"no ledger was made: exit code {maker.exitcode}")
