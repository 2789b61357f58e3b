"""Runs seeds: as many as wanted, on every core, and goes on where it was broken off.

python -m tests.simulation --seeds 10000        # exit 1 when a promise was broken, with the seed and its end
python -m tests.simulation --first 18 --seeds 1
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

from tests.simulation.run import EVENTS, Failure, Report, attempt
from tests.simulation.sources import DONE, sources_hash

# A run keeps what it made; a worker is exchanged before that is much.
_SEEDS_A_WORKER = 20


def main() -> int:
    """Run them."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seeds", type=int, default=200, help="how many")
    parser.add_argument("--events", type=int, default=EVENTS, help="facts in a run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--again", action="store_true", help="also seeds that these sources have passed already")
    options = parser.parse_args()
    console = Console()
    passed = _Passed(options.events)
    seeds = [s for s in range(options.first, options.first + options.seeds) if options.again or s not in passed.seeds]
    if len(seeds) < options.seeds:
        console.print(f"{options.seeds - len(seeds)} seeds have passed already with these sources")
    failures = _run_all(seeds, options.events, options.jobs, passed, console)
    for failure in failures:
        console.print(str(failure), markup=False, highlight=False)
    console.print(f"{len(seeds) - len(failures)} of {len(seeds)} seeds passed; {passed.totals()}")
    return 1 if failures else 0


class _Passed:
    """The seeds that have passed with exactly these sources, in a file that a broken-off run leaves."""

    def __init__(self, events: int) -> None:
        DONE.mkdir(exist_ok=True)
        self._path = DONE / f"passed-{sources_hash()}-{events}"
        lines = self._path.read_text().splitlines() if self._path.exists() else []
        self.seeds = {int(line.split()[0]) for line in lines}
        self._totals: Counter[str] = Counter()

    def add(self, report: Report) -> None:
        """One more."""
        with self._path.open("a") as file:
            file.write(f"{report.seed} {report.digest}\n")
        self._totals.update(report.rounds, facts=report.events, rows=report.rows, starts=report.lives)
        self._totals.update(faults=len(report.faults))

    def totals(self) -> str:
        """What this run was, in figures."""
        return ", ".join(f"{count} {name}" for name, count in self._totals.items())


def _run_all(seeds: list[int], events: int, jobs: int, passed: _Passed, console: Console) -> list[Failure]:
    """The failures. Workers are exchanged batch by batch: a pool that does it itself can stand still for ever."""
    failures: list[Failure] = []
    batch = jobs * _SEEDS_A_WORKER
    columns = (*Progress.get_default_columns(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("seeds", total=len(seeds))
        for start in range(0, len(seeds), batch):
            with ProcessPoolExecutor(jobs) as workers:
                running = [workers.submit(attempt, seed, events) for seed in seeds[start : start + batch]]
                for future in as_completed(running):
                    outcome = future.result()
                    if isinstance(outcome, Report):
                        passed.add(outcome)
                    else:
                        failures.append(Failure(*outcome))
                        bar.console.print(f"seed {outcome[0]} broke {outcome[1]}")
                    bar.advance(task)
    return failures


if __name__ == "__main__":
    sys.exit(main())
