"""A whole round of stud poker judged with its amounts: showdown, progressive prizes, irregularities (61/2004 8 to 11).

Laws
1. A seat that plays has an ante and five cards; its progressive bet counts only together with the ante (6(3)).
2. A seat that folded, and a seat dealt without a bet, claims nothing (6(7), 11(3)); the dealer never does (10(2)).
3. A void round may have any number of cards, but no card twice, and it is judged for nobody (11(1), 11(4)).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jackpotd.core.cards import Card, check_pack
from jackpotd.core.errors import RuleError
from jackpotd.core.judging import Funds, Irregularity, check_seat, check_stake, voids
from jackpotd.core.money import ZERO, Atoms
from jackpotd.core.parameters import PoolParams, TableParams
from jackpotd.core.settlement import Settlement, settle_stud
from jackpotd.core.stud import (
    HAND_CARDS,
    VOID_SEAT,
    Hand,
    HandValue,
    Result,
    StudNet,
    evaluate,
    opens,
    showdown,
    stud_net,
    stud_tier,
)


@dataclass(frozen=True, slots=True)
class StudSeat:
    """What lies at a seat; an ante of nothing is no ante."""

    cards: tuple[Card, ...]
    ante_atoms: Atoms
    folded: bool
    progressive: bool


@dataclass(frozen=True, slots=True)
class StudRound:
    """A round as it was played. `void_seats` were dealt cards without a bet (11(3))."""

    funds: Funds
    dealer: tuple[Card, ...]
    seats: Mapping[int, StudSeat]
    irregularity: Irregularity | None = None
    void_seats: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class JudgedSeat:
    """What became of a seat. `hand` is None where the cards are no hand; tier and prize are there when one is owed."""

    hand: Hand | None
    result: Result
    net: StudNet
    tier: str | None
    prize_atoms: Atoms


@dataclass(frozen=True, slots=True)
class JudgedStud:
    """The whole round. `hand` and `opens` of the dealer are None where the cards are no hand."""

    hand: Hand | None
    opens: bool | None
    seats: Mapping[int, JudgedSeat]
    settlement: Settlement
    void: Irregularity | None


def judge_stud(played: StudRound, pool: PoolParams, table: TableParams) -> JudgedStud:
    """The round's showdown and prizes; RuleError where it cannot be one of this table."""
    void = voids(played.irregularity)
    _check(played, table, void=void)
    dealer = _value(played.dealer)
    values = {seat: _value(held.cards) for seat, held in played.seats.items()}
    settlement = played.funds.untouched() if void else _settle(played, values, pool)
    awards = {seat: (turn.tier, each) for turn in settlement.turns for seat, each in turn.awards}
    seats = {}
    for seat, held in played.seats.items():
        result, net = _showdown(dealer, values[seat], held, table, void=void or seat in played.void_seats)
        tier, prize_atoms = awards.get(seat, (None, ZERO))
        seats[seat] = JudgedSeat(_hand(values[seat]), result, net, tier, prize_atoms)
    return JudgedStud(
        hand=_hand(dealer),
        opens=None if dealer is None else opens(dealer),
        seats=seats,
        settlement=settlement,
        void=played.irregularity if void else None,
    )


def _check(played: StudRound, table: TableParams, *, void: bool) -> None:
    """RuleError unless seats, bets and cards fit the table, and the number of cards the round."""
    for seat in (*played.seats, *played.void_seats):
        check_seat(seat, table.seats)
    check_pack([*played.dealer, *(card for held in played.seats.values() for card in held.cards)], table.decks)
    if not void:
        _check_count("the dealer", played.dealer)
    for seat, held in played.seats.items():
        if held.ante_atoms:
            check_stake(held.ante_atoms)
        if seat in played.void_seats:
            continue
        if held.progressive and not held.ante_atoms:
            raise RuleError(f"seat {seat} has a progressive bet without its ante (61/2004 6(3))")
        if void:
            continue
        if not held.ante_atoms:
            raise RuleError(f"seat {seat} has no ante; cards dealt to it make it a void seat (61/2004 11(3))")
        _check_count(f"seat {seat}", held.cards)


def _check_count(whose: str, cards: tuple[Card, ...]) -> None:
    if len(cards) != HAND_CARDS:
        raise RuleError(f"{whose} has {len(cards)} cards, a hand has {HAND_CARDS} (61/2004 7)")


def _value(cards: tuple[Card, ...]) -> HandValue | None:
    """The value of a whole hand; in a void round, and at a void seat, there may be none."""
    return evaluate(cards) if len(cards) == HAND_CARDS else None


def _hand(value: HandValue | None) -> Hand | None:
    return None if value is None else value.hand


def _settle(played: StudRound, values: Mapping[int, HandValue | None], pool: PoolParams) -> Settlement:
    """The progressive prizes of the seats that may claim, whoever wins the showdown (61/2004 10)."""
    winners = {}
    for seat, held in played.seats.items():
        value = values[seat]
        if held.progressive and not held.folded and seat not in played.void_seats and value is not None:
            tier = stud_tier(value.hand)
            if tier is not None:
                winners[seat] = tier
    funds = played.funds
    return settle_stud(pool, funds.pool_atoms, funds.reserve_atoms, funds.overflow_atoms, winners)


def _showdown(
    dealer: HandValue | None, value: HandValue | None, held: StudSeat, table: TableParams, *, void: bool
) -> tuple[Result, StudNet]:
    """Ante and raise of a seat (61/2004 9)."""
    if void or dealer is None or value is None:
        return VOID_SEAT.result, stud_net(VOID_SEAT, held.ante_atoms, table.max_payout_atoms)
    odds = table.royal_raise_odds
    assert odds is not None, "the configuration names the odds of every stud table"
    shown = showdown(dealer, value, folded=held.folded, royal_raise_odds=odds)
    return shown.result, stud_net(shown, held.ante_atoms, table.max_payout_atoms)
