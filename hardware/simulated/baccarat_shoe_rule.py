"""What an Angel Eye shoe itself knows of baccarat: where the next card goes, and who won (rules.md section 2).

Laws
1. Written for the simulated shoe alone. The controller judges by its own rule, so that each checks the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hardware.reports import ShoeResult, Target

_POINTS: Final = {"A": 1} | {str(pips): pips for pips in range(2, 10)}  # ten and pictures count nothing
_OPENING: Final = (Target.PLAYER, Target.BANKER, Target.PLAYER, Target.BANKER)
_BANKER_DRAWS_ON: Final = {  # by the points of the Player's third card: the highest Banker total that still draws
    0: 3,
    1: 3,
    2: 4,
    3: 4,
    4: 5,
    5: 5,
    6: 6,
    7: 6,
    8: 2,
    9: 3,
}


def total(cards: Sequence[str]) -> int:
    """The points of a hand, modulo 10."""
    return sum(_POINTS.get(card[0], 0) for card in cards) % 10


def next_target(player: Sequence[str], banker: Sequence[str]) -> Target | None:
    """Whose the next card is; None when the coup is complete."""
    dealt = len(player) + len(banker)
    if dealt < len(_OPENING):
        return _OPENING[dealt]
    if len(banker) == 3 or (dealt == 4 and max(total(player), total(banker)) >= 8):
        return None
    if len(player) == 2:
        if total(player) <= 5:
            return Target.PLAYER
        return Target.BANKER if total(banker) <= 5 else None
    return Target.BANKER if total(banker) <= _BANKER_DRAWS_ON[total(player[2:])] else None


def result(player: Sequence[str], banker: Sequence[str]) -> ShoeResult:
    """The result of a complete coup."""
    difference = total(player) - total(banker)
    outcome = "player" if difference > 0 else "banker" if difference < 0 else "tie"
    return ShoeResult(outcome, player_pair=player[0][0] == player[1][0], banker_pair=banker[0][0] == banker[1][0])
