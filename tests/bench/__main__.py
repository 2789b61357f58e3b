"""`python -m tests.bench [NAME ...]`: speed and memory as JSON, each figure beside what was asked of it."""

from __future__ import annotations

import argparse
import json
import tempfile
from importlib import import_module
from pathlib import Path

from tests.bench.figures import told

BENCHES = (
    "commits",
    "pipeline",
    "latency",
    "slow_disk",
    "history",
    "memory",
    "adjudicate",
    "drawing",
    "sign",
    "archive",
)
# On a disk: /tmp is memory on many machines, and a ledger is not.
_WORK = "/var/tmp"


def main() -> None:
    """Run the benches named, or all, one after the other."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("name", nargs="*", choices=[*BENCHES, []], metavar="NAME", help=", ".join(BENCHES))
    results = {}
    for name in parser.parse_args().name or BENCHES:
        with tempfile.TemporaryDirectory(prefix="jackpotd-bench-", dir=_WORK) as folder:
            results[name] = told(import_module(f"tests.bench.{name}").measure(Path(folder)))
    print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
