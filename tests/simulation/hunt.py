"""Runs seeds until one breaks a promise: what `make planted` starts where the sources have a fault.

    python -m tests.simulation.hunt PROMISE[,PROMISE] SEED ...

Laws
1. One JSON line a seed: the seed, the check ("" when every promise held), its text.
2. A promise that is hunted for and broken ends the hunt. What else fails a run is told and passed over.
3. A seed has a bound on the processor's time, not on the wall's, so that a busy machine changes no result; past it the
   process ends, for nothing is known of a program that goes round in circles.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from types import FrameType

from tests.simulation.run import EVENTS, attempt

# A run takes one or two.
MOST_CPU_S = 40.0
MOST_BYTES = 2 << 30


def main(promises: list[str], seeds: list[int]) -> None:
    """Try the seeds in this order, until one breaks one of the promises."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    for seed in seeds:
        _limit(seed)
        outcome = attempt(seed, EVENTS)
        check, text = outcome[1:] if isinstance(outcome, tuple) else ("", "")
        line = text.partition("\n")[0].removeprefix(f"seed {seed}: ").removeprefix(f"Violation {check}: ")
        _say(seed, check, line)
        if check in promises:
            return


def _limit(seed: int) -> None:
    def is_over(_signal: int, _frame: FrameType | None) -> None:
        _say(seed, "endless", f"{MOST_CPU_S} s of the processor were not enough")
        os._exit(1)

    signal.signal(signal.SIGPROF, is_over)
    signal.setitimer(signal.ITIMER_PROF, MOST_CPU_S)


def _say(*what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1].split(","), [int(seed) for seed in sys.argv[2:]])
