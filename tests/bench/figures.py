"""Figures: what a bench measured, beside what was asked of it, and how the raw figures of the same run are taken.

Laws
1. A speed is judged as a ratio to a raw figure of the same run, so that a slow or busy machine changes both.
2. A raw figure does the same work without us: the same bytes, the same transaction size, the same pauses.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

NS_PER_S = 1_000_000_000
_PAGE = 4096
_ROWS_A_TRANSACTION = 64
_RAW_S = 1.0
_COLD_TRIES = 60
_COLD_PAUSE_S = 0.05  # as long as 20 events a second leave the disk and the processor alone


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure. `asked`: at least this, or at most where `at_most`; None where it is only told. `aim`: our hope."""

    name: str
    value: float
    unit: str
    asked: float | None = None
    at_most: bool = False
    aim: float | None = None

    @property
    def reached(self) -> bool | None:
        """Whether it is what was asked."""
        if self.asked is None:
            return None
        return self.value <= self.asked if self.at_most else self.value >= self.asked

    def told(self) -> dict[str, Any]:
        """As JSON shows it; keys without a meaning here are left out."""
        shown = {"value": round(self.value, 4), "unit": self.unit}
        if self.asked is not None:
            shown |= {"asked": f"{'at most' if self.at_most else 'at least'} {self.asked:g}", "reached": self.reached}
        if self.aim is not None:
            shown |= {"aim": self.aim}
        return shown


def told(figures: Sequence[Figure]) -> dict[str, Any]:
    """Figures by name."""
    return {figure.name: figure.told() for figure in figures}


def percentile(values: Sequence[float], percent: int) -> float:
    """The value that `percent` of all values do not pass."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


# ---- raw figures


def raw_rows_per_s(folder: Path, body_bytes: int) -> float:
    """Rows a second of direct transactions of 64 rows into SQLite, each with one fdatasync."""
    path = folder / "raw.db"
    body, row_hash = b"x" * body_bytes, b"h" * 32
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("CREATE TABLE row (seq INTEGER PRIMARY KEY, hash BLOB NOT NULL, body BLOB NOT NULL)")
        rows = [(row_hash, body)] * _ROWS_A_TRANSACTION
        done, began = 0, time.perf_counter()
        while time.perf_counter() - began < _RAW_S:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT INTO row (hash, body) VALUES (?, ?)", rows)
            connection.execute("COMMIT")
            done += len(rows)
        took_s = time.perf_counter() - began
    for file in folder.glob("raw.db*"):
        file.unlink()
    return done / took_s


def raw_fdatasync_s(folder: Path, *, cold: bool) -> float:
    """The median of writing a page of a file that has its size already, and syncing it; `cold`: after a pause."""
    path = folder / "raw.sync"
    pages = 256
    path.write_bytes(bytes(_PAGE * pages))
    took: list[float] = []
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
        for number in range(_COLD_TRIES if cold else 20 * _COLD_TRIES):
            if cold:
                time.sleep(_COLD_PAUSE_S)
            began = time.perf_counter()
            os.pwrite(descriptor, os.urandom(_PAGE), number % pages * _PAGE)
            os.fdatasync(descriptor)
            took.append(time.perf_counter() - began)
    finally:
        os.close(descriptor)
        path.unlink()
    return median(took)
