"""Events and acknowledgements of the bus master: only what is committed is acknowledged, and nothing is skipped."""

from __future__ import annotations

import pytest

from hardware.bus_codec import FrameType
from hardware.bus_payloads import Command, decode_number, encode_events, encode_number, encode_record
from hardware.bus_peer import KEEP_ALIVE_MS, POLL_EVERY_MS, PROMPT_MS
from hardware.bus_reports import BusNoise, BusReport, Drained, Events, Gap, Offline, Online
from hardware.reports import BetMoved, DeviceStarted, Said, UnknownEvent
from tests.hardware.bus_puppet import Puppet, online_rig, panel


def test_only_what_is_committed_is_acknowledged_and_it_is_at_once() -> None:
    puppet = Puppet(newest=4, ack=4)
    assert decode_number(puppet.asked().payload) == 4
    record = encode_record(0x10, 5, b"\x03\x00")
    said = Said(BetMoved(3, 0, on=True), record, 5, 5)
    assert puppet.events(5, 1) == [Online("panel"), Events("panel", 5, (said,), prompt=False)]
    assert puppet.master.wake_at_ms() == KEEP_ALIVE_MS
    puppet.master.ack("panel", 5)
    assert puppet.master.wake_at_ms() == 0
    assert decode_number(puppet.asked().payload) == 5
    assert puppet.events(6, 0) == [Drained("panel", 2)]
    assert puppet.master.wake_at_ms() == POLL_EVERY_MS


def heard_promptly(reports: list[BusReport]) -> bool:
    (events,) = [report for report in reports if isinstance(report, Events)]
    return events.prompt


def test_what_comes_at_the_answer_after_an_empty_one_is_prompt_unless_something_kept_it_up() -> None:
    puppet = Puppet()
    puppet.asked()
    assert not heard_promptly(puppet.events(1, 1)), "nobody knows since when it had it"
    puppet.master.ack("panel", 1)

    def quiet(newest: int) -> None:
        puppet.asked()
        puppet.events(newest + 1, 0)
        puppet.asked()

    quiet(1)
    assert heard_promptly(puppet.events(2, 1))
    puppet.master.ack("panel", 2)
    puppet.asked()
    assert not heard_promptly(puppet.events(3, 1)), "it may have waited behind those before"
    puppet.master.ack("panel", 3)
    quiet(3)
    puppet.says(FrameType.BUSY, b"")
    puppet.asked()
    assert not heard_promptly(puppet.events(4, 1))
    puppet.master.ack("panel", 4)
    quiet(4)
    puppet.misses()
    puppet.asked()
    assert not heard_promptly(puppet.events(5, 1))
    puppet.master.ack("panel", 5)
    quiet(5)
    puppet.now_ms += PROMPT_MS + 1
    assert not heard_promptly(puppet.events(6, 1)), "the daemon itself was kept from asking"


def test_what_waits_for_its_commit_is_polled_to_keep_the_device_alive_and_not_delivered_again() -> None:
    device = panel()
    rig = online_rig(device)
    rig.committing = False
    rig.master.command("BP-1", Command.LOCKOUT, b"\x00")
    rig.run(20)
    device.say(BetMoved(1, 0, on=True), rig.now_ms)
    first = rig.run(KEEP_ALIVE_MS)
    device.say(BetMoved(2, 0, on=True), rig.now_ms)
    sent = rig.sent
    rest = rig.run(5_000)
    assert [[s.seq for s in r.said] for r in first + rest if isinstance(r, Events)] == [[2], [3]]
    assert rig.sent - sent == 5_000 // KEEP_ALIVE_MS
    assert not device.lockout
    assert device.journal.oldest == 2
    rig.committing = True
    rig.run_until_counted(1_000)
    assert rig.ledger.counted["BP-1"] == [DeviceStarted(1), BetMoved(1, 0, on=True), BetMoved(2, 0, on=True)]


def test_events_that_run_past_the_last_number_are_no_events() -> None:
    last = 0xFFFF_FFFF
    puppet = Puppet(newest=last - 1, ack=last - 1)
    puppet.asked()
    assert puppet.events(last, 2) == [BusNoise("panel", "payload", 1)]
    puppet.misses()
    puppet.asked()
    online, events = puppet.events(last, 1)
    assert online == Online("panel")
    assert isinstance(events, Events)
    assert events.first == last
    puppet.master.ack("panel", last)
    assert decode_number(puppet.asked().payload) == last


def test_an_acknowledgement_of_what_this_session_did_not_deliver_waits_until_it_did() -> None:
    puppet = Puppet(newest=3, ack=1)
    puppet.asked()
    puppet.events(2, 1)
    puppet.master.ack("panel", 3)
    assert decode_number(puppet.asked().payload) == 1
    puppet.events(2, 2)
    puppet.master.ack("panel", 3)
    assert decode_number(puppet.asked().payload) == 3


def test_an_acknowledgement_from_an_ended_session_and_a_lower_one_change_nothing() -> None:
    puppet = Puppet()
    puppet.asked()
    puppet.events(1, 2)
    puppet.master.ack("panel", 2)
    puppet.master.ack("panel", 1)
    assert decode_number(puppet.asked().payload) == 2
    puppet.master.link_lost("unplugged")
    puppet.master.ack("panel", 9)
    assert puppet.asked().type is FrameType.OPEN


def test_a_gap_is_told_once_and_polled_past_when_it_is_committed() -> None:
    puppet = Puppet(newest=12, ack=4)
    puppet.asked()
    assert puppet.says(FrameType.GAP, encode_number(10)) == [Online("panel"), Gap("panel", 10)]
    puppet.asked()
    assert puppet.now_ms == KEEP_ALIVE_MS
    assert puppet.says(FrameType.GAP, encode_number(10)) == []
    puppet.master.ack("panel", 9)
    assert decode_number(puppet.asked().payload) == 9
    (events,) = puppet.events(10, 3)
    assert isinstance(events, Events)
    assert events.first == 10


def test_a_ledger_older_than_the_journal_hears_of_the_gap() -> None:
    device = panel()
    rig = online_rig(device)
    for _ in range(6):
        device.say(BetMoved(1, 0, on=True), rig.now_ms)
    rig.run_until_counted(500)
    rig.ledger.high["BP-1"] = 2  # restored from a backup
    rig._commit = lambda: None  # type: ignore[method-assign]
    rig.master.link_lost("restart")
    assert Gap("BP-1", 8) in rig.run(500)


@pytest.mark.parametrize("number", [0, 2])
def test_events_that_skip_ids_are_a_gap_and_not_delivered(number: int) -> None:
    puppet = Puppet()
    puppet.asked()
    assert puppet.events(6, number) == [Online("panel"), Gap("panel", 6)]
    puppet.master.ack("panel", 5)
    assert decode_number(puppet.asked().payload) == 5


def test_a_journal_that_falls_behind_or_contradicts_itself_puts_the_device_offline() -> None:
    puppet = Puppet(newest=9, ack=9)
    puppet.asked()
    puppet.events(10, 0)
    puppet.asked()
    assert puppet.events(3, 0) == [Offline("panel", "its journal is back at 3, 9 was delivered")]
    assert puppet.asked().type is FrameType.OPEN
    puppet = Puppet(newest=9, ack=9)
    puppet.asked()
    puppet.events(10, 0)
    puppet.asked()
    assert puppet.says(FrameType.GAP, encode_number(10)) == [
        Offline("panel", "it reports a gap before 10, 9 was acknowledged")
    ]


def test_a_code_foreign_to_the_kind_is_delivered_as_unknown() -> None:
    puppet = Puppet()
    puppet.asked()
    payload = encode_events(1, [encode_record(0x20, 5, b"")])
    (_, events) = puppet.says(FrameType.EVENTS, payload)
    assert isinstance(events, Events)
    assert events.said[0].what == UnknownEvent(0x20, "", "foreign to a bet panel")


def test_an_ill_formed_payload_is_noise_and_no_answer() -> None:
    puppet = Puppet()
    puppet.asked()
    for frame_type, payload in [
        (FrameType.EVENTS, b"\x01"),
        (FrameType.EVENTS, b"\x01\0\0\0\x05"),
        (FrameType.GAP, b"\x01"),
        (FrameType.RSP, b"\x01"),
    ]:
        assert puppet.says(frame_type, payload) == [BusNoise("panel", "payload", 1)]
    assert puppet.master.next_frame(puppet.now_ms) is None
    assert puppet.events(1, 1) != []


def test_drained_names_a_poll_sent_after_it_was_asked_for() -> None:
    puppet = Puppet()
    puppet.asked()
    number = puppet.master.poll_soon("panel")
    assert puppet.events(1, 0) == [Online("panel"), Drained("panel", number - 1)]
    assert puppet.master.wake_at_ms() == 0
    puppet.asked()
    assert puppet.events(1, 0) == [Drained("panel", number)]


def test_an_empty_answer_after_a_missed_one_proves_nothing() -> None:
    puppet = Puppet()
    puppet.asked()
    puppet.misses()
    puppet.asked()
    assert puppet.events(1, 0) == [Online("panel")]
    puppet.asked()
    assert puppet.events(1, 0) == [Drained("panel", 3)]


def test_a_late_answer_is_taken_while_nobody_is_asked() -> None:
    puppet = Puppet()
    puppet.asked()
    puppet.misses()
    (_, events) = puppet.events(1, 1)
    assert isinstance(events, Events)
    puppet.master.ack("panel", 1)
    assert decode_number(puppet.asked().payload) == 1


def test_nothing_new_while_a_commit_is_awaited_is_not_drained() -> None:
    puppet = Puppet()
    puppet.asked()
    puppet.events(1, 2)
    puppet.asked()
    assert puppet.events(3, 0) == []
