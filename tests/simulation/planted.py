"""Deliberate faults of the program, each a small patch, for `make planted`: the simulation must find every one.

    python -m tests.simulation.planted [--jobs n] [--seeds n] [--again] [NAME ...]

Laws
1. Each fault is alone in a copy of the sources. Seeds run there until one catches it: first the one that is known to,
   then from 0 on, so many at most.
2. Caught is a fault only by a promise that it breaks. Another promise, a crash, a run without end are passed over and
   told when nothing better comes; a patch that no longer fits is told.
3. The seed that catches it passes where the fault is not, also with the guards behind it taken away.
4. What was caught is kept for exactly these sources and this patch: a broken-off pass goes on.
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
from textwrap import shorten

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress

from tests.simulation.planted_core import CORE
from tests.simulation.planted_faults import Patch, Planted
from tests.simulation.planted_shell import SHELL
from tests.simulation.promises import PROMISES
from tests.simulation.sources import DONE, ROOT, SOURCES, sources_hash

PLANTED = (*SHELL, *CORE)
MOST_SEEDS = 80
MOST_TEXT = 120
_S_PER_MINUTE = 60
# Changing these changes no run; what was found then still stands.
_NO_PART_OF_A_RUN = ("planted.py", "planted_core.py", "planted_faults.py", "planted_shell.py")


@dataclass(frozen=True, slots=True)
class Found:
    """What a seed did, or why none could do anything: `check` is the promise that it broke."""

    seed: int
    check: str
    text: str


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
    caught = _hunt_all(chosen, options.jobs, options.seeds, _Kept(again=options.again), console)
    minutes = (time.monotonic() - before_s) / _S_PER_MINUTE
    for check, count in Counter(caught).most_common():
        console.print(f"{count:3} by {check}: {PROMISES[check]}")
    console.print(f"{len(caught)} of {len(chosen)} caught, in {minutes:.1f} minutes")
    return 0 if len(caught) == len(chosen) else 1


class _Kept:
    """What was found in exactly these sources, in a file that a broken-off pass leaves."""

    def __init__(self, *, again: bool) -> None:
        DONE.mkdir(exist_ok=True)
        self._path = DONE / f"planted-{sources_hash(but=_NO_PART_OF_A_RUN)}"
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
    return sha256(repr((planted.patches, planted.breaks)).encode()).hexdigest()[:16]


def _hunt_all(chosen: list[Planted], jobs: int, seeds: int, kept: _Kept, console: Console) -> list[str]:
    """The promises that caught one each. Each one's end is told as it comes."""
    caught: list[str] = []
    with Progress(*Progress.get_default_columns(), MofNCompleteColumn(), console=console) as bar:
        task = bar.add_task("planted faults", total=len(chosen))
        with ThreadPoolExecutor(jobs) as hunters:
            running = {hunters.submit(_known_or_hunted, planted, seeds, kept): planted for planted in chosen}
            for future in as_completed(running):
                planted, found = running[future], future.result()
                is_caught = found.check in planted.breaks
                where = f"seed {found.seed:4}" if is_caught else "NOT CAUGHT"
                text = f"{planted.name:66} {where}  {found.check}: {shorten(found.text, MOST_TEXT)}"
                bar.console.print(text, markup=False, highlight=False, soft_wrap=True)
                bar.advance(task)
                caught += [found.check] * is_caught
    return caught


def _known_or_hunted(planted: Planted, seeds: int, kept: _Kept) -> Found:
    found = kept.known(planted)
    if found is None:
        found = hunted(planted, seeds)
        if found.check in planted.breaks:
            kept.add(planted, found)
    return found


def hunted(planted: Planted, most: int) -> Found:
    """The first seed that breaks its promise where the fault is and none where it is not (laws 1 to 3)."""
    order = list(dict.fromkeys([planted.seed, *range(most)]))[:most]
    passed_over: Counter[str] = Counter()
    with _copy() as tree:
        why_not = _patch(tree, planted.patches)
        if why_not:
            return Found(-1, "no patch", why_not)
        for found in _tried(tree, planted.breaks, order):
            if found.check not in planted.breaks:
                passed_over.update([found.check or "passed"])
            elif _passes_without(planted.also, found.seed):
                return found
            else:
                passed_over.update(["in need of no fault"])
    told = ", ".join(f"{count} {check}" for check, count in passed_over.most_common())
    return Found(-1, "no seed", f"of {most}: {told}")


@cache
def _passes_without(guards: tuple[Patch, ...], seed: int) -> bool:
    """Whether a seed breaks nothing in the sources as they are, but for guards that are taken away."""
    with _copy() as tree:
        _patch(tree, guards)
        (found,) = _tried(tree, (), [seed])
    return not found.check


def _tried(tree: Path, promises: Sequence[str], seeds: Sequence[int]) -> Iterator[Found]:
    """What each seed did there. A process that one ended is followed by another for the rest."""
    left = list(seeds)
    while left:
        done = subprocess.run(
            [sys.executable, "-m", "tests.simulation.hunt", ",".join(promises), *map(str, left)],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": str(tree)},
            capture_output=True,
            text=True,
            check=False,
        )
        told = [Found(*json.loads(line)) for line in done.stdout.splitlines()]
        told = told or [Found(left[0], "no run", done.stderr[-200:])]
        yield from told
        left = left[len(told) :]


def _patch(tree: Path, patches: Sequence[Patch]) -> str:
    """Make the fault; why it does not fit."""
    for file, find, put in patches:
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
