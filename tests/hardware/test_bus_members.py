"""Devices that come to a port and leave it while the others play on."""

from __future__ import annotations

import pytest

from hardware.bus_codec import FrameType
from hardware.bus_peer import BusDevice
from hardware.bus_reports import BusReport, Events, Hello, Offline, Online
from hardware.reports import DeviceStarted
from hardware.simulated.bus_boards import BetPanelSim
from tests.hardware.bus_puppet import KEY, Puppet, frame_of, online_rig, panel
from tests.hardware.bus_rig import Rig


def joins(rig: Rig, address: int) -> None:
    """A board at an address, powered, and from now on configured."""
    device = panel(address)
    device.power_on(rig.now_ms)
    rig.devices = [*rig.devices, device]
    rig.master.add(BusDevice(device.serial, address, KEY))


def greetings(reports: list[BusReport], device: str) -> list[Hello]:
    return [report for report in reports if isinstance(report, Hello) and report.device == device]


def test_a_device_that_joins_is_counted_and_those_that_were_there_are_not_greeted_again() -> None:
    rig = online_rig(panel())
    joins(rig, 2)
    reports = rig.run(600)
    assert Online("BP-2") in reports
    assert rig.ledger.counted["BP-2"] == [DeviceStarted(1)]
    assert greetings(reports, "BP-1") == []
    assert [report for report in reports if isinstance(report, Offline)] == []


def test_a_device_that_joins_and_is_not_there_closes_nobody() -> None:
    first = panel()
    rig = online_rig(first)
    board = BetPanelSim(first, 7)
    rig.master.add(BusDevice("BP-2", 2, KEY))
    for seat in (1, 2, 3, 4):
        board.place(seat, 1, rig.now_ms)
        reports = rig.run(1_500)
        assert greetings(reports, "BP-1") == []
        assert [report for report in reports if isinstance(report, Offline) and report.device == "BP-1"] == []
        assert [report for report in reports if isinstance(report, Events)] != []


def test_a_device_that_is_removed_is_asked_nothing_more_and_the_other_plays_on() -> None:
    rig = online_rig(panel(1), panel(2))
    rig.master.remove("BP-1")
    reports = rig.run(3_000)
    assert [report for report in reports if getattr(report, "device", None) == "BP-1"] == []
    assert greetings(reports, "BP-2") == []


def test_an_answer_that_a_removed_device_still_owes_keeps_the_line_until_its_time() -> None:
    puppet = Puppet()
    puppet.asked()
    puppet.master.add(BusDevice("other", 2))
    puppet.master.remove("panel")
    assert puppet.master.next_frame(puppet.now_ms) is None
    assert puppet.misses() == []
    asked = frame_of(puppet.master.next_frame(puppet.now_ms))
    assert (asked.dst, asked.type) == (2, FrameType.OPEN)


def test_what_the_ledger_decides_of_a_removed_device_comes_too_late_and_harms_nothing() -> None:
    puppet = Puppet()
    puppet.asked()
    puppet.events(1, 1)
    puppet.master.remove("panel")
    puppet.master.ack("panel", 1)
    (hello,) = (report for report in puppet.greeting if isinstance(report, Hello))
    puppet.master.accept(hello, 1)
    assert puppet.misses() == []
    assert puppet.master.wake_at_ms() is None


def test_a_device_that_joins_again_is_greeted_anew() -> None:
    rig = online_rig(panel(1), panel(2))
    rig.master.remove("BP-1")
    rig.master.add(BusDevice("BP-1", 1, KEY))
    reports = rig.run(600)
    assert len(greetings(reports, "BP-1")) == 1
    assert greetings(reports, "BP-2") == []


@pytest.mark.parametrize("device", [BusDevice("BP-1", 9), BusDevice("new", 1), BusDevice("new", 0x7F)])
def test_a_device_that_does_not_fit_is_refused(device: BusDevice) -> None:
    rig = online_rig(panel(1))
    with pytest.raises(ValueError, match="device"):
        rig.master.add(device)


def test_the_ninth_device_is_refused() -> None:
    rig = Rig([panel(address) for address in range(1, 9)])
    with pytest.raises(ValueError, match="a port takes 8 devices"):
        rig.master.add(BusDevice("ninth", 9))
