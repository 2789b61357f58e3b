"""What two persons do with a whole pool, and what it costs nobody (design 1, law 9)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.closing import why_closed
from jackpotd.core.errors import RuleError
from jackpotd.core.parameters import LevelRate
from jackpotd.core.state import Phase
from tests.support.felt import (
    ACCOUNTANT,
    DEALER,
    FLUSH,
    NOTHING_2,
    ROYAL,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    Felt,
    stud_table,
)
from tests.support.hits import FLUSH_HIT, approve, pay, play
from tests.support.pools import mop, stud_pool

SEED = mop("500000.00")
Make = Callable[[f.By], f.Act]


def house(**changes: Any) -> Felt:
    """A pool with a reserve, and another one with its own table."""
    pools = [stud_pool(reserve_ppm=50_000, **changes), stud_pool(pool="other", limit_atoms=mop("500010.00"))]
    return Felt(pools, [stud_table("T01"), stud_table("T02", pools=("other",))])


def both(felt: Felt, make: Make) -> None:
    for by in (SUPERVISOR, ACCOUNTANT):
        felt.act(make(by))


def adjust(felt: Felt, amount: str) -> None:
    both(felt, lambda by: f.AdjustPool(by, "stud-main", amount, "the sensor counted twice"))


def transfer(felt: Felt, into: str = "other") -> None:
    both(felt, lambda by: f.TransferPool(by, "stud-main", into, "one link of two"))


def retire(felt: Felt, to: str = "house") -> None:
    both(felt, lambda by: f.RetirePool(by, "stud-main", to, "the link ends"))


def suspend(felt: Felt, pool: str = "stud-main") -> None:
    felt.act(f.SuspendPool(SURVEILLANCE, pool, "the sensor counts twice"))


def resume(felt: Felt) -> None:
    both(felt, lambda by: f.ResumePool(by, "stud-main", "the sensor is another one"))


def close(felt: Felt, *tables: str) -> None:
    for table in tables or ("T01",):
        felt.act(f.CloseTable(SUPERVISOR, table))


def held(felt: Felt, pool: str) -> tuple[int, int, int, int]:
    """Pool, reserve, overflow, and the house's part."""
    one = felt.pool(pool)
    return one.pool_atoms, one.reserve_atoms, one.overflow_atoms, one.house_atoms


# ---- adjusting


@pytest.mark.parametrize(
    ("amount", "after"), [("+12.34", "500012.34"), ("0.000001", "500000.000001"), ("-500000", "0")]
)
def test_two_persons_adjust_the_meter_and_the_house_gives_or_takes(amount: str, after: str) -> None:
    felt = house()
    adjust(felt, amount)
    entry = felt.said(e.PoolAdjusted)
    assert felt.meter() == mop(after)
    assert felt.pool().house_atoms == -felt.meter()
    assert (entry.by, entry.why) == ((SUPERVISOR, ACCOUNTANT), "the sensor counted twice")


@pytest.mark.parametrize(
    ("amount", "why"),
    [
        ("-500000.01", r"holds 500000\.00: it cannot fall by more"),
        ("0.00", "by nothing"),
        ("+-5", "is not an amount"),
        ("five", "is not an amount"),
        ("+10.01", r"has the limit 500010\.00: apply a higher one first"),
    ],
)
def test_an_adjustment_below_nothing_above_the_limit_or_of_nothing_is_refused(amount: str, why: str) -> None:
    felt = house(limit_atoms=mop("500010.00"))
    with pytest.raises(RuleError, match=why):
        adjust(felt, amount)
    adjust(felt, "+10.00")
    with pytest.raises(RuleError, match="limit"):
        adjust(felt, "0.000001")


def test_two_who_want_different_amounts_have_not_agreed() -> None:
    felt = house()
    felt.act(f.AdjustPool(SUPERVISOR, "stud-main", "+1.00", "why"))
    felt.act(f.AdjustPool(ACCOUNTANT, "stud-main", "+10.00", "why"))
    assert felt.meter() == SEED
    felt.act(f.AdjustPool(SUPERVISOR, "stud-main", "10.00", "why"))
    assert felt.meter() == SEED + mop("10.00")


def test_a_suspended_pool_is_put_right_before_it_goes_on() -> None:
    felt = house()
    suspend(felt)
    adjust(felt, "-1.00")
    assert felt.meter() == mop("499999.00")


# ---- transferring


def test_all_a_pool_holds_goes_into_another_and_it_restarts_from_its_seed() -> None:
    felt = house(limit_atoms=mop("500003.00"))
    play(felt, "T01", {1: NOTHING_2})
    assert held(felt, "stud-main") == (mop("500003.00"), mop("0.50"), mop("4.00"), mop("-499997.50"))
    close(felt)
    transfer(felt)
    assert held(felt, "stud-main")[:3] == (SEED, 0, 0)
    assert held(felt, "other")[:3] == (mop("500010.00"), 0, mop("499997.00"))
    # Of the new seed the reserve pays its fifty avos, the house the rest.
    assert felt.pool().house_atoms + felt.pool("other").house_atoms == mop("-499997.50") - SEED - mop("499999.50")
    assert felt.pool().restarted_ms == felt.now_ms
    entry = felt.said(e.PoolTransferred)
    assert (entry.into, entry.by, entry.why) == ("other", (SUPERVISOR, ACCOUNTANT), "one link of two")


def test_a_reserve_that_is_more_than_the_seed_moves_what_is_left_of_it() -> None:
    felt = house(seed_atoms=mop("0.30"))
    play(felt, "T01", {1: NOTHING_2})
    close(felt)
    transfer(felt)
    assert held(felt, "stud-main")[:3] == (mop("0.30"), 0, 0)
    assert felt.pool("other").reserve_atoms == mop("0.20")


def test_a_pool_without_a_limit_takes_all_and_a_transfer_is_a_restart_for_what_is_staged() -> None:
    felt = house()
    close(felt, "T02")
    both(felt, lambda by: f.TransferPool(by, "other", "stud-main", "why"))
    assert felt.meter() == 2 * SEED
    felt.pools[0] = stud_pool(reserve_ppm=50_000, seed_atoms=mop("7.00"))
    felt.configure()
    both(felt, lambda by: f.ApplyPool(by, "stud-main", "a smaller seed"))
    close(felt)
    transfer(felt)
    assert felt.meter() == mop("7.00")
    assert felt.pool().params.seed_atoms == mop("7.00")
    assert felt.alarms() == []


def test_a_pool_moves_only_at_rest() -> None:
    felt = house()
    for move in (transfer, retire):
        with pytest.raises(RuleError, match="table T01 still offers pool stud-main: close the table first"):
            move(felt)
    spot = felt.spot("T01")
    spot.bet(1)
    spot.lock()
    for move in (transfer, retire):
        with pytest.raises(RuleError, match=r"table T01 has a round in play \(locked\)"):
            move(felt)
    spot.void()
    close(felt)
    for move in (transfer, retire):
        with pytest.raises(RuleError, match="seat 1 of table T01 carries a bet on pool stud-main"):
            move(felt)


def test_a_carried_bet_on_another_pool_keeps_nobody() -> None:
    felt = house()
    spot = felt.spot("T02")
    spot.bet(1)
    spot.lock()
    spot.void()
    close(felt)
    transfer(felt)
    assert spot.table.carried == {1: ["other"]}


def test_a_pool_with_an_undecided_hit_stays_where_it_is() -> None:
    felt = house()
    play(felt, "T01", {1: FLUSH})
    close(felt)
    for move in (transfer, retire):
        with pytest.raises(RuleError, match=f"hit {FLUSH_HIT} is pending: pay or reject it first"):
            move(felt)
    approve(felt, FLUSH_HIT)
    with pytest.raises(RuleError, match="is approved: pay or reject it first"):
        transfer(felt)
    pay(felt, FLUSH_HIT)
    transfer(felt)


def test_pools_go_only_into_another_live_one_of_their_currency_and_neither_is_suspended() -> None:
    felt = Felt([stud_pool(), stud_pool(pool="other"), stud_pool(pool="yen", currency="JPY", exponent=0)], [])
    with pytest.raises(RuleError, match="there is no pool nowhere; there are other, stud-main, yen"):
        transfer(felt, "nowhere")
    with pytest.raises(RuleError, match="cannot go into itself"):
        transfer(felt, "stud-main")
    with pytest.raises(RuleError, match="pool stud-main is in MOP and pool yen in JPY"):
        retire(felt, "yen")
    suspend(felt, "other")
    with pytest.raises(RuleError, match="pool other is suspended: the sensor counts twice; resume it first"):
        transfer(felt)
    suspend(felt)
    for move in (transfer, retire):
        with pytest.raises(RuleError, match="pool stud-main is suspended"):
            move(felt)


# ---- retiring


def test_what_a_retired_pool_held_goes_to_the_house_and_nothing_is_left() -> None:
    felt = house()
    play(felt, "T01", {1: NOTHING_2})
    close(felt)
    retire(felt)
    assert held(felt, "stud-main") == (0, 0, 0, mop("10.00"))
    assert (felt.pool().retired_ms, felt.pool().retired_to) == (felt.now_ms, "house")
    assert felt.said(e.PoolRetired).to == "house"


def test_what_a_retired_pool_held_goes_to_another_pool_account_by_account() -> None:
    felt = house(limit_atoms=mop("500003.00"))
    play(felt, "T01", {1: NOTHING_2})
    close(felt)
    retire(felt, "other")
    assert held(felt, "stud-main")[:3] == (0, 0, 0)
    assert held(felt, "other")[:3] == (mop("500010.00"), mop("0.50"), mop("499997.00"))


def test_a_retired_pool_opens_no_table_takes_no_act_and_its_name_never_comes_back() -> None:
    felt = house()
    close(felt)
    retire(felt)
    assert why_closed(felt.state, felt.spot("T02").table) == ""
    with pytest.raises(RuleError, match="pool stud-main is retired: take it off table T01 in the file first"):
        felt.act(f.OpenTable(SUPERVISOR, "T01"))
    for act in (
        f.ApplyPool(SUPERVISOR, "stud-main", "why"),
        f.AdjustPool(SUPERVISOR, "stud-main", "+1.00", "why"),
        f.TransferPool(SUPERVISOR, "other", "stud-main", "why"),
        f.SuspendPool(SUPERVISOR, "stud-main", "why"),
        f.ResumePool(SUPERVISOR, "stud-main", "why"),
    ):
        with pytest.raises(RuleError, match="pool stud-main is retired"):
            felt.act(act)
    felt.configure()
    assert felt.alarms() == ["pool_retired-stud-main"]
    felt.pools, felt.tables = felt.pools[1:], [stud_table("T01", pools=("other",)), felt.tables[1]]
    felt.configure()
    assert felt.alarms() == []
    felt.act(f.OpenTable(SUPERVISOR, "T01"))
    felt.control(f.ChainBroken(7, "a bit is wrong"))
    assert felt.alarms() == ["suspended-other"]


def test_a_file_that_puts_a_retired_pool_on_an_open_table_closes_its_progressive_and_counts_no_bet() -> None:
    felt = house()
    close(felt)
    retire(felt)
    felt.tables[1] = stud_table("T02", pools=("stud-main", "other"))
    felt.configure()
    spot = felt.spot("T02")
    assert why_closed(felt.state, spot.table) == "pool stud-main is retired"
    spot.bet(1, "ante", "progressive:stud-main", "progressive:other")
    spot.lock()
    assert spot.table.live == {"stud-main": [], "other": []}
    assert spot.phase() is Phase.LOCKED


def test_a_day_shows_the_pools_last_meter_and_then_the_pool_no_more() -> None:
    felt = house()
    close(felt)
    retire(felt)
    felt.act(f.CloseDay(SUPERVISOR))
    assert e.DayMeter("stud-main", SEED, mop("0.00")) in felt.said(e.DayClosed).meters
    felt.act(f.CloseDay(SUPERVISOR, 2))
    assert [meter.pool for meter in felt.said(e.DayClosed).meters] == ["other"]


def test_a_pool_retires_with_its_alarms_and_what_was_staged() -> None:
    felt = house()
    felt.pools[0] = stud_pool(reserve_ppm=50_000, seed_atoms=mop("7.00"))
    felt.configure()
    both(felt, lambda by: f.ApplyPool(by, "stud-main", "a smaller seed"))
    felt.pools = felt.pools[1:]
    felt.configure()
    close(felt)
    assert felt.alarms() == ["pool_missing-stud-main", "staged-stud-main"]
    retire(felt)
    assert (felt.alarms(), felt.pool().staged) == ([], None)


def test_a_level_moves_only_when_the_tables_of_the_pool_that_feeds_it_are_closed_and_never_retires_under_it() -> None:
    levels = (LevelRate("mini", 10_000),)
    mini = stud_pool(pool="mini", bet_atoms=0, contribution_ppm=0)
    felt = Felt([stud_pool(levels=levels), mini, stud_pool(pool="other")], [stud_table("T01")])

    def move(by: f.By) -> f.Act:
        return f.TransferPool(by, "mini", "other", "one link of two")

    with pytest.raises(RuleError, match="table T01 still offers pool mini"):
        both(felt, move)
    close(felt)
    both(felt, move)
    with pytest.raises(RuleError, match="pool mini is a level of pool stud-main"):
        both(felt, lambda by: f.RetirePool(by, "mini", "house", "the link ends"))
    both(felt, lambda by: f.RetirePool(by, "stud-main", "house", "the link ends"))
    both(felt, lambda by: f.RetirePool(by, "mini", "house", "the link ends"))


# ---- suspending and going on


def test_one_person_suspends_a_pool_and_its_rounds_are_held_and_no_others() -> None:
    felt = house()
    for name in ("T01", "T02"):
        felt.spot(name).bet(1)
        felt.spot(name).lock()
    suspend(felt)
    assert felt.said(e.PoolSuspended).by == SURVEILLANCE
    assert felt.alarms() == ["held-T01", "suspended-stud-main"]
    assert felt.spot("T02").phase() is Phase.LOCKED
    with pytest.raises(RuleError, match="suspended already: the sensor counts twice"):
        suspend(felt)
    with pytest.raises(RuleError, match="needs its reason"):
        felt.act(f.SuspendPool(SUPERVISOR, "other", " "))
    with pytest.raises(RuleError, match="this takes"):
        felt.act(f.SuspendPool(TECHNICIAN, "other", "why"))


def test_two_persons_let_a_pool_go_on_and_its_held_round_is_confirmed() -> None:
    felt = house()
    with pytest.raises(RuleError, match="pool stud-main is not suspended"):
        resume(felt)
    spot = felt.spot("T01")
    spot.bet(1)
    spot.lock()
    spot.deal({1: ROYAL, 0: DEALER})
    felt.control(f.ChainBroken(7, "a bit is wrong"))
    with pytest.raises(RuleError, match="suspended"):
        spot.confirm()
    felt.act(f.ResumePool(SUPERVISOR, "stud-main", "the copy verifies"))
    assert felt.pool().suspended
    felt.act(f.ResumePool(SURVEILLANCE, "stud-main", "the copy verifies"))
    entry = felt.said(e.PoolResumed)
    assert (entry.by, entry.why) == ((SUPERVISOR, SURVEILLANCE), "the copy verifies")
    assert felt.alarms() == ["held-T01", "suspended-other"]
    spot.confirm()
    spot.end()
    assert felt.hit("T01.1.stud-main.royal_flush").total_atoms == SEED + mop("7.00")
    felt.control(f.ChainBroken(7, "a bit is wrong"))
    assert felt.pool().suspended
