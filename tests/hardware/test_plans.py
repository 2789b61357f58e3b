"""Planned rounds: stacked packs are what they are stacked for, and every plan keeps the rules of dealing."""

from __future__ import annotations

from random import Random

import pytest

from hardware.simulated.plans import DEALER, plan_baccarat, plan_stud
from hardware.simulated.stacking import OPTION_B_TIERS, PACK, STUD_TIERS
from tests.core import reference_baccarat, reference_stud

SEEDS = range(40)


@pytest.mark.parametrize("tier", STUD_TIERS)
def test_a_stud_pack_stacked_for_a_tier_gives_it_to_a_player_who_bet_and_stays(tier: str) -> None:
    for seed in SEEDS:
        plan = plan_stud(Random(seed), 7, [tier])
        winners = [s for s in plan.seats if reference_stud.described(plan.hands[s])[0] == tier]
        assert [seat for seat in winners if seat in plan.progressive and seat not in plan.folds]


@pytest.mark.parametrize("tiers", [("royal_flush", "royal_flush"), ("straight_flush", "royal_flush")])
def test_two_hands_can_be_stacked_in_one_round(tiers: tuple[str, str]) -> None:
    for seed in SEEDS:
        plan = plan_stud(Random(seed), 7, tiers)
        named = [reference_stud.described(plan.hands[seat])[0] for seat in plan.progressive]
        assert sum(name in {"royal_flush", "straight_flush"} for name in named) >= 2


def test_a_stud_round_uses_each_card_of_one_pack_once_and_deals_the_dealer_last() -> None:
    for seed in SEEDS:
        plan = plan_stud(Random(seed), 7)
        dealt = plan.card_by_card()
        assert len(set(dealt)) == len(dealt) == 5 * (len(plan.seats) + 1)
        assert set(dealt) <= set(PACK)
        assert list(plan.hands) == [*sorted(plan.seats), DEALER]
        assert dealt[: len(plan.hands)] == [hand[0] for hand in plan.hands.values()]


@pytest.mark.parametrize("tier", OPTION_B_TIERS)
def test_a_coup_stacked_for_a_tier_brings_at_least_that(tier: str) -> None:
    order = ["three_of_a_kind", "four_of_a_kind", "double_three", "five_of_a_kind", "six_of_a_kind"]
    for seed in SEEDS:
        found = reference_baccarat.of_a_kind(plan_baccarat(Random(seed), 9, tier).cards)
        assert found is not None
        assert order.index(found) >= order.index(tier)


def test_a_coup_has_just_the_cards_that_the_drawing_rule_takes() -> None:
    for seed in SEEDS:
        plan = plan_baccarat(Random(seed), 9)
        player, banker = reference_baccarat.played([*plan.cards, "2S", "2S"])
        assert len(player) + len(banker) == len(plan.cards)


def test_the_same_seed_plans_the_same_rounds() -> None:
    assert plan_stud(Random(5), 7, ["flush"]) == plan_stud(Random(5), 7, ["flush"])
    assert plan_baccarat(Random(5), 9) == plan_baccarat(Random(5), 9)
    assert plan_stud(Random(5), 7) != plan_stud(Random(6), 7)
