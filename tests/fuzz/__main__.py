"""`python -m tests.fuzz [TARGET ...] --seconds 60`: atheris, guided by coverage, at each target in turn.

Law: each target runs in a process of its own, since libFuzzer ends the one that it runs in. Exit code 1: a find, whose
bytes are in the folder that it names.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.fuzz.seeds import seeds
from tests.support.sources import ROOT

INPUT_BYTES = 4_096
_DONE = re.compile(r"^Done (\d+) ", re.MULTILINE)


def main() -> int:
    """All targets, or those named."""
    known = seeds()
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", nargs="*", choices=[*known, []], metavar="TARGET", help=", ".join(known))
    parser.add_argument("--seconds", type=int, default=60, metavar="N", help="for each target")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.inside:
        _search(args.target[0], Path(args.inside), args.seconds)
    failed: list[str] = []
    inputs = 0
    for name in args.target or known:
        tried, well = _run(name, known[name], args.seconds)
        inputs += tried
        if not well:
            failed.append(name)
    print("finds: " + ", ".join(failed) if failed else f"no find in {inputs} inputs")
    return 1 if failed else 0


def _run(name: str, good: tuple[bytes, ...], seconds: int) -> tuple[int, bool]:
    """How many inputs were tried, and whether all ended in order."""
    with tempfile.TemporaryDirectory(prefix=f"jackpotd-fuzz-{name}-") as place:
        folder = Path(place)
        for number, seed in enumerate(good):
            (folder / f"seed-{number}").write_bytes(seed)
        command = [sys.executable, "-m", "tests.fuzz", name, "--seconds", str(seconds), "--inside", str(folder)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    last = [line for line in done.stderr.splitlines() if line.startswith(("Done", "#", "==", "SUMMARY"))][-1:]
    print(f"{name}: {' '.join(last)}", flush=True)
    if done.returncode:
        print(done.stdout[-4_000:], done.stderr[-4_000:], sep="\n", flush=True)
    said = _DONE.search(done.stderr)
    return (int(said[1]) if said else 0), done.returncode == 0


def _search(name: str, folder: Path, seconds: int) -> None:
    atheris: Any = import_module("atheris")  # only `make fuzz` installs it
    with atheris.instrument_imports(include=["hardware", "jackpotd"]):
        target = import_module("tests.fuzz.targets").TARGETS[name]
    options = [f"-max_total_time={seconds}", f"-max_len={INPUT_BYTES}", f"-artifact_prefix={folder}-"]
    atheris.Setup([sys.argv[0], str(folder), *options], target)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
