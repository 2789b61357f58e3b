"""The simulated floor: boards with a memory that is witnessed, shoes, cables, and the felt's truth."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from hardware.bus_events import Kind
from hardware.simulated.bus_boards import BetPanelSim, KeypadSim, ShufflerSim
from hardware.simulated.bus_device import BusDeviceSim
from hardware.simulated.bus_journal import Journal
from tests.simulation.lines import Cable, Cables
from tests.simulation.sites import BACCARAT, CLAIMS, SHUFFLED, Site
from tests.simulation.trace import Trace
from tests.simulation.truth import PROGRESSIVES, Board, Event, Truth

KEY = bytes.fromhex("000102030405060708090a0b0c0d0e0f")
STUD_SEATS, BACCARAT_SEATS = 7, 9
TICK_S = 0.25  # a device that closes by itself after 2 s does so soon enough

Acknowledged = Callable[[Event], None]


class WitnessedJournal(Journal):
    """A device's memory whose every event and acknowledgement is seen."""

    def __init__(self, board: Board, acknowledged: Acknowledged) -> None:
        super().__init__()
        self._board = board
        self._told = acknowledged

    def append(self, record: bytes) -> int | None:
        event_id = super().append(record)
        if event_id is not None:
            self._board.noted.append(record)
            self._board.held += 1
            assert event_id == len(self._board.noted)
        return event_id

    def forget(self, ack: int) -> None:
        super().forget(ack)
        for event_id in range(self._board.acknowledged + 1, ack + 1):
            self._board.acknowledged = event_id
            if event_id not in self._board.gone:
                self._board.held -= 1
                self._told((self._board.serial, self._board.journal, event_id))

    def lose(self, count: int) -> list[Event]:
        """The oldest of what it holds is lost; which events those are."""
        board = self._board
        ids = range(self.oldest, self.oldest + min(count, len(self._records)))
        for _ in ids:
            self._records.popleft()
        self.oldest += len(ids)
        board.gone.update(ids)
        board.held -= len(ids)
        return [(board.serial, board.journal, event_id) for event_id in ids]


@dataclass(slots=True)
class Stand:
    """What stands at one table. `shoe`: the cable of a shoe that talks unasked, if there is one."""

    name: str
    game: str
    pools: tuple[str, ...]
    panel: BetPanelSim
    keypad: KeypadSim
    boards: list[BusDeviceSim]
    bus: Cable
    shoe: Cable | None = None
    shuffler: ShufflerSim | None = None

    @property
    def places(self) -> tuple[int, ...]:
        """The places of its progressive bets, pool by pool."""
        return PROGRESSIVES[: len(self.pools)]

    @property
    def is_read(self) -> bool:
        """Whether anything reads its cards."""
        return self.shoe is not None or self.shuffler is not None


@dataclass(slots=True)
class Floor:
    """All tables."""

    rng: Random
    trace: Trace
    truth: Truth
    now_ms: Callable[[], int]
    acknowledged: Acknowledged
    cables: Cables = field(default_factory=Cables)
    stands: dict[str, Stand] = field(default_factory=dict)

    def stand(self, site: Site) -> None:
        """Put the site's tables up."""
        for name, pools in site.tables.items():
            (self._baccarat if name == BACCARAT else self._stud)(name, pools)

    def _stud(self, name: str, pools: tuple[str, ...]) -> None:
        """A stud table, dealt from a Bee-Tek shoe, by a shuffler, or by hand and unread."""
        panel, keypad = self._board(Kind.BET_PANEL, f"BP-{name}", 1), self._board(Kind.DEALER_KEYPAD, f"KP-{name}", 2)
        boards = [panel, keypad]
        shuffler = ShufflerSim(self._board(Kind.SHUFFLER, f"SH-{name}", 3)) if name == SHUFFLED else None
        if shuffler is not None:
            boards.append(shuffler.bus)
        bus = self._cable(f"{name}-bus", boards)
        shoe = None if name in (SHUFFLED, CLAIMS) else self._cable(f"{name}-shoe", [])
        panel_sim, keypad_sim = BetPanelSim(panel, STUD_SEATS), KeypadSim(keypad)
        self._stands(Stand(name, "stud", pools, panel_sim, keypad_sim, boards, bus, shoe, shuffler))

    def _baccarat(self, name: str, pools: tuple[str, ...]) -> None:
        """A baccarat table with an Angel Eye shoe and one combined board."""
        board = self._board(Kind.COMBINED, f"CB-{name}", 1)
        bus, shoe = self._cable(f"{name}-bus", [board]), self._cable(f"{name}-shoe", [])
        panel, keypad = BetPanelSim(board, BACCARAT_SEATS), KeypadSim(board)
        self._stands(Stand(name, "baccarat", pools, panel, keypad, [board], bus, shoe))

    def erase(self, stand: Stand, board: BusDeviceSim) -> None:
        """A board without power loses its memory."""
        known = self.truth.boards[board.serial]
        self._lost(stand, known.erased())
        board.journal = WitnessedJournal(known, self.acknowledged)

    def lose(self, stand: Stand, board: BusDeviceSim, count: int) -> None:
        """A board loses the oldest of what it was not acknowledged yet."""
        assert isinstance(board.journal, WitnessedJournal)
        self._lost(stand, board.journal.lose(count))

    def _lost(self, stand: Stand, events: list[Event]) -> None:
        self.trace.say(f"{stand.name} lost {events}")
        coup = self.truth.coup_at(stand.name)
        if coup is not None:
            coup.lost += events

    async def run(self) -> None:
        """Let the devices' time pass, for ever."""
        while True:
            for stand in self.stands.values():
                for board in stand.boards:
                    board.tick(self.now_ms())
            await asyncio.sleep(TICK_S)

    def _stands(self, stand: Stand) -> None:
        self.stands[stand.name] = stand
        self.truth.coups[stand.name] = []

    def _cable(self, name: str, devices: list[BusDeviceSim]) -> Cable:
        cable = Cable(name, self.rng, self.now_ms, self.trace)
        cable.devices = devices
        self.cables.by_name[name] = cable
        return cable

    def _board(self, kind: Kind, serial: str, address: int) -> BusDeviceSim:
        known = self.truth.boards[serial] = Board(serial)
        board = BusDeviceSim(kind, serial, address, KEY, WitnessedJournal(known, self.acknowledged))
        board.power_on(self.now_ms())
        return board


def config_text(stands: dict[str, Stand], pools: str) -> str:
    """The configuration of what stands on the floor."""
    return "\n".join([_SITE, pools, *map(_table_text, stands.values())])


def _table_text(stand: Stand) -> str:
    stud = stand.game == "stud"
    deal = "claims" if not stand.is_read else "shuffler" if stand.shoe is None else "shoe"
    rules = "royal_raise_odds = 100" if stud else 'decks = 8\ncommission = "five_percent"'
    pools = ", ".join(f'"{pool}"' for pool in stand.pools)
    lines = [
        f'[[table]]\nid = "{stand.name}"\npools = [{pools}]\ngame = "{stand.game}"\nseats = {stand.panel.seats}',
        f'deal = ["{deal}"]\ndeal_timeout = "5s"\n{rules}',
    ]
    if stand.shoe is not None:
        driver = "bee-tek" if stud else "angel-eye"
        lines.append(
            f'[[table.device]]\nname = "shoe"\ndriver = "{driver}"\nport = "/sim/{stand.shoe.name}"\nbaud = 9600'
        )
    names = ("panel", "keypad", "shuffler") if stud else ("board",)
    for name, board in zip(names, stand.boards, strict=False):
        lines.append(
            f'[[table.device]]\nname = "{name}"\ndriver = "table-bus"\nport = "/sim/{stand.bus.name}"\n'
            f'address = {board.address}\nkey = "{KEY.hex()}"'
        )
    return "\n".join(lines)


_SITE = """
[site]
id = "sim"
currency = "MOP"
timezone = "Asia/Macau"
[ledger]
url = "sqlite:////sim/ledger.db"
[mqtt]
url = "mqtt://127.0.0.1:1883"
[control]
socket = "/sim/control.sock"
"""
