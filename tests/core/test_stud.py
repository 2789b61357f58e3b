from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpotd.core.cards import FULL_PACK, RANKS, Card, parse_card
from jackpotd.core.errors import RuleError
from jackpotd.core.stud import (
    VOID_SEAT,
    Hand,
    HandValue,
    Result,
    Showdown,
    StudNet,
    evaluate,
    opens,
    showdown,
    stud_net,
    stud_tier,
)
from tests.core.reference_stud import LOW_TO_HIGH, beats, dealer_opens, described
from tests.support.pools import mop


def cards(text: str) -> list[Card]:
    return [parse_card(word) for word in text.split()]


def value(text: str) -> HandValue:
    return evaluate(cards(text))


ARTICLE_8 = [
    ("AS KS QS JS TS", "royal_flush"),
    ("9H TH JH QH KH", "straight_flush"),
    ("AC 2C 3C 4C 5C", "straight_flush"),
    ("JS JH JC JD 2S", "four_of_a_kind"),
    ("KS KH KC 2D 2S", "full_house"),
    ("10D 9D 7D 5D 2D", "flush"),
    ("6S 7H 8C 9D TS", "straight"),
    ("AS 2H 3C 4D 5S", "straight"),
    ("TS JH QC KD AS", "straight"),
    ("KS KH KC 6D 5S", "three_of_a_kind"),
    ("TS TH 6C 6D 5S", "two_pairs"),
    ("TS TH 9C 7D 6S", "one_pair"),
    ("AS KH 9C 7D 6S", "high_card"),
    ("QS KH AC 2D 3S", "high_card"),
]


@pytest.mark.parametrize(("text", "hand"), ARTICLE_8)
def test_the_hands_of_61_2004_8_bear_their_names(text: str, hand: str) -> None:
    assert value(text).hand == hand


# 61/2004 8, each line one rule: the first hand is the higher.
HIGHER_FIRST = [
    ("8(1) royals by suit: spade over heart", "AS KS QS JS TS", "AH KH QH JH TH"),
    ("8(1) royals by suit: heart over club", "AH KH QH JH TH", "AC KC QC JC TC"),
    ("8(1) royals by suit: club over diamond", "AC KC QC JC TC", "AD KD QD JD TD"),
    ("8(2) king high is the highest straight flush", "KD QD JD TD 9D", "QS JS TS 9S 8S"),
    ("8(2) five high is the lowest straight flush", "6D 5D 4D 3D 2D", "5S 4S 3S 2S AS"),
    ("8(2) equal straight flushes by suit", "5H 4H 3H 2H AH", "5C 4C 3C 2C AC"),
    ("8(3) fours by rank, the fifth card counts for nothing", "3S 3H 3C 3D 4S", "2S 2H 2C 2D AS"),
    ("8(4) full houses by the three", "4S 4H 4C 2D 2S", "3S 3H 3C AD AS"),
    ("8(5) flushes rank by rank", "AD KD 4D 3D 2D", "AS QS JS TS 8S"),
    ("8(5) flushes rank by rank down to the last", "AD KD QD JD 3D", "AS KS QS JS 2S"),
    ("8(5) equal flushes by suit", "AC KC QC JC 9C", "AD KD QD JD 9D"),
    ("8(6) straights by highest card", "6S 5H 4C 3D 2S", "5D 4S 3H 2C AD"),
    ("8(6) ace high is the highest straight", "AS KH QC JD TS", "KS QH JC TD 9S"),
    ("8(6) equal straights by the suit of the highest", "9S 8D 7D 6D 5C", "9H 8S 7S 6S 5H"),
    ("8(6) five-high straights by the suit of the five", "5S 4D 3D 2D AC", "5H 4S 3S 2S AS"),
    ("8(7) threes by rank, side cards count for nothing", "6S 6H 6C 3D 2S", "5S 5H 5C AD KS"),
    ("8(8) two pairs by the higher pair", "KS KH 3C 3D 2S", "QS QH JC JD AS"),
    ("8(8) then by the lower pair", "KS KH 4C 4D 2S", "KC KD 3S 3H AS"),
    ("8(8) then by the fifth card", "KC KD 4C 4D 3S", "KS KH 4S 4H 2S"),
    ("8(8) then by the suit of the higher pair", "KS KD 4C 4D 3C", "KH KC 4S 4H 3S"),
    ("8(9) pairs by rank", "3S 3H 6C 5D 4S", "2S 2H AC KD QS"),
    ("8(9) then by the side cards high to low", "TC TD 9C 7D 6S", "TS TH 9S 7S 5H"),
    ("8(9) then by the better suit of the pair", "TS TD 9C 7D 6C", "TH TC 9S 7S 6S"),
    ("8(10) high cards rank by rank", "AD QD JD TD 8C", "AS QS JS TS 7H"),
    ("8(10) then by the suit of the highest card", "AH 9D 7D 5D 3C", "AC 9S 7S 5S 3S"),
]


@pytest.mark.parametrize(("rule", "higher", "lower"), HIGHER_FIRST)
def test_the_order_of_61_2004_8(rule: str, higher: str, lower: str) -> None:
    assert value(higher) > value(lower), rule


def test_every_hand_of_61_2004_8_beats_the_one_below() -> None:
    low_to_high = [
        "AS KH QC JD 9S",
        "2S 2H 3C 4D 5S",
        "2S 2H 3C 3D 4S",
        "2S 2H 2C 3D 4S",
        "AS 2H 3C 4D 5S",
        "2D 3D 4D 5D 7D",
        "2S 2H 2C 3D 3S",
        "2S 2H 2C 2D 3S",
        "AD 2D 3D 4D 5D",
        "AD KD QD JD TD",
    ]
    assert [value(text).hand for text in low_to_high] == list(Hand)
    assert all(value(low) < value(high) for low, high in pairwise(low_to_high))


@pytest.mark.parametrize("text", ["", "AS KS QS JS", "AS KS QS JS TS 9S", "AS AS QS JS TS"])
def test_a_hand_of_other_than_five_different_cards_is_refused(text: str) -> None:
    with pytest.raises(RuleError, match="five different cards"):
        evaluate(cards(text))


# Few ranks make hands collide, so that the later tie-breaks of article 8 are reached.
few_ranks = st.sets(st.sampled_from(RANKS), min_size=3, max_size=6)
packs = st.one_of(
    st.just(list(FULL_PACK)),
    few_ranks.map(lambda ranks: [card for card in FULL_PACK if card[0] in ranks]),
)
two_hands = packs.flatmap(lambda pack: st.permutations(pack).map(lambda dealt: (dealt[:5], dealt[5:10])))


@given(two_hands)
def test_two_hands_of_one_pack_never_tie_and_rank_as_the_reference_ranks_them(hands: tuple[list[Card], ...]) -> None:
    one, other = hands
    assert (evaluate(one) > evaluate(other)) is beats(one, other)
    assert (evaluate(one) < evaluate(other)) is not beats(one, other)


@pytest.mark.parametrize("ranks", ["AK5432", "AKQJT9", "98765A"])
def test_all_hands_of_six_ranks_stand_in_the_order_of_the_reference(ranks: str) -> None:
    pack = [card for card in FULL_PACK if card[0] in ranks]
    places: dict[HandValue, set[tuple[int, tuple[int, ...]]]] = {}
    for hand in combinations(pack, 5):
        name, compared = described(hand)
        places.setdefault(evaluate(hand), set()).add((LOW_TO_HIGH.index(name), tuple(compared)))
    assert all(len(place) == 1 for place in places.values())
    ordered = [min(places[value]) for value in sorted(places)]
    assert all(low <= high for low, high in pairwise(ordered))


@given(st.permutations(FULL_PACK).map(lambda dealt: dealt[:5]))
def test_a_hand_is_the_same_in_any_order_and_named_as_the_reference_names_it(hand: list[Card]) -> None:
    assert evaluate(sorted(hand)) == evaluate(hand)
    assert evaluate(hand).hand == described(hand)[0]
    assert opens(evaluate(hand)) is dealer_opens(hand)


@pytest.mark.parametrize(
    ("dealer", "open_"),
    [
        ("AS KD 4C 3H 2S", True),
        ("AS QD JC TH 9S", False),
        ("KS QD JC TH 8S", False),
        ("2S 2D 3C 4H 5S", True),
        ("2S 3D 4C 5H 6S", True),
        ("9D 7D 5D 3D 2D", True),
        ("AS KD QC JH TS", True),
    ],
)
def test_the_dealer_opens_with_ace_king_or_better(dealer: str, open_: bool) -> None:
    assert opens(value(dealer)) is open_


ACE_KING = "AS KD 4C 3H 2S"
NOT_OPEN = "QS JD 9C 7H 2S"
ODDS = [
    ("AH KS QH JS 9D", 1, False),
    ("3S 3D KC QH JS", 1, False),
    ("5S 5D 4H 4S JD", 2, False),
    ("5S 5D 5H KS JD", 3, False),
    ("5S 6D 7H 8S 9D", 4, False),
    ("AH KH 9H 8H 7H", 5, False),
    ("5S 5D 5H KS KH", 7, False),
    ("5S 5D 5H 5C KH", 20, True),
    ("9H TH JH QH KH", 50, True),
    ("AH KH QH JH TH", 100, True),
]


@pytest.mark.parametrize(("seat", "odds", "capped"), ODDS)
def test_a_winning_raise_is_paid_by_the_table_of_61_2004_9_5(seat: str, odds: int, capped: bool) -> None:
    result = showdown(value(ACE_KING), value(seat), folded=False, royal_raise_odds=100)
    assert result == Showdown(Result.WIN, odds, capped)


def test_the_royal_raise_pays_what_the_house_has_set() -> None:
    result = showdown(value(ACE_KING), value("AH KH QH JH TH"), folded=False, royal_raise_odds=60)
    assert result.raise_odds == 60


def test_a_dealer_who_does_not_open_returns_the_raise_even_to_a_lower_hand() -> None:
    result = showdown(value(NOT_OPEN), value("JS 9D 8C 7D 2H"), folded=False, royal_raise_odds=100)
    assert result == Showdown(Result.PUSH_RAISE)
    assert stud_net(result, mop("100.00"), mop("1.00")) == StudNet(mop("100.00"), mop("0.00"))


def test_a_higher_dealer_takes_ante_and_raise_even_from_a_royal_flush() -> None:
    result = showdown(value("AS KS QS JS TS"), value("AH KH QH JH TH"), folded=False, royal_raise_odds=100)
    assert result == Showdown(Result.LOSE)
    assert stud_net(result, mop("100.00"), None) == StudNet(mop("-100.00"), mop("-200.00"))


def test_who_folds_loses_the_ante_whatever_the_dealer_has() -> None:
    for dealer in (ACE_KING, NOT_OPEN):
        result = showdown(value(dealer), value("AH KH QH JH TH"), folded=True, royal_raise_odds=100)
        assert result == Showdown(Result.FOLD)
        assert stud_net(result, mop("100.00"), None) == StudNet(mop("-100.00"), mop("0.00"))


def test_a_void_seat_wins_and_loses_nothing() -> None:
    assert stud_net(VOID_SEAT, mop("100.00"), None) == StudNet(mop("0.00"), mop("0.00"))


@pytest.mark.parametrize(
    ("seat", "cap", "raise_net"),
    [
        ("9H TH JH QH KH", None, "10000.00"),
        ("9H TH JH QH KH", "8000.00", "8000.00"),
        ("9H TH JH QH KH", "20000.00", "10000.00"),
        ("5S 5D 5H 5C KH", "3000.00", "3000.00"),
        ("AH KH QH JH TH", "15000.00", "15000.00"),
        ("5S 5D 5H KS KH", "1000.00", "1400.00"),
    ],
)
def test_the_maximum_payout_caps_only_the_raise_of_the_last_three(seat: str, cap: str | None, raise_net: str) -> None:
    result = showdown(value(ACE_KING), value(seat), folded=False, royal_raise_odds=100)
    net = stud_net(result, mop("100.00"), None if cap is None else mop(cap))
    assert net == StudNet(mop("100.00"), mop(raise_net))


def test_only_a_flush_or_better_has_a_progressive_tier() -> None:
    assert [stud_tier(hand) for hand in Hand] == [
        None,
        None,
        None,
        None,
        None,
        "flush",
        "full_house",
        "four_of_a_kind",
        "straight_flush",
        "royal_flush",
    ]
