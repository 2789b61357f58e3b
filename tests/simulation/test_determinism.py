"""The same seed gives the same run to the byte, in any process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.simulation.run import run
from tests.support.sources import ROOT

_PRINT = "import sys; from tests.simulation.run import run; print(run(int(sys.argv[1]), 600).digest)"


@pytest.mark.parametrize("seed", [3, 19, 20])
def test_the_same_seed_gives_the_same_bytes_whatever_the_order_of_sets_and_hashes(seed: int) -> None:
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "4711"}
    other = subprocess.run(
        [sys.executable, "-c", _PRINT, str(seed)],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run(seed, 600).digest == run(seed, 600).digest == other.stdout.strip()


def test_another_seed_is_another_run() -> None:
    assert run(1, 300).digest != run(2, 300).digest
