"""Hands of stud poker and their showdown (61/2004 8 and 9).

Laws
1. With one pack every two hands differ: the order of article 8 goes down to the suit.
2. The dealer's hand decides ante and raise only; it never takes part in the progressive (10(2)).
3. A raise is exactly twice the ante (6(6)); a seat that folded has lost its ante and nothing else (6(7)).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import assert_never

from jackpotd.core.cards import RANK_VALUE, SUIT_VALUE, Card
from jackpotd.core.errors import RuleError
from jackpotd.core.money import Atoms
from jackpotd.core.parameters import TIERS, Rules

HAND_CARDS = 5
RAISE_ANTES = 2  # 61/2004 6(6)


class Hand(StrEnum):
    """The hands of 61/2004 8, low to high."""

    HIGH_CARD = "high_card"
    ONE_PAIR = "one_pair"
    TWO_PAIRS = "two_pairs"
    THREE_OF_A_KIND = "three_of_a_kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full_house"
    FOUR_OF_A_KIND = "four_of_a_kind"
    STRAIGHT_FLUSH = "straight_flush"
    ROYAL_FLUSH = "royal_flush"


@dataclass(frozen=True, slots=True, order=True)
class HandValue:
    """A hand in the order of 61/2004 8: `strength` is the hand's place, the ranks that decide it, the deciding suit."""

    strength: tuple[int, ...]
    hand: Hand = field(compare=False)


_ACE, _KING = 14, 13
_FIVE_HIGH = (14, 5, 4, 3, 2)
# Five ranks of one pack, with repeats: 17 over 5 less the 13 that would need five cards of a rank; and of one suit the
# 13 over 5 without a repeat.
_RANK_SETS = 6_175 + 1_287
_BY_REPEATS: dict[tuple[int, ...], Hand] = {
    (1, 1, 1, 1, 1): Hand.HIGH_CARD,
    (2, 1, 1, 1): Hand.ONE_PAIR,
    (2, 2, 1): Hand.TWO_PAIRS,
    (3, 1, 1): Hand.THREE_OF_A_KIND,
    (3, 2): Hand.FULL_HOUSE,
    (4, 1): Hand.FOUR_OF_A_KIND,
}
_PLACE: dict[Hand, int] = {hand: place for place, hand in enumerate(Hand)}
# 61/2004 8: how many ranks are compared before the suit; the side cards of a three or a four count for nothing.
_RANKS_COMPARED: dict[Hand, int] = {
    Hand.HIGH_CARD: 5,
    Hand.ONE_PAIR: 4,
    Hand.TWO_PAIRS: 3,
    Hand.THREE_OF_A_KIND: 1,
    Hand.STRAIGHT: 1,
    Hand.FLUSH: 5,
    Hand.FULL_HOUSE: 1,
    Hand.FOUR_OF_A_KIND: 1,
    Hand.STRAIGHT_FLUSH: 1,
    Hand.ROYAL_FLUSH: 1,
}

_TIERS: dict[Hand, str] = {hand: hand.value for hand in Hand if hand.value in TIERS[Rules.STUD]}


def evaluate(cards: Sequence[Card]) -> HandValue:
    """The value of a hand; RuleError unless it is five different cards."""
    if len(cards) != HAND_CARDS or len(set(cards)) != HAND_CARDS:
        raise RuleError(f"a stud hand is five different cards, not {' '.join(cards) or 'none'}")
    high_to_low = tuple(sorted([RANK_VALUE[card] for card in cards], reverse=True))
    one_suit = len({card[1] for card in cards}) == 1
    hand, strength = _before_suits(high_to_low, one_suit=one_suit)
    suit = max([SUIT_VALUE[card] for card in cards if RANK_VALUE[card] == strength[1]])
    return HandValue((*strength, suit), hand)


@lru_cache(maxsize=_RANK_SETS)
def _before_suits(high_to_low: tuple[int, ...], *, one_suit: bool) -> tuple[Hand, tuple[int, ...]]:
    """The hand, and its strength but for the last suit, which is that of a card of the first rank compared."""
    hand, ranks = _by_ranks(high_to_low)
    if one_suit:
        hand = _of_one_suit(hand, ranks[0])
    return hand, (_PLACE[hand], *ranks[: _RANKS_COMPARED[hand]])


def _by_ranks(high_to_low: tuple[int, ...]) -> tuple[Hand, list[int]]:
    """The hand that the ranks alone make, and the ranks in the order in which article 8 compares them."""
    repeats = Counter(high_to_low)
    ranks = sorted(repeats, key=lambda rank: (repeats[rank], rank), reverse=True)
    hand = _BY_REPEATS[tuple(repeats[rank] for rank in ranks)]
    if high_to_low == _FIVE_HIGH:  # 61/2004 4(3): here the ace is the lowest
        return Hand.STRAIGHT, [*ranks[1:], 1]
    if hand is Hand.HIGH_CARD and ranks[0] - ranks[-1] == HAND_CARDS - 1:
        return Hand.STRAIGHT, ranks
    return hand, ranks


def _of_one_suit(hand: Hand, highest: int) -> Hand:
    """What five cards of one suit make of a straight or of no straight."""
    if hand is not Hand.STRAIGHT:
        return Hand.FLUSH
    return Hand.ROYAL_FLUSH if highest == _ACE else Hand.STRAIGHT_FLUSH


def opens(dealer: HandValue) -> bool:
    """Whether the dealer's hand opens: an ace and a king, or any pair or better (61/2004 9(1)(3))."""
    return dealer.strength >= (_PLACE[Hand.HIGH_CARD], _ACE, _KING)


def stud_tier(hand: Hand) -> str | None:
    """The progressive tier of a seat's hand, whoever wins the showdown (61/2004 10(2)); None below a flush."""
    return _TIERS.get(hand)


class Result(StrEnum):
    """What became of a seat's ante and raise."""

    WIN = "win"
    LOSE = "lose"
    PUSH_RAISE = "push-raise"
    FOLD = "fold"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Showdown:
    """A seat's result. `raise_odds` to 1 are 0 unless it won; `capped`: the maximum payout holds for its raise."""

    result: Result
    raise_odds: int = 0
    capped: bool = False


VOID_SEAT = Showdown(Result.VOID)  # 61/2004 11(1)(3)(4): nothing won, nothing lost
_FOLDED, _NOT_OPENED, _LOST = Showdown(Result.FOLD), Showdown(Result.PUSH_RAISE), Showdown(Result.LOSE)

_RAISE_ODDS: dict[Hand, int] = {
    Hand.HIGH_CARD: 1,
    Hand.ONE_PAIR: 1,
    Hand.TWO_PAIRS: 2,
    Hand.THREE_OF_A_KIND: 3,
    Hand.STRAIGHT: 4,
    Hand.FLUSH: 5,
    Hand.FULL_HOUSE: 7,
    Hand.FOUR_OF_A_KIND: 20,
    Hand.STRAIGHT_FLUSH: 50,
}
_CAPPED = frozenset({Hand.FOUR_OF_A_KIND, Hand.STRAIGHT_FLUSH, Hand.ROYAL_FLUSH})  # 61/2004 9(5)(7)-(9)


def showdown(dealer: HandValue, seat: HandValue, *, folded: bool, royal_raise_odds: int) -> Showdown:
    """A seat against the dealer (61/2004 9); `royal_raise_odds` are the table's, 50 to 100 (9(5)(9))."""
    if folded:
        return _FOLDED
    if not opens(dealer):
        return _NOT_OPENED
    if seat < dealer:
        return _LOST
    return Showdown(Result.WIN, _RAISE_ODDS.get(seat.hand, royal_raise_odds), seat.hand in _CAPPED)


@dataclass(frozen=True, slots=True)
class StudNet:
    """What a seat wins (loses, if negative) on ante and raise."""

    ante_atoms: Atoms
    raise_atoms: Atoms


def stud_net(showdown: Showdown, ante_atoms: Atoms, max_payout_atoms: Atoms | None) -> StudNet:
    """The amounts of a showdown (61/2004 9(2)(4)(5)); the ante is outside the maximum payout."""
    ante, lost, nothing = ante_atoms, Atoms(-ante_atoms), Atoms(0)
    match showdown.result:
        case Result.WIN:
            won = RAISE_ANTES * ante * showdown.raise_odds
            if showdown.capped and max_payout_atoms is not None:
                won = min(won, max_payout_atoms)
            return StudNet(ante, Atoms(won))
        case Result.LOSE:
            return StudNet(lost, Atoms(-RAISE_ANTES * ante))
        case Result.PUSH_RAISE:
            return StudNet(ante, nothing)
        case Result.FOLD:
            return StudNet(lost, nothing)
        case Result.VOID:
            return StudNet(nothing, nothing)
        case _ as never:
            assert_never(never)
