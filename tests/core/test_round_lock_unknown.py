"""A lock of which nobody knows when it was pressed: out of an old journal, or heard too late."""

from __future__ import annotations

from jackpotd.core import facts as f
from jackpotd.core.state import Phase
from tests.support.felt import SHUFFLER, Felt, stud_table
from tests.support.pools import stud_pool


def test_a_lock_of_which_nobody_knows_when_holds_bets_that_may_have_been_moved_after_it() -> None:
    table = Felt([stud_pool()], [stud_table(deals=SHUFFLER)]).spot("T01")
    table.bet(1)
    table.lock(stale=True)
    assert table.table.hold_code == "bets_unsure"
    assert table.table.bets == {1: ["ante", "progressive:stud-main"]}


def test_a_raise_is_no_doubt_of_a_lock_of_which_nobody_knows_when() -> None:
    table = Felt([stud_pool()], [stud_table(deals=SHUFFLER)]).spot("T01")
    table.bet(1)
    table.felt.start()
    table.connect()
    table.bet(1, "raise")
    table.lock(stale=True)
    assert table.phase() is Phase.LOCKED


def test_bets_out_of_the_journal_of_a_board_that_was_away_when_the_round_began_hold_if_it_lost_power_since() -> None:
    table = Felt([stud_pool()], [stud_table(deals=SHUFFLER)]).spot("T01")
    table.lose("panel")
    table.felt.now_ms += 1_000
    table.press(f.BetsLocked())
    table.void()
    table.hello("panel", newest=3)
    table.bet(1, stale=True)
    table.say("panel", f.DeviceStarted(2), stale=True)
    assert table.phase() is Phase.HELD
    assert table.table.bets == {1: ["ante", "progressive:stud-main"]}


def test_bets_out_of_the_journal_of_a_board_that_lost_power_stand_in_the_round_that_they_were_made_for() -> None:
    table = Felt([stud_pool()], [stud_table(deals=SHUFFLER)]).spot("T01")
    table.felt.now_ms += 1_000
    table.lose("panel")
    table.hello("panel", newest=3)
    table.bet(1, stale=True)
    table.say("panel", f.DeviceStarted(2), stale=True)
    assert table.phase() is Phase.OPEN
    assert table.table.bets == {1: ["ante", "progressive:stud-main"]}
