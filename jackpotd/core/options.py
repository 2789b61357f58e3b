"""The progressive options A, B and C of baccarat (2/2009 13(1)(4)(3) and 13(2)).

Laws
1. A round has one tier an option, its highest; whether anybody bet on it is not asked here.
2. A looks at the first four or five cards in dealing order, B and C at every card of both hands together.
3. Rank is rank: J, Q, K and 10 are four ranks (13(2)(1)).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import assert_never

from jackpotd.core.baccarat import is_pair
from jackpotd.core.cards import Card
from jackpotd.core.errors import RuleError
from jackpotd.core.parameters import Rules

_TO_ACE = frozenset("AKQJT")
_BLACK = frozenset("SC")


def option_tier(
    rules: Rules,
    cards: Sequence[Card],
    player: Sequence[Card],
    banker: Sequence[Card],
    four_of_a_kind_suits: str | None,
) -> str | None:
    """The highest tier of a complete round, None without one. `cards` are both hands in dealing order."""
    match rules:
        case Rules.BACCARAT_A:
            return _tier_a(cards, player, banker, four_of_a_kind_suits)
        case Rules.BACCARAT_B:
            return _of_a_kind(cards)
        case Rules.BACCARAT_C:
            tier = _of_a_kind(cards)
            return "six_of_a_kind_one_colour" if tier == "six_of_a_kind" and _one_colour(cards) else tier
        case Rules.STUD:
            raise RuleError("stud has no baccarat option")
        case _ as never:
            assert_never(never)


def _tier_a(
    cards: Sequence[Card], player: Sequence[Card], banker: Sequence[Card], four_of_a_kind_suits: str | None
) -> str | None:
    """Option A, 13(1)(4)(3)A i to vi."""
    most_of_a_rank = max(Counter(card[0] for card in cards[:4]).values())
    suits = {card[1] for card in cards[:4]}
    pairs = is_pair(player) + is_pair(banker)
    if straight := _to_the_ace(cards[:5]):
        return straight
    if most_of_a_rank == 4 and (four_of_a_kind_suits == "any" or len(suits) == 4):
        return "four_of_a_kind"
    if pairs == 2 and player[0][0] != banker[0][0]:
        return "double_pair"
    if most_of_a_rank >= 3:
        return "three_of_a_kind"
    return "single_pair" if pairs else None


def _to_the_ace(first_five: Sequence[Card]) -> str | None:
    """A K Q J 10 in any order: royal flush if of one suit, heavenly straight if only the ace differs."""
    if len(first_five) < 5 or {card[0] for card in first_five} != _TO_ACE:
        return None
    suits = {card[1] for card in first_five}
    suits_below_ace = {card[1] for card in first_five if card[0] != "A"}
    if len(suits_below_ace) > 1:
        return None
    return "royal_flush" if len(suits) == 1 else "heavenly_straight"


def _of_a_kind(cards: Sequence[Card]) -> str | None:
    """The sets of one rank among all the cards of a round, 13(2)(2)(3)."""
    match sorted(Counter(card[0] for card in cards).values(), reverse=True):
        case [6]:
            return "six_of_a_kind"
        case [5, *_]:
            return "five_of_a_kind"
        case [3, 3]:
            return "double_three"
        case [4, *_]:
            return "four_of_a_kind"
        case [3, *_]:
            return "three_of_a_kind"
        case _:
            return None


def _one_colour(cards: Sequence[Card]) -> bool:
    """Spades and clubs only, or hearts and diamonds only."""
    return len({card[1] in _BLACK for card in cards}) == 1
