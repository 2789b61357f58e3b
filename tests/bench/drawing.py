"""The drawing rule on every sequence of six ranks there is, 13^6 of them, and every hand of a pack, 2,598,960 of them.

What the core makes of each is compared with the plainly written references of tests/core, and counted: the sequences
weighted by the deals of eight packs must give the reference numbers of the game, the hands those of stud poker. It
asks for no speed; the figures are how many were seen and how many came out otherwise.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from math import perm, prod
from pathlib import Path

from jackpotd.core.baccarat import coup_of
from jackpotd.core.cards import FULL_PACK, RANKS, Card
from jackpotd.core.options import option_tier
from jackpotd.core.parameters import Rules
from jackpotd.core.stud import evaluate
from tests.bench.figures import Figure
from tests.core import reference_baccarat, reference_stud

_OF_A_RANK = 32
_WAYS = [perm(_OF_A_RANK, count) for count in range(7)]
# rules.md section 5: of 4,998,398,275,503,360 deals, and of 2,598,960 hands.
_COUPS = {
    "banker": 2_292_252_566_437_888,
    "player": 2_230_518_282_592_256,
    "tie": 475_627_426_473_216,
    "six_of_a_kind": 5_872_124_160,
    "five_of_a_kind": 351_070_863_360,
    "double_three": 616_417_689_600,
    "four_of_a_kind": 12_273_961_559_040,
    "three_of_a_kind": 247_881_616_465_920,
}
_HANDS = {
    "royal_flush": 4,
    "straight_flush": 36,
    "four_of_a_kind": 624,
    "full_house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three_of_a_kind": 54_912,
    "two_pairs": 123_552,
    "one_pair": 1_098_240,
    "high_card": 1_302_540,
}


def measure(_: Path) -> list[Figure]:
    """Both games; every count of differences is asked to be nothing."""
    return [*_coups(), *_hands()]


def _coups() -> list[Figure]:
    seen = otherwise = 0
    counted: Counter[str] = Counter()
    for shoe in product([Card(rank + "S") for rank in RANKS], repeat=6):
        player, banker = reference_baccarat.played(shoe)
        cards = shoe[: len(player) + len(banker)]
        coup = coup_of(cards)
        tier = option_tier(Rules.BACCARAT_B, cards, coup.player, coup.banker, None)
        ours = (list(coup.player), list(coup.banker), coup.next_side, coup.outcome, tier)
        theirs = (player, banker, None, reference_baccarat.winner(player, banker), reference_baccarat.of_a_kind(cards))
        seen += 1
        otherwise += ours != theirs
        deals = prod([_WAYS[count] for count in Counter(shoe).values()])
        counted[coup.outcome] += deals
        counted[str(tier)] += deals
    del counted["None"]
    return [
        Figure("sequences of six ranks", seen, "1", asked=13**6),
        Figure("drawn, won or graded otherwise than the reference", otherwise, "1", asked=0, at_most=True),
        Figure("of the game's reference numbers missed", _missed(counted, _COUPS), "1", asked=0, at_most=True),
    ]


def _hands() -> list[Figure]:
    seen = otherwise = 0
    counted: Counter[str] = Counter()
    for cards in combinations(FULL_PACK, 5):
        hand = evaluate(cards).hand.value
        seen += 1
        otherwise += hand != reference_stud.described(cards)[0]
        counted[hand] += 1
    return [
        Figure("stud hands", seen, "1", asked=2_598_960),
        Figure("named otherwise than the reference", otherwise, "1", asked=0, at_most=True),
        Figure("of stud's reference numbers missed", _missed(counted, _HANDS), "1", asked=0, at_most=True),
    ]


def _missed(counted: Counter[str], expected: dict[str, int]) -> int:
    return sum(counted[name] != expected.get(name, 0) for name in counted.keys() | expected.keys())
