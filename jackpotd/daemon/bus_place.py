"""One table-bus device at its place: its clock, its backlog, what it was last told to show."""

from __future__ import annotations

from collections.abc import Callable

from hardware import bus_reports as b
from hardware.bus_events import Kind
from hardware.bus_payloads import Command
from hardware.bus_peer import BusDevice
from jackpotd.core.devices import committed, why_foreign
from jackpotd.core.facts import DeviceBack, DeviceHello, Drained
from jackpotd.core.parameters import TableParams
from jackpotd.daemon.clock import DeviceClock, Instant
from jackpotd.daemon.config_settings import DeviceSettings
from jackpotd.daemon.inbox import Item
from jackpotd.daemon.outputs import TableOutputs, closed_outputs
from jackpotd.daemon.ports import Shell, watched
from jackpotd.daemon.words import Words

# Who understands which command (devices.md section 3): panels have lamps and lockout, keypads a display.
_SHOWS: dict[int, tuple[int, ...]] = {
    Kind.BET_PANEL: (Command.LOCKOUT, Command.ALL_LAMPS),
    Kind.DEALER_KEYPAD: (Command.TEXT,),
    Kind.COMBINED: (Command.LOCKOUT, Command.ALL_LAMPS, Command.TEXT),
}


class BusPlace:
    """What the shell keeps of a device between its words."""

    def __init__(self, shell: Shell, device: DeviceSettings, table: TableParams, key: bytes | None) -> None:
        self.device = device
        self._key = key
        self._pin: str | None = None
        self._shell = shell
        self._words = Words(table)
        self._seats = table.seats
        self.clock = DeviceClock()
        self._kind = 0
        self._board: tuple[str, int] | None = None  # serial number and boot; boots are counted, so two boards may agree
        self._backlog = 0  # events up to this id were made before the device was last reached
        self._told: dict[int, bytes] = {}
        self._followed: TableOutputs | None = None  # what it was told in full; None when something has to be said
        self._looked_at: tuple[object, str] | None = None  # the view and the closing that it follows
        self._back = False
        self._drain_round = ""
        self._drain_poll: int | None = None
        self._foreign = ""
        self._forged_told = False

    def bus_device(self) -> BusDevice:
        """How the port's master knows it; a pinned place is pinned to the board that people accepted since."""
        self._pin = self._pinned()
        return BusDevice(self.device.label, self.device.address or 0, self._key, self._pin)

    def is_pinned_anew(self) -> bool:
        """Whether people accepted another board than the one that the master knows."""
        return self._pin is not None and self._pin != self._pinned()

    def _pinned(self) -> str | None:
        device = self.device
        place = self._shell.state.tables[device.table].devices.get(device.name)
        if device.serial is None or place is None:
            return device.serial
        return place.serial or place.accepted or device.serial

    # ---- what it says

    def items(self, events: b.Events, ack: Callable[[], None], now: Instant) -> list[Item]:
        """Its events as items; the last one carries the acknowledgement."""
        now_ms, now_ns, heard_ms = now.utc_ms, now.monotonic_ns, now.monotonic_ms
        table, name = self.device.table, self.device.name
        items = []
        for said in events.said:
            assert said.seq is not None
            assert said.device_ms is not None
            is_old = said.seq <= self._backlog
            age_ms = None if is_old else self.clock.age_ms(said.device_ms, heard_ms, prompt=events.prompt)
            stale, said_ms = age_ms is None, now_ms - (age_ms or 0)
            word = self._words.word(said.what)
            items.append(Item(table, name, word, now_ms, said_ms, now_ns, said.seq, said.raw, stale))
        items[-1].settled = lambda error: ack() if error is None else None
        return items

    def greeted(self, hello: b.Hello) -> None:
        """It was reached anew: what it holds now was made before, and it shows nothing that we told it."""
        board = (hello.serial, hello.boot)
        if board != self._board or self._lost_its_journal(hello):
            self.clock.restart()
        self._board = board
        self._kind = hello.kind
        self._backlog = hello.newest
        self._forget_all()
        self._back = False
        self._drain_round = ""
        self._drain_poll = None

    def _lost_its_journal(self, hello: b.Hello) -> bool:
        """Whether it forgot events that the ledger has: then it may count its boots anew too."""
        state = self._shell.state
        device = state.tables[self.device.table].devices.get(self.device.name)
        return device is not None and device.serial == hello.serial and hello.newest < committed(state, device)

    def accepted_mark(self, hello: b.Hello) -> int | None:
        """The event id to acknowledge first, if the ledger took this board; None if it did not."""
        state = self._shell.state
        device = state.tables[self.device.table].devices.get(self.device.name)
        if device is None or device.serial != hello.serial or why_foreign(state, device, hello.serial):
            self._foreign = hello.serial
            return None
        self._foreign = ""
        return committed(state, device)

    def is_known_foreign(self, serial: str) -> bool:
        """Whether this board was refused already; saying so again would only fill the ledger."""
        state = self._shell.state
        device = state.tables[self.device.table].devices.get(self.device.name)
        return serial == self._foreign and (device is None or bool(why_foreign(state, device, serial)))

    def foreign(self, word: DeviceHello, now: Instant) -> None:
        """Another board than the configuration pins answers."""
        if word.serial != self._foreign:
            self._foreign = word.serial
            self._shell.inbox.put_now(watched(self.device, word, now))

    def forged(self) -> None:
        """A frame in its name with a wrong tag: told once until it is reached anew."""
        if not self._forged_told:
            self._forged_told = True
            self._shell.alarms.raise_alarm(
                "forged_frame",
                self.device.label,
                f"a frame in the name of {self.device.label} has a wrong tag: a wrong key, or somebody on the line",
                "Check the key in the configuration and look for a foreign device on the cable.",
            )

    def drained(self, report: b.Drained, now: Instant) -> None:
        """It has nothing new: it is back, and if a lock waits for it, it is heard out."""
        if not self._back:
            self._back = True
            self._shell.inbox.put_now(watched(self.device, DeviceBack(), now))
        if self._drain_poll is not None and report.poll_number >= self._drain_poll:
            self._drain_poll = None
            self._shell.inbox.put_now(watched(self.device, Drained(), now))

    def lost(self) -> None:
        """It is not reached."""
        self._back = False
        self._drain_poll = None
        self._forget_all()

    # ---- what it shows

    def is_current(self) -> bool:
        """Whether it follows its table's very view already: most commits are of other tables."""
        board = self._shell.board
        view, before = board.tables.get(self.device.table), self._looked_at
        if before is not None and before[0] is view and before[1] == board.suspended and self._followed is not None:
            return True
        self._looked_at = (view, board.suspended)
        return False

    def commands(self) -> list[tuple[int, bytes]]:
        """The commands that bring it from what it was told to what the board shows."""
        view = self._shell.board.tables.get(self.device.table)
        shown = view.outputs if view is not None and not self._shell.board.suspended else closed_outputs(self._seats)
        if shown is self._followed or shown == self._followed:
            return []
        self._followed = shown
        wanted: dict[int, bytes] = {
            Command.LOCKOUT: bytes([shown.lockout]),
            Command.ALL_LAMPS: bytes(shown.lamps),
            Command.TEXT: shown.text.encode("ascii"),
        }
        changed = [(code, wanted[code]) for code in _SHOWS.get(self._kind, ()) if self._told.get(code) != wanted[code]]
        self._told.update(changed)
        return changed

    def forget(self, code: int) -> None:
        """A command could not be queued; it is said again when the board next moves or the device is reached."""
        self._told.pop(code, None)
        self._followed = None

    def forget_lockout(self) -> None:
        """Locked out before the ledger knew why: what the board says next is said again."""
        self.forget(Command.LOCKOUT)

    def _forget_all(self) -> None:
        self._told.clear()
        self._followed = None

    def must_drain(self) -> bool:
        """Whether a lock waits for this device and it has not been asked for it yet."""
        view = self._shell.board.tables.get(self.device.table)
        if view is None or self.device.name not in view.waiting or self._drain_round == view.round:
            return False
        self._drain_round = view.round
        return True

    def draining(self, poll_number: int) -> None:
        """The poll whose empty answer proves that it has nothing from before the lock."""
        self._drain_poll = poll_number
