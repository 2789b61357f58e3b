"""The watch over the machine's clock, on a clock that tests move by hand."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from jackpotd.core.entries import AlarmRaised
from jackpotd.core.facts import ClockSaid, RejectHit
from jackpotd.core.state import Alarm, State
from jackpotd.daemon.board import Board
from jackpotd.daemon.clock import SLEW, Clock
from jackpotd.daemon.clock_sync import BELIEVED_S, is_synchronised, judge, kernel_error_us
from jackpotd.daemon.clock_watch import CALM_MS, JUMP_MS, ClockWatch
from jackpotd.daemon.engine import Committed
from jackpotd.daemon.outside import real_outside
from jackpotd.daemon.starting import watch_clock
from jackpotd.ledger.port import Head
from tests.support.configs import config
from tests.support.felt import DEALER, FLUSH, SUPERVISOR, Felt, stud_table
from tests.support.pools import stud_pool

NS_PER_MS = 1_000_000
DAY_MS = 86_400_000
HOUR_MS = 3_600_000
UTC_MS = 1_795_996_800_000


class WallClock(Clock):
    """Time since boot goes on by `pass_`; the wall clock goes with it, and is set by `set_by`."""

    def __init__(self) -> None:
        self.boot_ms, self.awake_ms, self.wall_ms = 5_000, 5_000, UTC_MS
        self.stalls: list[int] = []
        super().__init__()

    def pass_(self, ms: int, *, asleep: bool = False) -> None:
        self.boot_ms += ms
        self.wall_ms += ms
        self.awake_ms += 0 if asleep else ms

    def set_by(self, ms: int) -> None:
        self.wall_ms += ms

    def _wall_ns(self) -> int:
        if self.stalls:
            self.pass_(self.stalls.pop())  # between two readings of one look
        return self.wall_ms * NS_PER_MS

    def _boot_ns(self) -> int:
        return self.boot_ms * NS_PER_MS

    def monotonic_ms(self) -> int:
        return self.awake_ms


class Tower:
    """A watch over such a clock; `synchronised` is what the machine says."""

    def __init__(self, state: State | None = None, last_ms: int = 0, *, synchronised: bool = True) -> None:
        self.clock = WallClock()
        self.synchronised = synchronised
        self.watch = ClockWatch(self.clock, lambda: self.synchronised)
        self.first = self.watch.begin(state or State(), last_ms)

    def later(self, ms: int = 1_000) -> ClockSaid | None:
        self.clock.pass_(ms)
        return self.watch.look()

    def jumps(self, by_ms: int) -> int:
        """By how much it is said to have been set."""
        self.clock.set_by(by_ms)
        word = self.later()
        return 0 if word is None else word.jump_ms


def alarmed(**more: bool) -> State:
    """A state in which the clock is known to have been set."""
    raised = AlarmRaised(1, "clock_jumped-controller", "clock_jumped", "", "", "", "")
    state = State(**more)  # type: ignore[arg-type]  # of the fields that tests give
    state.alarms[raised.alarm] = Alarm(raised.alarm, raised.code, "", "", "", 1, "")
    return state


def test_a_clock_that_goes_has_nothing_to_say() -> None:
    tower = Tower()
    assert tower.first is None
    assert [tower.later(ms) for ms in (1_000, 1_000, HOUR_MS, DAY_MS)] == [None] * 4


@pytest.mark.parametrize("by_ms", [DAY_MS, -DAY_MS, JUMP_MS + 1, -JUMP_MS - 1])
def test_a_clock_that_is_set_jumps_once_and_is_calm_after_a_while(by_ms: int) -> None:
    tower = Tower()
    tower.clock.set_by(by_ms)
    assert tower.later() == ClockSaid(synchronised=True, jump_ms=by_ms, calm=False)
    assert tower.later(CALM_MS - 1_000) is None
    assert tower.later() == ClockSaid(synchronised=True, jump_ms=0, calm=True)
    assert tower.later(CALM_MS) is None


def test_a_leap_second_is_no_jump_and_many_small_ones_within_an_hour_are() -> None:
    tower = Tower()
    assert tower.jumps(-1_000) == 0
    assert tower.jumps(-1_000) == 0
    assert tower.jumps(-1_000) == -3_000
    assert tower.jumps(-1_000) == 0


def test_a_clock_that_is_slewed_for_hours_does_not_jump() -> None:
    tower = Tower()
    for _ in range(20):
        tower.clock.set_by(-300)  # 500 ppm
        assert tower.later(600_000) is None


def test_a_machine_that_slept_has_not_set_its_clock() -> None:
    tower = Tower()
    tower.clock.pass_(DAY_MS, asleep=True)
    assert tower.later() is None


def test_the_time_since_boot_goes_on_while_the_machine_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def gettime(clock: int) -> int:
        asked.append(clock)
        return 7 * NS_PER_MS

    monkeypatch.setattr("jackpotd.daemon.clock.time.clock_gettime_ns", gettime)
    Clock()
    assert set(asked) == {time.CLOCK_BOOTTIME}


def test_a_machine_that_stands_still_between_two_readings_has_not_set_its_clock() -> None:
    tower = Tower()
    tower.clock.stalls = [30_000]
    assert tower.later() is None


def test_between_two_looks_time_goes_on_as_if_nobody_had_set_the_clock() -> None:
    tower = Tower()
    tower.clock.set_by(-DAY_MS)
    tower.clock.pass_(400)
    assert tower.clock.utc_ms() == UTC_MS + 400
    assert tower.watch.look() is not None
    assert tower.clock.utc_ms() == UTC_MS + 400 - DAY_MS


@pytest.mark.parametrize("by_ms", [-1_000, 1_000])
def test_a_small_step_is_followed_so_slowly_that_nothing_said_later_is_dated_earlier(by_ms: int) -> None:
    tower = Tower()
    tower.clock.set_by(by_ms)
    before_ms = tower.clock.utc_ms()
    for second in range(1, abs(by_ms) * SLEW // 1_000 + 10):
        assert tower.later() is None
        now_ms, true_ms = tower.clock.utc_ms(), UTC_MS + second * 1_000
        assert 999 <= now_ms - before_ms <= 1_001, "the clock was stepped"
        assert min(true_ms, true_ms + by_ms) <= now_ms <= max(true_ms, true_ms + by_ms)
        before_ms = now_ms
    assert before_ms == tower.clock.wall_ms, "it never came there"


def test_small_steps_that_come_to_a_jump_are_taken_over_with_it() -> None:
    tower = Tower()
    assert tower.jumps(-1_500) == 0
    assert tower.jumps(-1_500) == -3_000
    assert tower.clock.utc_ms() == tower.clock.wall_ms


def test_a_life_that_begins_a_little_before_the_last_row_goes_on_from_it() -> None:
    tower = Tower(last_ms=UTC_MS + 1_500)
    assert tower.first is None
    assert tower.clock.utc_ms() == UTC_MS + 1_500
    assert tower.later() is None
    assert tower.clock.utc_ms() == UTC_MS + 2_499
    ahead = Tower(last_ms=UTC_MS - HOUR_MS)
    assert ahead.clock.utc_ms() == UTC_MS


def test_a_clock_that_is_synchronised_no_more_is_told_and_so_is_one_that_is_again() -> None:
    tower = Tower()
    tower.synchronised = False
    assert tower.later() == ClockSaid(synchronised=False, jump_ms=0, calm=True)
    assert tower.later() is None
    tower.synchronised = True
    assert tower.later() == ClockSaid(synchronised=True, jump_ms=0, calm=True)


def test_a_start_with_a_clock_that_nothing_vouches_for_says_so_at_once() -> None:
    assert Tower(synchronised=False).first == ClockSaid(synchronised=False, jump_ms=0, calm=True)


@pytest.mark.parametrize("synchronised", [True, False])
def test_a_start_that_finds_the_clock_as_it_is_recorded_says_nothing(synchronised: bool) -> None:
    assert Tower(State(clock_synchronised=synchronised), synchronised=synchronised).first is None


def test_a_clock_that_went_back_while_the_controller_was_away_is_seen_at_the_start() -> None:
    tower = Tower(last_ms=UTC_MS + DAY_MS)
    assert tower.first == ClockSaid(synchronised=True, jump_ms=-DAY_MS, calm=False)
    assert tower.later() is None


@pytest.mark.parametrize("last_ms", [0, UTC_MS - DAY_MS, UTC_MS, UTC_MS + JUMP_MS])
def test_a_long_time_without_a_controller_is_no_jump(last_ms: int) -> None:
    assert Tower(last_ms=last_ms).first is None


def test_the_alarm_of_the_life_before_goes_when_the_clock_has_been_calm() -> None:
    tower = Tower(alarmed())
    assert tower.first is None
    assert tower.later(CALM_MS - 1_000) is None
    assert tower.later() == ClockSaid(synchronised=True, jump_ms=0, calm=True)


def test_what_is_shown_for_a_while_is_shown_by_the_clock_as_it_was_set() -> None:
    felt, board = Felt([stud_pool()], [stud_table()]), Board()
    felt.now_ms += 100 * DAY_MS
    spot = felt.spot("T01")
    spot.bet(1)
    spot.lock()
    spot.deal({1: FLUSH, 0: DEALER})
    spot.end()
    hit = "T01.1.stud-main.flush"
    felt.act(RejectHit(SUPERVISOR, hit, "misread"))
    board.show(felt.state, 1, 0)
    decided_ms = board.hits[hit].decided_ms
    assert decided_ms
    entries = felt.set_clock(-DAY_MS)
    board.committed(felt.state, Committed(Head(2, b""), [(felt.facts[-1], entries)], 0, 0))
    assert board.hits[hit].decided_ms == decided_ms - DAY_MS
    assert [doubt.by_ms for doubt in board.provisional] == [-DAY_MS]


# ---- what the machine says


@pytest.mark.parametrize(("error_us", "synchronised"), [(0, True), (15_999_999, True), (16_000_000, False)])
def test_the_kernels_reckoning_decides_where_it_may_be_asked(
    error_us: int,
    synchronised: bool,
    tmp_path: Path,
) -> None:
    assert judge(error_us, tmp_path / "none", lambda: 0) is synchronised


@pytest.mark.parametrize(
    ("age_s", "synchronised"),
    [(0, True), (-1, True), (BELIEVED_S - 1, True), (BELIEVED_S + 1, False), (-60, False)],
    ids=["now", "a moment ahead", "as long as the kernel would believe it", "long ago", "from the future"],
)
def test_where_the_kernel_may_not_be_asked_the_mark_of_timesyncd_counts(
    age_s: int,
    synchronised: bool,
    tmp_path: Path,
) -> None:
    mark = tmp_path / "synchronized"
    mark.touch()
    touched_s = mark.stat().st_mtime
    assert judge(None, mark, lambda: touched_s + age_s) is synchronised


def test_what_nothing_vouches_for_is_not_synchronised(tmp_path: Path) -> None:
    assert not judge(None, tmp_path / "none", lambda: 0)


def test_a_kernel_that_may_not_be_asked_as_under_protect_clock_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refused:
        def __init__(self, _: None) -> None: ...

        def adjtimex(self, _: object) -> int:
            return -1

    monkeypatch.setattr("jackpotd.daemon.clock_sync.ctypes.CDLL", Refused)
    assert kernel_error_us() is None


def test_the_kernel_of_this_machine_answers_and_nothing_is_changed() -> None:
    error_us = kernel_error_us()
    assert error_us is None or error_us >= 0
    assert is_synchronised() in (True, False)


@pytest.mark.parametrize("asked", [True, False])
def test_a_site_without_a_time_service_is_not_asked_for_one(asked: bool) -> None:
    edit = ("# require_synchronised_clock = false", f"require_synchronised_clock = {str(asked).lower()}")
    nothing_vouches = replace(real_outside(), is_synchronised=lambda: False)
    word = watch_clock(config(edit), nothing_vouches).begin(State(), 0)
    assert (word is not None) is asked


def test_a_clock_is_asked_for_a_time_service_unless_the_site_says_otherwise() -> None:
    assert config().site.require_synchronised_clock
