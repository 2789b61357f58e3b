"""Sessions of the bus master: whom it believes, whom it polls, and what it takes for stale or forged."""

from __future__ import annotations

import pytest

from hardware import bus_session
from hardware.bus_codec import DAEMON, FrameType, Seal, encode_frame
from hardware.bus_events import Kind
from hardware.bus_master import REPLY_WAIT_TTY_MS, BusMaster
from hardware.bus_payloads import HelloPayload, encode_events, encode_hello
from hardware.bus_peer import GREET_AGAIN_MS, BusDevice
from hardware.bus_reports import BusNoise, Drained, Forged, Hello, Offline, Online, Transmit, WrongSerial
from hardware.reports import DeviceStarted
from hardware.simulated.bus_device import BusDeviceSim
from tests.hardware.bus_puppet import KEY, OTHER_KEY, Puppet, online_rig, panel
from tests.hardware.bus_rig import Rig, nonces


def test_a_device_is_not_polled_before_the_daemon_accepts_it_but_greeted_again() -> None:
    device = panel()
    rig = Rig([device])
    rig.accepting = False
    hello = Hello("BP-1", "BP-1", Kind.BET_PANEL, 1, 1, 1)
    assert rig.run(GREET_AGAIN_MS + 1_000) == [hello, hello]
    assert rig.sent == 2
    rig.accept(hello)
    rig.run(50)
    assert rig.ledger.counted == {"BP-1": [DeviceStarted(1)]}


def test_a_board_put_in_place_of_one_that_was_not_accepted_greets_by_itself() -> None:
    stranger, known = panel(), BusDeviceSim(Kind.BET_PANEL, "BP-2", 1, KEY)
    rig = Rig([stranger, known], [BusDevice("BP-1", 1, KEY)])
    rig.accepting = False
    known.power_off()
    rig.run(100)
    stranger.power_off()
    known.power_on(rig.now_ms)
    rig.run(2 * GREET_AGAIN_MS)
    assert [report.serial for report in rig.reports if isinstance(report, Hello)][:2] == ["BP-1", "BP-2"]


def test_only_the_latest_hello_can_be_accepted() -> None:
    device = panel()
    rig = Rig([device])
    rig.accepting = False
    (old,) = rig.run(50)
    assert isinstance(old, Hello)
    rig.master.link_lost("unplugged")
    device.power_cycle(rig.now_ms)
    (new,) = rig.run(50)
    rig.accept(old)
    assert rig.run(500) == []
    assert isinstance(new, Hello)
    rig.accept(new)
    assert Online("BP-1") in rig.run(500)


def test_a_journal_behind_the_ledger_cannot_be_accepted_as_it_is() -> None:
    with pytest.raises(ValueError, match="journal was lost"):
        Puppet(newest=4, ack=5)


def test_a_pinned_serial_number_is_the_only_one_that_greets() -> None:
    assert Puppet(serial="BP-2", pinned="BP-1").greeting == [WrongSerial("panel", "BP-2", "BP-1")]
    assert isinstance(Puppet(serial="BP-1", pinned="BP-1").greeting[0], Hello)


def test_a_board_exchanged_while_online_is_reported_offline() -> None:
    puppet = Puppet(pinned="BP-1")
    puppet.asked()
    assert puppet.events(1, 0) == [Online("panel"), Drained("panel", 1)]
    puppet.master.resume()
    puppet.asked()
    hello = encode_hello(HelloPayload(bytes(8), Kind.BET_PANEL, 1, 1, 0, "BP-2"))
    assert puppet.says(FrameType.HELLO, hello, ctr=0) == [
        Offline("panel", "another board answers"),
        WrongSerial("panel", "BP-2", "BP-1"),
    ]


@pytest.mark.parametrize(("ours", "theirs"), [(KEY, OTHER_KEY), (KEY, None), (None, KEY)])
def test_a_wrong_key_is_forgery_and_not_noise(ours: bytes | None, theirs: bytes | None) -> None:
    rig = Rig([panel(key=theirs)], [BusDevice("BP-1", 1, ours)])
    reports = rig.run(200)
    assert reports == [Forged("BP-1")]
    assert rig.ledger.counted == {}


def test_a_forged_answer_does_not_end_the_wait_for_the_true_one() -> None:
    device = panel()
    rig = online_rig(device)
    request = None
    while request is None:
        rig.now_ms += 1
        request = rig.master.next_frame(rig.now_ms)
    forged = encode_frame(DAEMON, 1, FrameType.EVENTS, 1 << 20, encode_events(9, []), Seal(OTHER_KEY, b"", b""))
    assert rig.master.received(forged, rig.now_ms) == [Forged("BP-1")]
    assert rig.master.next_frame(rig.now_ms) is None
    assert rig.master.received(device.feed(request.frame, rig.now_ms), rig.now_ms) == [
        Drained("BP-1", rig.master.poll_soon("BP-1") - 1)
    ]


def test_frames_of_a_former_session_are_stale_while_hello_is_awaited_and_forged_in_the_next() -> None:
    device = panel()
    rig = Rig([device])
    rig.accepting = False
    (hello,) = rig.run(50)
    assert isinstance(hello, Hello)
    rig.accept(hello)
    poll = rig.master.next_frame(rig.now_ms)
    assert poll is not None
    recorded = device.feed(poll.frame, rig.now_ms)
    rig.master.link_lost("unplugged")
    rig.accepting = True
    assert rig.master.received(recorded, rig.now_ms) == [BusNoise("BP-1", "stale", 1)]
    open_again = rig.master.next_frame(rig.now_ms)
    assert open_again is not None
    assert rig.master.received(recorded, rig.now_ms) == [BusNoise("BP-1", "stale", 1)]
    (greeted,) = rig.master.received(device.feed(open_again.frame, rig.now_ms), rig.now_ms)
    assert rig.master.received(recorded, rig.now_ms) == [BusNoise("BP-1", "stale", 1)]
    assert isinstance(greeted, Hello)
    rig.accept(greeted)
    assert rig.master.received(recorded, rig.now_ms) == [Forged("BP-1")]


def test_a_hello_to_the_open_before_is_stale_and_one_to_none_of_ours_is_forged() -> None:
    device = panel()
    fresh = nonces()
    master = BusMaster([BusDevice("panel", 1, KEY)], lambda: next(fresh))
    first = master.next_frame(0)
    assert first is not None
    late = device_hello(device, first)
    assert master.timed_out(REPLY_WAIT_TTY_MS) == []
    assert master.next_frame(1_000) is not None
    assert master.received(late, 1_000) == [BusNoise("panel", "stale", 1)]
    master.timed_out(2_000)
    assert master.next_frame(3_000) is not None
    assert master.received(late, 3_000) == [Forged("panel")]


def device_hello(device: BusDeviceSim, opened: Transmit) -> bytes:
    device.power_on(0)
    return device.feed(opened.frame, 0)


def test_a_hello_nobody_asked_for_or_with_a_counter_is_stale() -> None:
    hello = encode_hello(HelloPayload(bytes(8), Kind.BET_PANEL, 1, 1, 0, "BP-1"))
    master = BusMaster([BusDevice("panel", 1)], lambda: bytes(8))
    wire = encode_frame(DAEMON, 1, FrameType.HELLO, 0, hello, None)
    assert master.received(wire, 0) == [BusNoise("panel", "stale", 1)]
    master.next_frame(0)
    counted = encode_frame(DAEMON, 1, FrameType.HELLO, 1, hello, None)
    assert master.received(counted, 0) == [BusNoise("panel", "stale", 1)]


def test_every_request_has_a_greater_counter_retries_included() -> None:
    puppet = Puppet()
    counters = []
    for _ in range(3):
        counters.append(puppet.asked().ctr)
        puppet.misses()
    assert counters == [1, 2, 3]


def test_an_answer_with_an_old_counter_is_dropped_and_counted() -> None:
    puppet = Puppet()
    puppet.asked()
    puppet.events(1, 1)
    puppet.master.ack("panel", 1)
    puppet.asked()
    puppet.ctr -= 1
    assert puppet.events(2, 1) == [BusNoise("panel", "old", 1)]
    assert puppet.events(2, 1) != []


@pytest.mark.parametrize("worn", ["ours", "theirs"])
def test_a_session_is_renewed_before_its_counter_ends(worn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bus_session, "RENEW_AT", 3)
    puppet = Puppet()
    if worn == "theirs":
        puppet.ctr = 2
    asked = [puppet.asked().type]
    while asked[-1] is FrameType.POLL:
        puppet.events(1, 0)
        asked.append(puppet.asked().type)
    assert asked[1:] == ([FrameType.POLL] * 2 if worn == "ours" else []) + [FrameType.OPEN]
    hello = encode_hello(HelloPayload(bytes(8), Kind.BET_PANEL, 1, 1, 0, "BP-1"))
    (greeting,) = puppet.says(FrameType.HELLO, hello, ctr=0)
    assert isinstance(greeting, Hello)
    puppet.master.accept(greeting, 0)
    assert puppet.asked().ctr == 1
