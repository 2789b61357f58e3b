"""A whole round of baccarat judged with its amounts: the coup, its bets, an option's prize (2/2009 13, 17, 18).

Laws
1. The cards are exactly those that the drawing rule deals, in its order; one more or one less is no coup.
2. A seat has a bet of a kind once; a progressive bet needs a Player, Banker or Tie bet of its seat (13(3)).
3. The tier is the round's, whether or not anybody bet on it; the prize is one for the round, shared (17(5)-(11)).
4. A void round has no coup and no tier, and every stake goes back.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from jackpotd.core.baccarat import MAIN_BETS, BetKind, Commission, Coup, Outcome, bet_net, coup_odds, coup_of
from jackpotd.core.cards import Card, check_pack
from jackpotd.core.errors import RuleError
from jackpotd.core.judging import Funds, Irregularity, check_seat, check_stake, voids
from jackpotd.core.money import ZERO, Atoms
from jackpotd.core.options import option_tier
from jackpotd.core.parameters import PoolParams, TableParams
from jackpotd.core.settlement import Settlement, settle_baccarat


@dataclass(frozen=True, slots=True)
class Bet:
    """A bet at a seat; the amount of a progressive bet is the pool's own."""

    seat: int
    kind: BetKind
    amount_atoms: Atoms


@dataclass(frozen=True, slots=True)
class BaccaratRound:
    """A round as it was played, the cards in dealing order."""

    funds: Funds
    cards: tuple[Card, ...]
    bets: tuple[Bet, ...]
    irregularity: Irregularity | None = None


@dataclass(frozen=True, slots=True)
class JudgedBaccarat:
    """The whole round. A void one has no coup, outcome or tier.

    `nets`: what each bet wins (loses, if negative); None for a progressive bet, which the settlement tells.
    """

    coup: Coup | None
    outcome: Outcome | None
    nets: tuple[Atoms | None, ...]
    tier: str | None
    settlement: Settlement
    void: Irregularity | None


def judge_baccarat(played: BaccaratRound, pool: PoolParams, table: TableParams) -> JudgedBaccarat:
    """The round's bets and prize; RuleError where it cannot be one of this table."""
    check_pack(played.cards, table.decks)
    bettors = _check_bets(played.bets, pool, table)
    if voids(played.irregularity):
        nets = tuple(None if bet.kind is BetKind.PROGRESSIVE else ZERO for bet in played.bets)
        return JudgedBaccarat(None, None, nets, None, played.funds.untouched(), played.irregularity)
    coup = coup_of(played.cards)
    result = coup.result
    assert table.commission is not None, "the configuration names the commission of every baccarat table"
    odds = coup_odds(result, Commission(table.commission))
    nets = tuple([bet_net(bet.kind, bet.amount_atoms, odds) for bet in played.bets])
    tier = option_tier(pool.sole_rules, played.cards, coup.player, coup.banker, pool.four_of_a_kind_suits)
    return JudgedBaccarat(coup, result.outcome, nets, tier, _settle(played.funds, pool, tier, bettors), None)


def _check_bets(bets: tuple[Bet, ...], pool: PoolParams, table: TableParams) -> list[int]:
    """The seats with a progressive bet; RuleError unless every bet may stand at this table."""
    placed = {(bet.seat, bet.kind) for bet in bets}
    for seat in {bet.seat for bet in bets}:
        check_seat(seat, table.seats)
    for amount_atoms in {bet.amount_atoms for bet in bets}:
        check_stake(amount_atoms)
    if len(placed) < len(bets):
        (seat, kind), _ = Counter((bet.seat, bet.kind) for bet in bets).most_common(1)[0]
        raise RuleError(f"seat {seat} has the bet {kind} twice")
    main = {seat for seat, kind in placed if kind in MAIN_BETS}
    bettors = [bet for bet in bets if bet.kind is BetKind.PROGRESSIVE]
    for bet in bettors:
        if bet.amount_atoms != pool.bet_atoms:
            raise RuleError(f"seat {bet.seat} has a progressive bet of another amount than the pool's")
        if bet.seat not in main:
            raise RuleError(f"seat {bet.seat} has a progressive bet without a Player, Banker or Tie bet (2/2009 13(3))")
    return [bet.seat for bet in bettors]


def _settle(funds: Funds, pool: PoolParams, tier: str | None, bettors: list[int]) -> Settlement:
    if tier is None:
        return funds.untouched()
    return settle_baccarat(pool, funds.pool_atoms, funds.reserve_atoms, funds.overflow_atoms, tier, bettors)
