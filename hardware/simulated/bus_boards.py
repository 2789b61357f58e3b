"""What stands on a simulated table and is wired to a bus device: bet panel, dealer keypad, card reader, shuffler.

Laws
1. A board adds only what hands can do to it; journal, sessions and time-outs are the device's.
2. Boards share one device where it is a combined one: each takes the device it is wired to.
3. Chips lie on the felt: a power cut takes the panel's word, not the chips.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardware.reports import (
    BetMoved,
    BetsLocked,
    CardExposed,
    CardOut,
    CardUnreadable,
    Claimed,
    Folded,
    KeyTurned,
    PacketOut,
    Places,
    RoundEnded,
    ShufflerFault,
    ShufflerReady,
    VoidPressed,
)
from hardware.simulated.bus_device import BusDeviceSim

PROGRESSIVE_PLACES = frozenset({0, 8, 9})


class BetPanelSim:
    """Bet sensors. The progressive slots are shut by the lockout; the other places are only sensed."""

    def __init__(self, bus: BusDeviceSim, seats: int) -> None:
        self.bus = bus
        self.seats = seats
        self.chips: set[tuple[int, int]] = set()
        bus.report_places = self.places

    def place(self, seat: int, place: int, now_ms: int) -> bool:
        """Put a chip down; whether the panel took note of it. A shut progressive slot lets none in."""
        self.bus.tick(now_ms)
        if place in PROGRESSIVE_PLACES and (self.bus.lockout or not self.bus.powered):
            return False
        self.chips.add((seat, place))
        return self.bus.say(BetMoved(seat, place, on=True), now_ms) is not None

    def remove(self, seat: int, place: int, now_ms: int) -> bool:
        """A player takes a chip back; whether the panel took note of it. A shut progressive slot lets none out."""
        self.bus.tick(now_ms)
        if (seat, place) not in self.chips or (place in PROGRESSIVE_PLACES and self.bus.lockout):
            return False
        return self._take(seat, place, now_ms)

    def sweep(self, now_ms: int) -> None:
        """The dealer clears the felt, shut slots included."""
        for seat, place in sorted(self.chips):
            self._take(seat, place, now_ms)

    def places(self) -> tuple[Places, ...]:
        """What lies on every seat, as command 04 asks."""
        return tuple(
            Places(seat, sum(1 << place for at, place in self.chips if at == seat)) for seat in range(1, self.seats + 1)
        )

    def _take(self, seat: int, place: int, now_ms: int) -> bool:
        self.chips.discard((seat, place))
        return self.bus.say(BetMoved(seat, place, on=False), now_ms) is not None


class KeypadSim:
    """The dealer's keys; each answers whether the device took note of the press."""

    def __init__(self, bus: BusDeviceSim) -> None:
        self.bus = bus

    def lock_bets(self, now_ms: int) -> bool:
        """Bets locked, the first card may go."""
        return self.bus.say(BetsLocked(), now_ms) is not None

    def end_round(self, now_ms: int) -> bool:
        """Round ended."""
        return self.bus.say(RoundEnded(), now_ms) is not None

    def void(self, reason: str, now_ms: int) -> bool:
        """Void the round: misdeal, exposed, shuffler or other."""
        return self.bus.say(VoidPressed(reason), now_ms) is not None

    def expose(self, position: int, now_ms: int) -> bool:
        """A card was wrongly exposed at `position` (0 dealer, else seat)."""
        return self.bus.say(CardExposed(position), now_ms) is not None

    def fold(self, seat: int, now_ms: int) -> bool:
        """The seat folds."""
        return self.bus.say(Folded(seat), now_ms) is not None

    def claim(self, seat: int, tier: int, now_ms: int, pool: int = 0) -> bool:
        """The seat claims a tier (1 = highest) of the table's `pool`."""
        return self.bus.say(Claimed(seat, tier, pool), now_ms) is not None

    def turn_key(self, key: int, now_ms: int) -> bool:
        """A supervisor's key is turned."""
        return self.bus.say(KeyTurned(key), now_ms) is not None


class CardReaderSim:
    """A reader board: one event a card."""

    def __init__(self, bus: BusDeviceSim) -> None:
        self.bus = bus

    def read(self, card: str | None, now_ms: int) -> bool:
        """A card passes; None is one that cannot be read. Whether the device took note of it."""
        return self.bus.say(CardUnreadable() if card is None else CardOut(card), now_ms) is not None


class ShufflerSim:
    """A shuffler that deals packets and reads every card as it leaves."""

    def __init__(self, bus: BusDeviceSim) -> None:
        self.bus = bus
        self._reader = CardReaderSim(bus)

    def deal(self, cards: Sequence[str | None], now_ms: int) -> bool:
        """A packet leaves: a 30 or 31 for each card, then 42 with their number. Whether all of it was noted."""
        noted = [self._reader.read(card, now_ms) for card in cards]
        return self.bus.say(PacketOut(len(cards)), now_ms) is not None and all(noted)

    def fail(self, code: int, now_ms: int) -> bool:
        """The shuffler jams."""
        return self.bus.say(ShufflerFault(code), now_ms) is not None

    def recover(self, now_ms: int) -> bool:
        """The shuffler is ready again."""
        return self.bus.say(ShufflerReady(), now_ms) is not None
