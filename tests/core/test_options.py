from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackpotd.core.baccarat import coup_of
from jackpotd.core.cards import FULL_PACK, Card, parse_card
from jackpotd.core.errors import RuleError
from jackpotd.core.options import option_tier
from jackpotd.core.parameters import Rules
from tests.core import reference_baccarat


def tier(rules: Rules, text: str, suits: str | None = None) -> str | None:
    cards = [parse_card(word) for word in text.split()]
    coup = coup_of(cards)
    assert coup.next_side is None, "the example is no complete round"
    return option_tier(rules, cards, coup.player, coup.banker, suits)


OPTION_A = [
    ("i royal flush", "AS KS QS JS TS KD", "royal_flush"),
    ("i in any order", "TS JS AS QS KS 9D", "royal_flush"),
    ("i the sixth card may be anything", "AS KS QS JS TS AS", "royal_flush"),
    ("ii heavenly straight", "KS QS JS TS AH KD", "heavenly_straight"),
    ("ii in any order", "AH QS JS TS KS KD", "heavenly_straight"),
    ("ii a king of another suit spoils it", "AS KH QS JS TS KD", None),
    ("ii two suits below the ace spoil it", "AD KS QS JH TH KD", None),
    ("only the first five count", "AS KS QS JS 9S TS", None),
    ("iii four of four suits", "JS JH JC JD 2S 5D", "four_of_a_kind"),
    ("iv two pairs of different ranks", "4S 5H 4D 5C", "double_pair"),
    ("v three of the first four", "3S 3H 3D 6C", "three_of_a_kind"),
    ("v three of the first four, across the sides", "KS 9H 9C 9D", "three_of_a_kind"),
    ("v not counting the fifth card", "3S KH 2S 3H 3D 7S", None),
    ("vi Player pair", "4S KH 4D 9C", "single_pair"),
    ("vi Banker pair", "4S 9H 5D 9C", "single_pair"),
    ("a pair across the sides is none", "9S 9H KD 8C", None),
    ("J and Q are no pair", "JS 9H QD KC", None),
]


def play(text: str) -> list[Card]:
    return [parse_card(word) for word in text.split()]


@pytest.mark.parametrize(("rule", "text", "expected"), OPTION_A)
def test_option_a_of_2_2009_13_1_4_3(rule: str, text: str, expected: str | None) -> None:
    assert tier(Rules.BACCARAT_A, text, "distinct") == expected, rule


def test_four_of_one_rank_with_a_repeated_suit_is_four_or_three_by_the_reading() -> None:
    text = "4S 4H 4D 4S"
    assert tier(Rules.BACCARAT_A, text, "any") == "four_of_a_kind"
    assert tier(Rules.BACCARAT_A, text, "distinct") == "three_of_a_kind"


def test_two_pairs_of_one_rank_are_no_double_pair() -> None:
    assert tier(Rules.BACCARAT_A, "4S 4H 4D 4S", "distinct") != "double_pair"


OPTIONS_B_AND_C = [
    ("AS AC AS AC AS AC", "six_of_a_kind", "six_of_a_kind_one_colour"),
    ("AH AD AH AD AH AD", "six_of_a_kind", "six_of_a_kind_one_colour"),
    ("AH AD AH AD AH AS", "six_of_a_kind", "six_of_a_kind"),
    ("AS AC AS AC AS 5C", "five_of_a_kind", "five_of_a_kind"),
    ("3S 3C 3S 3C 3S", "five_of_a_kind", "five_of_a_kind"),
    ("2S 2C 2S AC AS AC", "double_three", "double_three"),
    ("2S 2C 2S 2C AS AC", "four_of_a_kind", "four_of_a_kind"),
    ("4S 4C 4S 4C", "four_of_a_kind", "four_of_a_kind"),
    ("2S 2C 2S AC AS 4C", "three_of_a_kind", "three_of_a_kind"),
    ("2S 2C AS AC KS KD", None, None),
    ("TS 9S JS QS", None, None),
]


@pytest.mark.parametrize(("text", "b", "c"), OPTIONS_B_AND_C)
def test_options_b_and_c_of_2_2009_13_2_look_at_all_cards(text: str, b: str | None, c: str | None) -> None:
    cards = play(text)
    assert option_tier(Rules.BACCARAT_B, cards, (), (), None) == b
    assert option_tier(Rules.BACCARAT_C, cards, (), (), None) == c


def test_stud_has_no_option() -> None:
    with pytest.raises(RuleError, match="no baccarat option"):
        option_tier(Rules.STUD, play("AS KS QS JS"), (), (), None)


@given(st.sets(st.sampled_from("A2389TK"), min_size=1, max_size=4), st.data())
def test_the_sets_of_option_b_are_those_of_the_reference(ranks: set[str], data: st.DataObject) -> None:
    cards = data.draw(st.lists(st.sampled_from([c for c in FULL_PACK if c[0] in ranks]), min_size=4, max_size=6))
    assert option_tier(Rules.BACCARAT_B, cards, (), (), None) == reference_baccarat.of_a_kind(cards)


few_ranks = st.sets(st.sampled_from("AKQJT2389"), min_size=1, max_size=5)
to_the_ace = st.permutations("AKQJT").flatmap(
    lambda ranks: st.tuples(*(st.sampled_from([rank + "S", rank + "S", rank + "H"]) for rank in ranks)).map(list)
)
shoes = st.one_of(
    few_ranks.flatmap(
        lambda ranks: st.lists(st.sampled_from([c for c in FULL_PACK if c[0] in ranks]), min_size=6, max_size=6)
    ),
    to_the_ace.flatmap(lambda cards: st.sampled_from(FULL_PACK).map(lambda last: [*cards, last])),
)


@settings(max_examples=500)
@given(shoes)
def test_whole_rounds_have_the_tiers_of_the_reference_in_every_option(shoe: list[str]) -> None:
    player, banker = reference_baccarat.played(shoe)
    text = " ".join(shoe[: len(player) + len(banker)])
    cards = text.split()
    assert tier(Rules.BACCARAT_A, text, "distinct") == reference_baccarat.option_a(cards, any_suits=False)
    assert tier(Rules.BACCARAT_A, text, "any") == reference_baccarat.option_a(cards, any_suits=True)
    assert tier(Rules.BACCARAT_B, text) == reference_baccarat.of_a_kind(cards)
    assert tier(Rules.BACCARAT_C, text) == reference_baccarat.option_c(cards)
