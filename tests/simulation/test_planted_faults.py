"""The planted faults still fit the program, and the promises that may find them are the ones that are looked at."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.simulation.planted import PLANTED, Found, hunted
from tests.simulation.planted_faults import Planted
from tests.simulation.promises import PROMISES
from tests.support.sources import ROOT

# How a check is named where it is looked at.
_LOOKED_AT = re.compile(r'(?:_require|Violation)\(\s*"(\w+)"')


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name.replace(" ", "-"))
def test_the_patches_of_a_planted_fault_fit_and_are_still_python(planted: Planted) -> None:
    for file, find, put in planted.patches:
        source = (ROOT / file).read_text(encoding="utf-8")
        assert source.count(find) == 1
        assert find != put
        compile(source.replace(find, put), file, "exec")


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name.replace(" ", "-"))
def test_a_planted_fault_breaks_promises_that_there_are(planted: Planted) -> None:
    assert planted.breaks
    assert set(planted.breaks) <= PROMISES.keys()


def test_there_are_enough_of_them_and_no_two_are_one() -> None:
    assert len({planted.name for planted in PLANTED}) == len(PLANTED) >= 37
    assert len({planted.patches for planted in PLANTED}) == len(PLANTED)


def test_every_promise_is_looked_at_and_every_look_is_at_a_promise() -> None:
    folder = ROOT / "tests" / "simulation"
    names = {name for path in folder.glob("*.py") for name in _LOOKED_AT.findall(path.read_text(encoding="utf-8"))}
    assert names == PROMISES.keys()


_BEFORE_THE_COMMIT = next(planted for planted in PLANTED if planted.name == "acknowledged before the commit")


def test_a_fault_is_caught_by_the_promise_that_it_breaks() -> None:
    found = hunted(_BEFORE_THE_COMMIT, 1)
    assert (found.seed, found.check) == (_BEFORE_THE_COMMIT.seed, "acknowledged")


def test_a_fault_that_breaks_another_promise_or_only_crashes_is_not_caught() -> None:
    other = replace(_BEFORE_THE_COMMIT, breaks=("voids",))
    assert hunted(other, 1) == Found(-1, "no seed", "of 1: 1 acknowledged")
    crash = replace(_BEFORE_THE_COMMIT, put="raise RuntimeError")
    assert hunted(crash, 1) == Found(-1, "no seed", "of 1: 1 RuntimeError")


def test_a_program_that_cannot_even_be_imported_is_not_caught() -> None:
    broken = replace(_BEFORE_THE_COMMIT, find="from hardware import bus_reports as b\n", put="raise RuntimeError\n")
    assert hunted(broken, 2) == Found(-1, "no seed", "of 2: 2 no run")
