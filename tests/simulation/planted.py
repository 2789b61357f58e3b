"""Deliberate faults of the program, each a small patch, for `make planted`: the simulation must find every one.

    python -m tests.simulation.planted [--jobs n] [--seeds n] [--again] [NAME ...]

Laws
1. Each fault is alone in a copy of the sources. Seeds run there until one breaks a promise: first the one that is known
   to find it, then from 0 on, so many at most.
2. Found is a fault only by a promise. A crash, a run without end, a patch that no longer fits are told, and are none.
3. The seed that finds it passes where the fault is not.
4. What was found is kept for exactly these sources and this patch: a broken-off pass goes on.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress

from tests.simulation.planted_faults import PLANTED, Planted
from tests.simulation.promises import PROMISES
from tests.simulation.sources import DONE, ROOT, SOURCES, sources_hash

MOST_SEEDS = 80
_S_PER_MINUTE = 60


@dataclass(frozen=True, slots=True)
class Found:
    """How a hunt ended: the seed and the check that ended it, or why there is none."""

    seed: int
    check: str
    text: str

    @property
    def by_promise(self) -> bool:
        """Whether it counts."""
        return self.check in PROMISES


def main() -> int:
    """Try them; 1 when one was not found."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.planted", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these faults")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seeds", type=int, default=MOST_SEEDS, help="so many for a fault at most")
    parser.add_argument("--again", action="store_true", help="also faults that were found in these sources already")
    options = parser.parse_args()
    chosen = [planted for planted in PLANTED if not options.names or planted.name in options.names]
    console = Console(width=160)
    before_s = time.monotonic()
    results = _hunt_all(chosen, options.jobs, options.seeds, _Kept(again=options.again), console)
    minutes = (time.monotonic() - before_s) / _S_PER_MINUTE
    caught = [found for found in results if found.by_promise]
    for check, count in Counter(found.check for found in caught).most_common():
        console.print(f"{count:3} by {check}: {PROMISES[check]}")
    console.print(f"{len(caught)} of {len(chosen)} caught, in {minutes:.1f} minutes")
    return 0 if len(caught) == len(chosen) else 1


class _Kept:
    """What was found in exactly these sources, in a file that a broken-off pass leaves."""

    def __init__(self, *, again: bool) -> None:
        DONE.mkdir(exist_ok=True)
        self._path = DONE / f"planted-{sources_hash(but=('planted.py', 'planted_faults.py'))}"
        lines = self._path.read_text().splitlines() if self._path.exists() and not again else []
        self._found = {key: Found(*found) for key, *found in map(json.loads, lines)}

    def known(self, planted: Planted) -> Found | None:
        """How it was found before."""
        return self._found.get(_key(planted))

    def add(self, planted: Planted, found: Found) -> None:
        """One more."""
        with self._path.open("a") as file:
            file.write(json.dumps([_key(planted), *astuple(found)]) + "\n")


def _key(planted: Planted) -> str:
    return sha256(repr(planted.patches).encode()).hexdigest()[:16]


def _hunt_all(chosen: list[Planted], jobs: int, seeds: int, kept: _Kept, console: Console) -> list[Found]:
    """Each one's end, as they come."""
    results: list[Found] = []
    with Progress(*Progress.get_default_columns(), MofNCompleteColumn(), console=console) as bar:
        task = bar.add_task("planted faults", total=len(chosen))
        with ThreadPoolExecutor(jobs) as hunters:
            running = {hunters.submit(_known_or_hunted, planted, seeds, kept): planted for planted in chosen}
            for future in as_completed(running):
                planted, found = running[future], future.result()
                where = f"seed {found.seed:4}  {found.check}" if found.by_promise else f"NOT CAUGHT  {found.check}"
                bar.console.print(f"{planted.name:72} {where}: {found.text}", markup=False, soft_wrap=True)
                bar.advance(task)
                results.append(found)
    return results


def _known_or_hunted(planted: Planted, seeds: int, kept: _Kept) -> Found:
    found = kept.known(planted)
    if found is None:
        found = _hunted(planted, seeds)
        if found.by_promise:
            kept.add(planted, found)
    return found


def _hunted(planted: Planted, most: int) -> Found:
    """The first seed that breaks a promise where the fault is and none where it is not (laws 1 to 3)."""
    order = list(dict.fromkeys([planted.seed, *range(most)]))[:most]
    passed_over: Counter[str] = Counter()
    with _copy() as tree:
        why_not = _patch(tree, planted)
        if why_not:
            return Found(-1, "no patch", why_not)
        for found in _tried(tree, order):
            if not found.by_promise:
                passed_over.update([found.check])
            elif fault := _fault_without_it(found.seed):
                return Found(found.seed, "no fault needed", fault)
            else:
                return found
    told = ", ".join(f"{count} seeds {check or 'passed'}" for check, count in passed_over.most_common())
    return Found(-1, "no seed", told or "nothing ran")


@cache
def _fault_without_it(seed: int) -> str:
    """What a seed says of the sources as they are; "" is all well."""
    return "".join(found.text for found in _tried(ROOT, [seed]))


def _tried(tree: Path, seeds: Sequence[int]) -> Iterator[Found]:
    """What each seed did there, up to the first broken promise. A process that ended before is followed by another."""
    left = list(seeds)
    while left:
        done = subprocess.run(
            [sys.executable, "-m", "tests.simulation.hunt", *map(str, left)],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": str(tree)},
            capture_output=True,
            text=True,
            check=False,
        )
        told = [Found(*json.loads(line)) for line in done.stdout.splitlines()]
        told = told or [Found(left[0], "no run", done.stderr[-200:])]
        yield from told
        if told[-1].by_promise:
            return
        left = left[len(told) :]


def _patch(tree: Path, planted: Planted) -> str:
    """Make the fault; why it does not fit."""
    for file, find, put in planted.patches:
        path = tree / file
        source = path.read_text(encoding="utf-8")
        if source.count(find) != 1:
            return f"{file} has it {source.count(find)} times"
        path.write_text(source.replace(find, put), encoding="utf-8")
    return ""


@contextmanager
def _copy() -> Iterator[Path]:
    """The sources in a folder of their own, with what is compiled of them."""
    with tempfile.TemporaryDirectory(prefix="jackpotd-planted-") as folder:
        tree = Path(folder)
        for part in SOURCES:
            shutil.copytree(ROOT / part, tree / part)
        yield tree


if __name__ == "__main__":
    sys.exit(main())
