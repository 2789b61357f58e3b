"""Commits a second of the ledger by itself, two rows each, beside writing and syncing a page.

That a commit makes exactly one fdatasync, never none, is counted by strace in tests/ledger and tests/e2e.
"""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

from jackpotd.ledger.open import open_ledger
from jackpotd.ledger.port import Mark
from tests.bench.figures import Figure, raw_fdatasync_s

_MEASURED_S = 3.0
_BODY = b"x" * 300


def measure(folder: Path) -> list[Figure]:
    """The rate of both, in turn."""
    raw = 1 / raw_fdatasync_s(folder, cold=False)
    done = 0
    with closing(open_ledger(f"sqlite:///{folder / 'ledger.db'}", "bench", create="bench")) as ledger:
        began = time.perf_counter()
        while time.perf_counter() - began < _MEASURED_S:
            done += 1
            ledger.append((_BODY, _BODY), (Mark("bench", 1, done),))
            if ledger.checkpoint_due():
                ledger.checkpoint()
        commits = done / (time.perf_counter() - began)
    return [
        Figure("commits a second", commits, "1/s"),
        Figure("raw fdatasyncs a second", raw, "1/s"),
        Figure("commits to raw", commits / raw, "ratio"),
    ]
