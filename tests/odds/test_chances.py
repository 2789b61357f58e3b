"""How often each tier is won: the exact numbers known, and the core's own judgement counted over every deal."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, perm

import pytest

from jackpotd.core.cards import SUITS, Card
from jackpotd.core.options import option_tier
from jackpotd.core.parameters import TIERS, Rules
from jackpotd.odds.breaker import MAX_DECKS
from jackpotd.odds.chances import STUD_COUNTS, STUD_HANDS, of_a_kind_counts, tier_chances


def _in_order(ranks: tuple[str, ...]) -> bool:
    """Whether new ranks appear in order, so that each pattern of alikes is there once."""
    return list(dict.fromkeys(ranks)) == list("2345"[: len(set(ranks))])


def test_stud_has_the_published_numbers_of_hands() -> None:
    assert STUD_HANDS == 2_598_960
    assert STUD_COUNTS == {
        "royal_flush": 4,
        "straight_flush": 36,
        "four_of_a_kind": 624,
        "full_house": 3_744,
        "flush": 5_108,
    }


def test_eight_packs_have_the_reference_numbers_of_ordered_deals() -> None:
    assert perm(416, 6) == 4_998_398_275_503_360
    assert of_a_kind_counts(8) == {
        "six_of_a_kind": 5_872_124_160,
        "five_of_a_kind": 351_070_863_360,
        "double_three": 616_417_689_600,
        "four_of_a_kind": 12_273_961_559_040,
        "three_of_a_kind": 247_881_616_465_920,
    }


@pytest.mark.parametrize("rules", list(Rules))
@pytest.mark.parametrize("decks", [1, 8])
def test_every_tier_of_every_rules_has_its_chance(rules: Rules, decks: int) -> None:
    chances = tier_chances(rules, decks, "distinct")
    assert tuple(chances) == TIERS[rules]
    assert sum(chances.values()) < 1


def test_one_pack_knows_no_five_alike() -> None:
    assert [tier for tier, chance in tier_chances(Rules.BACCARAT_C, 1).items() if not chance] == [
        "six_of_a_kind_one_colour",
        "six_of_a_kind",
        "five_of_a_kind",
    ]


# Four ranks by which of them are alike, each with how many choices of ranks look so: 13, and 12 for the next.
PATTERNS = {ranks: perm(13, len(set(ranks))) for ranks in product("2345", repeat=4) if _in_order(ranks)}


@pytest.mark.parametrize("suits", ["distinct", "any"])
def test_option_a_is_what_the_core_judges_of_every_first_five_cards(suits: str) -> None:
    decks = 2
    found: Counter[str] = Counter()
    for ranks, alike in PATTERNS.items():
        for tier, deals in _by_suits(ranks, decks, suits).items():
            found[tier] += alike * deals
    chances = tier_chances(Rules.BACCARAT_A, decks, suits)
    for tier in ("four_of_a_kind", "double_pair", "three_of_a_kind", "single_pair"):
        assert chances[tier] == Fraction(found[tier], perm(52 * decks, 4)), tier
    straight = Counter(
        option_tier(Rules.BACCARAT_A, cards, (cards[0], cards[2], cards[4]), (cards[1], cards[3]), suits)
        for kinds in product(SUITS, repeat=5)
        for cards in [[Card(f"{rank}{suit}") for rank, suit in zip("AKQJT", kinds, strict=True)]]
    )
    for tier in ("royal_flush", "heavenly_straight"):
        assert chances[tier] == Fraction(120 * straight[tier] * decks**5, perm(52 * decks, 5)), tier


def _by_suits(ranks: tuple[str, ...], of_card: int, reading: str) -> Counter[str]:
    """Deals of these ranks by tier, over every choice of suits."""
    found: Counter[str] = Counter()
    for kinds in product(SUITS, repeat=4):
        cards = [Card(f"{rank}{suit}") for rank, suit in zip(ranks, kinds, strict=True)]
        deals = 1
        for place, card in enumerate(cards):
            deals *= of_card - cards[:place].count(card)
        if not deals:
            continue
        tier = option_tier(Rules.BACCARAT_A, cards, (cards[0], cards[2]), (cards[1], cards[3]), reading)
        if tier is not None:
            found[tier] += deals
    return found


def test_six_alike_of_one_colour_are_one_in_fifty_six_of_the_six_alike() -> None:
    chances = tier_chances(Rules.BACCARAT_C, 8)
    both = chances["six_of_a_kind_one_colour"] + chances["six_of_a_kind"]
    assert both == tier_chances(Rules.BACCARAT_B, 8)["six_of_a_kind"]
    assert chances["six_of_a_kind_one_colour"] / both == Fraction(2 * comb(16, 6), comb(32, 6))


@pytest.mark.parametrize("rules", [Rules.BACCARAT_A, Rules.BACCARAT_B, Rules.BACCARAT_C])
def test_more_packs_change_each_chance_one_way(rules: Rules) -> None:
    by_decks = [tier_chances(rules, decks, "distinct") for decks in range(1, MAX_DECKS + 1)]
    for tier in by_decks[0]:
        chances = [chances[tier] for chances in by_decks]
        assert chances in (sorted(chances), sorted(chances, reverse=True)), tier
