"""Wrong cards: what whole shoes and packs show, and no single card does.

Laws
1. Each is an alarm and holds the round that it is seen in. Nothing is ever voided by it: a supervisor decides.
2. A rule is here only if honest cards break it never, or in none of 10^12 shoes.
3. The deal goes on: which card is whose is not in doubt.
"""

from __future__ import annotations

from math import comb

from jackpotd.core.book import Book
from jackpotd.core.cards import FULL_PACK, RANKS, Card
from jackpotd.core.doubt import doubt
from jackpotd.core.state import ORDER_CARDS, Phase, Table

# One honest shoe in so many leaves so many of one kind behind; with 65 kinds looked at, law 2 holds.
CREDIBLE_SHOES = 10**14


def wrong_cards(book: Book, table: Table, code: str, detail: str) -> None:
    """Alarm, and hold the round."""
    name = table.params.table
    book.alarm("wrong_cards", name, f"wrong cards at table {name}: {detail}", name)
    doubt(book, table, code, detail)


def watch_shoe(book: Book, table: Table, card: str) -> None:
    """A card that came oftener since the shoe began than its packs hold it: a 33rd ace in eight packs."""
    came = table.shoe.cards.get(card, 0)
    if came > table.params.decks:
        detail = f"{card} came {came} times since the shoe began, of {table.params.decks} packs"
        wrong_cards(book, table, "card_beyond_shoe", detail)


def watch_order(book: Book, table: Table) -> None:
    """A stud pack in the order of an earlier round: it was not shuffled, or it was made so."""
    if table.dealt == ORDER_CARDS and table.order in table.orders:
        detail = f"the first {ORDER_CARDS} cards of the pack came in the same order in an earlier round"
        wrong_cards(book, table, "order_repeated", detail)


def cut_card(book: Book, table: Table) -> None:
    """The shoe nears its end: have all cards come that must have?

    How many cards lie behind the cut card is not said, so that one is missing cannot be known; but those that have
    not come are a chance part of the shoe, and what chance does not make credible is an alarm.
    """
    if not table.shoe.begun or (table.phase is Phase.OPEN and not table.open):
        return
    missing = _missing(table)
    if missing:
        wrong_cards(book, table, "cards_withheld", missing)


def _missing(table: Table) -> str:
    """The card or rank that stayed away beyond belief; "" for none."""
    shoe, decks = table.shoe, table.params.decks
    whole = len(FULL_PACK) * decks
    unseen = max(0, whole - sum(shoe.cards.values()))
    kinds: list[tuple[str, tuple[Card, ...]]] = [(card, (card,)) for card in FULL_PACK]
    kinds += [(f"rank {rank}", tuple(card for card in FULL_PACK if card[0] == rank)) for rank in RANKS]
    for name, cards in kinds:
        held = len(cards) * decks
        came = sum(shoe.cards.get(card, 0) for card in cards)
        if not is_credible(whole, held, unseen, max(0, held - came)):
            return f"of {held} cards of {name} {came} came, and {unseen} of the shoe's {whole} cards are left"
    return ""


def is_credible(whole: int, held: int, unseen: int, away: int) -> bool:
    """Whether `away` or more of `held` like cards are among the `unseen` of `whole`, in one of CREDIBLE_SHOES shoes."""
    ways = sum(comb(held, n) * comb(whole - held, unseen - n) for n in range(away, min(held, unseen) + 1))
    return ways * CREDIBLE_SHOES >= comb(whole, unseen)
