"""The master of a recorded table-bus line: it is told what was sent, where the real one decides it. Pure.

Laws
1. What the record shows that the daemon sent holds: its nonces, its acknowledgements, and the session it believed in.
2. A device is believed as the real master believes it: by the same peers, sessions, counters and tags.
3. A record without the daemon's side still counts where nothing hangs on it: an answer implies its question, and a
   device without a key needs no nonce. Of one with a key nothing is believed without its OPEN.
"""

from __future__ import annotations

from hardware.bus_codec import DAEMON, NONCE_SIZE, Frame, FrameReader, FrameType
from hardware.bus_master import BusMaster
from hardware.bus_payloads import PayloadError, decode_number, decode_open
from hardware.bus_peer import BusDevice, Peer, Phase
from hardware.bus_reports import BusReport, Drained


class WitnessPeer(Peer):
    """One device of a recorded line. `is_whole`: the record has all that was said on it, by both sides."""

    def __init__(self, device: BusDevice, *, is_whole: bool) -> None:
        super().__init__(device)
        self._is_whole = is_whole

    @property
    def has_told_all(self) -> bool:
        """Whether everything that its HELLO announced has come, and is committed."""
        announced = 0 if self._hello is None else self._hello.newest
        return self.phase is Phase.POLLING and announced <= self._delivered == self._acked

    def adopt(self, frame: Frame, now_ms: int) -> None:
        """Know what the daemon knew when it sent this request. PayloadError if it is ill-formed."""
        if self._heard_ms is None:
            self._heard_ms = now_ms
        if frame.type is FrameType.OPEN:
            nonce = decode_open(frame.payload)
            if self.phase is not Phase.OPENING:
                self.open_again()
            self._session.open(nonce)
        elif frame.type is FrameType.POLL:
            self._join(decode_number(frame.payload))
            self._polls += 1
        self.asked = frame.type

    def imply(self, asked: FrameType) -> None:
        """The record shows an answer without its question."""
        if asked is FrameType.OPEN and self.phase is Phase.OPENING:
            self._session.open(bytes(NONCE_SIZE))
        elif asked is FrameType.POLL and self.phase is Phase.POLLING:
            self.asked = asked
            self._polls += 1

    def _is_prompt(self, now_ms: int) -> bool:
        """A record that leaves answers out says what there was when it was: nothing was kept up."""
        return super()._is_prompt(now_ms) or not self._is_whole

    def _join(self, acked: int) -> None:
        """A daemon that polls has accepted the device and is in its session, whatever it looks like from here."""
        if self.phase is Phase.GREETED:
            self._acked = self._delivered = acked
            self._misses = self._busy = self._unsure = 0
        elif self._acked < acked <= self._delivered:
            self._acked = acked
        self.phase = Phase.POLLING


class BusWitness(BusMaster):
    """All devices of one recorded port. `is_whole`: a controller recorded it, and left nothing out."""

    def __init__(self, *, is_whole: bool) -> None:
        super().__init__([], lambda: bytes(NONCE_SIZE))
        self._is_whole = is_whole
        self._sent = FrameReader()
        self._peers: dict[int, WitnessPeer] = {}  # by address
        self._seen: set[str] = set()  # devices whose OPEN the record shows
        self._polls_seen: set[str] = set()

    def sent(self, data: bytes, now_ms: int) -> list[BusReport]:
        """Bytes that the daemon sent; what does not carry a frame says nothing."""
        reports: list[BusReport] = []
        for item in self._sent.feed(data):
            if isinstance(item, Frame) and item.src == DAEMON:
                reports += self._adopt(item, now_ms)
        return reports

    def remove(self, name: str) -> None:
        """A device is served no more."""
        del self._peers[self._by_name[name].device.address]
        super().remove(name)

    def anew(self, device: str) -> None:
        """The daemon gave this device's session up without a word on the line."""
        self._by_name[device].open_again()

    def link_lost(self, why: str) -> list[BusReport]:
        """The port closed, for what is sent too."""
        self._sent.reset()
        return super().link_lost(why)

    def implied(self) -> list[Drained]:
        """Who has told all it had: number 0 where the record shows polls, which then prove more by their answers."""
        return [
            Drained(peer.device.name, 0 if peer.device.name in self._polls_seen else peer.poll_soon())
            for peer in self._peers.values()
            if peer.has_told_all
        ]

    def _peer(self, device: BusDevice) -> Peer:
        peer = self._peers[device.address] = WitnessPeer(device, is_whole=self._is_whole)
        return peer

    def _adopt(self, frame: Frame, now_ms: int) -> list[BusReport]:
        peer = self._peers.get(frame.dst)
        if peer is None:
            return []
        reports = [] if self._asked is None else self._asked.missed(now_ms)
        try:
            peer.adopt(frame, now_ms)
        except PayloadError:
            return reports
        self._asked = peer
        if frame.type is FrameType.OPEN:
            self._seen.add(peer.device.name)
        elif frame.type is FrameType.POLL:
            self._polls_seen.add(peer.device.name)
        return reports

    def _take(self, frame: Frame, now_ms: int) -> list[BusReport]:
        peer = self._peers.get(frame.src)
        if peer is not None:
            if frame.type is FrameType.HELLO and peer.device.key is None and peer.device.name not in self._seen:
                peer.imply(FrameType.OPEN)
            elif frame.type is FrameType.EVENTS and peer.asked is None:
                peer.imply(FrameType.POLL)
        return super()._take(frame, now_ms)
