"""What is going to happen in one round at a simulated table: who bets what, which cards come, who folds.

Laws
1. A plan is made from the caller's generator alone, before the first chip: the same seed plans the same rounds.
2. A plan is what players and dealer mean to do. What the devices let them do is seen when it is played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from hardware.reports import Target
from hardware.simulated.baccarat_shoe_rule import next_target
from hardware.simulated.stacking import MOST_STACKED, PACK, shuffled_coup, stacked_coup, take_stud_hand

HAND_CARDS: Final = 5
DEALER: Final = 0
PLAYER, BANKER, TIE = 1, 2, 3  # places of the table bus
_FEWEST_SEATS: Final = 3
_BETS_PROGRESSIVE: Final = 0.85  # players at a table with a jackpot mostly play for it
_FOLDS_NOTHING: Final = 0.6  # of hands without a pair; the others hope that the dealer does not open


@dataclass(frozen=True, slots=True)
class StudPlan:
    """A stud round. `hands`: by seat in dealing order, the dealer (0) last."""

    progressive: tuple[int, ...]
    hands: dict[int, tuple[str, ...]]
    folds: tuple[int, ...]

    @property
    def seats(self) -> tuple[int, ...]:
        """Seats with an ante."""
        return tuple(seat for seat in self.hands if seat != DEALER)

    def card_by_card(self) -> list[str]:
        """The cards as a shoe gives them: one to each hand, five times round (61/2004 7)."""
        return [hand[at] for at in range(HAND_CARDS) for hand in self.hands.values()]


@dataclass(frozen=True, slots=True)
class BaccaratPlan:
    """A coup. `bets`: seat -> place 1 Player, 2 Banker, 3 Tie; `cards` exactly those that are dealt, in order."""

    bets: dict[int, int]
    progressive: tuple[int, ...]
    cards: tuple[str, ...]


def plan_stud(rng: Random, seats: int, tiers: Sequence[str] = ()) -> StudPlan:
    """A round at a table of `seats`; the first players with a progressive bet get hands of these tiers."""
    assert len(tiers) <= MOST_STACKED
    players, progressive = _players(rng, seats, at_least=len(tiers))
    pack = list(PACK)
    lucky = dict(zip(rng.sample(progressive, len(tiers)), tiers, strict=True))
    stacked = {seat: take_stud_hand(rng, tier, pack) for seat, tier in lucky.items()}
    rng.shuffle(pack)
    hands = {seat: tuple(stacked[seat] if seat in stacked else _draw(pack)) for seat in (*players, DEALER)}
    folds = tuple(s for s in players if s not in lucky and _is_nothing(hands[s]) and rng.random() < _FOLDS_NOTHING)
    return StudPlan(tuple(progressive), hands, folds)


def plan_baccarat(rng: Random, seats: int, tier: str | None = None) -> BaccaratPlan:
    """A coup at a table of `seats`, its cards stacked for this tier of option B if one is named."""
    players, progressive = _players(rng, seats, at_least=1)
    bets = {seat: rng.choices((PLAYER, BANKER, TIE), (45, 45, 10))[0] for seat in players}
    cards = shuffled_coup(rng) if tier is None else stacked_coup(rng, tier)
    return BaccaratPlan(bets, tuple(progressive), tuple(_dealt(cards)))


def _players(rng: Random, seats: int, at_least: int) -> tuple[list[int], list[int]]:
    """Occupied seats, and those of them that play for the progressive."""
    players = sorted(rng.sample(range(1, seats + 1), rng.randint(_FEWEST_SEATS, seats)))
    progressive = [seat for seat in players if rng.random() < _BETS_PROGRESSIVE]
    missing = max(0, at_least - len(progressive))
    progressive += [seat for seat in players if seat not in progressive][:missing]
    return players, sorted(progressive)


def _draw(pack: list[str]) -> list[str]:
    return [pack.pop() for _ in range(HAND_CARDS)]


def _is_nothing(hand: Sequence[str]) -> bool:
    return len({card[0] for card in hand}) == HAND_CARDS and len({card[1] for card in hand}) > 1


def _dealt(cards: Sequence[str]) -> list[str]:
    """As many of the cards as the drawing rule takes."""
    hands: dict[Target, list[str]] = {Target.PLAYER: [], Target.BANKER: []}
    dealt = []
    for card in cards:
        target = next_target(hands[Target.PLAYER], hands[Target.BANKER])
        if target is None:
            break
        hands[target].append(card)
        dealt.append(card)
    return dealt
