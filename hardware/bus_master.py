"""The polling master of one table-bus port (devices.md section 3): whose turn it is, and when. Pure: time comes in.

Laws
1. One request at a time: nothing is sent before the awaited answer came or its time passed (half duplex).
2. Among the devices that are due, the one least recently asked goes first; only a lockout overtakes.
3. A device that does not answer cannot starve the others: OPENs that failed are spaced over the whole port.
4. A daemon that cannot commit calls `pause`: every device is told to lock out, and then nothing is asked.
5. The shell does as it is told: send what `next_frame` gives, hear the line, call again at `wake_at_ms`.

    master.next_frame(now) -> Transmit: send it
    master.received(data, now) -> reports        (then next_frame again)
    master.timed_out(now) -> reports             (at reply_by_ms, when nothing more came)
    Hello -> the ledger decides -> accept(hello, ack); Events, Gap -> the ledger commits -> ack(device, event_id)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hardware.bus_codec import DAEMON, FIRST_DEVICE, LAST_DEVICE, Frame, FrameReader
from hardware.bus_commands import LOCKOUT_ON
from hardware.bus_payloads import Command
from hardware.bus_peer import BusDevice, Peer, Phase
from hardware.bus_reports import BusNoise, BusReport, Hello, Transmit
from hardware.bus_session import Exchange

MOST_DEVICES = 8  # devices.md: so that each is still polled in time
REPLY_WAIT_TTY_MS = 60
REPLY_WAIT_SOCKET_MS = 300
OPEN_SPACING_WAITS = 4  # reply waits from a failed OPEN to the next OPEN: the devices that answer keep 3/4 of the line


class BusMaster:
    """All devices of one port. `nonce` gives 8 random bytes."""

    def __init__(
        self, devices: Sequence[BusDevice], nonce: Callable[[], bytes], reply_wait_ms: int = REPLY_WAIT_TTY_MS
    ) -> None:
        self._by_name: dict[str, Peer] = {}
        self._by_address: dict[int, Peer] = {}
        for device in devices:
            self.add(device)
        self._nonce = nonce
        self._reply_wait_ms = reply_wait_ms
        self._reader = FrameReader()
        self._asked: Peer | None = None
        self._reply_by_ms = 0
        self._turn = 0
        self._next_open_ms = 0
        self._paused = False

    # ---- who is on the port

    def add(self, device: BusDevice) -> None:
        """Serve one more device; the others notice nothing. ValueError: it does not fit."""
        full = len(self._by_name) >= MOST_DEVICES
        if full or device.name in self._by_name or device.address in self._by_address:
            raise ValueError(f"a port takes {MOST_DEVICES} devices of different names and addresses")
        if not FIRST_DEVICE <= device.address <= LAST_DEVICE:
            raise ValueError("device addresses are 01 to 7E")
        self._by_name[device.name] = self._by_address[device.address] = self._peer(device)

    def remove(self, name: str) -> None:
        """Ask a device nothing more; an answer that is still awaited keeps the line until its time (law 1)."""
        peer = self._by_name.pop(name)
        del self._by_address[peer.device.address]

    # ---- the wire

    @property
    def asks(self) -> str | None:
        """The device whose answer is awaited."""
        return None if self._asked is None else self._asked.device.name

    def polled(self) -> frozenset[str]:
        """The devices in a session: greeted, accepted and not given up."""
        return frozenset(name for name, peer in self._by_name.items() if peer.phase is Phase.POLLING)

    @property
    def awaits_answer(self) -> bool:
        """Whether a request is under way: nothing else can be sent before its answer or its time-out."""
        return self._asked is not None

    def next_frame(self, now_ms: int) -> Transmit | None:
        """The frame to send now, if any; it takes the line until its answer or `timed_out`."""
        if self._asked is not None:
            return None
        due = [peer for peer in self._by_name.values() if self._is_due(peer, now_ms)]
        if not due:
            return None
        peer = min(due, key=lambda waiting: (not waiting.closing, waiting.served))
        frame = peer.request(now_ms, self._nonce)
        self._turn += 1
        peer.served = self._turn
        self._asked, self._reply_by_ms = peer, now_ms + self._reply_wait_ms
        return Transmit(peer.device.name, frame, self._reply_by_ms)

    def received(self, data: bytes, now_ms: int) -> list[BusReport]:
        """What bytes from the line say, in order."""
        reports: list[BusReport] = []
        for item in self._reader.feed(data):
            if isinstance(item, Frame):
                reports += self._take(item, now_ms)
            else:
                heard = None if self._asked is None else self._asked.device.name
                reports.append(BusNoise(heard, item.reason, item.count))
        if self._asked is not None and self._asked.asked is None:
            self._asked = None
        return reports

    def timed_out(self, now_ms: int) -> list[BusReport]:
        """The time of the awaited answer has passed; nothing if there is still time, or nothing is awaited."""
        peer = self._asked
        if peer is None or now_ms < self._reply_by_ms:
            return []
        self._asked = None
        if peer.phase is Phase.OPENING:
            self._next_open_ms = now_ms + OPEN_SPACING_WAITS * self._reply_wait_ms
        return peer.missed(now_ms) if self._is_served(peer) else []

    def wake_at_ms(self) -> int | None:
        """When to call `timed_out` or `next_frame` again if nothing comes; None: not before `resume`."""
        if self._asked is not None:
            return self._reply_by_ms
        dues = [due for peer in self._by_name.values() if (due := self._due_ms(peer)) is not None]
        return min(dues, default=None)

    def link_lost(self, why: str) -> list[BusReport]:
        """The port closed: half a frame is given up and every device is opened anew when the port is back."""
        self._reader.reset()
        self._asked = None
        self._next_open_ms = 0
        return [report for peer in self._by_name.values() for report in peer.lost(why)]

    def past(self) -> list[tuple[str, Exchange]]:
        """What a witness who comes now has to be told, by device; half a frame is the first one's."""
        told = [(name, one) for name, peer in self._by_name.items() for one in peer.past()]
        if self._reader.held:
            told.append((next(iter(self._by_name)), Exchange(self._reader.held, sent=False)))
        return told

    # ---- what the daemon decides

    def accept(self, hello: Hello, ack: int) -> None:
        """Poll the device that said `hello`, from `ack`; ignored after another HELLO or a removal.

        ValueError if `ack` is above the device's newest event: the ledger gives it a new journal first.
        """
        peer = self._by_name.get(hello.device)
        if peer is not None:
            peer.accept(hello, ack)

    def ack(self, device: str, event_id: int) -> None:
        """Events up to `event_id` are committed: tell the device at once; ignored when it or its session is gone."""
        peer = self._by_name.get(device)
        if peer is not None:
            peer.ack(event_id)

    def command(self, device: str, code: int, data: bytes) -> bool:
        """Queue a command; False while paused or not polled: the device is told everything after its HELLO."""
        return not self._paused and self._by_name[device].command(code, data)

    def poll_soon(self, device: str) -> int:
        """Poll at once; a `Drained` with this number or a higher one was asked after this call."""
        return self._by_name[device].poll_soon()

    def pause(self) -> None:
        """Nothing can be committed: lock out every device, then ask nothing."""
        self._paused = True
        for peer in self._by_name.values():
            peer.command_only(Command.LOCKOUT, LOCKOUT_ON)

    def resume(self) -> None:
        """Commits work again: greet every device anew, so that each is told its lamps."""
        self._paused = False
        for peer in self._by_name.values():
            if peer.phase is Phase.POLLING:
                peer.open_again()

    # ---- turns

    def _due_ms(self, peer: Peer) -> int | None:
        if self._paused and not peer.closing:
            return None
        if peer.phase is Phase.OPENING and self._somebody_is_polled():
            return max(peer.due_ms, self._next_open_ms)
        return peer.due_ms

    def _is_due(self, peer: Peer, now_ms: int) -> bool:
        due_ms = self._due_ms(peer)
        return due_ms is not None and due_ms <= now_ms

    def _peer(self, device: BusDevice) -> Peer:
        return Peer(device)

    def _is_served(self, peer: Peer) -> bool:
        return self._by_name.get(peer.device.name) is peer

    def _somebody_is_polled(self) -> bool:
        return any(peer.phase is Phase.POLLING for peer in self._by_name.values())

    def _take(self, frame: Frame, now_ms: int) -> list[BusReport]:
        if frame.src == DAEMON:
            return [BusNoise(None, "echo", 1)]
        peer = self._by_address.get(frame.src)
        if peer is None or frame.dst != DAEMON:
            return [BusNoise(None, "foreign", 1)]
        return peer.take(frame, now_ms)
