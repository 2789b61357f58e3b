"""The daemon's start is lean: what commands, tests and other processes need is not loaded by `jackpotd run`."""

from __future__ import annotations

import subprocess
import sys

from tests.support.sources import ROOT

HEAVY = (
    "rich",
    "argon2",
    "cryptography",
    "amqtt",
    "starlette",
    "uvicorn",
    "asyncpg",
    "jackpotd.demo",
    "jackpotd.odds",
    "hardware.simulated",
)


def test_run_loads_nothing_that_it_does_not_need() -> None:
    code = f"import sys, jackpotd.commands.run; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"


def test_what_is_not_loaded_is_there_for_those_who_need_it() -> None:
    code = "import sys, jackpotd.daemon.passwords; print('argon2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout == "True\n"
