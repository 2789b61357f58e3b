"""Whole sites on a virtual clock, everything that breaks drawn from the seed: every promise holds (even seeds)."""

from __future__ import annotations

import pytest

from tests.simulation.run import EVENTS, TESTED_SEEDS, run


@pytest.mark.parametrize("seed", range(0, TESTED_SEEDS, 2))
def test_whatever_breaks_every_promise_of_the_ledger_and_the_signs_holds(seed: int) -> None:
    report = run(seed)
    assert report.events >= EVENTS
    assert report.rounds["exact"] * 10 >= report.rounds["locked"] * 4, "the auditor knew too little"
