"""What a supervisor does with a round: enter a card, confirm, void, refuse a claim, refund (design 1, law 7)."""

from __future__ import annotations

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.book import Book
from jackpotd.core.cards import check_pack, parse_card
from jackpotd.core.claims import check_supported, has_no_reader, refuse
from jackpotd.core.dealing import HAND_CARDS, has_unread, is_complete, known_cards, stud_deal, stud_order
from jackpotd.core.errors import RuleError
from jackpotd.core.feeding import pools_in_play
from jackpotd.core.holding import hold, released
from jackpotd.core.integrity import watch_shoe
from jackpotd.core.locking import MAIN_BETS
from jackpotd.core.playing import is_void_by_exposure
from jackpotd.core.settling import settle, settle_claims
from jackpotd.core.state import Phase, State, Table
from jackpotd.core.voiding import refund, void

_BACCARAT_HAND_CARDS = 3


def table_of(state: State, name: str) -> Table:
    """The table of this name; RuleError without one."""
    table = state.tables.get(name)
    if table is None:
        raise RuleError(f"there is no table {name}; there are {', '.join(sorted(state.tables)) or 'none'}")
    return table


def void_round(book: Book, act: f.VoidRound) -> None:
    """A supervisor voids the round in play."""
    table = table_of(book.state, act.table)
    if table.phase in (Phase.OPEN, Phase.LOCKING):
        raise RuleError(f"table {act.table} has no round to void: its bets are {table.phase.value}")
    if not act.why.strip():
        raise RuleError("a void needs its reason")
    void(book, table, act.why, act.by)


def enter_card(book: Book, act: f.EnterCard) -> None:
    """A supervisor says what a card was; the entry keeps what the devices said. The packs are checked at the end."""
    table = _held(book.state, act.table)
    card = parse_card(act.card)
    hands, most = _hands(table)
    if act.hand not in hands:
        raise RuleError(f"{act.hand!r} is no hand of this round; there are {', '.join(hands)}")
    hand = table.hands.get(act.hand, [])
    if not 1 <= act.index <= min(most, len(hand) + 1):
        raise RuleError(f"hand {act.hand} has {len(hand)} of at most {most} cards: there is no card {act.index} yet")
    was = hand[act.index - 1] if act.index <= len(hand) else ""
    book.write(e.CardEntered(book.at_ms, act.table, act.hand, act.index, card, was, act.by))
    watch_shoe(book, table, card)
    if not was:
        hold(book, table, "by_hand")  # which of the cards to come is which is not certain any more


def name_dealt_seats(book: Book, act: f.NameDealtSeats) -> None:
    """A supervisor names the seats that were dealt without a bet: the other hands are assigned anew (61/2004 11(3)).

    The round stays held until it is confirmed, so that the hands are seen first; naming again corrects the naming.
    """
    table = _held(book.state, act.table)
    seats = tuple(sorted(set(act.seats)))
    _may_be_void_seats(table, act, seats)
    said = (*table.taken, *table.noted)
    whose = stud_deal(table, seats, act.cards)
    if len(whose) != len(said):
        named = ", ".join(map(str, seats))
        raise RuleError(
            f"{len(said)} cards came, and with {act.cards} each for seat {named} there would be {len(whose)}: "
            "name other seats, or how many cards they got, or void the round as a misdeal (61/2004 11(1))"
        )
    hands: dict[str, tuple[str, ...]] = {}
    for hand, card in zip(whose, said, strict=True):
        hands[hand] = (*hands.get(hand, ()), card)
    book.write(e.SeatsDealt(book.at_ms, act.table, table.round, seats, said, hands, act.by, act.why))
    hold(book, table, "by_hand")


def _may_be_void_seats(table: Table, act: f.NameDealtSeats, seats: tuple[int, ...]) -> None:
    """RuleError for seats that cannot have been dealt without a bet."""
    if table.params.game != "stud":
        raise RuleError("61/2004 11(3) is about stud; at baccarat no seat has cards")
    if not act.why.strip():
        raise RuleError("naming a seat that was dealt needs its reason")
    if not 1 <= act.cards <= HAND_CARDS:
        raise RuleError(f"a seat gets 1 to {HAND_CARDS} cards, not {act.cards}")
    for seat in seats:
        if not 1 <= seat <= table.params.seats:
            raise RuleError(f"table {act.table} has the seats 1 to {table.params.seats}, and no seat {seat}")
        if seat in table.seats_with(*MAIN_BETS["stud"]):
            raise RuleError(f"seat {seat} has an ante: its cards are its own")


def _hands(table: Table) -> tuple[list[str], int]:
    if table.params.game == "baccarat":
        return ["player", "banker"], _BACCARAT_HAND_CARDS
    return stud_order(table), HAND_CARDS


def confirm_round(book: Book, act: f.ConfirmRound) -> None:
    """A supervisor finds a held round in order: every card is known. A stud round then waits for `round ended`.

    A table without card reading settles the claims that its dealer ended the round with; else its round goes on.
    """
    table = _held(book.state, act.table)
    if not act.why.strip():
        raise RuleError("a confirmation needs its reason")
    _may_go_on(book, table)
    if has_no_reader(table):
        _confirm_unread(book, table, act)
        return
    if has_unread(table) or not is_complete(table):
        raise RuleError(f"the round is not complete: {_shown(table)}; enter the missing card or void the round")
    check_pack(known_cards(table), table.params.decks)
    _confirm(book, table, act, dealt=True)
    if table.params.game == "baccarat":
        settle(book, table)


def _may_go_on(book: Book, table: Table) -> None:
    """RuleError for a round that cannot be paid, or that the dispatch voids."""
    if is_void_by_exposure(table):
        raise RuleError("two cards were wrongly exposed: the round is void (61/2004 11(1)(2)); void it")
    for pool in pools_in_play(book.state, table):
        if pool.suspended:
            raise RuleError(f"pool {pool.params.pool} is suspended: {pool.suspended}; void the round or wait")


def _confirm_unread(book: Book, table: Table, act: f.ConfirmRound) -> None:
    is_over = table.hold_code == "claim" and bool(table.claims)
    if is_over:
        check_supported(book, table)
    _confirm(book, table, act, dealt=is_over)
    if is_over:
        settle_claims(book, table)


def _confirm(book: Book, table: Table, act: f.ConfirmRound, *, dealt: bool) -> None:
    released(book, table)
    book.write(e.RoundConfirmed(book.at_ms, act.table, table.round, act.by, act.why, dealt))


def refuse_claim(book: Book, act: f.RefuseClaim) -> None:
    """A supervisor refuses what a seat claims; the round stays held until it is confirmed or voided."""
    table = _held(book.state, act.table)
    if not act.why.strip():
        raise RuleError("a refusal needs its reason")
    refuse(book, table, act)


def refund_bet(book: Book, act: f.RefundBet) -> None:
    """A supervisor gives a carried bet back to a player who leaves; one that is in play plays its round first."""
    table = table_of(book.state, act.table)
    if not act.why.strip():
        raise RuleError("a refund needs its reason")
    if act.pool not in table.carried.get(act.seat, ()):
        raise RuleError(_no_carried_bet(table, act))
    if table.phase is Phase.LOCKING:
        raise RuleError(f"the bets of table {act.table} are being locked: ask again once they are")
    postings = tuple(refund(act.pool, book.state.pools[act.pool].params.bet_atoms))
    book.write(e.BetRefunded(book.at_ms, act.table, act.seat, act.pool, act.by, act.why, postings))


def _no_carried_bet(table: Table, act: f.RefundBet) -> str:
    if act.seat in table.carried_live.get(act.pool, ()):
        return f"the carried bet of seat {act.seat} on {act.pool} is in play: it can go back when the round is over"
    waiting = ", ".join(f"seat {seat} on {pool}" for seat, pools in sorted(table.carried.items()) for pool in pools)
    return f"seat {act.seat} has no carried bet on {act.pool}; table {act.table} carries {waiting or 'none'}"


def _held(state: State, name: str) -> Table:
    table = table_of(state, name)
    if table.phase is not Phase.HELD:
        raise RuleError(f"the round of table {name} is not held, it is {table.phase.value}")
    return table


def _shown(table: Table) -> str:
    return ", ".join(f"{hand}: {' '.join(cards)}" for hand, cards in sorted(table.hands.items())) or "no card is known"
