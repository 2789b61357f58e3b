"""61/2004 article 8 once more, written from the text alone; knows nothing of the program."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

RANKS = "23456789TJQKA"
SUITS = "DCHS"


def described(cards: Sequence[str]) -> tuple[str, list[int]]:
    """The hand's name, and what article 8 compares one after the other, ending with the suit where it says so."""
    values = sorted((RANKS.index(c[0]) for c in cards), reverse=True)
    one_suit = len({c[1] for c in cards}) == 1
    wheel = values == [12, 3, 2, 1, 0]
    run = wheel or all(high - low == 1 for high, low in pairwise(values))
    top = 3 if wheel else values[0]
    if run and one_suit:
        name = "royal_flush" if top == 12 else "straight_flush"
        return name, [top, SUITS.index(cards[0][1])]
    of = {n: [v for v in sorted(set(values), reverse=True) if values.count(v) == n] for n in (1, 2, 3, 4)}
    if of[4]:
        return "four_of_a_kind", of[4]
    if of[3] and of[2]:
        return "full_house", of[3]
    if one_suit:
        return "flush", [*values, SUITS.index(cards[0][1])]
    if run:
        return "straight", [top, best_suit(cards, top)]
    if of[3]:
        return "three_of_a_kind", of[3]
    if len(of[2]) == 2:
        return "two_pairs", [*of[2], *of[1], best_suit(cards, of[2][0])]
    if of[2]:
        return "one_pair", [*of[2], *of[1], best_suit(cards, of[2][0])]
    return "high_card", [*values, best_suit(cards, values[0])]


def best_suit(cards: Sequence[str], value: int) -> int:
    return max(SUITS.index(c[1]) for c in cards if RANKS.index(c[0]) == value)


LOW_TO_HIGH = [
    "high_card",
    "one_pair",
    "two_pairs",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
]


def beats(one: Sequence[str], other: Sequence[str]) -> bool | None:
    """Whether the first hand is the higher; None for a tie, which one pack cannot deal."""
    (name, ranks), (other_name, other_ranks) = described(one), described(other)
    if name != other_name:
        return LOW_TO_HIGH.index(name) > LOW_TO_HIGH.index(other_name)
    return None if ranks == other_ranks else ranks > other_ranks


def dealer_opens(cards: Sequence[str]) -> bool:
    name, ranks = described(cards)
    return name != "high_card" or ranks[:2] == [12, 11]
