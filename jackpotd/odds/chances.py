"""How often each tier is won: exact chances by the rules, counted over every deal (61/2004 8 and 10; 2/2009 13(1)(4)).

Laws
1. Stud: the chance that five cards of one pack are the hand, for one seat; folding can only make it less.
2. Baccarat: the chance that a round's highest tier is this one, its cards dealt in any order from all the packs. Burnt
   and earlier cards that nobody counts leave it the same.
3. The drawing rule is the core's own: what is counted here is what is played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, factorial, perm, prod
from typing import assert_never

from jackpotd.core.baccarat import Side, draw, total
from jackpotd.core.cards import RANKS, Card
from jackpotd.core.parameters import TIERS, Rules

PACK = 52
SUITS = 4
HAND_CARDS = 5
STUD_HANDS = comb(PACK, HAND_CARDS)
# Of them, each tier's; rules.md 5 and every published table say the same.
STUD_COUNTS: dict[str, int] = {
    "royal_flush": SUITS,
    "straight_flush": 9 * SUITS,
    "four_of_a_kind": 13 * (PACK - SUITS),
    "full_house": 13 * comb(SUITS, 3) * 12 * comb(SUITS, 2),
    "flush": SUITS * (comb(13, HAND_CARDS) - 10),
}
_MOST_CARDS = 6  # a coup has four to six


def tier_chances(rules: Rules, decks: int, four_of_a_kind_suits: str | None = None) -> dict[str, Fraction]:
    """Tier -> chance, highest tier first: of one bet at stud, of one round at baccarat. The suits are option A's."""
    match rules:
        case Rules.STUD:
            return {tier: Fraction(count, STUD_HANDS) for tier, count in STUD_COUNTS.items()}
        case Rules.BACCARAT_A:
            return _option_a(decks, four_of_a_kind_suits)
        case Rules.BACCARAT_B:
            return _of_a_kind(decks)
        case Rules.BACCARAT_C:
            return _option_c(decks)
        case _ as never:
            assert_never(never)


def _option_a(decks: int, suits: str | None) -> dict[str, Fraction]:
    """Option A looks at the first four or five cards. A K Q J 10 in any order total 1 at most: a fifth is dealt."""
    cards, rank = PACK * decks, SUITS * decks
    first_five, first_four = perm(cards, HAND_CARDS), perm(cards, 4)
    one_suit = factorial(HAND_CARDS) * SUITS * decks**HAND_CARDS
    four = 13 * perm(rank, 4)
    four_suits = four if suits == "any" else 13 * factorial(SUITS) * decks**SUITS
    three = 13 * 4 * perm(rank, 3) * (cards - rank)
    one_pair = 2 * 13 * perm(rank, 2) * (12 * rank) * (11 * rank)
    chances = (
        Fraction(one_suit, first_five),
        Fraction(one_suit * (SUITS - 1), first_five),
        Fraction(four_suits, first_four),
        Fraction(13 * 12 * perm(rank, 2) ** 2, first_four),
        Fraction(three + four - four_suits, first_four),
        Fraction(one_pair, first_four),
    )
    return dict(zip(TIERS[Rules.BACCARAT_A], chances, strict=True))


def _of_a_kind(decks: int) -> dict[str, Fraction]:
    deals = perm(PACK * decks, _MOST_CARDS)
    counts = of_a_kind_counts(decks)
    return {tier: Fraction(counts[tier], deals) for tier in TIERS[Rules.BACCARAT_B]}


def _option_c(decks: int) -> dict[str, Fraction]:
    """Six of a rank are any six of its cards alike, so their colours do not depend on the drawing rule."""
    chances = _of_a_kind(decks)
    six = chances.pop("six_of_a_kind")
    rank, colour = SUITS * decks, SUITS * decks // 2
    one_colour = six * Fraction(2 * comb(colour, _MOST_CARDS), max(1, comb(rank, _MOST_CARDS)))
    return {"six_of_a_kind_one_colour": one_colour, "six_of_a_kind": six - one_colour, **chances}


def of_a_kind_counts(decks: int) -> dict[str, int]:
    """Of all ordered deals of six cards from the packs, how many make each tier of option B.

    A shorter coup leaves cards free, which are any of the rest.
    """
    counts = dict.fromkeys(TIERS[Rules.BACCARAT_B], 0)
    for sets, orders in _sets_of_coups().items():
        drawn = sum(sets)
        suits = prod(perm(SUITS * decks, alike) for alike in sets)
        counts[_tier_of_sets(sets)] += orders * suits * perm(PACK * decks - drawn, _MOST_CARDS - drawn)
    return counts


def _tier_of_sets(sets: tuple[int, ...]) -> str:
    if sets == (3, 3):
        return "double_three"
    return {3: "three_of_a_kind", 4: "four_of_a_kind", 5: "five_of_a_kind", 6: "six_of_a_kind"}[sets[0]]


@cache
def _sets_of_coups() -> Counter[tuple[int, ...]]:
    """How many orders of ranks end in a coup with these sets of a rank, largest first; only those with a set of three.

    The packs do not come into it: which ranks end a coup is the drawing rule's affair, how often they come is not.
    """
    found: Counter[tuple[int, ...]] = Counter()
    pairs = list(combinations_with_replacement(RANKS, 2))
    for player in pairs:
        for banker in pairs:
            orders = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
            for cards in _ends(player, banker):
                ranks = set(cards)
                if len(cards) - len(ranks) < 2:
                    continue  # soonest told: a set of three is two cards more than ranks
                sets = sorted([cards.count(rank) for rank in ranks], reverse=True)
                if sets[0] > 2:
                    found[tuple(sets)] += orders
    return found


def _ends(player: tuple[str, ...], banker: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The ranks of every coup that begins with these two cards a side."""
    cards, totals = player + banker, (_points(player), _points(banker))
    side = _next_side(totals[0], None, totals[1])
    if side is None:
        yield cards
    elif side is Side.BANKER:
        yield from ((*cards, rank) for rank in RANKS)
    else:
        for third in RANKS:
            if _next_side(totals[0], _points((third,)), totals[1]) is None:
                yield (*cards, third)
            else:
                yield from ((*cards, third, rank) for rank in RANKS)


@cache  # 91 pairs, 13 ranks
def _points(ranks: tuple[str, ...]) -> int:
    return total([Card(f"{rank}S") for rank in ranks])


@cache  # ten totals a side, ten points of a third card
def _next_side(player: int, third: int | None, banker: int) -> Side | None:
    """The core's drawing rule, asked by points: a ten and a card of the points make any total."""
    cards = [Card(f"{'TA23456789'[points]}S") for points in (player, third, banker) if points is not None]
    return draw([Card("TS"), *cards[:-1]], [Card("TS"), cards[-1]])
