"""Cards of 52-card packs.

Laws
1. A card is its two characters, rank `23456789TJQKA` then suit `SHCD`: "TH". "10H" is read too, and never written.
2. Ranks go ace high, suits spade > heart > club > diamond (61/2004 4); what counts an ace low says so itself.
3. No card comes from a pack twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NewType

from jackpotd.core.errors import RuleError

Card = NewType("Card", str)

RANKS = "23456789TJQKA"  # low to high
SUITS = "SHCD"  # high to low
FULL_PACK: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
RANK_VALUE: dict[Card, int] = {card: RANKS.index(card[0]) + 2 for card in FULL_PACK}  # 2..14, ace 14
SUIT_VALUE: dict[Card, int] = {card: len(SUITS) - SUITS.index(card[1]) for card in FULL_PACK}  # spade 4 .. diamond 1

_READ_AS: dict[str, Card] = {str(card): card for card in FULL_PACK} | {f"10{suit}": Card(f"T{suit}") for suit in SUITS}
_HOW_TO_WRITE = f"; write a rank of {RANKS} and a suit of {SUITS}, like TH"


def parse_card(text: str) -> Card:
    """The card of a text such as "TH" or "10H"; RuleError on anything else."""
    card = _READ_AS.get(text)
    if card is None:
        raise RuleError(f"{text!r} is not a card{_HOW_TO_WRITE}")
    return card


def parse_cards(texts: Sequence[str]) -> tuple[Card, ...]:
    """The cards of texts that may come from anywhere; RuleError naming the first that is no card, or no text."""
    try:
        return tuple([_READ_AS[text] for text in texts])
    except (KeyError, TypeError):
        raise RuleError(f"{_first_unread(texts)!r} is not a card{_HOW_TO_WRITE}") from None


def _first_unread(texts: Sequence[object]) -> object:
    return next(text for text in texts if not isinstance(text, str) or text not in _READ_AS)


def check_pack(cards: Sequence[Card], packs: int) -> None:
    """RuleError naming the first card that these cards hold more often than `packs` packs do."""
    if len(set(cards)) == len(cards):
        return
    for card, count in Counter(cards).items():
        if count > packs:
            raise RuleError(f"{card} came {count} times from {packs} {'pack' if packs == 1 else 'packs'}")
