"""`python -m tests.adversity --kills 2000`: the kills of the tests, as many as wanted, the totals as JSON.

Law: runs of `KILLS_A_RUN`, each with a floor and a seed of its own; a failure names its seed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from tests.adversity.killing import Outcome, kill_again_and_again
from tests.support.broker import Mosquitto
from tests.support.floor import Floor

KILLS_A_RUN = 50
# On a disk: /tmp is memory on many machines, and a ledger is not.
_WORK = "/var/tmp"


def main() -> None:
    """Kill as often as asked, and say how far it is."""
    parser = argparse.ArgumentParser(prog="python -m tests.adversity", description=__doc__)
    parser.add_argument("--kills", type=int, default=2000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the first run")
    args = parser.parse_args()
    totals: Counter[str] = Counter()
    seed = args.seed
    while totals["kills"] < args.kills:
        print(f"seed {seed} ...", end=" ", file=sys.stderr, flush=True)
        totals.update(asdict(_run(min(KILLS_A_RUN, args.kills - totals["kills"]), seed)))
        print(f"done: {totals['kills']} of {args.kills} kills, {totals['events']} events", file=sys.stderr, flush=True)
        seed += 1
    print(json.dumps(totals))


def _run(kills: int, seed: int) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="jackpotd-kills-", dir=_WORK) as folder:
        broker = Mosquitto(Path(folder, "broker"))
        broker.start()
        try:
            with Floor(Path(folder), broker) as floor:
                return kill_again_and_again(floor, kills, seed)
        finally:
            broker.kill()


if __name__ == "__main__":
    main()
