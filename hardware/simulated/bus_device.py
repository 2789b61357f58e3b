"""A simulated table-bus device: speaks the wire through the real codec and keeps its side of devices.md section 3.

Laws
1. It boots closed, and closes by itself 2 s after the last valid POLL or CMD.
2. It keeps its old session until a valid POLL or CMD comes in the new one, so a false OPEN costs nothing.
3. It answers only frames to its address whose counter is greater than any before and whose tag holds.
4. An acknowledgement above its newest event is ignored; what is unacknowledged is kept.
5. Time comes in as `now_ms`; nothing here waits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hardware.bus_codec import DAEMON, Frame, FrameReader, FrameType, Seal, encode_frame
from hardware.bus_events import BusEvent, Kind, encode_event
from hardware.bus_payloads import (
    Command,
    CommandPayload,
    HelloPayload,
    PayloadError,
    Status,
    decode_command,
    decode_number,
    decode_open,
    encode_events,
    encode_hello,
    encode_number,
    encode_record,
    encode_response,
)
from hardware.reports import DeviceStarted, Places
from hardware.simulated.bus_journal import Journal

SELF_CLOSE_MS = 2_000  # devices.md: a device without a daemon closes by itself
LAMP_STATES = 4
_REQUESTS = frozenset({FrameType.POLL, FrameType.CMD})
_U32 = 0xFFFF_FFFF


@dataclass(slots=True)
class _Session:
    """One session as the device keeps it; `answered` is the last command done and its RSP, repeated for a retry."""

    seal: Seal
    heard: int = 0
    sent: int = 0
    answered: tuple[int, bytes] | None = None


class BusDeviceSim:
    """One device; `journal` outlives it, as the memory outlives the power."""

    def __init__(
        self, kind: Kind, serial: str, address: int, key: bytes | None = None, journal: Journal | None = None
    ) -> None:
        self.kind = kind
        self.serial = serial
        self.address = address
        self.key = key
        self.journal = Journal() if journal is None else journal
        self.busy = 0  # how many of the next requests it answers with BUSY
        self.refused = 0  # frames to it that it dropped for their counter, tag or payload
        self.report_places: Callable[[], Sequence[Places]] | None = None  # a bet panel's answer to command 04
        self.powered = False
        self.text = ""
        self._lockout = True
        self._lamps: dict[int, int] = {}
        self._reader = FrameReader()
        self._session: _Session | None = None
        self._opened: _Session | None = None
        self._heard_ms = self._booted_ms = 0

    @property
    def lockout(self) -> bool:
        """Whether bets are locked out: by command, by time-out, or because the journal fills."""
        return self._lockout or self.journal.nearly_full

    @property
    def lamps(self) -> dict[int, int]:
        """Lamp state by seat; a seat that is not here is dark."""
        return {} if self.journal.nearly_full else dict(self._lamps)

    def power_on(self, now_ms: int) -> None:
        """Boot: closed, without a session, with what the journal holds and a "started" on top."""
        self.powered = True
        self._booted_ms = now_ms
        self.journal.boots += 1
        self.say(DeviceStarted(self.journal.boots), now_ms)

    def power_off(self) -> None:
        """Lose everything but the journal."""
        self.powered = False
        self._reader.reset()
        self._session = self._opened = None
        self.text = ""
        self._close()

    def power_cycle(self, now_ms: int) -> None:
        """A power cut and its end."""
        self.power_off()
        self.power_on(now_ms)

    def tick(self, now_ms: int) -> None:
        """Let time pass: close when the daemon has been silent for too long."""
        if now_ms - self._heard_ms >= SELF_CLOSE_MS:
            self._close()

    def say(self, event: BusEvent, now_ms: int) -> int | None:
        """Journal an event; its id, or None when the device is dark or its journal full: then it never happened."""
        self.tick(now_ms)
        if not self.powered:
            return None
        code, data = encode_event(event)
        return self.journal.append(encode_record(code, self.clock_ms(now_ms), data))

    def clock_ms(self, now_ms: int) -> int:
        """Its own clock, milliseconds since boot; it runs over at 2^32."""
        return (now_ms - self._booted_ms) & _U32

    def clock_runs(self, span_ms: int) -> None:
        """So much more time has passed since it booted."""
        self._booted_ms -= span_ms

    def feed(self, data: bytes, now_ms: int) -> bytes:
        """Everything that passed on the line; what this device answers to it."""
        self.tick(now_ms)
        if not self.powered:
            return b""
        frames = (item for item in self._reader.feed(data) if isinstance(item, Frame))
        return b"".join(self._answer(f, now_ms) for f in frames if f.dst == self.address and f.src == DAEMON)

    def _close(self) -> None:
        self._lockout = True
        self._lamps.clear()

    def _answer(self, frame: Frame, now_ms: int) -> bytes:
        try:
            if frame.type is FrameType.OPEN:
                return self._greet(decode_open(frame.payload))
            if frame.type not in _REQUESTS:
                return b""
            session = self._admit(frame)
            if session is None:
                self.refused += 1
                return b""
            self._heard_ms = now_ms
            return self._serve(session, frame, now_ms)
        except PayloadError:
            self.refused += 1
            return b""

    def _greet(self, daemon_nonce: bytes) -> bytes:
        self.journal.sessions += 1
        nonce = self.journal.boots.to_bytes(4, "little") + self.journal.sessions.to_bytes(4, "little")
        self._opened = _Session(Seal(self.key, daemon_nonce, nonce))
        journal = self.journal
        hello = HelloPayload(nonce, self.kind, journal.boots, journal.oldest, journal.newest, self.serial)
        return encode_frame(DAEMON, self.address, FrameType.HELLO, 0, encode_hello(hello), self._opened.seal)

    def _admit(self, frame: Frame) -> _Session | None:
        """The session that the frame is valid in; the opened one becomes the device's by it."""
        for session in (self._session, self._opened):
            if session is not None and frame.ctr > session.heard and session.seal.holds(frame):
                if session is self._opened:
                    self._session, self._opened = session, None
                session.heard = frame.ctr
                return session
        return None

    def _serve(self, session: _Session, frame: Frame, now_ms: int) -> bytes:
        if self.busy > 0:
            self.busy -= 1
            return self._reply(session, FrameType.BUSY, b"")
        if frame.type is FrameType.POLL:
            return self._report(session, decode_number(frame.payload))
        return self._obey(session, decode_command(frame.payload), now_ms)

    def _report(self, session: _Session, ack: int) -> bytes:
        journal = self.journal
        if ack < journal.oldest - 1:
            return self._reply(session, FrameType.GAP, encode_number(journal.oldest))
        if ack <= journal.newest:
            journal.forget(ack)
        return self._reply(session, FrameType.EVENTS, encode_events(journal.oldest, journal.held()))

    def _obey(self, session: _Session, command: CommandPayload, now_ms: int) -> bytes:
        if session.answered is not None and session.answered[0] == command.command_id:
            return self._reply(session, FrameType.RSP, session.answered[1])
        status = self._do(command, now_ms)
        if status is None:
            return self._reply(session, FrameType.BUSY, b"")
        response = encode_response(command.command_id, status)
        session.answered = (command.command_id, response)
        return self._reply(session, FrameType.RSP, response)

    def _do(self, command: CommandPayload, now_ms: int) -> Status | None:
        """Carry out a command; None when there is no room yet for what it asks to journal."""
        data = command.data
        match command.code:
            case Command.LAMP if len(data) == 2 and data[1] < LAMP_STATES:
                self._lamps[data[0]] = data[1]
            case Command.LOCKOUT if len(data) == 1 and data[0] <= 1:
                self._lockout = data[0] == 1
            case Command.TEXT if data.isascii():
                self.text = data.decode("ascii")
            case Command.ALL_LAMPS if all(state < LAMP_STATES for state in data):
                self._lamps = dict(enumerate(data, start=1))
            case Command.REPORT_PLACES if self.report_places is not None and not data:
                return self._say_places(self.report_places(), now_ms)
            case Command.LAMP | Command.LOCKOUT | Command.TEXT | Command.ALL_LAMPS:
                return Status.BAD_DATA
            case _:
                return Status.UNKNOWN_COMMAND
        return Status.DONE

    def _say_places(self, places: Sequence[Places], now_ms: int) -> Status | None:
        if self.journal.room < len(places):
            return None
        for place in places:
            self.say(place, now_ms)
        return Status.DONE

    def _reply(self, session: _Session, frame_type: FrameType, payload: bytes) -> bytes:
        session.sent += 1
        return encode_frame(DAEMON, self.address, frame_type, session.sent, payload, session.seal)
