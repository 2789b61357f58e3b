"""Deliberate faults of the program, each a small patch, for `make planted`: the simulation must find every one.

    python -m tests.simulation.planted [NAME ...]

Each patch is made in a copy of the sources, seeds run there until one breaks a promise, and the check that saw it is
printed. A patch that no longer fits, or that no seed finds, is a failure.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from tests.simulation.planted_faults import PLANTED, Planted

ROOT = Path(__file__).resolve().parents[2]
_COPIED = ("jackpotd", "hardware", "tests/core", "tests/simulation")
MOST_SEEDS = 80
_HUNT = """
import json, sys
from tests.simulation.run import attempt
for seed in range(int(sys.argv[1])):
    outcome = attempt(seed, 2000)
    if isinstance(outcome, tuple):
        print(json.dumps([seed, outcome[1], outcome[2].splitlines()[0]]))
        break
"""


def main(names: list[str]) -> int:
    """Try them, two at once; 1 when one was not found."""
    chosen = [planted for planted in PLANTED if not names or planted.name in names]
    console = Console(width=160)
    missed = 0
    with ThreadPoolExecutor(os.cpu_count()) as hunters:
        for planted, found in zip(chosen, hunters.map(_hunt, chosen), strict=True):
            missed += found is None or found[0] < 0
            seed, check, text = found or (-1, "NOT FOUND", f"by {MOST_SEEDS} seeds")
            console.print(f"{planted.name:70} seed {seed:3}  {check:12} {text}", markup=False, soft_wrap=True)
    console.print(f"{len(chosen) - missed} of {len(chosen)} planted faults found")
    return 1 if missed else 0


def _hunt(planted: Planted) -> tuple[int, str, str] | None:
    with _copy() as tree:
        path = tree / planted.file
        source = path.read_text(encoding="utf-8")
        if source.count(planted.find) != 1:
            return -1, "NO PATCH", f"{planted.file} has it {source.count(planted.find)} times"
        path.write_text(source.replace(planted.find, planted.put), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-c", _HUNT, str(MOST_SEEDS)],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": str(tree)},
            capture_output=True,
            text=True,
            check=False,
        )
    if not done.stdout:
        return (-1, "NO RUN", done.stderr[-200:]) if done.returncode else None
    seed, check, text = json.loads(done.stdout)
    return seed, check, text


@contextmanager
def _copy() -> Iterator[Path]:
    """The sources in a folder of their own."""
    with tempfile.TemporaryDirectory(prefix="jackpotd-planted-") as folder:
        tree = Path(folder)
        for part in _COPIED:
            shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("__pycache__"))
        yield tree


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
