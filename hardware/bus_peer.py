"""One table-bus device as the master sees it: phase, acknowledgements, commands and patience.

Laws
1. What a device may say depends on its phase; anything else is stale and changes nothing.
2. The acknowledgement in a POLL is what the daemon committed, never what was merely delivered.
3. While delivered events wait for their commit the device is polled only to keep it alive, and what it then repeats
   is dropped unread.
4. 1.5 s without an answer or a request, whoever's fault, begin a new session: the device closes itself after 2 s and
   must be told its lamps again. An answer that lay unread so long is not the device's present state.
5. An empty answer right after a missed one proves nothing: it may be the missed one come late.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from hardware.bus_codec import DAEMON, Frame, FrameType, encode_frame
from hardware.bus_commands import CommandQueue
from hardware.bus_events import Kind
from hardware.bus_payloads import (
    PayloadError,
    decode_events,
    decode_events_head,
    decode_number,
    decode_response,
    encode_command,
    encode_number,
)
from hardware.bus_reports import (
    BusNoise,
    BusReport,
    Done,
    Drained,
    Events,
    Forged,
    Gap,
    Hello,
    Offline,
    Online,
    WrongSerial,
)
from hardware.bus_session import Exchange, Session, Verdict
from hardware.reports import Said

POLL_EVERY_MS = 80  # devices.md asks for 100 or less; the rest is for the other devices' turns
KEEP_ALIVE_MS = 500  # a quarter of the time after which a device closes itself
MISS_PAUSE_MS = 100  # a late answer arrives while nobody is asked, and the others have the line
BUSY_PAUSE_MS = 25  # twenty of them are the same 500 ms that three misses are given
OFFLINE_MISSES = 3
OFFLINE_AFTER_MS = 500
OFFLINE_BUSY = 20
SILENCE_MS = 1_500  # short of the 2,000 after which a device closes itself
FIRST_BACKOFF_MS = 250
LONGEST_BACKOFF_MS = 2_000
GREET_AGAIN_MS = 2_000  # a board that was not accepted may have been exchanged, or accepted since
PROMPT_MS = 1_000  # a daemon that was kept from asking as long as this hears nothing promptly
STABLE_MS = 5_000  # a device that stays less long is not opened sooner than the last time


class Phase(Enum):
    """OPEN until it greets; greeted until the daemon accepts it; then polled."""

    OPENING = auto()
    GREETED = auto()
    POLLING = auto()


@dataclass(frozen=True, slots=True)
class BusDevice:
    """One configured device. `key` None: it has none. `serial` pins the board."""

    name: str
    address: int
    key: bytes | None = None
    serial: str | None = None


class Peer:
    """The master's half of the conversation with one device."""

    def __init__(self, device: BusDevice) -> None:
        self.device = device
        self.phase = Phase.OPENING
        self.asked: FrameType | None = None  # the request whose answer is awaited
        self.served = 0  # the master's turn at which it was last asked
        self._session = Session(device.address, device.key)
        self._commands = CommandQueue()
        self._hello: Hello | None = None
        self._kind = Kind.COMBINED
        self._acked = self._delivered = 0
        self._polls = self._unsure = self._misses = self._busy = 0
        self._quiet: tuple[int, int] | None = None  # at which poll and when it had nothing, and no event came since
        self._poll_at_once = False
        self._poll_is_next = False  # the last request was a command
        self._earliest_ms = self._polled_ms = self._asked_ms = 0
        self._heard_ms: int | None = None
        self._online_ms: int | None = None
        self._backoff_ms = FIRST_BACKOFF_MS

    # ---- what the daemon decides

    def accept(self, hello: Hello, ack: int) -> None:
        """Start polling from `ack`; a HELLO that is not the latest is ignored, because another followed it."""
        if self.phase is not Phase.GREETED or hello != self._hello:
            return
        if ack > hello.newest:
            raise ValueError(f"{hello.device}: event {ack} is above {hello.newest}, its newest; its journal was lost")
        self.phase = Phase.POLLING
        self._acked = self._delivered = ack
        self._misses = self._busy = self._unsure = 0
        self._earliest_ms = 0
        self._heard_ms = None
        self._poll_at_once = True

    def ack(self, event_id: int) -> None:
        """Raise the acknowledgement to what is committed.

        An id that this session did not deliver is of one that ended: its events come again and are acknowledged then.
        """
        if self.phase is Phase.POLLING and self._acked < event_id <= self._delivered:
            self._acked = event_id
            self._poll_at_once = True

    def command(self, code: int, data: bytes) -> bool:
        """Queue a command; False while the device is not polled: it is told everything after its HELLO."""
        if self.phase is not Phase.POLLING:
            return False
        self._commands.put(code, data)
        return True

    def command_only(self, code: int, data: bytes) -> None:
        """Forget every other command; send this one."""
        self._commands.clear()
        self.command(code, data)

    def poll_soon(self) -> int:
        """Number of the next poll, now due at once."""
        self._poll_at_once = True
        return self._polls + 1

    def open_again(self) -> None:
        """Begin a new session at once, without calling the device offline."""
        self.phase = Phase.OPENING
        self._hello = self._quiet = None
        self._earliest_ms = self._misses = 0
        self._commands.clear()

    def lost(self, why: str) -> list[BusReport]:
        """The port is gone: offline now, and opened at once when it is back."""
        self.asked = None
        self.open_again()
        return self._call_offline(why)

    def past(self) -> list[Exchange]:
        """What a witness who comes now has to be told: the greetings, and what has been delivered."""
        told = self._session.greetings()
        if self.phase is Phase.POLLING:
            delivered = encode_number(self._delivered)
            poll = encode_frame(self.device.address, DAEMON, FrameType.POLL, 0, delivered, None)
            told.append(Exchange(poll, sent=True))
        return told

    # ---- when it is asked, and what

    @property
    def closing(self) -> bool:
        """Whether a lockout waits for its answer."""
        return self.phase is Phase.POLLING and self._commands.closing

    @property
    def due_ms(self) -> int:
        """When it is to be asked next."""
        match self.phase:
            case Phase.OPENING | Phase.GREETED:
                return self._earliest_ms
            case Phase.POLLING:
                return self._earliest_ms if self._commands else max(self._earliest_ms, self._poll_due_ms)

    @property
    def _poll_due_ms(self) -> int:
        if self._poll_at_once:
            return 0
        return self._polled_ms + (KEEP_ALIVE_MS if self._delivered > self._acked else POLL_EVERY_MS)

    def request(self, now_ms: int, nonce: Callable[[], bytes]) -> bytes:
        """The frame to send now; `asked` says what it is."""
        if self._heard_ms is None:
            self._heard_ms = self._asked_ms = now_ms
        over = self._session.worn or now_ms - min(self._heard_ms, self._asked_ms) >= SILENCE_MS
        self._asked_ms = now_ms
        if self.phase is Phase.GREETED or (self.phase is Phase.POLLING and over):
            self.open_again()
        if self.phase is Phase.OPENING:
            return self._open(nonce())
        # After a command a due poll comes first, so that commands do not keep events waiting; but closing never waits.
        poll_first = self._poll_is_next and now_ms >= self._poll_due_ms and not self.closing
        return self._command() if self._commands and not poll_first else self._poll(now_ms)

    def _open(self, nonce: bytes) -> bytes:
        self.asked = FrameType.OPEN
        return self._session.open(nonce)

    def _command(self) -> bytes:
        self.asked = FrameType.CMD
        self._poll_is_next = True
        return self._session.write(FrameType.CMD, encode_command(self._commands.flying()))

    def _poll(self, now_ms: int) -> bytes:
        self.asked = FrameType.POLL
        self._poll_is_next = self._poll_at_once = False
        self._polled_ms = now_ms
        self._polls += 1
        return self._session.write(FrameType.POLL, encode_number(self._acked))

    # ---- what it says

    def take(self, frame: Frame, now_ms: int) -> list[BusReport]:
        """What a frame in this device's name says; `asked` becomes None if it is the awaited answer."""
        try:
            match self.phase:
                case Phase.OPENING if frame.type is FrameType.HELLO:
                    return self._greeting(frame, now_ms)
                case Phase.POLLING:
                    return self._in_session(frame, now_ms)
                case Phase.OPENING | Phase.GREETED:
                    return self._noise(Verdict.STALE)
        except PayloadError:
            return self._noise("payload")

    def _noise(self, reason: str) -> list[BusReport]:
        return [BusNoise(self.device.name, reason, 1)]

    def _greeting(self, frame: Frame, now_ms: int) -> list[BusReport]:
        said = self._session.greet(frame)
        if said is Verdict.FORGED:
            return [Forged(self.device.name)]
        if isinstance(said, Verdict):
            return self._noise(said)
        self.asked = None
        name, pinned = self.device.name, self.device.serial
        if pinned is not None and said.serial != pinned:
            self._back_off(now_ms)
            return [*self._call_offline("another board answers"), WrongSerial(name, said.serial, pinned)]
        self.phase = Phase.GREETED
        self._earliest_ms = now_ms + GREET_AGAIN_MS
        self._kind = said.kind
        self._hello = Hello(name, said.serial, said.kind, said.boot, said.oldest, said.newest)
        return [self._hello]

    def _in_session(self, frame: Frame, now_ms: int) -> list[BusReport]:
        verdict = self._session.judge(frame)
        if verdict is Verdict.FORGED:
            return [Forged(self.device.name)]
        if verdict is not Verdict.BELIEVED:
            return self._noise(verdict)
        reports = self._said(frame.type, frame.payload, now_ms)
        return self._heard(frame.type, now_ms) + reports if self.phase is Phase.POLLING else reports

    def _said(self, frame_type: FrameType, payload: bytes, now_ms: int) -> list[BusReport]:
        match frame_type:
            case FrameType.EVENTS:
                return self._events(payload, now_ms)
            case FrameType.GAP:
                return self._gap(payload, now_ms)
            case FrameType.RSP:
                return self._response(payload)
            case FrameType.BUSY:
                return self._too_busy(now_ms)
            case FrameType.OPEN | FrameType.HELLO | FrameType.POLL | FrameType.CMD:
                return self._noise(Verdict.STALE)

    def _heard(self, frame_type: FrameType, now_ms: int) -> list[BusReport]:
        self._heard_ms = now_ms
        self._misses = 0
        self._unsure = max(0, self._unsure - 1)
        if frame_type is not FrameType.BUSY:
            self._busy = 0
        if self._online_ms is not None:
            return []
        self._online_ms = now_ms
        return [Online(self.device.name)]

    def _answers(self, asked: FrameType) -> bool:
        """Whether what came is the awaited answer to `asked`, which then is awaited no more."""
        if self.asked is not asked:
            return False
        self.asked = None
        return True

    def _events(self, payload: bytes, now_ms: int) -> list[BusReport]:
        first, count = decode_events_head(payload)
        if first > self._delivered + 1:
            return self._lost_before(first)
        if count == 0 and first <= self._delivered:
            return self._go_offline(now_ms, f"its journal is back at {first}, {self._delivered} was delivered")
        said: tuple[Said, ...] = ()
        if first + count - 1 > self._delivered:
            said = decode_events(payload, self._kind, keyed=self.device.key is not None, after=self._delivered)
        awaited = self._answers(FrameType.POLL)
        self._delivered += len(said)
        if said:
            return [Events(self.device.name, self._delivered - len(said) + 1, said, self._is_prompt(now_ms))]
        if count == 0 and awaited:
            self._quiet = self._polls, now_ms
        if count > 0 or not awaited or self._acked < self._delivered:
            return []
        if self._unsure == 0:
            return [Drained(self.device.name, self._polls)]
        self._poll_at_once = True
        return []

    def _is_prompt(self, now_ms: int) -> bool:
        """Whether these events came with the first poll, and soon, after one at which it had nothing."""
        quiet, self._quiet = self._quiet, None
        return quiet is not None and self._polls - quiet[0] <= 1 and now_ms - quiet[1] <= PROMPT_MS

    def _gap(self, payload: bytes, now_ms: int) -> list[BusReport]:
        oldest = decode_number(payload)
        if oldest > self._delivered + 1:
            return self._lost_before(oldest)
        if oldest <= self._delivered or self._acked == self._delivered:
            return self._go_offline(now_ms, f"it reports a gap before {oldest}, {self._acked} was acknowledged")
        self._answers(FrameType.POLL)
        return []

    def _lost_before(self, oldest: int) -> list[BusReport]:
        self._answers(FrameType.POLL)
        self._delivered = oldest - 1
        return [Gap(self.device.name, oldest)]

    def _response(self, payload: bytes) -> list[BusReport]:
        command_id, status = decode_response(payload)
        command = self._commands.landed(command_id)
        if command is None:
            return self._noise(Verdict.STALE)
        self._answers(FrameType.CMD)
        return [Done(self.device.name, command.code, command.data, status)]

    def _too_busy(self, now_ms: int) -> list[BusReport]:
        self._poll_at_once |= self.asked is FrameType.POLL
        self.asked = None
        self._busy += 1
        self._earliest_ms = now_ms + BUSY_PAUSE_MS
        return self._go_offline(now_ms, f"busy {self._busy} times in a row") if self._busy >= OFFLINE_BUSY else []

    # ---- when it says nothing

    def missed(self, now_ms: int) -> list[BusReport]:
        """The awaited answer did not come in time."""
        asked, self.asked = self.asked, None
        self._misses += 1
        if asked is FrameType.OPEN:
            self._back_off(now_ms)
            return self._call_offline("no answer to OPEN") if self._misses >= OFFLINE_MISSES else []
        if self.phase is not Phase.POLLING:
            return []
        self._unsure += 1
        self._poll_at_once |= asked is FrameType.POLL
        self._earliest_ms = now_ms + MISS_PAUSE_MS
        assert self._heard_ms is not None  # the first request set it
        silent_ms = now_ms - self._heard_ms
        if self._misses < OFFLINE_MISSES or silent_ms < OFFLINE_AFTER_MS:
            return []
        return self._go_offline(now_ms, f"{self._misses} requests and {silent_ms} ms without an answer")

    def _back_off(self, now_ms: int) -> None:
        self._earliest_ms = now_ms + self._backoff_ms
        self._backoff_ms = min(2 * self._backoff_ms, LONGEST_BACKOFF_MS)

    def _go_offline(self, now_ms: int, why: str) -> list[BusReport]:
        if self._online_ms is not None and now_ms - self._online_ms >= STABLE_MS:
            self._backoff_ms = FIRST_BACKOFF_MS
        self.asked = None
        self.open_again()
        self._back_off(now_ms)
        return self._call_offline(why)

    def _call_offline(self, why: str) -> list[BusReport]:
        if self._online_ms is None:
            return []
        self._online_ms = None
        return [Offline(self.device.name, why)]
