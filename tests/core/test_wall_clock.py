"""A machine's clock that is not synchronised, or is set a day either way: the day is provisional, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.errors import RuleError
from jackpotd.core.parameters import BreakerParams
from jackpotd.core.proposals import PROPOSAL_MS
from jackpotd.core.replacing import VOTE_LASTS_MS
from jackpotd.core.site import SHORTEST_DAY_MS
from jackpotd.core.state import KEPT_DOUBTS
from tests.support.felt import ACCOUNTANT, DEALER, FLUSH, ROYAL, STEP_MS, SUPERVISOR, TECHNICIAN, Felt, stud_table
from tests.support.pools import mop, stud_pool

MINUTE_MS = 60_000
DAY_MS = 24 * 60 * MINUTE_MS
EITHER_WAY = pytest.mark.parametrize("by_ms", [-DAY_MS, DAY_MS], ids=["a day back", "a day forward"])
UNSYNCHRONISED = f.ClockSaid(synchronised=False, jump_ms=0, calm=True)
SOUND = f.ClockSaid(synchronised=True, jump_ms=0, calm=True)
ROYAL_HIT = "T01.1.stud-main.royal_flush"


def house(**changes: object) -> Felt:
    """Two tables of one pool, weeks after 1970."""
    felt = Felt([stud_pool(**changes)], [stud_table("T01"), stud_table("T02")])
    felt.now_ms += 100 * DAY_MS
    return felt


def why(doubts: object) -> list[tuple[str, int]]:
    assert isinstance(doubts, list | tuple)
    return [(doubt.why, doubt.by_ms) for doubt in doubts]


def close(felt: Felt, day: int | None = None) -> tuple[e.ClockDoubt, ...]:
    """Why the day that was closed is provisional."""
    felt.act(f.CloseDay(ACCOUNTANT, day))
    closed, marks = felt.said(e.DayClosed), felt.all_said(e.DayProvisional)
    assert all(mark.day == closed.day for mark in marks)
    return tuple(doubt for mark in marks for doubt in mark.doubts)


def deal(felt: Felt, table: str, hand: str) -> None:
    """A round up to its end, which is still to come."""
    spot = felt.spot(table)
    spot.bet(1)
    spot.lock()
    spot.deal({1: hand, 0: DEALER})


# ---- the mark


@EITHER_WAY
def test_a_clock_that_was_set_alarms_and_marks_the_day_in_which_it_was(by_ms: int) -> None:
    felt = house()
    felt.set_clock(by_ms)
    assert felt.said(e.ClockJumped) == e.ClockJumped(felt.now_ms, 1, by_ms)
    alarm = felt.state.alarms["clock_jumped-controller"]
    way = "back" if by_ms < 0 else "forward"
    assert alarm.text == f"the machine's clock was set {way} by 86400 s: gaming day 1 is provisional"
    assert close(felt, 1) == (e.ClockDoubt(felt.now_ms - STEP_MS, "jumped", by_ms),)
    assert close(felt, 2) == ()


def test_a_clock_that_is_set_again_says_the_newest_and_the_day_keeps_both() -> None:
    felt = house()
    felt.set_clock(-5_000)
    felt.set_clock(7_000)
    assert felt.state.alarms["clock_jumped-controller"].text.startswith("the machine's clock was set forward by 7 s")
    assert why(felt.state.doubts) == [("jumped", -5_000), ("jumped", 7_000)]


def test_the_alarm_of_a_clock_that_was_set_goes_when_it_has_been_calm() -> None:
    felt = house()
    felt.set_clock(-5_000)
    felt.control(replace(SOUND, calm=False))
    assert felt.alarms() == ["clock_jumped-controller"]
    felt.control(SOUND)
    assert felt.alarms() == []
    assert why(felt.state.doubts) == [("jumped", -5_000)], "the day is as doubtful as before"


def test_a_clock_that_nothing_vouches_for_alarms_marks_every_day_and_closes_no_table() -> None:
    felt = house()
    felt.control(UNSYNCHRONISED)
    assert felt.said(e.ClockNoted) == e.ClockNoted(felt.now_ms, 1, synchronised=False)
    assert felt.alarms() == ["clock_unsynchronised-controller"]
    deal(felt, "T01", FLUSH)
    felt.spot("T01").end()
    assert felt.hit("T01.1.stud-main.flush").total_atoms == mop("500.00")
    assert why(close(felt, 1)) == [("unsynchronised", 0)]
    assert felt.said(e.ClockNoted).day == 2
    assert why(close(felt, 2)) == [("unsynchronised", 0)]
    felt.control(SOUND)
    assert felt.alarms() == []
    assert why(close(felt, 3)) == [("unsynchronised", 0)], "a part of it was"
    assert felt.all_said(e.ClockNoted) == []
    assert close(felt, 4) == ()


def test_the_same_word_again_changes_nothing() -> None:
    felt = house()
    assert felt.control(SOUND) == []
    felt.control(UNSYNCHRONISED)
    assert felt.control(UNSYNCHRONISED) == []


def test_a_clock_that_is_set_for_ever_fills_no_state() -> None:
    felt = house()
    for second in range(3, 3 + 2 * KEPT_DOUBTS):
        felt.set_clock(second * 1_000)
    assert why(felt.state.doubts) == [("jumped", second * 1_000) for second in range(3, 3 + KEPT_DOUBTS)]


# ---- waits and windows


@EITHER_WAY
def test_two_persons_window_is_as_long_as_before(by_ms: int) -> None:
    def adjusted(waits_ms: int) -> bool:
        felt = house()
        felt.act(f.AdjustPool(SUPERVISOR, "stud-main", "1.00", "why"))
        felt.set_clock(by_ms)
        felt.now_ms += waits_ms
        felt.act(f.AdjustPool(ACCOUNTANT, "stud-main", "1.00", "why"))
        return bool(felt.all_said(e.PoolAdjusted))

    assert adjusted(PROPOSAL_MS - MINUTE_MS)
    assert not adjusted(PROPOSAL_MS + MINUTE_MS)


@EITHER_WAY
def test_a_vote_for_another_device_is_good_for_as_long_as_before(by_ms: int) -> None:
    def replaced(waits_ms: int) -> bool:
        spot = house().spot("T01")
        spot.lose("shoe")
        spot.replace("shoe", TECHNICIAN)
        spot.felt.set_clock(by_ms)
        spot.felt.now_ms += waits_ms
        spot.replace("shoe", SUPERVISOR)
        return bool(spot.felt.all_said(e.DeviceReplaced))

    assert replaced(VOTE_LASTS_MS - MINUTE_MS)
    assert not replaced(VOTE_LASTS_MS + MINUTE_MS)


@EITHER_WAY
def test_a_day_is_as_long_as_before_and_closes_neither_twice_nor_never(by_ms: int) -> None:
    felt = house()
    close(felt)
    felt.set_clock(by_ms)
    felt.now_ms += SHORTEST_DAY_MS - MINUTE_MS
    with pytest.raises(RuleError, match="day 2 began only 719 minutes ago"):
        close(felt)
    felt.now_ms += 2 * MINUTE_MS
    close(felt)
    assert felt.said(e.DayClosed).day == 2


@EITHER_WAY
def test_a_hit_that_was_decided_is_shown_as_long_as_before(by_ms: int) -> None:
    felt = house(auto_pay_below_atoms=mop("600.00"))
    deal(felt, "T01", FLUSH)
    felt.spot("T01").end()
    felt.act(f.PayHit(SUPERVISOR, "T01.1.stud-main.flush", "slip 1"))
    before_ms = felt.hit("T01.1.stud-main.flush").decided_ms
    felt.set_clock(by_ms)
    assert felt.hit("T01.1.stud-main.flush").decided_ms == before_ms + by_ms


def restarted_by_a_royal_flush(felt: Felt) -> None:
    deal(felt, "T01", ROYAL)
    felt.spot("T01").end()
    assert felt.pool().restarted_ms == felt.now_ms


@EITHER_WAY
def test_a_round_of_after_the_restart_is_not_late_by_the_clock(by_ms: int) -> None:
    felt = house()
    restarted_by_a_royal_flush(felt)
    felt.set_clock(by_ms)
    deal(felt, "T02", FLUSH)
    felt.spot("T02").end()
    assert not felt.hit("T02.1.stud-main.flush").late


@EITHER_WAY
def test_a_round_held_since_before_the_restart_is_late_whatever_the_clock_says(by_ms: int) -> None:
    felt = house()
    deal(felt, "T02", FLUSH)
    felt.spot("T02").lose("panel")
    felt.set_clock(by_ms)
    restarted_by_a_royal_flush(felt)
    felt.spot("T02").confirm()
    felt.spot("T02").end()
    assert felt.hit("T02.1.stud-main.flush").late


@EITHER_WAY
@pytest.mark.parametrize("closed", ["before", "after"])
def test_whether_a_table_closed_before_a_hit_is_a_matter_of_order_not_of_time(by_ms: int, closed: str) -> None:
    felt = house()

    def close_the_other() -> None:
        felt.act(f.CloseTable(SUPERVISOR, "T02"))
        felt.spot("T02").lose("panel")

    def pay() -> None:
        felt.act(f.PayHit(SUPERVISOR, ROYAL_HIT, "slip 1"))

    steps: list[Callable[[], object]] = [close_the_other, lambda: restarted_by_a_royal_flush(felt)]
    first, second = steps if closed == "before" else reversed(steps)
    first()
    felt.set_clock(by_ms)
    second()
    felt.act(f.ApproveHit(SUPERVISOR, ROYAL_HIT))
    if closed == "before":
        pay()
        return
    with pytest.raises(RuleError, match="table T02 of the same pool is offline"):
        pay()


@EITHER_WAY
def test_the_breakers_window_is_as_long_as_before(by_ms: int) -> None:
    felt = house(breaker=BreakerParams(1_000, DAY_MS))
    deal(felt, "T01", FLUSH)
    felt.spot("T01").end()
    number = felt.pool().window[0].number
    felt.set_clock(by_ms)
    deal(felt, "T02", FLUSH)
    felt.spot("T02").end()
    assert [bucket.trials for bucket in felt.pool().window] == [{"stud": 2}]
    assert felt.pool().window[0].number == number + by_ms * 24 // DAY_MS


def test_a_retired_pool_stays_retired_and_a_clock_from_before_1970_makes_no_moment_none() -> None:
    felt = house()
    for table in ("T01", "T02"):
        felt.act(f.CloseTable(SUPERVISOR, table))
    for by in (SUPERVISOR, ACCOUNTANT):
        felt.act(f.RetirePool(by, "stud-main", "house", "the link ends"))
    retired_ms = felt.pool().retired_ms
    felt.set_clock(MINUTE_MS)
    assert felt.pool().retired_ms == retired_ms + MINUTE_MS
    felt.set_clock(-200 * DAY_MS)
    assert felt.pool().retired_ms == 1
    assert felt.state.day_began_ms == 0, "the first day began with the ledger"


@EITHER_WAY
def test_a_carried_bet_waits_for_its_players_ante_whatever_the_clock_says(by_ms: int) -> None:
    felt = house()
    spot = felt.spot("T01")
    spot.bet(3)
    spot.lock()
    spot.void()
    felt.set_clock(by_ms)
    assert spot.table.carried == {3: ["stud-main"]}
    meter = felt.meter()
    spot.bet(3, "ante")
    spot.lock()
    assert spot.table.live == {"stud-main": [3]}
    assert felt.meter() == meter, "it contributes nothing again"
