"""The controller dies in every phase of a round; after the restart the round stands where design section 7 says."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.plays import PLAYS, Play

LATE_SEAT = 5


def with_bets(play: Play) -> None:
    """Open, with bets placed; one more comes that the controller never hears."""
    play.bets()
    daemon = play.floor.daemon
    assert daemon is not None
    daemon.freeze()
    assert play.table.place(LATE_SEAT, play.table.main_bet)
    assert play.table.place(LATE_SEAT, "progressive")


def locking(play: Play) -> None:
    """The bets are closed, the panel is not heard out."""
    play.bets()
    play.fidget()
    play.begin_to_lock()
    play.floor.seen.table(play.table.name, phase="locked")


def locked(play: Play) -> None:
    play.bets()
    play.lock()
    play.floor.seen.meter(play.pool, play.pencil.bets(2))


def dealing(play: Play) -> None:
    locked(play)
    play.deal_some()
    play.floor.seen.table(play.table.name, phase="dealing")


def dealt(play: Play) -> None:
    dealing(play)
    play.deal_rest()
    play.floor.seen.table(play.table.name, phase="dealt")


def held(play: Play) -> None:
    dealing(play)
    play.spoil()
    play.floor.seen.table(play.table.name, phase="held")


PHASES: dict[str, Callable[[Play], None]] = {
    "open": with_bets,
    "locking": locking,
    "locked": locked,
    "dealing": dealing,
    "dealt": dealt,
    "held": held,
}
# With journaled devices every phase resumes; a shoe that cannot repeat itself may have dealt unseen (design 7).
HELD_AFTER = {(grade, phase) for grade in ("bare", "sequenced") for phase in ("locking", "locked", "dealing")}


# The controller alone at every table; with it the boards of the table at which nothing but boards stands.
CUTS = [(grade, phase, False) for grade in PLAYS for phase in PHASES] + [("journaled", phase, True) for phase in PHASES]


@pytest.mark.parametrize(("grade", "phase", "whole_house"), CUTS)
def test_a_round_stands_after_a_cut_where_the_design_says(
    floor: Floor, grade: str, phase: str, whole_house: bool
) -> None:
    play = PLAYS[grade](floor)
    floor.start()
    PHASES[phase](play)
    floor.kill()
    if phase == "locking":
        assert raw_ledger.entries(floor.ledger, "lock_began")
        assert raw_ledger.entries(floor.ledger, "round_locked") == []
        play.calm()
    if whole_house:
        play.table.power_cut()
    floor.start()
    if phase == "held" or (grade, phase) in HELD_AFTER:
        stands_held(play, 2 if phase == "locking" else 0)
    else:
        goes_on(play, phase)


def stands_held(play: Play, new_bets: int) -> None:
    """Held, closed, alarmed, nothing paid; a supervisor voids it, and the bets carry without a second contribution."""
    seen, table = play.floor.seen, play.table
    seen.table(table.name, phase="held", progressive="closed", round=f"{table.name}-1")
    seen.alarm(f"held-{table.name}")
    seen.meter(play.pool, play.pencil.bets(new_bets))
    table.wait_shows(True, 0, 0, 0, 0)
    play.floor.person("ana", "supervisor").does("round.void", table=table.name, why="the controller had no power")
    seen.table(table.name, phase="open", carried={"1": [play.pool], "4": [play.pool]})
    seen.meter(play.pool, play.pencil.meter)
    seen.no_alarm(f"held-{table.name}")
    assert seen.hits() == {}
    play.mend()
    table.wait_open()


def goes_on(play: Play, phase: str) -> None:
    """In the phase that it was cut in; played on to its end, it pays what is due, once."""
    seen, table = play.floor.seen, play.table
    if phase == "open":
        both = [table.main_bet, "progressive"]
        seats = {"1": both, "4": both, str(LATE_SEAT): both}
        seen.table(table.name, phase="open", progressive="open", seats=seats)
        seen.meter(play.pool, play.pencil.meter)
        assert table.take_back(LATE_SEAT, table.main_bet)
        seen.table(table.name, seats=lambda bets: bets.get(str(LATE_SEAT)) == ["progressive"])
        play.lock()
        play.pencil.bets(2)
    else:
        seen.table(table.name, phase="locked" if phase == "locking" else phase, round=f"{table.name}-1")
        play.pencil.bets(2 if phase == "locking" else 0)
    seen.meter(play.pool, play.pencil.meter)
    seen.table(table.name, devices=lambda devices: "offline" not in devices.values())
    if phase not in ("dealing", "dealt"):
        play.deal_some()
    if phase != "dealt":
        play.deal_rest()
        seen.table(table.name, phase="dealt")
    play.finish()
    prizes = play.prizes()
    hit = seen.hit(play.pool, play.hit, "pending")
    assert {winner["seat"]: winner["amount"] for winner in hit["winners"]} == prizes[play.tier]
    seen.meter(play.pool, play.pencil.meter, "pending")
