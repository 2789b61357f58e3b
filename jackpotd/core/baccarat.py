"""A coup of baccarat: who draws, who wins, what bets pay (55/2004 as published, 2/2009 13, 17 and 18).

Laws
1. The cards in dealing order say everything: Player, Banker, Player, Banker, then the thirds, Player's before Banker's.
2. A card that the drawing rule does not ask for belongs to no coup, and a coup that it has not finished has no outcome.
3. What a player wins is rounded down to the minor unit. The progressive bet has no win of its own here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import assert_never

from jackpotd.core.cards import FULL_PACK, RANKS, Card
from jackpotd.core.errors import RuleError
from jackpotd.core.money import ATOMS_PER_MINOR, PPM, Atoms, floor_to, share_of


class Side(StrEnum):
    """Whose card it is."""

    PLAYER = "player"
    BANKER = "banker"


class Outcome(StrEnum):
    """Who won the coup."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


class BetKind(StrEnum):
    """The bets of 2/2009 13(1)."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"
    PLAYER_PAIR = "player_pair"
    BANKER_PAIR = "banker_pair"
    DRAGON7 = "dragon7"
    PROGRESSIVE = "progressive"


class Commission(StrEnum):
    """What the house keeps of a Banker win: 2/2009 18(1), 18(2), 18(3)."""

    FIVE_PERCENT = "five_percent"
    SIX_PAYS_HALF = "six_pays_half"
    DRAGON7_PUSH = "dragon7_push"


MAIN_BETS = frozenset({BetKind.PLAYER, BetKind.BANKER, BetKind.TIE})  # one of these goes with a progressive bet, 13(3)

_RANK_POINTS = {rank: min(place, 10) % 10 for place, rank in enumerate(RANKS, start=2)} | {"A": 1}
_POINTS: dict[Card, int] = {card: _RANK_POINTS[card[0]] for card in FULL_PACK}
_NATURAL = 8
_DRAWS_UP_TO = 5  # Player always; Banker when Player stood
_ANY = frozenset(range(10))
# The points of Player's third card on which Banker draws, by Banker's total 0..7.
_BANKER_DRAWS_ON: tuple[frozenset[int], ...] = (
    _ANY,
    _ANY,
    _ANY,
    _ANY - {8},
    frozenset(range(2, 8)),
    frozenset(range(4, 8)),
    frozenset(range(6, 8)),
    frozenset(),
)
_TIE_ODDS, _PAIR_ODDS, _DRAGON7_ODDS = 8, 11, 40  # 17(2), 17(3), 17(4)
_LESS_FIVE_PERCENT_PPM, _HALF_PPM = 950_000, 500_000  # 18(1), 18(2)
_LOST_PPM = -PPM
# Three outcomes, two pairs or not, ten totals, Dragon 7 or not, three commissions: more than can be.
_COUP_RESULTS = 3 * 4 * 10 * 2 * 3


def total(cards: Sequence[Card]) -> int:
    """The points of a hand, 0..9."""
    return sum([_POINTS[card] for card in cards]) % 10


def draw(player: Sequence[Card], banker: Sequence[Card]) -> Side | None:
    """Who gets the next card, None when the coup is complete; the cards so far must have followed the rule."""
    if len(banker) < 2:
        return Side.PLAYER if len(player) == len(banker) else Side.BANKER
    if len(banker) > 2:
        return None
    first, second = total(player[:2]), total(banker[:2])
    if first >= _NATURAL or second >= _NATURAL:
        return None
    if len(player) > 2:
        banker_draws = _POINTS[player[2]] in _BANKER_DRAWS_ON[second]
    elif first <= _DRAWS_UP_TO:
        return Side.PLAYER
    else:
        banker_draws = second <= _DRAWS_UP_TO
    return Side.BANKER if banker_draws else None


@dataclass(frozen=True, slots=True)
class CoupResult:
    """What a complete coup decides about its bets. `dragon7`: Banker won with a 7 of three cards (13(1)(4)(2))."""

    outcome: Outcome
    player_pair: bool
    banker_pair: bool
    dragon7: bool
    banker_total: int


@dataclass(frozen=True, slots=True)
class Coup:
    """The cards of both sides so far; whoever makes one has followed the drawing rule, as `coup_of` does."""

    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()

    @property
    def next_side(self) -> Side | None:
        """Who gets the next card; None when the coup is complete."""
        return draw(self.player, self.banker)

    @property
    def outcome(self) -> Outcome:
        """Who won; RuleError while the drawing rule still asks for a card."""
        side = self.next_side
        if side is not None:
            raise RuleError(f"the drawing rule asks for another card for {side}: {self.text()} is not complete")
        player, banker = total(self.player), total(self.banker)
        if player == banker:
            return Outcome.TIE
        return Outcome.PLAYER if player > banker else Outcome.BANKER

    @property
    def player_pair(self) -> bool:
        """Whether Player's first two cards are of one rank; J and Q are no pair (13(1)(4)(1))."""
        return is_pair(self.player)

    @property
    def banker_pair(self) -> bool:
        """Whether Banker's first two cards are of one rank."""
        return is_pair(self.banker)

    @property
    def result(self) -> CoupResult:
        """What the coup decides; RuleError while it is not complete."""
        outcome, banker_total = self.outcome, total(self.banker)
        return CoupResult(
            outcome=outcome,
            player_pair=self.player_pair,
            banker_pair=self.banker_pair,
            dragon7=outcome is Outcome.BANKER and len(self.banker) == 3 and banker_total == 7,
            banker_total=banker_total,
        )

    def text(self) -> str:
        """The coup in words, for an error."""
        return f"Player {' '.join(self.player) or 'none'}, Banker {' '.join(self.banker) or 'none'}"


def is_pair(side: Sequence[Card]) -> bool:
    """Whether the first two cards of a side are of one rank."""
    return len(side) >= 2 and side[0][0] == side[1][0]


def coup_of(cards: Iterable[Card]) -> Coup:
    """The coup that cards make in dealing order, complete or not; RuleError on a card beyond the drawing rule."""
    hands: dict[Side, list[Card]] = {Side.PLAYER: [], Side.BANKER: []}
    player, banker = hands[Side.PLAYER], hands[Side.BANKER]
    for card in cards:
        side = draw(player, banker)
        if side is None:
            complete = Coup(tuple(player), tuple(banker))
            raise RuleError(f"{card} is beyond the drawing rule: {complete.text()} was complete")
        hands[side].append(card)
    return Coup(tuple(player), tuple(banker))


# What a bet wins for each unit staked: 8 to 1 is 8_000_000, a push 0, the stake lost -1_000_000; None for the
# progressive bet, which has a prize and no odds.
CoupOdds = Mapping[BetKind, int | None]


class BetOutcome(StrEnum):
    """What became of a bet."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"


def bet_outcome(odds_ppm: int) -> BetOutcome:
    """What a bet's odds say became of it."""
    if odds_ppm == 0:
        return BetOutcome.PUSH
    return BetOutcome.WIN if odds_ppm > 0 else BetOutcome.LOSE


def _odds_ppm(kind: BetKind, result: CoupResult, commission: Commission) -> int | None:
    """The odds of one kind of bet after commission (2/2009 17(1)-(4) and 18)."""
    outcome = result.outcome
    match kind:
        case BetKind.PLAYER | BetKind.BANKER if outcome is Outcome.TIE:
            return 0
        case BetKind.PLAYER:
            return _to_one(1, won=outcome is Outcome.PLAYER)
        case BetKind.BANKER:
            return _banker_odds_ppm(result, commission)
        case BetKind.TIE:
            return _to_one(_TIE_ODDS, won=outcome is Outcome.TIE)
        case BetKind.PLAYER_PAIR:
            return _to_one(_PAIR_ODDS, won=result.player_pair)
        case BetKind.BANKER_PAIR:
            return _to_one(_PAIR_ODDS, won=result.banker_pair)
        case BetKind.DRAGON7:
            return _to_one(_DRAGON7_ODDS, won=result.dragon7)
        case BetKind.PROGRESSIVE:
            return None
        case _ as never:
            assert_never(never)


@lru_cache(maxsize=_COUP_RESULTS)
def coup_odds(result: CoupResult, commission: Commission) -> CoupOdds:
    """What a coup decides about every kind of bet."""
    return MappingProxyType({kind: _odds_ppm(kind, result, commission) for kind in BetKind})


def bet_net(kind: BetKind, amount_atoms: Atoms, odds: CoupOdds) -> Atoms | None:
    """What a bet of whole minor units wins (loses, if negative), down to the minor unit; None for the progressive."""
    odds_ppm = odds[kind]
    return None if odds_ppm is None else floor_to(share_of(amount_atoms, odds_ppm), ATOMS_PER_MINOR)


def _to_one(odds: int, *, won: bool) -> int:
    """`odds` to 1, or the stake lost."""
    return odds * PPM if won else _LOST_PPM


def _banker_odds_ppm(result: CoupResult, commission: Commission) -> int:
    """A Banker bet on a coup that is no tie, after commission (2/2009 18)."""
    if result.outcome is Outcome.PLAYER:
        return _LOST_PPM
    match commission:
        case Commission.FIVE_PERCENT:
            return _LESS_FIVE_PERCENT_PPM
        case Commission.SIX_PAYS_HALF if result.banker_total == 6:
            return _HALF_PPM
        case Commission.DRAGON7_PUSH if result.dragon7:
            return 0
        case Commission.SIX_PAYS_HALF | Commission.DRAGON7_PUSH:
            return PPM
        case _ as never:
            assert_never(never)
