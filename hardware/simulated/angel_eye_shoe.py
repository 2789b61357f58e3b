"""A simulated Angel Eye II-EX shoe: deals the cards it holds and says so as the real one does (devices.md section 1).

Laws
1. It numbers its messages and sends each `sends` times, like a shoe set to repeat.
2. It decides by its own rule whose a card is and who won.
3. It has no memory of what it said: bytes nobody heard are gone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from hardware.angel_eye_codec import write_burn_count, write_card, write_fault, write_frame, write_result
from hardware.reports import ShoeResult, Target
from hardware.simulated.baccarat_shoe_rule import next_target, result


class AngelEyeShoe:
    """A shoe; every method returns the bytes that it sends."""

    def __init__(self, cards: Iterable[str] = (), sends: int = 1) -> None:
        self._cards = deque(cards)
        self._sends = sends
        self._seq = 0

    def load(self, cards: Iterable[str]) -> None:
        """Put cards in, behind those it holds."""
        self._cards.extend(cards)

    def empty(self) -> None:
        """Take out the cards it holds."""
        self._cards.clear()

    def coup(self) -> Iterator[bytes]:
        """Deal one coup from the cards it holds: a message a card, then the result."""
        hands: dict[Target, list[str]] = {Target.PLAYER: [], Target.BANKER: []}
        while target := next_target(hands[Target.PLAYER], hands[Target.BANKER]):
            hands[target].append(self._cards.popleft())
            yield self.card(hands[target][-1], target, len(hands[target]))
        yield self.result(result(hands[Target.PLAYER], hands[Target.BANKER]))

    def power_up(self) -> bytes:
        """The first message after power-up; the numbers start over."""
        self._seq = 0
        return self.say("S")

    def card(self, card: str, target: Target, index: int = 0) -> bytes:
        """A card: in play, burnt (index 0), or outside play."""
        return self.say("d" if target is Target.OUTSIDE else "D", write_card(card, target, index))

    def card_again(self, card: str, target: Target, index: int) -> bytes:
        """A retransmission of a card."""
        return self.say("R", write_card(card, target, index))

    def burn_count(self, count: int) -> bytes:
        """How many cards are to be burnt."""
        return self.say("D", write_burn_count(count))

    def result(self, said: ShoeResult) -> bytes:
        """The result, true or not."""
        return self.say("G", write_result(said.outcome, player_pair=said.player_pair, banker_pair=said.banker_pair))

    def fault(self, number: int) -> bytes:
        """An error raised."""
        return self.say("E", write_fault(number, in_error_mode=True))

    def fault_cleared(self, number: int) -> bytes:
        """An error cleared."""
        return self.say("e", write_fault(number, in_error_mode=False))

    def cut_card(self) -> bytes:
        """The cut card came out."""
        return self.say("C")

    def say(self, code: str, data: bytes = b"") -> bytes:
        """Any message, numbered and sent as often as the shoe is set to."""
        frame = write_frame(self._seq, code, data)
        self._seq = (self._seq + 1) % 10
        return frame * self._sends
