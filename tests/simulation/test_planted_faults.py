"""The planted faults still fit the program: `make planted` can try them all."""

from __future__ import annotations

import pytest

from tests.simulation.planted_faults import PLANTED, Planted
from tests.support.sources import ROOT


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name.replace(" ", "-"))
def test_the_patch_of_a_planted_fault_fits_and_is_still_python(planted: Planted) -> None:
    source = (ROOT / planted.file).read_text(encoding="utf-8")
    assert source.count(planted.find) == 1
    compile(source.replace(planted.find, planted.put), planted.file, "exec")


def test_there_are_enough_of_them_and_no_two_are_one() -> None:
    assert len({planted.name for planted in PLANTED}) == len(PLANTED) >= 25
    assert len({(planted.file, planted.put) for planted in PLANTED}) == len(PLANTED)
