"""Whose card it is: cards go to hands by their order or by the shoe's own word (61/2004 7; 2/2009; 55/2004).

Laws
1. A card has one place; a second card for a filled place is a conflict, never an update.
2. What cannot be placed for certain holds the round; every card of a stud round is kept in the order in which it came.
"""

from __future__ import annotations

from collections.abc import Collection

from jackpotd.core import entries as e
from jackpotd.core.baccarat import Side, draw
from jackpotd.core.book import Book
from jackpotd.core.cards import Card, check_pack
from jackpotd.core.errors import RuleError
from jackpotd.core.facts import CardRead, CardUnread, PacketOut
from jackpotd.core.holding import CARDS_IN_ORDER, hold
from jackpotd.core.integrity import watch_order, watch_shoe, wrong_cards
from jackpotd.core.locking import MAIN_BETS
from jackpotd.core.said import Said
from jackpotd.core.shoe import burnt
from jackpotd.core.state import UNREAD_CARD, Phase, Table

HAND_CARDS = 5  # 61/2004 7
SHUFFLER = "shuffler"  # a deal device of this name gives packets of five, seat by seat (61/2004 7(2))
DEALER = "0"
# Cards noted at a held table: a stud round's 40 and a half more is already a table dealt on against the rules.
NOTED_CARDS = 60


def stud_order(table: Table) -> list[str]:
    """The hands in dealing order: seats with an ante, or dealt without one, from the dealer's left, the dealer last."""
    return [*map(str, sorted({*table.seats_with(*MAIN_BETS["stud"]), *table.void_seats})), DEALER]


def stud_deal(table: Table, void_seats: Collection[int], cards: int) -> list[str]:
    """Whose each card of a whole deal is, in order, when these seats without a bet got `cards` each (61/2004 7, 11(3)).

    One card at a time in five turns from a shoe, a packet for each hand from a shuffler.
    """
    order = [*map(str, sorted({*table.seats_with(*MAIN_BETS["stud"]), *void_seats})), DEALER]
    due = {hand: cards if hand in map(str, void_seats) else HAND_CARDS for hand in order}
    if table.deals == SHUFFLER:
        return [hand for hand in order for _ in range(due[hand])]
    return [hand for turn in range(HAND_CARDS) for hand in order if turn < due[hand]]


def known_cards(table: Table) -> list[Card]:
    """All cards of the round that were read, hand by hand."""
    return [Card(card) for _, cards in sorted(table.hands.items()) for card in cards if card != UNREAD_CARD]


def is_complete(table: Table) -> bool:
    """Whether every hand has all its cards, read or not."""
    if table.params.game == "stud":
        order = stud_order(table)
        played = [hand for hand in order if hand == DEALER or int(hand) not in table.void_seats]
        return set(table.hands) <= set(order) and all(len(table.hands.get(hand, ())) == HAND_CARDS for hand in played)
    return is_coup(*sides(table))


def has_unread(table: Table) -> bool:
    """Whether a card of the round was not read."""
    return any(UNREAD_CARD in hand for hand in table.hands.values())


def is_coup(player: list[Card], banker: list[Card]) -> bool:
    """Whether these are all the cards of a coup, and every third card is one that the drawing rule gives (55/2004)."""
    if min(len(player), len(banker)) < 2 or UNREAD_CARD in (*player, *banker):
        return False
    player_draws = draw(player[:2], banker[:2]) is Side.PLAYER
    banker_draws = draw(player, banker[:2]) is Side.BANKER
    return (len(player), len(banker)) == (2 + player_draws, 2 + banker_draws)


def sides(table: Table) -> tuple[list[Card], list[Card]]:
    """Player's and Banker's cards."""
    return (
        [Card(card) for card in table.hands.get("player", ())],
        [Card(card) for card in table.hands.get("banker", ())],
    )


def dealing_order(player: list[Card], banker: list[Card]) -> list[Card]:
    """Both hands as dealt: Player, Banker, Player, Banker, then the thirds."""
    return [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]


def take_card(book: Book, table: Table, said: Said) -> None:
    """Place a card that left the dealing device, read or not."""
    word = said.word
    assert isinstance(word, CardRead | CardUnread)
    if said.device != table.deals:
        hold(book, table, "wrong_device", said.device)
        return
    if isinstance(word, CardRead) and word.target == "burn":
        burnt(book, table, said)
        return
    if isinstance(word, CardRead) and word.target == "outside":
        hold(book, table, "card_outside", word.card)
        return
    if table.params.game == "stud":
        _take_stud(book, table, said)
    else:
        _take_baccarat(book, table, said)


def _take_stud(book: Book, table: Table, said: Said) -> None:
    order = stud_order(table)
    if len(order) == 1:
        hold(book, table, "no_bets")
        _note(book, table, said)
        return
    if table.phase is Phase.DEALT or table.dealt >= HAND_CARDS * len(order):
        hold(book, table, "card_extra", _text(said))
        _note(book, table, said)
        return
    packets = said.device == SHUFFLER
    hand = order[table.dealt // HAND_CARDS if packets else table.dealt % len(order)]
    _place(book, table, hand, said)
    if not packets:
        finish_if_complete(book, table)


def _take_baccarat(book: Book, table: Table, said: Said) -> None:
    word = said.word
    player, banker = sides(table)
    if isinstance(word, CardRead) and word.target is not None and word.index is not None:
        there = table.hands.get(word.target, [])
        if word.index <= len(there):
            if there[word.index - 1] != word.card:
                hold(book, table, "card_conflict", f"{word.target} {word.index}: {there[word.index - 1]}, {word.card}")
            elif not word.again:
                hold(book, table, "card_extra", _text(said))
            return
    expected = draw(player, banker)
    if expected is None:
        hold(book, table, "card_extra", _text(said))
        return
    if isinstance(word, CardRead) and word.target is not None:
        index = len(table.hands.get(expected.value, ())) + 1
        if word.target != expected.value or word.index not in (None, index):
            hold(book, table, "drawing_rule", f"{word.card} for {word.target} {word.index}")
            return
    _place(book, table, expected.value, said)
    finish_if_complete(book, table)


def _place(book: Book, table: Table, hand: str, said: Said) -> None:
    """Put the card into the hand; hold if it was not read, or if the packs cannot hold it."""
    word = said.word
    card = word.card if isinstance(word, CardRead) else UNREAD_CARD
    book.write(e.CardTaken(book.at_ms, table.params.table, hand, card, said.device))
    if card == UNREAD_CARD:
        hold(book, table, "card_unreadable", f"card {table.dealt} of the round, hand {hand}")
        return
    try:
        check_pack(known_cards(table), table.params.decks)
    except RuleError as error:
        wrong_cards(book, table, "card_repeated", str(error))
        return
    watch_shoe(book, table, card)
    watch_order(book, table)


def take_packet(book: Book, table: Table, said: Said) -> None:
    """A packet left the shuffler: five cards for each, or the round is held (devices.md 42)."""
    word = said.word
    assert isinstance(word, PacketOut)
    came = table.dealt - table.packets * HAND_CARDS
    if said.device != table.deals or word.count != HAND_CARDS or came != HAND_CARDS:
        hold(book, table, "packet", f"{word.count} said, {came} read")
        return
    book.write(e.PacketCounted(book.at_ms, table.params.table))
    finish_if_complete(book, table)


def finish_if_complete(book: Book, table: Table) -> None:
    """Every hand complete and in order: the round is dealt."""
    if not table.hold_code and is_complete(table):
        book.write(e.CardsDealt(book.at_ms, table.params.table))


def note_card(book: Book, table: Table, said: Said) -> None:
    """At a held round: where the order of the cards is not in doubt the deal goes on, else they are only noted."""
    word = said.word
    if isinstance(word, CardRead) and word.target == "burn":
        burnt(book, table, said)
        return
    if isinstance(word, CardRead) and word.target == "outside":
        return
    follows_unread = table.params.game == "baccarat" and has_unread(table)
    if table.hold_code in CARDS_IN_ORDER and not follows_unread:
        take_card(book, table, said)
    else:
        _note(book, table, said)


def _note(book: Book, table: Table, said: Said) -> None:
    """Keep a card that has no place; one of a device that does not deal is none of this round's."""
    if said.device == table.deals and len(table.noted) < NOTED_CARDS:
        book.write(e.CardNoted(book.at_ms, table.params.table, _text(said)))


def _text(said: Said) -> str:
    return said.word.card if isinstance(said.word, CardRead) else UNREAD_CARD
