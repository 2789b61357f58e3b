"""One simulated device on a technician's bench: what can be done to it, typed a line at a time, and what it hears.

Laws
1. What it does by itself is the same lines that a person may type, chosen by the caller's generator.
2. A line that means nothing is a BenchError that says what can be typed; nothing is half done.
3. Everything heard and sent is told, but for the polls of an idle bus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from hardware.bus_codec import Frame, FrameReader, FrameType
from hardware.bus_events import Kind
from hardware.bus_payloads import decode_events_head
from hardware.reports import ShoeResult, Target
from hardware.simulated.alpha_sign import AlphaSign
from hardware.simulated.angel_eye_shoe import AngelEyeShoe
from hardware.simulated.bee_tek_shoe import BeeTekShoe
from hardware.simulated.bus_boards import BetPanelSim, CardReaderSim, KeypadSim, ShufflerSim
from hardware.simulated.bus_device import BusDeviceSim
from hardware.simulated.plans import HAND_CARDS
from hardware.simulated.stacking import PACK, shuffled_coup
from hardware.simulated.wire import PortDevice, monotonic_ms

SEATS: Final = 7
_PLACES: Final = (0, 1)  # the progressive and the first main bet
_UNREAD: Final = "??"
_OUTCOMES: Final = ("player", "banker", "tie", "forced_quit")
_PAIRS: Final = ("none", "player", "banker", "both")

Tell = Callable[[str], None]
Word = Callable[[Sequence[str]], bool]  # whether the device took note of it


class BenchError(Exception):
    """A line that means nothing here."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a device is made of. `send`: bytes of one that talks unasked; serial "" is one by its kind."""

    rng: Random
    serial: str
    address: int
    key: bytes | None
    send: Callable[[bytes], None]
    tell: Tell


@dataclass(frozen=True, slots=True)
class Bench:
    """A device: what hears the line, what can be typed (a word and what belongs to it), what it does for ever."""

    hears: PortDevice
    words: Mapping[str, Word]
    by_itself: Iterator[str]

    def do(self, line: str) -> bool:
        """Do what a line says; whether the device took note of it. BenchError when it says nothing."""
        word, *rest = line.split() or [""]
        form = next((form for form in self.words if form.split()[0] == word), None)
        if form is None:
            raise BenchError(f"{word or 'nothing'}: type one of {', '.join(self.words)}")
        try:
            return self.words[form](rest)
        except IndexError as error:
            raise BenchError(f"{line}: it is `{form}`") from error
        except (ValueError, KeyError) as error:
            raise BenchError(f"{line}: {error}; it is `{form}`") from error


# ---- the table bus


class _TappedBus:
    """A bus device whose frames are told, both ways; a poll without news and its answer are not."""

    def __init__(self, bus: BusDeviceSim, tell: Tell) -> None:
        self._bus = bus
        self._tell = tell
        self._heard, self._said = FrameReader(), FrameReader()

    def tick(self, now_ms: int) -> None:
        """Let time pass."""
        self._bus.tick(now_ms)

    def feed(self, data: bytes, now_ms: int) -> bytes:
        """What the device answers."""
        answer = self._bus.feed(data, now_ms)
        asked = [item for item in self._heard.feed(data) if isinstance(item, Frame) and item.dst == self._bus.address]
        said = [item for item in self._said.feed(answer) if isinstance(item, Frame)]
        if not all(map(_is_idle, (*asked, *said))):
            for mark, frames in (("<", asked), (">", said)):
                for frame in frames:
                    self._tell(f"{mark} {frame.type.name} ctr {frame.ctr} {frame.payload.hex(' ')}")
        return answer


def _is_idle(frame: Frame) -> bool:
    if frame.type is FrameType.EVENTS:
        return decode_events_head(frame.payload)[1] == 0
    return frame.type is FrameType.POLL


def _bus(setup: Setup, kind: Kind, serial: str) -> BusDeviceSim:
    bus = BusDeviceSim(kind, setup.serial or serial, setup.address, setup.key)
    bus.power_on(monotonic_ms())
    return bus


def _power(bus: BusDeviceSim) -> Word:
    def cycle(_: Sequence[str]) -> bool:
        bus.power_cycle(monotonic_ms())
        return True

    return cycle


def _panel(setup: Setup) -> Bench:
    bus = _bus(setup, Kind.BET_PANEL, "BP-0001")
    panel = BetPanelSim(bus, SEATS)

    def sweep(_: Sequence[str]) -> bool:
        panel.sweep(monotonic_ms())
        return True

    def moves() -> Iterator[str]:
        while True:
            at = setup.rng.randint(1, SEATS), setup.rng.choice(_PLACES)
            yield f"{'remove' if at in panel.chips else 'place'} {at[0]} {at[1]}"

    words: dict[str, Word] = {
        "place SEAT PLACE": lambda rest: panel.place(int(rest[0]), int(rest[1]), monotonic_ms()),
        "remove SEAT PLACE": lambda rest: panel.remove(int(rest[0]), int(rest[1]), monotonic_ms()),
        "sweep": sweep,
        "power": _power(bus),
    }
    return Bench(_TappedBus(bus, setup.tell), words, moves())


def _keypad(setup: Setup) -> Bench:
    bus = _bus(setup, Kind.DEALER_KEYPAD, "KP-0001")
    pad = KeypadSim(bus)

    def presses() -> Iterator[str]:
        while True:
            yield "lock"
            for seat in range(1, SEATS + 1):
                if setup.rng.random() < 1 / SEATS:
                    yield f"fold {seat}"
            yield "end"

    words: dict[str, Word] = {
        "lock": lambda _: pad.lock_bets(monotonic_ms()),
        "end": lambda _: pad.end_round(monotonic_ms()),
        "void REASON": lambda rest: pad.void(rest[0], monotonic_ms()),
        "expose SEAT": lambda rest: pad.expose(int(rest[0]), monotonic_ms()),
        "fold SEAT": lambda rest: pad.fold(int(rest[0]), monotonic_ms()),
        "claim SEAT TIER [POOL]": lambda rest: pad.claim(
            int(rest[0]), int(rest[1]), monotonic_ms(), int((*rest, "0")[2])
        ),
        "key NUMBER": lambda rest: pad.turn_key(int(rest[0]), monotonic_ms()),
        "power": _power(bus),
    }
    return Bench(_TappedBus(bus, setup.tell), words, presses())


def _shuffler(setup: Setup) -> Bench:
    bus = _bus(setup, Kind.SHUFFLER, "SH-0001")
    shuffler = ShufflerSim(bus)

    def packets() -> Iterator[str]:
        cards = _cards(setup.rng)
        while True:
            yield "packet " + " ".join(next(cards) for _ in range(HAND_CARDS))

    words: dict[str, Word] = {
        "packet CARD...": lambda rest: shuffler.deal(
            [None if card == _UNREAD else card for card in rest], monotonic_ms()
        ),
        "fault CODE": lambda rest: shuffler.fail(int(rest[0]), monotonic_ms()),
        "ready": lambda _: shuffler.recover(monotonic_ms()),
        "power": _power(bus),
    }
    return Bench(_TappedBus(bus, setup.tell), words, packets())


def _reader(setup: Setup) -> Bench:
    bus = _bus(setup, Kind.CARD_READER, "CR-0001")
    reader = CardReaderSim(bus)
    words: dict[str, Word] = {
        "card CARD": lambda rest: reader.read(rest[0], monotonic_ms()),
        "unread": lambda _: reader.read(None, monotonic_ms()),
        "power": _power(bus),
    }
    return Bench(_TappedBus(bus, setup.tell), words, (f"card {card}" for card in _cards(setup.rng)))


def _cards(rng: Random) -> Iterator[str]:
    """Shuffled packs, one after the other, for ever."""
    while True:
        yield from rng.sample(PACK, len(PACK))


# ---- shoes, which talk unasked


class _Deaf:
    """A shoe does not answer; what the host says is told."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    def tick(self, now_ms: int) -> None:
        """A shoe does not live by the clock."""

    def feed(self, data: bytes, now_ms: int) -> bytes:  # noqa: ARG002  # the protocol's signature
        """Nothing."""
        self._tell(f"< {data.hex(' ')}")
        return b""


def _said(setup: Setup, data: bytes) -> bool:
    setup.tell(f"> {data.hex(' ')}")
    setup.send(data)
    return True


def _bee_tek(setup: Setup) -> Bench:
    shoe = BeeTekShoe()

    def loaded(deal: Callable[[], bytes], card: str) -> bool:
        if card not in PACK:
            raise ValueError("no such card")
        shoe.load([card])
        return _said(setup, deal())

    words: dict[str, Word] = {
        "card CARD": lambda rest: loaded(shoe.deal, rest[0]),
        "burn CARD": lambda rest: loaded(shoe.burn, rest[0]),
        "unread": lambda _: loaded(shoe.deal_unread, PACK[0]),
        "alarm": lambda _: _said(setup, shoe.alarm()),
        "warning": lambda _: _said(setup, shoe.warning()),
    }
    return Bench(_Deaf(setup.tell), words, (f"card {card}" for card in _cards(setup.rng)))


def _angel_eye(setup: Setup) -> Bench:
    shoe = AngelEyeShoe()
    coup: Iterator[bytes] = iter(())

    def following(_: Sequence[str]) -> bool:
        """The next message of a coup; after its result, the first of another."""
        nonlocal coup
        message = next(coup, None)
        if message is None:
            shoe.empty()
            shoe.load(shuffled_coup(setup.rng))
            coup = shoe.coup()
            message = next(coup)
        return _said(setup, message)

    def nexts() -> Iterator[str]:
        while True:
            yield "next"

    words: dict[str, Word] = {
        "next": following,
        "card CARD TARGET INDEX": lambda rest: _said(setup, shoe.card(rest[0], Target(rest[1]), int(rest[2]))),
        "burn CARD": lambda rest: _said(setup, shoe.card(rest[0], Target.BURN)),
        "result OUTCOME PAIRS": lambda rest: _said(setup, shoe.result(_result(rest[0], rest[1]))),
        "start": lambda _: _said(setup, shoe.power_up()),
        "fault CODE": lambda rest: _said(setup, shoe.fault(int(rest[0]))),
        "cleared CODE": lambda rest: _said(setup, shoe.fault_cleared(int(rest[0]))),
        "cut": lambda _: _said(setup, shoe.cut_card()),
    }
    return Bench(_Deaf(setup.tell), words, nexts())


def _result(outcome: str, pairs: str) -> ShoeResult:
    """What the shoe found; ValueError for what it cannot find."""
    if outcome not in _OUTCOMES or pairs not in _PAIRS:
        raise ValueError("no such result")
    return ShoeResult(outcome, player_pair=pairs in ("player", "both"), banker_pair=pairs in ("banker", "both"))


# ---- an LED sign, which only listens


class _TappedSign:
    """An LED sign whose text is told whenever it changes."""

    def __init__(self, sign: AlphaSign, tell: Tell) -> None:
        self._sign = sign
        self._tell = tell

    def tick(self, now_ms: int) -> None:
        """Let time pass."""
        self._sign.tick(now_ms)

    def feed(self, data: bytes, now_ms: int) -> bytes:
        """A sign never answers."""
        before = self._sign.text
        answer = self._sign.feed(data, now_ms)
        if self._sign.text != before:
            self._tell(f"shows {self._sign.text}")
        return answer


def _led_sign(setup: Setup) -> Bench:
    sign = AlphaSign()

    def swap(_: Sequence[str]) -> bool:
        """Another sign in its place, which shows nothing yet."""
        sign.text = ""
        return True

    return Bench(_TappedSign(sign, setup.tell), {"swap": swap}, iter(()))


DEVICES: Final[Mapping[str, Callable[[Setup], Bench]]] = {
    "bee-tek": _bee_tek,
    "angel-eye": _angel_eye,
    "panel": _panel,
    "keypad": _keypad,
    "shuffler": _shuffler,
    "reader": _reader,
    "led-sign": _led_sign,
}
