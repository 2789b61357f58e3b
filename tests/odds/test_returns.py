"""What a bet returns: chances times prizes, and the meter at which it comes back."""

from __future__ import annotations

from fractions import Fraction

import pytest

from jackpotd.core.money import Atoms
from jackpotd.core.parameters import PoolParams, Rules
from jackpotd.odds.returns import GameOdds, meter_for, pool_odds, tier_odds
from tests.support.felt import baccarat_table, stud_table
from tests.support.pools import (
    STUD_PRIZES,
    level_pool,
    levels,
    mixed_pool,
    mop,
    option_pool,
    prize,
    stud_pool,
)

HANDS = 2_598_960


def only(found: list[GameOdds]) -> GameOdds:
    (one,) = found
    return one


def plain_stud(four: str, full_house: str, flush: str) -> PoolParams:
    """A bet of one unit, and a pool whose shares have no fixed amounts."""
    shares = (prize("royal_flush", share_ppm=1_000_000), prize("straight_flush", share_ppm=100_000))
    fixed = (prize("four_of_a_kind", four), prize("full_house", full_house), prize("flush", flush))
    return stud_pool(bet_atoms=mop("1.00"), prizes=(*shares, *fixed))


@pytest.mark.parametrize(
    ("fixed", "meter"), [(("500.00", "100.00", "50.00"), "218047.37"), (("100.00", "75.00", "50.00"), "263205.26")]
)
def test_the_known_break_even_meters_come_out(fixed: tuple[str, str, str], meter: str) -> None:
    params = plain_stud(*fixed)
    even = only(pool_odds(params, [params], [stud_table()], params.seed_atoms)).break_even_atoms(1)
    assert even is not None
    assert round(even / 1_000_000) * 1_000_000 == mop(meter)


def test_a_unit_of_meter_returns_the_known_part_of_a_unit_bet() -> None:
    params = plain_stud("500.00", "100.00", "50.00")
    low, high = (
        only(pool_odds(params, [params], [stud_table()], mop(meter))).returned(1) for meter in ("0.00", "100.00")
    )
    assert (high - low) / 100 == Fraction(76, 10 * HANDS)


def test_at_its_break_even_meter_a_bet_returns_itself() -> None:
    params = stud_pool(payout_unit_atoms=Atoms(1))
    odds = only(pool_odds(params, [params], [stud_table()], params.seed_atoms))
    even = odds.break_even_atoms(1)
    assert even is not None
    below, above = (
        only(pool_odds(params, [params], [stud_table()], Atoms(int(even) + step))).returned(1)
        for step in (-1_000_000, 1_000_000)
    )
    assert below < 1 < above


def test_fixed_amounts_that_alone_return_the_bet_need_no_meter() -> None:
    prizes = (*STUD_PRIZES[:4], prize("flush", "500000.00"))
    params = stud_pool(prizes=prizes)
    assert only(pool_odds(params, [params], [stud_table()], params.seed_atoms)).break_even_atoms(1) == 0


def test_a_pool_without_shares_can_never_return_what_it_does_not() -> None:
    level = level_pool("mini", prize("flush", "100.00"))
    assert meter_for(tier_odds(level, "stud", 1, mop("1.00")), mop("10.00")) is None


def test_a_break_even_meter_between_two_shares_that_have_passed_their_fixed_amounts() -> None:
    """The straight flush is worth more than its fixed amount from 500,000, the royal flush not before 900,000."""
    prizes = (prize("royal_flush", "900000.00", 1_000_000), *STUD_PRIZES[1:])
    params = stud_pool(prizes=prizes, bet_atoms=mop("5.75"))
    even = only(pool_odds(params, [params], [stud_table()], params.seed_atoms)).break_even_atoms(1)
    fixed = 4 * mop("900000.00") + 624 * mop("5000.00") + 3744 * mop("1000.00") + 5108 * mop("500.00")
    assert even == Fraction(mop("5.75") * HANDS - fixed, 36) * 10
    assert mop("500000.00") < even < mop("900000.00")


def test_bettors_of_a_baccarat_round_share_one_prize_so_a_full_table_gets_less_each() -> None:
    params = option_pool(Rules.BACCARAT_B)
    odds = only(pool_odds(params, [params], [baccarat_table(seats=9)], params.seed_atoms))
    assert odds.bettors() == (1, 9)
    assert odds.returned(1) == 9 * odds.returned(9)
    alone, full = odds.break_even_atoms(1), odds.break_even_atoms(9)
    assert alone == 0
    assert full is not None
    assert full > 0


def test_tables_that_play_alike_are_told_together_and_others_apart() -> None:
    params = option_pool(Rules.BACCARAT_B)
    tables = [baccarat_table("B01"), baccarat_table("B02"), baccarat_table("B03", decks=6)]
    found = pool_odds(params, [params], tables, params.seed_atoms)
    assert [(one.decks, one.tables) for one in found] == [(8, ("B01", "B02")), (6, ("B03",))]


def test_a_level_is_told_with_the_bet_that_feeds_it() -> None:
    main, mini = stud_pool(levels=levels(mini=100_000)), level_pool("mini", prize("flush", "100.00"))
    odds = only(pool_odds(mini, [main, mini], [stud_table()], mini.seed_atoms))
    assert (odds.taker.pool, odds.to_pool_atoms) == ("stud-main", mop("1.00"))
    assert odds.any_prize == Fraction(5108, HANDS)
    assert odds.mean_atoms == Fraction(5108 * mop("100.00"), HANDS)


def test_a_pool_of_several_games_is_told_for_each_with_its_own_names_of_the_prizes() -> None:
    mega = mixed_pool()
    tables = [stud_table(pools=("mega",)), baccarat_table(pools=("mega",))]
    found = pool_odds(mega, [mega], tables, mega.seed_atoms)
    assert [one.game for one in found] == ["stud", "baccarat"]
    assert [one.tiers[0].prize for one in found] == ["grand", "grand"]


def test_prizes_are_rounded_down_as_the_pool_pays_them() -> None:
    params = stud_pool(payout_unit_atoms=mop("1.00"))
    tiers = tier_odds(params, "stud", 1, mop("777777.77"))
    assert [one.prize_atoms for one in tiers[:2]] == [mop("777777.00"), mop("77777.00")]


def test_a_tier_that_is_not_paid_is_worth_nothing() -> None:
    tiers = tier_odds(option_pool(Rules.BACCARAT_C), "baccarat", 8, mop("100000.00"))
    (five,) = [one for one in tiers if one.tier == "five_of_a_kind"]
    assert not five.pays.paid
    assert (five.prize_atoms, five.mean_atoms) == (Atoms(0), Fraction())
