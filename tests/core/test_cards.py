from __future__ import annotations

from typing import Any

import pytest

from jackpotd.core.cards import FULL_PACK, RANK_VALUE, SUIT_VALUE, Card, check_pack, parse_card, parse_cards
from jackpotd.core.errors import RuleError


def test_a_pack_is_52_different_cards() -> None:
    assert len(FULL_PACK) == len(set(FULL_PACK)) == 52


def test_ranks_go_ace_high_and_suits_spade_heart_club_diamond() -> None:
    by_rank = sorted([card for card in FULL_PACK if card[1] == "S"], key=RANK_VALUE.__getitem__, reverse=True)
    by_suit = sorted([card for card in FULL_PACK if card[0] == "A"], key=SUIT_VALUE.__getitem__, reverse=True)
    assert by_rank == ["AS", "KS", "QS", "JS", "TS", "9S", "8S", "7S", "6S", "5S", "4S", "3S", "2S"]
    assert by_suit == ["AS", "AH", "AC", "AD"]


@pytest.mark.parametrize("card", FULL_PACK)
def test_every_card_is_read_as_itself(card: Card) -> None:
    assert parse_card(card) == card


@pytest.mark.parametrize("suit", "SHCD")
def test_ten_is_also_read_in_figures(suit: str) -> None:
    assert parse_card(f"10{suit}") == f"T{suit}"


@pytest.mark.parametrize("text", ["", "T", "1H", "TX", "th", "HT", "TH ", "100H", "1OH", "11S", "T\u2665"])
def test_anything_else_is_no_card_and_is_named(text: str) -> None:
    with pytest.raises(RuleError) as error:
        parse_card(text)
    assert repr(text) in str(error.value)


def test_one_pack_has_every_card_once() -> None:
    check_pack(FULL_PACK, 1)
    with pytest.raises(RuleError, match=r"^9C came 2 times from 1 pack$"):
        check_pack([Card("AS"), Card("9C"), Card("KD"), Card("9C")], 1)


def test_eight_packs_have_every_card_eight_times() -> None:
    check_pack(FULL_PACK * 8, 8)
    with pytest.raises(RuleError, match=r"^5H came 9 times from 8 packs$"):
        check_pack([*FULL_PACK * 8, Card("5H")], 8)


def test_a_list_of_cards_is_read_whole() -> None:
    assert parse_cards(["10H", "TH", "AS"]) == ("TH", "TH", "AS")
    assert parse_cards([]) == ()


@pytest.mark.parametrize("wrong", ["1S", "", "AS KD", 5, None, True, ["AS"], {"AS": 1}])
def test_a_list_with_anything_that_is_no_card_is_refused_by_naming_it(wrong: Any) -> None:
    with pytest.raises(RuleError) as caught:
        parse_cards(["AS", wrong, "KD"])
    assert str(caught.value).startswith(f"{wrong!r} is not a card")
