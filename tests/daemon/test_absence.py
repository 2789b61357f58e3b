"""Devices that do not answer from the start on are told, once, after more than the longest pause between two tries."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hardware.links import Link, LinkError, SerialSettings
from jackpotd.core.facts import DeviceLost
from jackpotd.core.state import Alarm, Device, State, Table
from jackpotd.daemon.absence import ABSENT_MS, AbsenceWatch
from jackpotd.daemon.board import Board
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.config_settings import DeviceSettings
from jackpotd.daemon.inbox import Inbox
from jackpotd.daemon.metrics import Metrics
from jackpotd.daemon.ports import LONGEST_WAIT_S, Shell
from jackpotd.daemon.recorder import Recorder
from jackpotd.daemon.shell_alarms import ShellAlarms
from tests.support.felt import stud_table

_NS_PER_MS = 1_000_000


class StillClock(Clock):
    """Stands until it is moved."""

    ms = 1_000_000

    def monotonic_ns(self) -> int:
        return self.ms * _NS_PER_MS


async def no_link(_port: str, _settings: SerialSettings) -> Link:
    raise LinkError("unreachable", "there are no lines here")


class Hall:
    """One table whose panel and keypad are configured, and the watch over them."""

    def __init__(self) -> None:
        self.clock = StillClock()
        params = stud_table()
        self.table = Table(params=params, deals="shoe")
        self.table.devices = {one.name: Device(params=one) for one in params.devices}
        self.state = State(tables={"T01": self.table})
        alarms, self.said = ShellAlarms(self.clock), list[tuple[str, str]]()
        shell = Shell(
            self.state,
            Inbox(),
            Board(),
            self.clock,
            Metrics(),
            alarms,
            Random(0),
            bytes,
            no_link,
            Recorder(self.clock, alarms),
        )
        shell.inbox.overheard = lambda item: self._hear(item.device, item.what)
        panel = DeviceSettings("T01", "panel", "table-bus", "/dev/bus", 9600, "none", 8, 1, 1, None, None, None)
        self.served = [panel, replace(panel, name="keypad", address=2)]
        self.watch = AbsenceWatch(shell, lambda: self.served)

    def _hear(self, device: str, word: object) -> None:
        assert isinstance(word, DeviceLost)
        self.said.append((device, word.why))

    def spend(self, ms: int) -> None:
        """Let time pass, with a look every second."""
        for _ in range(ms // 1_000):
            self.watch.look()
            self.clock.ms += 1_000
        self.watch.look()

    def alarm(self, device: str) -> None:
        """The ledger has the alarm."""
        name = f"offline-T01.{device}"
        self.state.alarms[name] = Alarm(name, "offline", "is not reached", "T01", device, 1, "look")


def test_a_device_that_never_answers_is_told_once_and_one_that_answers_is_not() -> None:
    hall = Hall()
    hall.table.devices["keypad"].online = True
    hall.spend(ABSENT_MS - 1_000)
    assert hall.said == []
    hall.spend(1_000)
    assert hall.said == [("panel", "it has not answered yet")]
    hall.alarm("panel")
    hall.spend(10 * ABSENT_MS)
    assert len(hall.said) == 1
    assert LONGEST_WAIT_S * 1_000 < ABSENT_MS, "it may not have been asked"


def test_what_is_awaited_begins_anew_when_it_was_there_meanwhile() -> None:
    hall = Hall()
    hall.spend(ABSENT_MS - 1_000)
    for device in hall.table.devices.values():
        device.online = True
    hall.spend(0)
    for device in hall.table.devices.values():
        device.online = False
    hall.spend(ABSENT_MS - 2_000)
    assert hall.said == []


def test_a_board_that_is_not_served_because_it_is_another_has_its_own_alarm() -> None:
    hall = Hall()
    hall.table.devices["panel"].foreign = "BP-0007"
    hall.served = hall.served[:1]
    hall.spend(2 * ABSENT_MS)
    assert hall.said == []


def test_a_device_that_the_ledger_does_not_know_yet_is_not_awaited() -> None:
    hall = Hall()
    hall.table.devices = {}
    hall.spend(2 * ABSENT_MS)
    assert hall.said == []
