"""The simulated floor: devices on pseudo-terminals, and three tables that play rounds with them.

Laws
1. Nothing here touches the daemon: bytes go through the terminals, both ways.
2. A table keeps a record of each round as its players saw it, so that the meters can be worked out without the ledger.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass
from random import Random
from types import TracebackType
from typing import Protocol, Self

from hardware.bus_events import Kind
from hardware.simulated.angel_eye_shoe import AngelEyeShoe
from hardware.simulated.bee_tek_shoe import BeeTekShoe
from hardware.simulated.bus_boards import BetPanelSim, KeypadSim, ShufflerSim
from hardware.simulated.bus_device import BusDeviceSim
from hardware.simulated.dealer import Dealer, Pace
from hardware.simulated.plans import DEALER, plan_baccarat, plan_stud
from hardware.simulated.pty_port import PtyPort
from hardware.simulated.table import BaccaratTableSim, StudTableSim, deal_from_shoe, deal_from_shuffler
from hardware.simulated.wire import monotonic_ms
from jackpotd.demo.programme import Programme
from jackpotd.demo.site import (
    BACCARAT_POOL,
    BACCARAT_SEATS,
    BACCARAT_TABLE,
    SHOE_TABLE,
    SHUFFLER_TABLE,
    STUD_POOL,
    STUD_SEATS,
    Site,
)

# Waits until all cards of a table's round are counted: a shoe without acknowledgement cannot tell by itself.
CardsKnown = Callable[[str, Dealer], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Record:
    """A round as its players saw it. `hands` by seat, "0" the dealer; baccarat's cards in dealing order are "cards"."""

    table: str
    pool: str
    stacked: tuple[str, ...]
    progressive: tuple[int, ...]
    folds: tuple[int, ...]
    hands: dict[str, tuple[str, ...]]
    seconds: float


class ShowTable(Protocol):
    """A table of the show."""

    name: str
    pool: str
    dealer: Dealer

    async def round(self) -> Record:
        """Play the next round. RoundHeldError when the controller holds it."""
        ...


class StudShow:
    """A stud table of the show."""

    def __init__(self, name: str, seed: int, table: StudTableSim) -> None:
        self.name = name
        self.pool = STUD_POOL
        self.dealer = table.dealer
        self._table = table
        self._programme = Programme(name, seed)

    async def round(self) -> Record:
        """Play the next round."""
        tiers = self._programme.next()
        plan = plan_stud(self._programme.rng, STUD_SEATS, tiers)
        played = await self._table.play(plan)
        hands = {str(seat): cards for seat, cards in plan.hands.items()}
        assert hands[str(DEALER)]
        return Record(self.name, self.pool, tiers, played.progressive, plan.folds, hands, played.seconds)


class BaccaratShow:
    """The baccarat table of the show."""

    def __init__(self, name: str, seed: int, table: BaccaratTableSim) -> None:
        self.name = name
        self.pool = BACCARAT_POOL
        self.dealer = table.dealer
        self._table = table
        self._programme = Programme(name, seed)

    async def round(self) -> Record:
        """Play the next coup."""
        tiers = self._programme.next()
        plan = plan_baccarat(self._programme.rng, BACCARAT_SEATS, tiers[0] if tiers else None)
        played = await self._table.play(plan)
        return Record(self.name, self.pool, tiers, played.progressive, (), {"cards": plan.cards}, played.seconds)


class Floor:
    """All ports, plugged in while the context lasts."""

    def __init__(self, site: Site, seed: int, speed: int, known: CardsKnown) -> None:
        self._site = site
        self._seed = seed
        self._speed = speed
        self._known = known
        self._key = bytes.fromhex(site.key_hex)
        self._ports = ExitStack()
        self.tables: dict[str, ShowTable] = {}

    def __enter__(self) -> Self:
        """Plug everything in."""
        with ExitStack() as ports:
            made = (self._shoe_table(ports), self._shuffler_table(ports), self._baccarat_table(ports))
            self.tables = {table.name: table for table in made}
            self._ports = ports.pop_all()
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """Unplug everything."""
        self._ports.close()

    def _shoe_table(self, ports: ExitStack) -> ShowTable:
        dealer = self._stud_dealer(ports, SHOE_TABLE, [])
        port = ports.enter_context(PtyPort(link=self._site.port("T01-shoe")))
        deal = deal_from_shoe(dealer, BeeTekShoe(), port.send, lambda: self._known(SHOE_TABLE, dealer))
        return StudShow(SHOE_TABLE, self._seed, StudTableSim(dealer, deal))

    def _shuffler_table(self, ports: ExitStack) -> ShowTable:
        shuffler = ShufflerSim(self._board(Kind.SHUFFLER, "SH-0002", 3))
        dealer = self._stud_dealer(ports, SHUFFLER_TABLE, [shuffler.bus])
        return StudShow(SHUFFLER_TABLE, self._seed, StudTableSim(dealer, deal_from_shuffler(dealer, shuffler)))

    def _baccarat_table(self, ports: ExitStack) -> ShowTable:
        board = self._board(Kind.COMBINED, "CB-0003", 1)
        ports.enter_context(PtyPort([board], link=self._site.port("B01-bus")))
        port = ports.enter_context(PtyPort(link=self._site.port("B01-shoe")))
        dealer = Dealer(BetPanelSim(board, BACCARAT_SEATS), KeypadSim(board), Pace(self._speed))
        return BaccaratShow(BACCARAT_TABLE, self._seed, BaccaratTableSim(dealer, AngelEyeShoe(), port.send))

    def _stud_dealer(self, ports: ExitStack, table: str, more: list[BusDeviceSim]) -> Dealer:
        panel = self._board(Kind.BET_PANEL, f"BP-{table}", 1)
        keypad = self._board(Kind.DEALER_KEYPAD, f"KP-{table}", 2)
        ports.enter_context(PtyPort([panel, keypad, *more], link=self._site.port(f"{table}-bus")))
        return Dealer(BetPanelSim(panel, STUD_SEATS), KeypadSim(keypad), Pace(self._speed))

    def _board(self, kind: Kind, serial: str, address: int) -> BusDeviceSim:
        board = BusDeviceSim(kind, serial, address, self._key)
        board.power_on(monotonic_ms())
        return board


def play_order(tables: tuple[str, ...], seed: int, rounds: int) -> list[str]:
    """Which table plays each of `rounds` rounds, by the seed alone."""
    rng = Random(f"{seed} order")
    return rng.choices(tables, k=rounds)
