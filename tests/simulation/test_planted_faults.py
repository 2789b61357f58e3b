"""The planted faults still fit the program, and the promises that may find them are the ones that are looked at."""

from __future__ import annotations

import re

import pytest

from tests.simulation.planted_faults import PLANTED, Planted
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


def test_there_are_enough_of_them_and_no_two_are_one() -> None:
    assert len({planted.name for planted in PLANTED}) == len(PLANTED) >= 37
    assert len({planted.patches for planted in PLANTED}) == len(PLANTED)


def test_every_promise_is_looked_at_and_every_look_is_at_a_promise() -> None:
    folder = ROOT / "tests" / "simulation"
    names = {name for path in folder.glob("*.py") for name in _LOOKED_AT.findall(path.read_text(encoding="utf-8"))}
    assert names == PROMISES.keys()
