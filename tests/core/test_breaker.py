"""The breaker: what luck suspends a pool, by limits that are plain numbers here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.errors import RuleError
from jackpotd.core.parameters import Rules
from jackpotd.core.state import HitStatus, Phase
from jackpotd.core.window import BUCKETS
from jackpotd.ledger.restore import STATE, encode_state
from tests.support.felt import (
    ACCOUNTANT,
    DEALER,
    FLUSH,
    FOUR,
    NOTHING_2,
    ROYAL,
    SUPERVISOR,
    Felt,
    Spot,
    baccarat_table,
    stud_table,
)
from tests.support.luck import DAILY, DAY_MS, ONE, TWO, plain_limits
from tests.support.pools import level_pool, levels, mixed_pool, mop, option_pool, prize, stud_pool


def house(*tables: str, **changes: Any) -> Felt:
    """A stud house whose tables play on while hits are pending."""
    pool = stud_pool(**({"breaker": DAILY, "hold_tables_on_hit": "none"} | changes))
    return Felt([pool], [stud_table(name) for name in tables or ("T01",)])


def armed(felt: Felt, **given: Any) -> Felt:
    felt.control(f.LimitsComputed(plain_limits(felt.pools[0], **given)))
    return felt


def play(spot: Spot, hand: str = FLUSH) -> None:
    """A round of one seat."""
    spot.bet(2)
    spot.lock()
    spot.deal({2: hand, 0: DEALER})
    spot.end()


def test_what_is_credible_goes_on_and_one_hit_more_suspends_the_pool() -> None:
    felt = armed(house())
    for _ in range(2):
        play(felt.spot("T01"))
        assert not felt.pool().suspended
    play(felt.spot("T01"))
    why = "luck beyond 1 in 10,000,000 within 24 h: 3 flush in 3 bets, at most 2 is credible"
    assert felt.said(e.PoolSuspended).why == felt.pool().suspended == why
    assert "suspended-stud-main" in felt.alarms()


def test_every_bet_played_makes_more_hits_credible() -> None:
    felt = armed(house())
    for _ in range(7):
        play(felt.spot("T01"), NOTHING_2)
    for _ in range(3):
        play(felt.spot("T01"))
    assert felt.said(e.PoolSuspended).why.endswith("3 flush in 10 bets, at most 2 is credible")
    felt = armed(house())
    for _ in range(8):
        play(felt.spot("T01"), NOTHING_2)
    for _ in range(3):
        play(felt.spot("T01"))
    assert not felt.pool().suspended


def test_two_seats_of_one_stud_round_are_two_bets_and_two_hits() -> None:
    felt = armed(house(), least=TWO)
    spot = felt.spot("T01")
    spot.bet(2)
    spot.bet(3)
    spot.lock()
    spot.deal({2: FLUSH, 3: "2S 4S 6S 8S TS", 0: DEALER})
    spot.end()
    assert felt.said(e.PoolSuspended).why.endswith("2 flush in 2 bets, at most 1 is credible")


def test_a_baccarat_round_is_one_trial_and_one_hit_however_many_bet() -> None:
    felt = Felt([option_pool(Rules.BACCARAT_B, breaker=DAILY, hold_tables_on_hit="none")], [baccarat_table()])
    armed(felt, tier="three_of_a_kind", least=TWO)
    spot = felt.spot("B01")
    for _ in range(2):
        for seat in (1, 2, 3):
            spot.bet(seat)
        spot.lock()
        spot.coup("8S 8D", "8C 9D")
    assert felt.said(e.PoolSuspended).why.endswith("2 three_of_a_kind in 2 rounds with a bettor, at most 1 is credible")


def test_rounds_without_a_bet_on_the_pool_and_void_rounds_are_no_trials() -> None:
    felt = armed(house())
    spot = felt.spot("T01")
    spot.bet(2, "ante")
    spot.lock()
    spot.deal({2: FLUSH, 0: DEALER})
    spot.end()
    spot.bet(2)
    spot.lock()
    spot.void()
    assert felt.pool().window == []


def test_levels_and_pools_of_several_games_count_the_trials_of_their_own_games() -> None:
    pools = [
        stud_pool(breaker=None, levels=levels(mini=100_000)),
        level_pool("mini", prize("flush", "100.00"), breaker=DAILY),
        mixed_pool(breaker=DAILY),
    ]
    felt = Felt(pools, [stud_table(pools=("stud-main", "mega")), baccarat_table(pools=("mega",))])
    spot, other = felt.spot("T01"), felt.spot("B01")
    for seat in (1, 2):
        spot.bet(seat, "ante", "progressive:stud-main", "progressive:mega")
        other.bet(seat)
    spot.lock()
    spot.deal({1: FLUSH, 2: "2S 4S 6S 8S TC", 0: DEALER})
    spot.end()
    other.lock()
    other.coup("8S 8D", "8C 9D")
    (level,), (mega,) = felt.pool("mini").window, felt.pool("mega").window
    assert (level.trials, level.hits) == ({"stud": 2}, {"stud.flush": 1})
    assert mega.trials == {"stud": 2, "baccarat": 1}
    assert mega.hits == {"stud.flush": 1, "baccarat.three_of_a_kind": 1}
    assert felt.pool().window == []


def test_a_folded_seat_played_its_bet() -> None:
    felt = armed(house())
    spot = felt.spot("T01")
    spot.bet(2)
    spot.lock()
    spot.deal({2: FLUSH, 0: DEALER})
    spot.fold(2)
    spot.end()
    assert [bucket.trials for bucket in felt.pool().window] == [{"stud": 1}]


def test_prizes_that_cost_more_than_is_credible_suspend_the_pool() -> None:
    felt = armed(house(), money=(("1000000.00", "10000.00"),))
    play(felt.spot("T01"), FOUR)
    assert not felt.pool().suspended
    play(felt.spot("T01"), FOUR)
    why = felt.said(e.PoolSuspended).why
    assert why.endswith("prizes cost 10000.00, less than 10000.00 is credible")


def test_the_row_of_the_highest_meter_that_paid_counts_and_grows_above_the_last() -> None:
    rows = (("400000.00", "1.00"), ("500007.00", "5500.00"), ("600000.00", "10000000.00"))
    felt = armed(house(), money=rows)
    play(felt.spot("T01"))
    assert felt.pool().window[0].meter_atoms == mop("500007.00")
    play(felt.spot("T01"), FOUR)
    assert felt.said(e.PoolSuspended).why.endswith("prizes cost 5500.00, less than 5500.00 is credible")
    felt = armed(house(), money=(("250000.00", "2750.01"),))
    play(felt.spot("T01"))
    play(felt.spot("T01"), FOUR)
    assert not felt.pool().suspended, "twice the row's meter and a little more allows three times the row"


def test_the_window_moves_on_and_forgets() -> None:
    felt = armed(house())
    for _ in range(5):
        play(felt.spot("T01"))
        felt.now_ms += DAY_MS // 2
    assert not felt.pool().suspended
    assert len(felt.pool().window) == 2


def test_no_more_buckets_are_kept_than_the_window_has_and_none_is_older() -> None:
    felt = armed(house())
    for _ in range(BUCKETS + 5):
        play(felt.spot("T01"), NOTHING_2)
        felt.now_ms += DAY_MS // BUCKETS
    numbers = [bucket.number for bucket in felt.pool().window]
    assert numbers == list(range(numbers[-1] - BUCKETS + 1, numbers[-1] + 1))


def test_a_clock_that_jumps_back_counts_into_the_newest_hour() -> None:
    felt = armed(house())
    felt.now_ms += 10 * DAY_MS
    play(felt.spot("T01"))
    felt.now_ms -= 9 * DAY_MS
    play(felt.spot("T01"))
    play(felt.spot("T01"))
    assert felt.pool().suspended


def test_the_count_survives_a_restart_of_the_controller() -> None:
    felt = armed(house())
    play(felt.spot("T01"))
    play(felt.spot("T01"))
    felt.state = STATE.decode(encode_state(felt.state))
    felt.start()
    felt.spot("T01").connect()
    assert not felt.pool().suspended
    play(felt.spot("T01"))
    assert felt.pool().suspended


def test_the_hit_that_trips_it_is_locked_and_waits_for_people_however_small() -> None:
    felt = armed(house(auto_pay_below_atoms=mop("1000.00")), least=TWO)
    play(felt.spot("T01"))
    play(felt.spot("T01"))
    assert [felt.hit(f"T01.{number}.stud-main.flush").status for number in (1, 2)] == [
        HitStatus.APPROVED,
        HitStatus.PENDING,
    ]
    with pytest.raises(RuleError, match="is suspended"):
        felt.act(f.PayHit(SUPERVISOR, "T01.1.stud-main.flush", "1"))


def test_rounds_in_play_at_other_tables_of_the_pool_are_held() -> None:
    felt = armed(house("T01", "T02", "T03"), least=ONE)
    other, idle = felt.spot("T02"), felt.spot("T03")
    other.bet(3)
    other.lock()
    other.deal({3: FOUR, 0: DEALER})
    play(felt.spot("T01"))
    assert (other.phase(), other.table.hold_code) == (Phase.HELD, "pool_suspended")
    assert (felt.spot("T01").phase(), idle.phase()) == (Phase.OPEN, Phase.OPEN)


def test_what_another_table_said_while_it_was_locking_is_heard_also_after_a_supervisors_act() -> None:
    felt = armed(house("T01", "T02"), least=ONE)
    spot, other = felt.spot("T01"), felt.spot("T02")
    spot.bet(2)
    spot.lock()
    spot.deal({2: FLUSH, 0: DEALER})
    spot.press(f.Folded(5))
    assert spot.phase() is Phase.HELD
    spot.confirm()
    other.bet(3)
    other.press(f.BetsLocked())
    other.say("shoe", f.CardRead("4S"))
    assert other.phase() is Phase.LOCKING
    spot.end()
    assert felt.pool().suspended
    assert other.phase() is Phase.HELD
    assert other.table.hands == {"3": ["4S"]}


def test_a_suspended_pool_is_not_suspended_again() -> None:
    felt = armed(house("T01", "T02"), least=ONE)
    play(felt.spot("T01"))
    first = felt.pool().suspended
    felt.control(f.ChainBroken(1, "flipped"))
    assert felt.pool().suspended == first
    assert felt.all_said(e.PoolSuspended) == []


def test_when_two_persons_let_the_pool_go_on_the_count_begins_afresh() -> None:
    felt = armed(house(), least=TWO)
    play(felt.spot("T01"))
    play(felt.spot("T01"))
    assert felt.pool().suspended
    for by in (SUPERVISOR, ACCOUNTANT):
        felt.act(f.ResumePool(by, "stud-main", "the shoe was stacked by a technician"))
    assert (felt.pool().suspended, felt.pool().window) == ("", [])
    play(felt.spot("T01"))
    assert not felt.pool().suspended
    play(felt.spot("T01"))
    assert felt.pool().suspended


def test_the_hit_that_restarts_a_pool_is_judged_by_the_limits_under_which_it_was_won() -> None:
    felt = armed(house(), tier="royal_flush", least=ONE)
    felt.pools[0] = replace(felt.pools[0], show_hit_for_ms=1)
    felt.configure()
    for by in (SUPERVISOR, ACCOUNTANT):
        felt.act(f.ApplyPool(by, "stud-main", "shorter"))
    play(felt.spot("T01"), ROYAL)
    assert len(felt.all_said(e.ParametersTookForce)) == 1
    assert felt.pool().suspended.endswith("1 royal_flush in 1 bet, at most 0 is credible")


def test_a_limit_applied_to_a_live_pool_changes_no_odds_so_the_count_goes_on() -> None:
    """Two persons who apply a limit over and over would else keep the breaker from ever counting."""
    felt = armed(house(), least=TWO)
    play(felt.spot("T01"))
    felt.pools[0] = replace(felt.pools[0], limit_atoms=mop("9000000.00"))
    felt.configure()
    for by in (SUPERVISOR, ACCOUNTANT):
        felt.act(f.ApplyPool(by, "stud-main", "a limit"))
    assert felt.pool().params == felt.pools[0]
    armed(felt, least=TWO)
    assert felt.all_said(e.BreakerArmed) == []
    play(felt.spot("T01"))
    assert felt.pool().suspended.endswith("2 flush in 2 bets, at most 1 is credible")


def test_limits_for_other_parameters_arm_nothing() -> None:
    felt = house()
    felt.control(f.LimitsComputed(plain_limits(replace(felt.pools[0], seed_atoms=mop("1.00")))))
    felt.control(f.LimitsComputed(plain_limits(replace(felt.pools[0], pool="other"))))
    assert felt.pool().limits is None
    for _ in range(5):
        play(felt.spot("T01"))
    assert not felt.pool().suspended


def test_limits_computed_twice_arm_once() -> None:
    felt = armed(house())
    play(felt.spot("T01"))
    assert len(felt.pool().window) == 1
    armed(felt)
    assert felt.last == []
    assert len(felt.pool().window) == 1


def test_a_pool_without_a_breaker_counts_nothing_and_takes_no_limits() -> None:
    felt = armed(house(breaker=None))
    for _ in range(5):
        play(felt.spot("T01"))
    assert (felt.pool().limits, felt.pool().window, felt.pool().suspended) == (None, [], "")


def test_the_limits_are_in_the_ledger_with_the_parameters_they_are_for() -> None:
    felt = house()
    computed = plain_limits(felt.pools[0])
    felt.control(f.LimitsComputed(computed))
    assert felt.said(e.BreakerArmed).limits == computed
    assert felt.pool().limits == computed
