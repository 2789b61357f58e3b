"""A simulated Bee-Tek shoe: says the cards it holds, one token each (devices.md section 2).

Laws
1. It numbers nothing and remembers nothing: bytes nobody heard are gone.
2. It knows no game: a card is a card.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from hardware.bee_tek import encode_alarm, encode_burn, encode_card, encode_unreadable, encode_warning


class BeeTekShoe:
    """A shoe; every method returns the bytes that it sends."""

    def __init__(self, cards: Iterable[str] = ()) -> None:
        self._cards = deque(cards)

    def load(self, cards: Iterable[str]) -> None:
        """Put cards in, behind those it holds."""
        self._cards.extend(cards)

    def deal(self) -> bytes:
        """The next card it holds."""
        return encode_card(self._cards.popleft())

    def deal_unread(self) -> bytes:
        """The next card it holds, which it cannot read."""
        self._cards.popleft()
        return encode_unreadable()

    def burn(self) -> bytes:
        """The next card it holds, burnt by hand."""
        return encode_burn(self._cards.popleft())

    def alarm(self, code: str = "E3", text: str = "Card Not Read") -> bytes:
        """An alarm."""
        return encode_alarm(code, text)

    def warning(self, number: int = 1) -> bytes:
        """A warning."""
        return encode_warning(number)
