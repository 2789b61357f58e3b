"""One round with a hit at the end, step by step, for a dealing device of each integrity grade (devices.md).

Law: every play has the same steps, so that a cut can come between any two of them at any table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from hardware.simulated.wire import monotonic_ms
from tests.support.floor import Floor
from tests.support.reckoning import Reckoning, Winners
from tests.support.sim_tables import AngelEyeTable, BeeTekTable, ShufflerTable, SimTable, round_robin

_HANDS = {1: "9H TH JH QH KH", 4: "AS KD 7C 5H 2H", 0: "2D 3D 4D 5S 7S"}
_COUP = "AS AH AD 2C AC AS"  # five aces: option B's second tier
_FIDGETING_SEAT = 6


class Play(ABC):
    """Seats 1 and 4 bet; seat 1, or both together, win."""

    pool = "stud-main"
    tier = "straight_flush"
    table: SimTable
    pencil: Reckoning

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.pencil = floor.pool(self.pool)

    @property
    def hit(self) -> str:
        """The name of the hit that the round ends in."""
        return f"{self.table.name}.1.{self.pool}.{self.tier}"

    def bets(self) -> None:
        """Both seats bet."""
        self.floor.bet(self.table, 1, 4)

    def lock(self) -> None:
        """The dealer locks."""
        self.table.lock()

    def begin_to_lock(self) -> None:
        """What locks, and leaves a board to be heard out."""
        self.lock()

    def fidget(self) -> None:
        """A player moves a chip at every question of the daemon's, so that the panel is never heard out."""
        place = 3 if self.table.game == "baccarat" else 2
        panel = self.table.panel

        def move(_: bytes) -> None:
            if not panel.remove(_FIDGETING_SEAT, place, monotonic_ms()):
                panel.place(_FIDGETING_SEAT, place, monotonic_ms())

        self.table.bus.down.noticed = move

    def calm(self) -> None:
        """He stops, and takes his chip back."""
        self.table.bus.down.noticed = None
        self.table.take_back(_FIDGETING_SEAT, "tie" if self.table.game == "baccarat" else "raise")

    @abstractmethod
    def deal_some(self) -> None:
        """The first cards."""

    @abstractmethod
    def deal_rest(self) -> None:
        """All others: every hand is complete, the round is not over."""

    @abstractmethod
    def spoil(self) -> None:
        """The next card cannot be read."""

    @abstractmethod
    def mend(self) -> None:
        """After `spoil` the device says that it is well, where it can."""

    @abstractmethod
    def finish(self) -> None:
        """What ends the round."""

    @abstractmethod
    def prizes(self) -> Winners:
        """What is due then, by pencil."""


class _StudPlay(Play):
    def finish(self) -> None:
        self.table.end_round()

    def prizes(self) -> Winners:
        return self.pencil.stud({1: self.tier})

    def mend(self) -> None:
        """An unread card is no fault of the device's own."""


class BarePlay(_StudPlay):
    """A Bee-Tek shoe: neither numbered nor checked."""

    table: BeeTekTable

    def __init__(self, floor: Floor) -> None:
        super().__init__(floor)
        self.table = floor.stud()
        self.cards = round_robin(_HANDS)

    def deal_some(self) -> None:
        self.table.deal(*self.cards[:4])

    def deal_rest(self) -> None:
        self.table.deal(*self.cards[4:])

    def spoil(self) -> None:
        self.table.shoe.load(["8C"])
        self.table.shoe_port.send(self.table.shoe.deal_unread())


class JournaledPlay(_StudPlay):
    """A shuffler with card reader on the table bus."""

    table: ShufflerTable

    def __init__(self, floor: Floor, **options: Any) -> None:
        super().__init__(floor)
        self.table = floor.shuffled(**options)

    def deal_some(self) -> None:
        self.table.deal(*_HANDS[1].split())

    def deal_rest(self) -> None:
        self.table.deal(*_HANDS[4].split())
        self.table.deal(*_HANDS[0].split())

    def spoil(self) -> None:
        self.table.deal(None, *_HANDS[4].split()[1:])


class SequencedPlay(Play):
    """An Angel Eye shoe: numbered and checked, and without a memory."""

    pool = "bac-b"
    tier = "five_of_a_kind"
    table: AngelEyeTable

    def __init__(self, floor: Floor, **options: Any) -> None:
        super().__init__(floor)
        self.table = floor.baccarat(self.pool, **options)
        self._coup = self.table.coup(_COUP)

    def begin_to_lock(self) -> None:
        """The first card: its board has keypad and bets, and what says the lock itself is heard out with it."""
        self._say(1)

    def deal_some(self) -> None:
        self._say(3)

    def deal_rest(self) -> None:
        self._say(3)

    def spoil(self) -> None:
        self.table.shoe_port.send(self.table.shoe.fault(1))

    def mend(self) -> None:
        self.table.shoe_port.send(self.table.shoe.fault_cleared(1))

    def finish(self) -> None:
        self._say(1)

    def messages(self) -> Iterator[bytes]:
        """What the shoe has still to say, message by message."""
        return self._coup

    def _say(self, count: int) -> None:
        for message in islice(self._coup, count):
            self.table.shoe_port.send(message)

    def prizes(self) -> Winners:
        return self.pencil.baccarat(self.tier, [1, 4])


PLAYS: dict[str, Callable[[Floor], Play]] = {"bare": BarePlay, "sequenced": SequencedPlay, "journaled": JournaledPlay}
