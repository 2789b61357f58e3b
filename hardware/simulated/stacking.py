"""Packs stacked on purpose: hands of a wanted tier, so that a show or a test need not wait years for one.

Laws
1. Chance comes from the caller's generator: the same seed stacks the same cards.
2. A stud hand comes out of one pack, what is taken is taken; baccarat's come out of eight packs.
3. Nothing here judges a hand: what it is worth is the controller's to find out.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

SUITS: Final = "SHCD"
RANKS: Final = "23456789TJQKA"
PACK: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
PACKS_IN_SHOE: Final = 8
BACCARAT_CARDS: Final = 6  # no coup has more

# Ranks that count nothing: with them on both sides Player and Banker always draw, so all six cards are dealt.
_ZEROS: Final = "TJQK"


def _suited(ranks: str, suit: str) -> list[str]:
    return [rank + suit for rank in ranks]


def _royal_flush(rng: Random) -> list[str]:
    return _suited("TJQKA", rng.choice(SUITS))


def _straight_flush(rng: Random) -> list[str]:
    low_to_high = "A" + RANKS
    start = rng.randrange(9)  # from 5-4-3-2-A to K-Q-J-T-9
    return _suited(low_to_high[start : start + 5], rng.choice(SUITS))


def _four_of_a_kind(rng: Random) -> list[str]:
    four, other = rng.sample(RANKS, 2)
    return [*(four + suit for suit in SUITS), other + rng.choice(SUITS)]


def _full_house(rng: Random) -> list[str]:
    three, pair = rng.sample(RANKS, 2)
    return [*(three + suit for suit in rng.sample(SUITS, 3)), *(pair + suit for suit in rng.sample(SUITS, 2))]


def _flush(rng: Random) -> list[str]:
    # The ace with nothing from the ten up and no 5-4-3-2 beside it is no straight.
    return _suited("A" + "".join(rng.sample("6789", 2) + rng.sample("234", 2)), rng.choice(SUITS))


_STUD: Final[dict[str, Callable[[Random], list[str]]]] = {
    "royal_flush": _royal_flush,
    "straight_flush": _straight_flush,
    "four_of_a_kind": _four_of_a_kind,
    "full_house": _full_house,
    "flush": _flush,
}
STUD_TIERS: Final = tuple(_STUD)
# Two stacked hands of one tier always leave the pack room for a third try.
MOST_STACKED: Final = 2


def take_stud_hand(rng: Random, tier: str, pack: list[str]) -> list[str]:
    """A hand of this tier, in any order, taken out of `pack`."""
    while True:
        hand = _STUD[tier](rng)
        if set(hand) <= set(pack):
            break
    for card in hand:
        pack.remove(card)
    rng.shuffle(hand)
    return hand


def _alike(counts: tuple[int, ...]) -> Callable[[Random], list[str]]:
    """Sets of so many cards of one zero rank each, in dealing order, then small cards of different ranks."""

    def ranks(rng: Random) -> list[str]:
        chosen = rng.sample(_ZEROS, len(counts))
        alike = [rank for rank, count in zip(chosen, counts, strict=True) for _ in range(count)]
        return alike + rng.sample("23456789", BACCARAT_CARDS - len(alike))

    return ranks


_OPTION_B: Final[dict[str, Callable[[Random], list[str]]]] = {
    "six_of_a_kind": _alike((6,)),
    "five_of_a_kind": _alike((5,)),
    "double_three": _alike((3, 3)),
    "four_of_a_kind": _alike((4,)),
    "three_of_a_kind": _alike((3,)),
}
OPTION_B_TIERS: Final = tuple(_OPTION_B)


def stacked_coup(rng: Random, tier: str) -> list[str]:
    """Six cards in dealing order that make this tier of option B."""
    return [rank + rng.choice(SUITS) for rank in _OPTION_B[tier](rng)]


def shuffled_coup(rng: Random) -> list[str]:
    """Six cards of a shuffled shoe of eight packs."""
    return rng.sample(PACK * PACKS_IN_SHOE, BACCARAT_CARDS)
