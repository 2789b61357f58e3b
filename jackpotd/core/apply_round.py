"""Effects of entries about the life of a round. Money is posted by `apply`, not here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jackpotd.core import entries as e
from jackpotd.core.state import (
    KEPT_MOVES,
    KEPT_ORDERS,
    UNREAD_CARD,
    Claim,
    Deferred,
    Move,
    Phase,
    Shoe,
    State,
    Table,
)


def _bet_recorded(state: State, entry: e.BetRecorded) -> None:
    table = state.tables[entry.table]
    bets, moves = table.bets, table.moves
    placed = bets.setdefault(entry.seat, [])
    moves.append(Move(entry.seat, entry.bet, entry.on, entry.at_ms, entry.said_ms))
    if len(moves) > KEPT_MOVES:
        del moves[0]
    if entry.on:
        placed.append(entry.bet)
        return
    placed.remove(entry.bet)
    if not placed:
        del bets[entry.seat]


def _lock_began(state: State, entry: e.LockBegan) -> None:
    table = state.tables[entry.table]
    if table.phase is not Phase.LOCKING:  # an earlier lock heard later does not make the wait longer
        table.changed_ms = entry.at_ms
    table.phase = Phase.LOCKING
    table.lock_ms = entry.lock_ms
    table.lock_doubt = entry.doubt
    table.waiting = list(entry.waiting)


def _device_drained(state: State, entry: e.DeviceDrained) -> None:
    state.tables[entry.table].waiting.remove(entry.device)


def _word_deferred(state: State, entry: e.WordDeferred) -> None:
    state.tables[entry.table].deferred.append(Deferred(entry.device, entry.word, entry.said_ms, entry.stale))


def _round_locked(state: State, entry: e.RoundLocked) -> None:
    table = state.tables[entry.table]
    table.phase = Phase.LOCKED
    table.bets = {seat: list(bets) for seat, bets in entry.bets.items()}
    table.waiting = []
    table.deferred = []
    for taken in entry.contributions:
        table.live[taken.pool] = sorted((*taken.seats, *taken.carried_seats))
        table.carried_live[taken.pool] = list(taken.carried_seats)
        for seat in taken.carried_seats:
            table.carried[seat].remove(taken.pool)
    table.carried = {seat: pools for seat, pools in table.carried.items() if pools}
    table.level_of = {level: list(pools) for level, pools in entry.levels.items()}
    for level, pools in entry.levels.items():
        table.live[level] = sorted({seat for pool in (level, *pools) for seat in table.live.get(pool, ())})
    table.changed_ms = entry.at_ms


def _card_taken(state: State, entry: e.CardTaken) -> None:
    table = state.tables[entry.table]
    if table.phase is Phase.LOCKED:
        table.phase = Phase.DEALING
    table.hands.setdefault(entry.hand, []).append(entry.card)
    table.taken.append(entry.card)
    table.changed_ms = entry.at_ms
    table.shoe.burning = False
    _count(table.shoe, entry.card, 1)


def _card_noted(state: State, entry: e.CardNoted) -> None:
    state.tables[entry.table].noted.append(entry.card)


def _card_burnt(state: State, entry: e.CardBurnt) -> None:
    table = state.tables[entry.table]
    if entry.begins:
        table.shoe = Shoe(begun=True, burning=True)
    _count(table.shoe, entry.card, 1)


def _shoe_forgotten(state: State, entry: e.ShoeForgotten) -> None:
    state.tables[entry.table].shoe = Shoe()


def _count(shoe: Shoe, card: str, by: int) -> None:
    if shoe.begun and card not in ("", UNREAD_CARD):
        shoe.cards[card] = max(0, shoe.cards.get(card, 0) + by)


def _card_entered(state: State, entry: e.CardEntered) -> None:
    table = state.tables[entry.table]
    _count(table.shoe, entry.was, -1)
    _count(table.shoe, entry.card, 1)
    hand = table.hands.setdefault(entry.hand, [])
    if entry.index <= len(hand):
        hand[entry.index - 1] = entry.card
    else:
        hand.append(entry.card)


def _seats_dealt(state: State, entry: e.SeatsDealt) -> None:
    table = state.tables[entry.table]
    table.hands = {hand: list(cards) for hand, cards in entry.hands.items()}
    table.void_seats = list(entry.seats)
    table.taken, table.noted = list(entry.said), []


def _packet_counted(state: State, entry: e.PacketCounted) -> None:
    state.tables[entry.table].packets += 1


def _cards_dealt(state: State, entry: e.CardsDealt) -> None:
    table = state.tables[entry.table]
    table.phase = Phase.DEALT
    table.changed_ms = entry.at_ms


def _seat_folded(state: State, entry: e.SeatFolded) -> None:
    state.tables[entry.table].folded.append(entry.seat)


def _exposure_noted(state: State, entry: e.ExposureNoted) -> None:
    state.tables[entry.table].exposed.append(entry.position)


def _claim_made(state: State, entry: e.ClaimMade) -> None:
    state.tables[entry.table].claims.append(Claim(entry.seat, entry.tier, entry.pool))


def _claim_refused(state: State, entry: e.ClaimRefused) -> None:
    state.tables[entry.table].claims.remove(Claim(entry.seat, entry.tier, entry.pool))


def _key_used(state: State, entry: e.KeyUsed) -> None:
    state.tables[entry.table].key_used = True


def _round_held(state: State, entry: e.RoundHeld) -> None:
    table = state.tables[entry.table]
    table.phase = Phase.HELD
    table.hold_code = entry.code
    table.hold_text = entry.text
    table.held_ms = table.held_ms or entry.at_ms
    table.changed_ms = entry.at_ms


def _round_confirmed(state: State, entry: e.RoundConfirmed) -> None:
    table = state.tables[entry.table]
    table.phase = Phase.DEALT if entry.dealt else Phase.LOCKED
    table.hold_code = ""
    table.hold_text = ""
    table.changed_ms = entry.at_ms


def _round_settled(state: State, entry: e.RoundSettled) -> None:
    table = state.tables[entry.table]
    table.last_outcome = entry.outcome
    table.last_hands = {hand: list(cards) for hand, cards in entry.hands.items()}
    table.last_by_hand = table.held_ms > 0
    _next_round(table, entry.at_ms)


def _round_voided(state: State, entry: e.RoundVoided) -> None:
    table = state.tables[entry.table]
    for seat, pools in entry.carried.items():
        table.carried.setdefault(seat, []).extend(pools)
    table.last_outcome = "void"
    table.last_hands = {}
    table.last_by_hand = True
    _next_round(table, entry.at_ms)


def _bet_refunded(state: State, entry: e.BetRefunded) -> None:
    carried = state.tables[entry.table].carried
    carried[entry.seat].remove(entry.pool)
    if not carried[entry.seat]:
        del carried[entry.seat]


def _next_round(table: Table, at_ms: int) -> None:
    """The next round starts with no bets but carried ones (design 7)."""
    if table.order:
        table.orders = [*table.orders, table.order][-KEPT_ORDERS:]
    table.round += 1
    table.phase = Phase.OPEN
    table.changed_ms = at_ms
    table.bets, table.live, table.carried_live, table.level_of, table.hands = {}, {}, {}, {}, {}
    table.moves, table.waiting, table.deferred, table.noted = [], [], [], []
    table.folded, table.exposed, table.claims = [], [], []
    table.taken, table.void_seats = [], []
    table.lock_ms = table.packets = table.held_ms = 0
    table.key_used = False
    table.lock_doubt = table.hold_code = table.hold_text = ""


ROUND_EFFECTS: dict[type, Callable[[State, Any], None]] = {
    e.BetRecorded: _bet_recorded,
    e.LockBegan: _lock_began,
    e.DeviceDrained: _device_drained,
    e.WordDeferred: _word_deferred,
    e.RoundLocked: _round_locked,
    e.CardTaken: _card_taken,
    e.CardNoted: _card_noted,
    e.CardBurnt: _card_burnt,
    e.ShoeForgotten: _shoe_forgotten,
    e.CardEntered: _card_entered,
    e.SeatsDealt: _seats_dealt,
    e.PacketCounted: _packet_counted,
    e.CardsDealt: _cards_dealt,
    e.SeatFolded: _seat_folded,
    e.ExposureNoted: _exposure_noted,
    e.ClaimMade: _claim_made,
    e.ClaimRefused: _claim_refused,
    e.KeyUsed: _key_used,
    e.RoundHeld: _round_held,
    e.RoundConfirmed: _round_confirmed,
    e.RoundSettled: _round_settled,
    e.RoundVoided: _round_voided,
    e.BetRefunded: _bet_refunded,
}
