"""What it costs to archive a closed day of 200,000 rows, and what it frees.

A chunk is what a table's commit may have to wait for: 200 payloads at most leave in one transaction, between two
commits.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from statistics import median

from jackpotd import __version__
from jackpotd.commands.archive_keepers import OwnHands
from jackpotd.core.facts import By, CloseDay
from jackpotd.daemon.engine import decide_all
from jackpotd.daemon.inbox import Item
from jackpotd.ledger.archiving import archive
from jackpotd.ledger.open import open_ledger, read_ledger
from jackpotd.ledger.port import Ledger
from jackpotd.ledger.restore import restore
from jackpotd.ledger.sqlite_file import free_bytes_of
from jackpotd.ledger.verify import verify_url
from tests.bench import big_ledger
from tests.bench.figures import Figure
from tests.bench.floor import SITE, write_config

_ROWS = 200_000
_TABLES = 10
_MIB = 1024 * 1024


class _Timed(OwnHands):
    """Takes down how long each chunk took."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger)
        self.chunks_s: list[float] = []
        drop_payloads = ledger.drop_payloads

        def timed(seqs: Sequence[int]) -> None:
            began = time.perf_counter()
            drop_payloads(seqs)
            self.chunks_s.append(time.perf_counter() - began)

        ledger.drop_payloads = timed  # type: ignore[method-assign]


def measure(folder: Path) -> list[Figure]:
    """Seconds, milliseconds a chunk, and mebibytes that left and that rows to come may use."""
    path, files = folder / "ledger.db", folder / "archive"
    files.mkdir()
    ports = [(str(folder / f"port-{at}"), 1) for at in range(_TABLES)]
    big_ledger.make(write_config(folder, "mqtt://127.0.0.1:1883", ports, _TABLES), path, _ROWS)
    url = f"sqlite:///{path}"
    with closing(open_ledger(url, SITE)) as ledger:
        close = Item("", "", CloseDay(By("bench", "accounting"), 1), 1, 1, 1, operator="bench")
        decided = decide_all(restore(ledger, __version__).state, [close])
        ledger.append(decided.bodies, decided.marks)
        ledger.checkpoint()
        size = path.stat().st_size
        hands = _Timed(ledger)
        with closing(read_ledger(url)) as reader:
            began = time.perf_counter()
            done = archive(reader, files, None, hands)
            took_s = time.perf_counter() - began
        ledger.checkpoint()
    assert verify_url(url).ok
    assert verify_url(url, files).ok
    chunks_ms = sorted(each * 1_000 for each in hands.chunks_s)
    return [
        Figure("facts archived", done.facts, "facts"),
        Figure("ledger before", size / _MIB, "MiB"),
        Figure("payloads that left", done.payload_bytes / _MIB, "MiB"),
        Figure("free for rows to come", free_bytes_of(path) / _MIB, "MiB"),
        Figure("archived in", took_s, "s"),
        Figure("a chunk, median", median(chunks_ms), "ms"),
        Figure("a chunk, p99", chunks_ms[int(len(chunks_ms) * 0.99)], "ms"),
    ]
