"""What really happened on the felt and in the devices' memories, in plain values. Shares nothing with the program."""

from __future__ import annotations

from dataclasses import dataclass, field

PROGRESSIVES = (0, 8, 9)  # the places of the table's first, second and third pool
Event = tuple[str, int, int]  # a serial number, which of its journals, the event's id
MAIN_PLACES = {"stud": (1,), "baccarat": (1, 2, 3)}


@dataclass(slots=True)
class Board:
    """A device's memory: every event it ever noted, in order from id 1, and how many it was acknowledged."""

    serial: str
    noted: list[bytes] = field(default_factory=list)
    acknowledged: int = 0
    held: int = 0  # how many it still keeps
    gone: set[int] = field(default_factory=set)  # what it noted and lost before it was acknowledged
    past: list[list[bytes]] = field(default_factory=list)  # what it had noted when its memory was erased, each time

    @property
    def journal(self) -> int:
        """The number of its memory: one more each time that it was erased."""
        return len(self.past) + 1

    def erased(self) -> list[Event]:
        """It forgets everything; what it still kept is lost."""
        unheard = range(self.acknowledged + 1, len(self.noted) + 1)
        lost = [(self.serial, self.journal, event_id) for event_id in unheard]
        self.past.append(self.noted)
        self.noted, self.acknowledged, self.held, self.gone = [], 0, 0, set()
        return lost


@dataclass(frozen=True, slots=True)
class Move:
    """A chip that the panel noted coming or going."""

    at_s: float
    seat: int
    place: int
    on: bool


@dataclass(slots=True)
class Coup:
    """One round as it was dealt. `lock_s`: the dealer's key or the first card, whichever came first."""

    table: str
    game: str
    number: int
    began_s: float
    lock_s: float | None = None
    moves: list[Move] = field(default_factory=list)
    hands: dict[str, tuple[str, ...]] = field(default_factory=dict)
    folds: set[int] = field(default_factory=set)
    is_read: bool = True
    claims: set[tuple[int, str, int]] = field(default_factory=set)  # seat, tier, number of the pool: as pressed
    refused: set[tuple[int, str, int]] = field(default_factory=set)
    exposed: int = 0
    void_pressed: bool = False
    lost: list[Event] = field(default_factory=list)  # what devices noted of it and lost before it was acknowledged
    over_s: float | None = None

    def bettors(self, place: int, unsure_s: float) -> tuple[set[int], set[int]]:
        """Seats that bet on a progressive with their main bet at the lock: certainly, and perhaps."""
        assert self.lock_s is not None
        early = self._at(place, self.lock_s - unsure_s)
        late = self._at(place, self.lock_s + unsure_s)
        moved = {m.seat for m in self.moves if abs(m.at_s - self.lock_s) <= unsure_s}
        return early - moved, early | late | moved

    def _at(self, progressive: int, at_s: float) -> set[int]:
        there: set[tuple[int, int]] = set()
        for move in self.moves:
            if move.at_s <= at_s:
                (there.add if move.on else there.discard)((move.seat, move.place))
        main = {seat for seat, place in there if place in MAIN_PLACES[self.game]}
        return {seat for seat, place in there if place == progressive} & main


@dataclass(slots=True)
class Truth:
    """All of it."""

    boards: dict[str, Board] = field(default_factory=dict)
    coups: dict[str, list[Coup]] = field(default_factory=dict)
    voids_asked: set[str] = field(default_factory=set)  # tables whose round a supervisor asked to be void

    def coup_at(self, table: str) -> Coup | None:
        """The round on the felt now."""
        coups = self.coups[table]
        return coups[-1] if coups and coups[-1].over_s is None else None

    @property
    def events(self) -> int:
        """How many events all devices have noted."""
        return sum(len(board.noted) for board in self.boards.values())
