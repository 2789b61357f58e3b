"""The reference numbers of rules.md section 5, counted by the core's own rules over every deal that there is.

Deals that differ in nothing that a rule looks at are counted once, times their number. Baccarat: ordered six-card deals
from eight packs, whether or not a round uses them all; what is expected of option A and of colours is worked out beside
each by counting orders.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import comb, perm, prod

import pytest

from jackpotd.core.baccarat import Side, coup_of, draw, total
from jackpotd.core.cards import RANKS, SUITS, Card
from jackpotd.core.money import ATOMS_PER_MINOR, Atoms
from jackpotd.core.options import option_tier
from jackpotd.core.parameters import Rules
from jackpotd.core.settlement import settle_stud
from jackpotd.core.stud import evaluate, stud_tier
from tests.support.pools import mop, prize, stud_pool

HANDS = 2_598_960
STUD = {"royal_flush": 4, "straight_flush": 36, "four_of_a_kind": 624, "full_house": 3_744, "flush": 5_108}


def test_the_2598960_hands_hold_each_tier_as_often_as_mathematics_says() -> None:
    """The suits of the most repeated rank are fixed and counted for all their choices, which symmetry makes equal."""
    found: Counter[str | None] = Counter()
    for ranks in combinations_with_replacement(RANKS, 5):
        repeats = Counter(ranks).most_common()
        if repeats[0][1] > 4:
            continue
        (first, count), *others = repeats
        fixed = [first + suit for suit in SUITS[:count]]
        choices = [[[rank + suit for suit in suits] for suits in combinations(SUITS, n)] for rank, n in others]
        for rest in product(*choices):
            hand = [Card(card) for group in (fixed, *rest) for card in group]
            found[stud_tier(evaluate(hand).hand)] += comb(4, count)
    assert found.total() == HANDS
    del found[None]
    assert found == STUD


@pytest.mark.parametrize(
    ("four", "full", "flush", "meter"),
    [("500.00", "100.00", "50.00", "218047.37"), ("100.00", "75.00", "50.00", "263205.26")],
)
def test_a_bet_of_one_unit_returns_one_unit_at_the_break_even_meter_and_not_a_cent_below(
    four: str, full: str, flush: str, meter: str
) -> None:
    """Every hand once, each with a bet of 1.00, the pool at this meter whenever it is dealt."""
    prizes = (
        prize("royal_flush", share_ppm=1_000_000),
        prize("straight_flush", share_ppm=100_000),
        prize("four_of_a_kind", four),
        prize("full_house", full),
        prize("flush", flush),
    )
    pool = stud_pool(prizes=prizes, payout_unit_atoms=Atoms(1))

    def returned(meter_atoms: Atoms) -> int:
        paid = {tier: settle_stud(pool, meter_atoms, Atoms(0), Atoms(0), {1: tier}).turns[0] for tier in STUD}
        return sum(STUD[tier] * turn.total_atoms for tier, turn in paid.items())

    # The published figure is rounded to the cent: the exact one lies within half a cent of it.
    half_cent = ATOMS_PER_MINOR // 2
    staked = HANDS * mop("1.00")
    assert returned(Atoms(mop(meter) - half_cent)) < staked <= returned(Atoms(mop(meter) + half_cent))


# ---- baccarat

PACKS = 8
OF_A_RANK, SHOE = 4 * PACKS, 52 * PACKS
DEALS = perm(SHOE, 6)


class Coups:
    """Every coup by its ranks, walked by the drawing rule; `tiers` of option B.

    10, J, Q and K draw alike: only deals in which they first appear in this order are walked, each for all its namings.
    """

    def __init__(self) -> None:
        self.tiers: Counter[str | None] = Counter()
        self.outcomes: Counter[str] = Counter()
        self.lengths: Counter[int] = Counter()

    def walk(self, player: list[Card], banker: list[Card], dealt: str, ways: int) -> None:
        side = draw(player, banker)
        if side is None:
            self.count(player, banker, dealt, ways)
            return
        hand = player if side is Side.PLAYER else banker
        tens = sum(rank in dealt for rank in "TJQK")
        for rank in "A23456789" + "TJQK"[: tens + 1]:
            namings = 4 - tens if rank in "TJQK" and rank not in dealt else 1
            hand.append(Card(rank + "S"))
            self.walk(player, banker, dealt + rank, ways * namings * (OF_A_RANK - dealt.count(rank)))
            hand.pop()

    def count(self, player: list[Card], banker: list[Card], dealt: str, ways: int) -> None:
        deals = ways * perm(SHOE - len(dealt), 6 - len(dealt))
        difference = total(player) - total(banker)
        self.tiers[option_tier(Rules.BACCARAT_B, [*player, *banker], player, banker, None)] += deals
        self.outcomes["tie" if difference == 0 else "player" if difference > 0 else "banker"] += deals
        self.lengths[len(dealt)] += deals


def test_eight_packs_deal_outcomes_lengths_and_tiers_of_option_b_as_often_as_mathematics_says() -> None:
    coups = Coups()
    coups.walk([], [], "", 1)
    assert coups.tiers.total() == DEALS == 4_998_398_275_503_360
    assert coups.outcomes == {
        "banker": 2_292_252_566_437_888,
        "player": 2_230_518_282_592_256,
        "tie": 475_627_426_473_216,
    }
    rounded = {length: round(Fraction(count, DEALS), 6) for length, count in coups.lengths.items()}
    assert rounded == {4: Fraction("0.378868"), 5: Fraction("0.303444"), 6: Fraction("0.317687")}
    del coups.tiers[None]
    assert coups.tiers == {
        "six_of_a_kind": 5_872_124_160,
        "five_of_a_kind": 351_070_863_360,
        "double_three": 616_417_689_600,
        "four_of_a_kind": 12_273_961_559_040,
        "three_of_a_kind": 247_881_616_465_920,
    }


def deals_of(cards: list[Card]) -> int:
    """In how many deals these cards come first, in this order."""
    return prod(perm(PACKS, n) for n in Counter(cards).values()) * perm(SHOE - len(cards), 6 - len(cards))


def in_suits(ranks: str) -> list[list[Card]]:
    """Cards of these ranks in all their suits."""
    cards = [[Card(rank + suit) for suit in SUITS] for rank in ranks]
    return [list(chosen) for chosen in product(*cards)]


def test_six_of_a_kind_of_option_c_is_of_one_colour_as_often_as_mathematics_says() -> None:
    found: Counter[str | None] = Counter()
    for rank in RANKS:
        if draw([Card(rank + "S")] * 3, [Card(rank + "S")] * 2) is not Side.BANKER:
            continue  # 3, 4, 8 and 9 stop before a sixth card
        for cards in in_suits(rank * 6):
            coup = coup_of(cards)
            found[option_tier(Rules.BACCARAT_C, cards, coup.player, coup.banker, None)] += deals_of(cards)
    one_colour = 9 * 2 * perm(2 * PACKS, 6)
    assert found == {"six_of_a_kind_one_colour": one_colour, "six_of_a_kind": 5_872_124_160 - one_colour}


def tiers_of_option_a(suits: str) -> Counter[str | None]:
    """By the first four cards, the first five where they may be A K Q J 10, and by suits where a rule looks at them."""
    found: Counter[str | None] = Counter()
    for ranks in map("".join, product(RANKS, repeat=4)):
        if len(set(ranks)) == 4 and set(ranks) <= set("AKQJT"):
            (last,) = set("AKQJT") - set(ranks)
            for cards in in_suits(ranks + last):
                found[tier_a(cards, suits)] += deals_of(cards)
            ways = PACKS**4 * 4**4 * (SHOE - 4 - OF_A_RANK) * (SHOE - 5)
            found[tier_a([Card(rank + "S") for rank in ranks], suits)] += ways
        elif len(set(ranks)) == 1:
            for cards in in_suits(ranks):
                found[tier_a(cards, suits)] += deals_of(cards)
        else:
            ways = prod(perm(OF_A_RANK, n) for n in Counter(ranks).values())
            found[tier_a([Card(rank + "S") for rank in ranks], suits)] += ways * perm(SHOE - 4, 2)
    return found


def tier_a(cards: list[Card], suits: str) -> str | None:
    coup = coup_of(cards)
    return option_tier(Rules.BACCARAT_A, cards, coup.player, coup.banker, suits)


@pytest.mark.parametrize("suits", ["distinct", "any"])
def test_the_tiers_of_option_a_come_as_often_as_mathematics_says(suits: str) -> None:
    found = tiers_of_option_a(suits)
    assert found.total() == DEALS
    rest = perm(SHOE - 4, 2)
    fours = 13 * perm(OF_A_RANK, 4)
    distinct = 13 * perm(4, 4) * PACKS**4
    two = perm(OF_A_RANK, 2)
    del found[None]
    assert found == {
        "royal_flush": perm(5, 5) * 4 * PACKS**5 * (SHOE - 5),
        "heavenly_straight": perm(5, 5) * 4 * 3 * PACKS**5 * (SHOE - 5),
        "four_of_a_kind": (distinct if suits == "distinct" else fours) * rest,
        "double_pair": 13 * 12 * two * two * rest,
        "three_of_a_kind": (
            13 * 4 * perm(OF_A_RANK, 3) * (SHOE - OF_A_RANK) + (fours - distinct) * (suits == "distinct")
        )
        * rest,
        "single_pair": 2 * 13 * two * (SHOE - OF_A_RANK) * (SHOE - 2 * OF_A_RANK) * rest,
    }
