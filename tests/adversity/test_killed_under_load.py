"""kill -9 at random moments while three tables play, sixty times in all: every event once, every cent as due."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adversity.killing import kill_again_and_again
from tests.conftest import StartBroker
from tests.support.floor import Floor

KILLS_A_RUN = 15


@pytest.mark.parametrize("seed", range(4))
def test_killed_under_load_nothing_is_lost_or_counted_twice(tmp_path: Path, mosquitto: StartBroker, seed: int) -> None:
    with Floor(tmp_path, mosquitto()) as floor:
        outcome = kill_again_and_again(floor, KILLS_A_RUN, seed)
    assert outcome.kills == KILLS_A_RUN
    assert outcome.events > outcome.rounds > 0
