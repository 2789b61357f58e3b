"""How the demo writes amounts, cards and phases for people."""

from __future__ import annotations

from jackpotd.daemon.notices import amount_text

_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
STACKED = "Packs are stacked for the show: prizes come far more often than in life."


def grouped(minor: int, exponent: int) -> str:
    """An amount with commas: 1,234,567.80."""
    whole, point, decimals = amount_text(minor, exponent).partition(".")
    return f"{int(whole):,}{point}{decimals}"


def card_text(card: str) -> str:
    """A card as people read it: A♠, T♥."""
    return card[0] + _SUITS.get(card[1], card[1])


def plain(word: str) -> str:
    """royal_flush as people say it."""
    return word.replace("_", " ")
