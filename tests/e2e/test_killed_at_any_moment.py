"""The controller is killed at no chosen moment, in every step of a round that keeps its journals: all counts once."""

from __future__ import annotations

import time
from random import Random

import pytest

from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.plays import JournaledPlay

# From before the next poll to after what it brought is acknowledged and shown.
LATEST_KILL_S = 0.15


@pytest.mark.parametrize("seed", range(3))
def test_a_round_in_which_the_controller_dies_six_times_ends_as_one_without(floor: Floor, seed: int) -> None:
    rng = Random(seed)
    play = JournaledPlay(floor)
    seen, table = floor.seen, play.table

    def die() -> None:
        time.sleep(rng.uniform(0, LATEST_KILL_S))
        floor.kill()
        floor.start()

    floor.start()
    table.bet(1, 4)
    die()
    both = ["ante", "progressive"]
    seen.table("T02", progressive="open", seats={"1": both, "4": both})
    table.wait_open()
    play.lock()
    die()
    seen.table("T02", phase="locked")
    seen.meter(play.pool, play.pencil.bets(2))
    play.deal_some()
    die()
    seen.table("T02", phase="dealing")
    play.deal_rest()
    die()
    seen.table("T02", phase="dealt")
    play.finish()
    die()
    prizes = play.prizes()
    hit = seen.hit(play.pool, play.hit, "pending")
    assert {winner["seat"]: winner["amount"] for winner in hit["winners"]} == prizes[play.tier]
    die()
    seen.hit(play.pool, play.hit, "pending")
    seen.meter(play.pool, play.pencil.meter, "pending")
    assert len(raw_ledger.words(floor.ledger, "card_read")) == 15
    assert len(raw_ledger.entries(floor.ledger, "prize_locked")) == 1
    assert len(raw_ledger.entries(floor.ledger, "epoch_began")) == 7
