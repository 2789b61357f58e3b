"""The worked examples of the rules under every reading that they name, then what the articles say one by one."""

from __future__ import annotations

from typing import Any

import pytest

from jackpotd.core.money import Atoms
from jackpotd.core.parameters import Rules
from jackpotd.core.settlement import (
    Restart,
    Settlement,
    Split,
    Turn,
    settle_baccarat,
    settle_stud,
    split_contribution,
)
from tests.support.pools import mop, option_pool, prize, stud_pool

NOTHING = Atoms(0)
SF, RF, FOUR, FLUSH = "straight_flush", "royal_flush", "four_of_a_kind", "flush"


def stud(meter: str, winners: dict[int, str], **readings: Any) -> Settlement:
    return settle_stud(stud_pool(**readings), mop(meter), NOTHING, NOTHING, winners)


def option(rules: Rules, meter: str, tier: str, seats: list[int], **readings: Any) -> Settlement:
    return settle_baccarat(option_pool(rules, **readings), mop(meter), NOTHING, NOTHING, tier, seats)


def turn(tier: str, awards: dict[int, str], pool: str, house: str = "0.00") -> Turn:
    return Turn(tier, tuple((seat, mop(text)) for seat, text in awards.items()), mop(pool), mop(house))


def from_seed(pool: str, *, house: str, reserve: str = "0.00", rest_to_house: str = "0.00") -> Restart:
    return Restart(mop(reserve), mop(house), mop(rest_to_house), NOTHING, NOTHING, mop(pool))


ALL_SEED = from_seed("500000.00", house="500000.00")


def test_example_1_straight_flushes_are_paid_before_the_royal_each_a_tenth_of_the_round() -> None:
    done = stud("1000000.00", {2: SF, 5: SF, 6: RF})
    assert done.turns == (
        turn(SF, {2: "100000.00"}, "100000.00"),
        turn(SF, {5: "100000.00"}, "100000.00"),
        turn(RF, {6: "800000.00"}, "800000.00"),
    )
    assert done.restart == ALL_SEED
    assert done.pool_atoms == mop("500000.00")


def test_example_1_running_the_second_straight_flush_takes_a_tenth_of_what_is_left() -> None:
    done = stud("1000000.00", {2: SF, 5: SF, 6: RF}, straight_flush_base="running")
    assert done.turns == (
        turn(SF, {2: "100000.00"}, "100000.00"),
        turn(SF, {5: "90000.00"}, "90000.00"),
        turn(RF, {6: "810000.00"}, "810000.00"),
    )
    assert done.restart == ALL_SEED


def test_example_2_the_house_pays_what_the_pool_lacks_for_the_fixed_royal() -> None:
    done = stud("420000.00", {1: FLUSH, 3: RF})
    assert done.turns == (
        turn(FLUSH, {1: "500.00"}, "500.00"),
        turn(RF, {3: "500000.00"}, "419500.00", "80500.00"),
    )
    assert done.restart == ALL_SEED


def test_example_2_a_flush_after_the_royal_finds_the_pool_empty() -> None:
    done = stud("420000.00", {1: RF, 3: FLUSH})
    assert done.turns == (
        turn(RF, {1: "500000.00"}, "420000.00", "80000.00"),
        turn(FLUSH, {3: "500.00"}, "0.00", "500.00"),
    )
    assert done.restart == ALL_SEED


def test_example_3_three_royals_share_and_the_remainder_joins_the_restarted_pool() -> None:
    done = stud("1000000.01", {1: RF, 4: RF, 7: RF})
    assert done.turns == (turn(RF, {1: "333333.33", 4: "333333.33", 7: "333333.33"}, "999999.99"),)
    assert done.restart == from_seed("500000.02", house="500000.00")
    assert done.pool_atoms == mop("500000.02")


def test_example_3_greater_each_gives_every_royal_the_fixed_amount() -> None:
    done = stud("1000000.01", {1: RF, 4: RF, 7: RF}, several_royals="greater_each")
    assert done.turns == (turn(RF, {1: "500000.00", 4: "500000.00", 7: "500000.00"}, "1000000.01", "499999.99"),)
    assert done.restart == ALL_SEED


def test_example_4_a_tenth_below_the_fixed_amount_pays_the_fixed_amount() -> None:
    done = stud("300000.00", {4: SF})
    assert done.turns == (turn(SF, {4: "50000.00"}, "50000.00"),)
    assert done.restart is None
    assert done.pool_atoms == mop("250000.00")


def test_example_4_house_the_pool_pays_only_its_percentage() -> None:
    done = stud("300000.00", {4: SF}, fixed_prizes_from="house")
    assert done.turns == (turn(SF, {4: "50000.00"}, "30000.00", "20000.00"),)
    assert done.restart is None
    assert done.pool_atoms == mop("270000.00")


def test_example_5_option_b_shares_one_fixed_prize_among_the_bettors() -> None:
    done = option(Rules.BACCARAT_B, "88000.00", "three_of_a_kind", [1, 4, 7])
    assert done.turns == (turn("three_of_a_kind", {1: "266.66", 4: "266.66", 7: "266.66"}, "799.98"),)
    assert done.turns[0].total_atoms == mop("799.98")
    assert done.restart is None
    assert done.pool_atoms == mop("87200.02")


def test_example_6_an_exhausted_pool_restarts_once_after_the_last_prize() -> None:
    done = stud("40000.00", {2: SF, 3: SF, 5: RF})
    assert done.turns == (
        turn(SF, {2: "50000.00"}, "40000.00", "10000.00"),
        turn(SF, {3: "50000.00"}, "0.00", "50000.00"),
        turn(RF, {5: "500000.00"}, "0.00", "500000.00"),
    )
    assert done.restart == ALL_SEED


def test_example_7_only_straight_flushes_go_before_a_royal() -> None:
    done = stud("1000000.00", {1: RF, 3: FOUR, 5: SF})
    assert done.turns == (
        turn(SF, {5: "100000.00"}, "100000.00"),
        turn(RF, {1: "900000.00"}, "900000.00"),
        turn(FOUR, {3: "5000.00"}, "0.00", "5000.00"),
    )
    assert done.restart == ALL_SEED


def test_without_a_royal_everybody_is_paid_from_seat_1_rightwards_61_2004_10_4() -> None:
    done = stud("1000000.00", {7: SF, 3: FLUSH, 5: "full_house", 1: FOUR})
    assert [(turn.tier, turn.awards[0][0]) for turn in done.turns] == [
        (FOUR, 1),
        (FLUSH, 3),
        ("full_house", 5),
        (SF, 7),
    ]


def test_several_royals_settle_together_at_the_first_royals_turn() -> None:
    done = stud("1000000.00", {1: FLUSH, 2: RF, 3: FLUSH, 4: RF})
    assert [(turn.tier, [seat for seat, _ in turn.awards]) for turn in done.turns] == [
        (FLUSH, [1]),
        (RF, [2, 4]),
        (FLUSH, [3]),
    ]


def test_a_hit_is_one_tier_of_one_round() -> None:
    done = stud("40000.00", {2: SF, 3: SF, 5: RF})
    assert done.by_tier() == (
        turn(SF, {2: "50000.00", 3: "50000.00"}, "40000.00", "60000.00"),
        turn(RF, {5: "500000.00"}, "0.00", "500000.00"),
    )


def test_the_house_pays_fixed_prizes_where_the_reading_says_so_but_never_the_royals_pool() -> None:
    done = stud("600000.00", {1: FLUSH, 2: RF}, fixed_prizes_from="house")
    assert done.turns == (turn(FLUSH, {1: "500.00"}, "0.00", "500.00"), turn(RF, {2: "600000.00"}, "600000.00"))


def test_under_house_the_pool_never_pays_a_share_of_the_round_that_it_no_longer_holds() -> None:
    prizes = (prize(RF, "0.00", 1_000_000), prize(SF, "0.00", 600_000))
    done = stud("100.00", {1: SF, 2: SF}, fixed_prizes_from="house", prizes=prizes)
    assert done.turns == (turn(SF, {1: "60.00"}, "60.00"), turn(SF, {2: "60.00"}, "40.00", "20.00"))
    assert done.restart == ALL_SEED


def test_a_round_without_winners_moves_nothing() -> None:
    assert stud("123.45", {}) == Settlement((), None, mop("123.45"), NOTHING, NOTHING)


def test_a_pool_exhausted_by_fixed_prizes_restarts_too_61_2004_10_8() -> None:
    done = stud("400.00", {3: FLUSH})
    assert done.turns == (turn(FLUSH, {3: "500.00"}, "400.00", "100.00"),)
    assert done.restart == ALL_SEED


def test_a_pool_left_with_one_payout_unit_does_not_restart() -> None:
    done = stud("500.01", {3: FLUSH})
    assert (done.restart, done.pool_atoms) == (None, mop("0.01"))


def test_what_is_left_below_the_payout_unit_is_kept_by_the_house_where_the_reading_says_so() -> None:
    done = stud("1000000.01", {1: RF, 4: RF, 7: RF}, remainder="house")
    assert done.restart == from_seed("500000.00", house="500000.00", rest_to_house="0.02")


def test_shares_are_whole_payout_units() -> None:
    done = stud("1000009.99", {1: RF, 4: RF, 7: RF}, payout_unit_atoms=mop("10.00"))
    assert done.turns == (turn(RF, {1: "333330.00", 4: "333330.00", 7: "333330.00"}, "999990.00"),)
    assert done.pool_atoms == mop("500019.99")


def test_the_seed_comes_from_the_reserve_first_and_from_the_house_for_what_is_missing() -> None:
    done = settle_stud(stud_pool(), mop("800000.00"), mop("120000.00"), NOTHING, {1: RF})
    assert done.restart == from_seed("500000.00", reserve="120000.00", house="380000.00")
    assert done.reserve_atoms == NOTHING
    done = settle_stud(stud_pool(), mop("800000.00"), mop("520000.00"), NOTHING, {1: RF})
    assert done.restart == from_seed("500000.00", reserve="500000.00", house="0.00")
    assert done.reserve_atoms == mop("20000.00")


def test_overflow_joins_the_restarted_pool_up_to_the_limit() -> None:
    params = stud_pool(limit_atoms=mop("600000.00"))
    done = settle_stud(params, mop("600000.00"), NOTHING, mop("150000.00"), {1: RF})
    assert done.restart is not None
    assert done.restart.from_overflow_atoms == mop("100000.00")
    assert (done.pool_atoms, done.overflow_atoms) == (mop("600000.00"), mop("50000.00"))


def test_all_the_overflow_joins_a_pool_without_a_limit() -> None:
    done = settle_stud(stud_pool(), mop("600000.00"), NOTHING, mop("150000.00"), {1: RF})
    assert (done.pool_atoms, done.overflow_atoms) == (mop("650000.00"), NOTHING)


def test_a_rest_above_the_limit_goes_to_the_overflow() -> None:
    params = stud_pool(limit_atoms=mop("500000.00"))
    done = settle_stud(params, mop("1000000.01"), NOTHING, mop("1.00"), {1: RF, 4: RF, 7: RF})
    assert done.restart is not None
    assert (done.restart.from_overflow_atoms, done.restart.to_overflow_atoms) == (NOTHING, mop("0.02"))
    assert (done.pool_atoms, done.overflow_atoms) == (mop("500000.00"), mop("1.02"))


def test_a_100_percent_tier_of_an_option_is_the_pool_shared_by_its_bettors() -> None:
    done = option(Rules.BACCARAT_B, "250000.00", "six_of_a_kind", [9, 2, 5])
    assert done.turns == (turn("six_of_a_kind", {2: "83333.33", 5: "83333.33", 9: "83333.33"}, "249999.99"),)
    assert done.restart == from_seed("100000.01", house="100000.00")


@pytest.mark.parametrize("payer", ["pool", "house"])
def test_the_pool_pays_a_100_percent_tier_under_either_reading(payer: str) -> None:
    done = option(Rules.BACCARAT_C, "250000.00", "six_of_a_kind_one_colour", [3], fixed_prizes_from=payer)
    assert done.turns == (turn("six_of_a_kind_one_colour", {3: "250000.00"}, "250000.00"),)


def test_heavenly_straight_pays_the_greater_of_fixed_and_a_tenth_2_2009_17_6() -> None:
    assert option(Rules.BACCARAT_A, "300000.00", "heavenly_straight", [1, 2]).turns == (
        turn("heavenly_straight", {1: "15000.00", 2: "15000.00"}, "30000.00"),
    )
    assert option(Rules.BACCARAT_A, "100000.00", "heavenly_straight", [1, 2]).turns == (
        turn("heavenly_straight", {1: "10000.00", 2: "10000.00"}, "20000.00"),
    )
    assert option(Rules.BACCARAT_A, "100000.00", "heavenly_straight", [1, 2], fixed_prizes_from="house").turns == (
        turn("heavenly_straight", {1: "10000.00", 2: "10000.00"}, "10000.00", "10000.00"),
    )


def test_the_house_pays_an_options_fixed_prize_where_the_reading_says_so() -> None:
    done = option(Rules.BACCARAT_B, "88000.00", "four_of_a_kind", [1], fixed_prizes_from="house")
    assert done.turns == (turn("four_of_a_kind", {1: "1000.00"}, "0.00", "1000.00"),)
    assert done.pool_atoms == mop("88000.00")


@pytest.mark.parametrize("tier", ["six_of_a_kind", "three_of_a_kind"])
def test_a_tier_nobody_has_bet_on_pays_nothing_and_restarts_nothing(tier: str) -> None:
    done = option(Rules.BACCARAT_B, "88000.00", tier, [])
    assert done == Settlement((), None, mop("88000.00"), NOTHING, NOTHING)


def test_five_of_a_kind_of_option_c_pays_nothing_under_the_reading_not_paid() -> None:
    done = option(Rules.BACCARAT_C, "88000.00", "five_of_a_kind", [1, 2])
    assert done == Settlement((), None, mop("88000.00"), NOTHING, NOTHING)


def test_five_of_a_kind_of_option_c_pays_its_fixed_amount_under_the_other_reading() -> None:
    prizes = tuple(
        prize("five_of_a_kind", "9000.00") if entry.tier == "five_of_a_kind" else entry
        for entry in option_pool(Rules.BACCARAT_C).prizes
    )
    done = option(Rules.BACCARAT_C, "88000.00", "five_of_a_kind", [1, 2], prizes=prizes)
    assert done.turns == (turn("five_of_a_kind", {1: "4500.00", 2: "4500.00"}, "9000.00"),)


def test_accepted_bets_split_into_pool_reserve_and_house_without_rounding() -> None:
    params = stud_pool(bet_atoms=mop("0.01"), contribution_ppm=333_333, reserve_ppm=1)
    split = split_contribution(params, 7, mop("500000.00"))
    assert split == Split(Atoms(2_333_331), Atoms(7), NOTHING, Atoms(4_666_662))


def test_contributions_above_the_limit_go_to_the_overflow() -> None:
    params = stud_pool(limit_atoms=mop("500010.00"), reserve_ppm=50_000)
    split = split_contribution(params, 2, mop("500000.00"))
    assert split == Split(mop("10.00"), mop("1.00"), mop("4.00"), mop("5.00"))


def test_a_pool_already_above_a_limit_takes_nothing_and_loses_nothing() -> None:
    split = split_contribution(stud_pool(limit_atoms=mop("400000.00")), 1, mop("500000.00"))
    assert split == Split(NOTHING, NOTHING, mop("7.00"), mop("3.00"))
