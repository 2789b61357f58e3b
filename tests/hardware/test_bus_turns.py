"""Patience and turns of the bus master: who is offline, who is asked next, and what the line's noise counts for."""

from __future__ import annotations

from itertools import pairwise

import pytest

from hardware.bus_codec import DAEMON, FrameType, encode_frame
from hardware.bus_master import REPLY_WAIT_TTY_MS, BusMaster
from hardware.bus_payloads import encode_number
from hardware.bus_peer import LONGEST_BACKOFF_MS, OFFLINE_BUSY, BusDevice
from hardware.bus_reports import BusNoise, Drained, Events, Hello, Offline, Online
from hardware.reports import BetMoved, DeviceStarted
from hardware.simulated.bus_device import SELF_CLOSE_MS
from tests.hardware.bus_puppet import KEY, Puppet, frame_of, online_rig, panel
from tests.hardware.bus_rig import Rig


def test_three_misses_and_half_a_second_are_offline_and_an_answer_brings_it_back() -> None:
    device = panel()
    rig = online_rig(device)
    device.power_off()
    reports = rig.run(1_000)
    (offline,) = [report for report in reports if isinstance(report, Offline)]
    assert offline.device == "BP-1"
    assert "requests and" in offline.why
    device.power_on(rig.now_ms)
    reports = rig.run(3_000)
    assert Online("BP-1") in reports
    assert rig.ledger.counted["BP-1"] == [DeviceStarted(1), DeviceStarted(2)]


def test_two_misses_are_not_offline() -> None:
    puppet = Puppet()
    puppet.asked()
    puppet.events(1, 0)
    for _ in range(2):
        puppet.asked()
        assert puppet.misses() == []
    puppet.asked()
    assert puppet.events(1, 0) == []


def test_an_answer_that_lay_unread_while_the_daemon_hung_begins_a_new_session() -> None:
    """The device closed itself meanwhile, though its answer says nothing of it."""
    puppet = Puppet()
    assert puppet.asked().type is FrameType.POLL
    puppet.now_ms += SELF_CLOSE_MS
    puppet.events(1, 0)
    assert puppet.asked().type is FrameType.OPEN


def test_a_device_that_is_gone_is_opened_ever_less_often() -> None:
    master = BusMaster([BusDevice("panel", 1)], lambda: bytes(8))
    now_ms, times = 0, []
    for _ in range(7):
        wake_ms = master.wake_at_ms()
        assert wake_ms is not None
        now_ms = max(now_ms, wake_ms)
        assert frame_of(master.next_frame(now_ms)).type is FrameType.OPEN
        times.append(now_ms)
        now_ms += REPLY_WAIT_TTY_MS
        assert master.timed_out(now_ms) == []
    pauses = [b - a - REPLY_WAIT_TTY_MS for a, b in pairwise(times)]
    assert pauses == [250, 500, 1000, 2000, LONGEST_BACKOFF_MS, LONGEST_BACKOFF_MS]


def test_a_device_that_was_away_for_ten_minutes_is_heard_again_within_the_longest_pause() -> None:
    device = panel()
    rig = online_rig(device)
    device.power_off()
    rig.run(600_000)
    assert any(isinstance(report, Offline) for report in rig.reports)
    device.power_on(rig.now_ms)
    back = rig.run(LONGEST_BACKOFF_MS + 2 * REPLY_WAIT_TTY_MS)
    assert any(isinstance(report, Hello) for report in back)


def test_a_device_that_was_stable_is_opened_soon_and_one_that_flaps_is_not() -> None:
    device = panel()
    rig = online_rig(device)
    back_ms = []
    for stays_ms in (10_000, 0, 0, 10_000):
        rig.run(stays_ms)
        while not rig.reports or not isinstance(rig.reports[-1], Offline):
            device.busy = OFFLINE_BUSY
            rig.run(1)
        device.busy = 0
        began_ms = rig.now_ms
        while not any(isinstance(report, Hello) for report in rig.run(1)):
            pass
        back_ms.append(rig.now_ms - began_ms)
        rig.run(30)
    assert [round(waited, -2) for waited in back_ms] == [300, 500, 1000, 300]


def test_twenty_busy_in_a_row_are_offline_and_nineteen_are_not() -> None:
    puppet = Puppet()
    for _ in range(OFFLINE_BUSY - 1):
        assert puppet.asked().type is FrameType.POLL
        assert not any(isinstance(report, Offline) for report in puppet.says(FrameType.BUSY, b""))
    puppet.asked()
    assert puppet.events(1, 0) != []
    for _ in range(OFFLINE_BUSY - 1):
        puppet.asked()
        assert puppet.says(FrameType.BUSY, b"") == []
    puppet.asked()
    assert puppet.says(FrameType.BUSY, b"") == [Offline("panel", "busy 20 times in a row")]


def test_a_daemon_that_slept_begins_a_new_session_because_the_device_has_closed_itself() -> None:
    device = panel()
    rig = online_rig(device)
    rig.now_ms += 10_000
    reports = rig.run(200)
    assert [type(report) for report in reports if not isinstance(report, Drained)] == [Hello]
    assert not any(isinstance(report, Offline) for report in rig.reports)


def test_a_device_online_that_no_longer_greets_is_offline() -> None:
    device = panel()
    rig = online_rig(device)
    device.power_off()
    rig.now_ms += 10_000
    assert rig.run(2_000) == [Offline("BP-1", "no answer to OPEN")]


def test_a_lost_port_puts_all_its_devices_offline_and_they_come_back_with_it() -> None:
    rig = online_rig(panel(1), panel(2))
    assert rig.master.link_lost("unplugged") == [Offline("BP-1", "unplugged"), Offline("BP-2", "unplugged")]
    assert rig.master.link_lost("unplugged") == []
    reports = rig.run(200)
    assert [report for report in reports if isinstance(report, Online)] == [Online("BP-1"), Online("BP-2")]


def test_seven_dead_devices_do_not_keep_the_eighth_from_its_polls() -> None:
    device = panel(8)
    others = [BusDevice(f"dead {address}", address, KEY) for address in range(1, 8)]
    rig = Rig([device], [*others, BusDevice("BP-8", 8, KEY)])
    rig.run(5_000)
    polls = [report.poll_number for report in rig.run(10_000) if isinstance(report, Drained)]
    assert polls == list(range(polls[0], polls[0] + len(polls)))
    assert len(polls) >= 80  # 100 ms each, but for the turns in which a dead one was awaited


def test_eight_busy_devices_get_equal_turns() -> None:
    devices = [panel(address) for address in range(1, 9)]
    rig = online_rig(*devices)
    for _ in range(120):
        for device in devices:
            device.say(BetMoved(1, 0, on=True), rig.now_ms)
    reports = rig.run(60)
    turns = [report.device for report in reports if isinstance(report, Events)]
    assert max(turns.count(d.serial) for d in devices) - min(turns.count(d.serial) for d in devices) <= 1


def test_idle_devices_are_polled_within_a_tenth_of_a_second() -> None:
    devices = [panel(address) for address in range(1, 9)]
    rig = online_rig(*devices)
    reports = rig.run(2_000)
    for device in devices:
        assert sum(isinstance(r, Drained) and r.device == device.serial for r in reports) >= 20


@pytest.mark.parametrize(
    "devices",
    [
        [BusDevice(str(address), address) for address in range(1, 10)],
        [BusDevice("a", 1), BusDevice("a", 2)],
        [BusDevice("a", 1), BusDevice("b", 1)],
        [BusDevice("a", 0)],
        [BusDevice("a", 0x7F)],
    ],
)
def test_a_port_that_cannot_work_is_refused(devices: list[BusDevice]) -> None:
    with pytest.raises(ValueError, match="address"):
        BusMaster(devices, lambda: bytes(8))


def test_an_echo_and_a_stranger_are_noise_of_nobody() -> None:
    puppet = Puppet()
    poll = encode_frame(1, DAEMON, FrameType.POLL, 1, encode_number(0), None)
    assert puppet.master.received(poll, 0) == [BusNoise(None, "echo", 1)]
    stranger = encode_frame(DAEMON, 9, FrameType.BUSY, 1, b"", None)
    assert puppet.master.received(stranger, 0) == [BusNoise(None, "foreign", 1)]
    to_another = encode_frame(2, 1, FrameType.BUSY, 1, b"", None)
    assert puppet.master.received(to_another, 0) == [BusNoise(None, "foreign", 1)]


def test_noise_is_laid_to_the_device_that_is_heard() -> None:
    puppet = Puppet()
    assert puppet.master.received(b"\x01\x01\0", 0) == [BusNoise(None, "length", 1)]
    puppet.asked()
    assert puppet.master.received(b"\x01\x01\0", 0) == [BusNoise("panel", "length", 1)]


def test_a_request_in_a_devices_name_is_stale() -> None:
    puppet = Puppet()
    puppet.asked()
    assert puppet.says(FrameType.POLL, encode_number(0))[-1] == BusNoise("panel", "stale", 1)


def test_nothing_is_timed_out_before_its_time() -> None:
    puppet = Puppet()
    assert puppet.master.timed_out(10_000) == []
    puppet.asked()
    assert puppet.master.wake_at_ms() == REPLY_WAIT_TTY_MS
    assert puppet.master.timed_out(REPLY_WAIT_TTY_MS - 1) == []
    assert puppet.master.next_frame(10_000) is None
