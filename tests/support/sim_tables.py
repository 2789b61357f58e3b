"""Tables played by hand: a panel and a keypad on a bus, a shoe or shuffler, and the hands of dealer and players.

Laws
1. A hand does what a hand can: a shut slot takes no chip, and the dealer waits until the panel's lamps say so.
2. Journals and shoes outlive the daemon; only `unplug` and `power_off` take anything away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from hardware.bus_events import Kind
from hardware.simulated.angel_eye_shoe import AngelEyeShoe
from hardware.simulated.bee_tek_shoe import BeeTekShoe
from hardware.simulated.bus_boards import BetPanelSim, KeypadSim, ShufflerSim
from hardware.simulated.bus_device import BusDeviceSim
from hardware.simulated.bus_journal import Journal
from hardware.simulated.line import Faults
from hardware.simulated.pty_port import PtyPort
from hardware.simulated.serial_server import SerialServer
from hardware.simulated.wire import PortDevice, monotonic_ms
from tests.support.floor_config import Block
from tests.support.gate import Gate
from tests.support.sim_thread import SimThread
from tests.support.until import until

T = TypeVar("T")
Hands = Mapping[int, str]  # seat (0 the dealer) -> "AS KD 7C 5H 2S"

_PLACES = {"ante": 1, "raise": 2, "player": 1, "banker": 2, "tie": 3, "progressive": 0, "second": 8, "third": 9}
_GAME_KEYS: dict[str, Block] = {
    "stud": {"seats": 7, "royal_raise_odds": 100},
    "baccarat": {"seats": 9, "decks": 8, "commission": "five_percent"},
}


class SimPort:
    """A port under the hands of a test: a pseudo-terminal behind a link, or a serial server's."""

    def __init__(
        self,
        thread: SimThread,
        folder: Path,
        name: str,
        devices: Sequence[PortDevice],
        *,
        tcp: bool,
        faults: Faults | None = None,
    ) -> None:
        self.up, self.down = Gate(faults, seed=1), Gate(faults, seed=2)
        self._thread = thread
        if tcp:
            self._server: SerialServer | None = SerialServer(devices, to_host=self.up, to_devices=self.down)
            thread.enter(self._server)
            self._pty: PtyPort | None = None
            self.path = self._server.url
        else:
            self._server = None
            self._pty = PtyPort(devices, link=folder / name, to_host=self.up, to_devices=self.down)
            thread.enter(self._pty)
            self.path = self._pty.path

    def send(self, data: bytes) -> None:
        """Bytes of a device that talks unasked."""
        port = self._pty or self._server
        assert port is not None
        self._thread.call(lambda: port.send(data))

    def unplug(self) -> None:
        """Pull the plug."""
        assert self._pty is not None
        self._thread.call(self._pty.unplug)

    def plug(self) -> None:
        """Put it back: a new pseudo-terminal behind the same link, under another name where the system gives one."""
        assert self._pty is not None
        self._thread.call(self._pty.plug)

    @property
    def terminal(self) -> str:
        """What the link points to."""
        return str(Path(self.path).resolve())

    def disconnect(self) -> None:
        """The serial server drops its client."""
        assert self._server is not None
        self._thread.call(self._server.disconnect)


class SimTable:
    """What every table has: places for chips, lamps, a dealer with keys."""

    game = "stud"
    main_bet = "ante"

    def __init__(
        self,
        thread: SimThread,
        folder: Path,
        name: str,
        pools: Sequence[str],
        *,
        deal: Sequence[str] = ("shoe",),
        tcp: bool = False,
        combined: bool = False,
        key: bytes | None = None,
        faults: Faults | None = None,
        pinned: bool = False,
    ) -> None:
        self.name = name
        self.pools = tuple(pools)
        self.seats = _GAME_KEYS[self.game]["seats"]
        self.more: Block = {}
        self._deal = tuple(deal)
        self._thread = thread
        self._folder = folder
        self._tcp = tcp
        self._key = key
        self.key_file: Path | None = None  # where the key lies, when it is not in the configuration
        self._hands: list[int] = []
        boards = {"panel": Kind.COMBINED if combined else Kind.BET_PANEL}
        if not combined:
            boards["keypad"] = Kind.DEALER_KEYPAD
        if "shuffler" in deal:
            boards["shuffler"] = Kind.SHUFFLER
        self.boards = {
            board: BusDeviceSim(kind, f"{name}-{board}", address, key)
            for address, (board, kind) in enumerate(boards.items(), start=1)
        }
        self.panel = BetPanelSim(self.boards["panel"], self.seats)
        self.keypad = KeypadSim(self.boards["panel" if combined else "keypad"])
        self.bus = SimPort(thread, folder, f"{name}-bus", tuple(self.boards.values()), tcp=tcp, faults=faults)
        self._pins = {board: {"serial": sim.serial} if pinned else {} for board, sim in self.boards.items()}
        for board in self.boards.values():
            self.now(board.power_on)

    def blocks(self) -> list[tuple[str, Block]]:
        """Its blocks of the configuration."""
        keys = {} if self._key is None else {"key": self._key.hex()}
        if self.key_file is not None:
            keys = {"key_file": str(self.key_file)}
        table: Block = {"id": self.name, "pools": list(self.pools), "deal": list(self._deal)}
        found = [("[[table]]", table | _GAME_KEYS[self.game] | self.more)]
        for name, board in self.boards.items():
            device: Block = {"name": name, "driver": "table-bus", "port": self.bus.path, "address": board.address}
            found.append(("[[table.device]]", device | keys | self._pins[name]))
        return found

    def now(self, act: Callable[[int], T]) -> T:
        """Do something with a device, at the present time."""
        return self._thread.call(lambda: act(monotonic_ms()))

    def exchange(self, board: str, serial: str) -> None:
        """Take a board off and put a new one there: another number, and nothing in its journal."""

        def exchanged(now_ms: int) -> None:
            sim = self.boards[board]
            sim.power_off()
            sim.serial, sim.journal = serial, Journal()
            sim.power_on(now_ms)

        self.now(exchanged)

    def power_cut(self) -> None:
        """The boards lose their power and have it again: journals and chips stay."""
        for board in self.boards.values():
            self.now(board.power_cycle)

    # ---- what people see

    def shows(self) -> tuple[bool, dict[int, int], str]:
        """Lockout, lamps by seat, and the dealer's display."""
        return self._thread.call(lambda: (self.panel.bus.lockout, self.panel.bus.lamps, self.keypad.bus.text))

    def wait_shows(self, lockout: bool, *lamps: int) -> None:
        """Wait until the panel shows this lockout and, where given, these lamps from seat 1."""
        wanted = dict(enumerate(lamps, start=1))

        def holds() -> bool:
            shut, lit, _ = self.shows()
            return shut == lockout and (not lamps or {seat: lit.get(seat, 0) for seat in wanted} == wanted)

        until(holds, f"table {self.name}: lockout {lockout}, lamps {lamps}", lambda: f"it shows {self.shows()}")

    def wait_open(self) -> None:
        """Wait until the panel takes bets."""
        self.wait_shows(False)

    # ---- what people do

    def bet(self, *seats: int, main: str = "", also: Sequence[str] = ("progressive",)) -> None:
        """Each seat places its main bet and then the others; the panel must take note of all."""
        self.wait_open()
        for seat in seats:
            for place in (main or self.main_bet, *also):
                assert self.place(seat, place), f"seat {seat} {place}"

    def place(self, seat: int, place: str) -> bool:
        """Put a chip down; whether the panel took note."""
        return self.now(lambda now: self.panel.place(seat, _PLACES[place], now))

    def take_back(self, seat: int, place: str) -> bool:
        """Take a chip back; whether the panel took note."""
        return self.now(lambda now: self.panel.remove(seat, _PLACES[place], now))

    def sweep(self) -> None:
        """The dealer clears the felt."""
        self.now(self.panel.sweep)

    def lock(self) -> None:
        """The dealer's `bets locked`."""
        assert self.now(self.keypad.lock_bets)

    def end_round(self) -> None:
        """The dealer's `round ended`; the felt is cleared."""
        assert self.now(self.keypad.end_round)
        self.sweep()

    def press(self, key: Callable[[KeypadSim, int], bool]) -> None:
        """Any other key of the dealer's: `press(lambda keypad, now: keypad.fold(3, now))`."""
        assert self.now(lambda now: key(self.keypad, now))


class BeeTekTable(SimTable):
    """A stud table that deals from a Bee-Tek shoe."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.shoe = BeeTekShoe()
        self.shoe_port = SimPort(self._thread, self._folder, f"{self.name}-shoe", (), tcp=self._tcp)

    def blocks(self) -> list[tuple[str, Block]]:
        shoe = {"name": "shoe", "driver": "bee-tek", "port": self.shoe_port.path}
        return [*super().blocks(), ("[[table.device]]", shoe)]

    def deal(self, *cards: str) -> None:
        """These cards leave the shoe."""
        self.shoe.load(cards)
        for _ in cards:
            self.shoe_port.send(self.shoe.deal())

    def deal_hands(self, hands: Hands) -> None:
        """A whole deal: one card at a time, the dealer last (61/2004 7)."""
        self.deal(*round_robin(hands))


class ShufflerTable(SimTable):
    """A stud table that deals packets from a shuffler with card reader; `spare`: a Bee-Tek shoe stands by."""

    def __init__(self, *args: Any, spare: bool = False, **options: Any) -> None:
        super().__init__(*args, **options, deal=("shuffler", "shoe") if spare else ("shuffler",))
        self.shuffler = ShufflerSim(self.boards["shuffler"])
        self.shoe_port = SimPort(self._thread, self._folder, f"{self.name}-shoe", (), tcp=False) if spare else None

    def blocks(self) -> list[tuple[str, Block]]:
        found = super().blocks()
        if self.shoe_port is not None:
            shoe = {"name": "shoe", "driver": "bee-tek", "port": self.shoe_port.path}
            found.append(("[[table.device]]", shoe))
        return found

    def deal_from_shoe(self, hands: Hands) -> None:
        """A whole deal from the shoe that stood by."""
        assert self.shoe_port is not None
        shoe = BeeTekShoe()
        cards = round_robin(hands)
        shoe.load(cards)
        for _ in cards:
            self.shoe_port.send(shoe.deal())

    def deal(self, *cards: str | None) -> None:
        """A packet of these cards."""
        assert self.now(lambda now: self.shuffler.deal(cards, now))

    def deal_hands(self, hands: Hands) -> None:
        """A whole deal: a packet each, the dealer last (61/2004 7(2))."""
        for hand in in_order(hands):
            self.deal(*hands[hand].split())


class AngelEyeTable(SimTable):
    """A baccarat table with an Angel Eye shoe, panel and keypad on one board."""

    game = "baccarat"
    main_bet = "player"

    def __init__(self, *args: Any, sends: int = 1, **options: Any) -> None:
        super().__init__(*args, **options, combined=True)
        self.shoe = AngelEyeShoe(sends=sends)
        self.shoe_port = SimPort(self._thread, self._folder, f"{self.name}-shoe", (), tcp=self._tcp)

    def blocks(self) -> list[tuple[str, Block]]:
        shoe = {"name": "shoe", "driver": "angel-eye", "port": self.shoe_port.path}
        return [*super().blocks(), ("[[table.device]]", shoe)]

    def coup(self, cards: str) -> Iterator[bytes]:
        """The messages of a whole coup of these cards: a card each, then the result."""
        self.shoe.load(cards.split())
        return self.shoe.coup()

    def deal_coup(self, cards: str) -> None:
        """The shoe deals a whole coup, and says its result."""
        for message in self.coup(cards):
            self.shoe_port.send(message)


class ClaimsTable(SimTable):
    """A stud table without card reading: the dealer claims, with keyed boards (devices.md section 3)."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options, deal=("claims",), key=bytes(range(16)))


def in_order(hands: Hands) -> list[int]:
    """Seats in dealing order, the dealer last."""
    return [*sorted(seat for seat in hands if seat), 0]


def round_robin(hands: Hands) -> list[str]:
    """The cards of a deal from a shoe."""
    dealt = [hands[seat].split() for seat in in_order(hands)]
    return [card for cards in zip(*dealt, strict=True) for card in cards]
