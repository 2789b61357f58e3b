"""A simulated bus device keeps its side of the protocol: sessions, counters, tags, journal and time-outs."""

from __future__ import annotations

import pytest

from hardware.bus_codec import DAEMON, FrameType, encode_frame
from hardware.bus_events import Kind
from hardware.bus_payloads import (
    Command,
    CommandPayload,
    Status,
    decode_events,
    decode_number,
    encode_command,
    encode_number,
)
from hardware.bus_session import Session
from hardware.reports import BetMoved, BetsLocked, DeviceStarted, RoundEnded
from hardware.simulated.bus_boards import BetPanelSim
from hardware.simulated.bus_device import SELF_CLOSE_MS
from hardware.simulated.bus_journal import CAPACITY, Journal
from tests.hardware.bus_host import KEY, NONCE, Host, booted, frames, ids


def test_it_boots_closed_and_says_so_first() -> None:
    device = booted()
    assert (device.lockout, device.lamps) == (True, {})
    host = Host(device)
    assert (host.hello.boot, host.hello.oldest, host.hello.newest, host.hello.serial) == (1, 1, 1, "CB-0001")
    answer = host.poll(0)
    assert answer is not None
    assert [said.what for said in decode_events(answer.payload, Kind.COMBINED, keyed=True)] == [DeviceStarted(1)]


def test_it_closes_by_itself_two_seconds_after_the_last_valid_poll() -> None:
    device = booted()
    host = Host(device)
    assert host.command(1, Command.LOCKOUT, b"\x00", 100) == (1, Status.DONE)
    assert host.command(2, Command.LAMP, b"\x03\x02", 200) == (2, Status.DONE)
    host.poll(0, 1_000)
    device.feed(
        encode_frame(5, DAEMON, FrameType.POLL, 99, encode_number(0), None), 1_500
    )  # forged: counts for nothing
    device.tick(1_000 + SELF_CLOSE_MS - 1)
    assert (device.lockout, device.lamps) == (False, {3: 2})
    device.tick(1_000 + SELF_CLOSE_MS)
    assert (device.lockout, device.lamps) == (True, {})


def test_event_ids_rise_through_power_cuts_and_nothing_unacknowledged_is_lost() -> None:
    device = booted()
    device.say(BetsLocked(), 10)
    device.power_cycle(20)
    device.say(RoundEnded(), 30)
    host = Host(device)
    assert (host.hello.boot, host.hello.oldest, host.hello.newest) == (2, 1, 4)
    assert ids(host.poll(0)) == [1, 2, 3, 4]
    assert ids(host.poll(3)) == [4]
    assert device.journal.oldest == 4


def test_a_dark_device_answers_nothing_and_takes_no_press() -> None:
    device = booted()
    host = Host(device)
    device.power_off()
    assert host.poll(0) is None
    assert device.say(BetsLocked(), 10) is None
    assert device.journal.newest == 1


def test_a_false_open_costs_nothing() -> None:
    device = booted()
    host = Host(device)
    host.poll(0)
    stranger = Session(5, bytes(16))
    assert frames(device.feed(stranger.open(b"stranger"), 0))[0].type is FrameType.HELLO
    assert ids(host.poll(0)) == [1]


@pytest.mark.parametrize("key", [KEY, None], ids=["keyed", "plain"])
def test_a_new_session_begins_with_its_first_valid_poll(key: bytes | None) -> None:
    device = booted(key=key)
    first = Host(device)
    for _ in range(5):
        first.poll(0)
    second = Host(device, b"daemon-2")
    assert ids(second.poll(0)) == [1]
    assert ids(second.poll(0)) == [1]
    late = device.feed(first.session.write(FrameType.POLL, encode_number(0)), 0)
    assert (late == b"") == (key is not None)  # without a key the old session's higher counter is as good as the new


def test_a_replayed_frame_is_refused_in_its_own_session_and_in_the_next() -> None:
    device = booted()
    host = Host(device)
    recorded = host.session.write(FrameType.POLL, encode_number(1))
    assert device.feed(recorded, 0) != b""
    assert device.feed(recorded, 0) == b""
    Host(device, b"daemon-2").poll(1)
    assert device.feed(recorded, 0) == b""
    assert device.refused == 2


def test_the_same_open_twice_gives_two_sessions() -> None:
    device = booted()
    host = Host(device)
    first = host.hello.nonce
    assert host.open(NONCE).nonce != first
    device.power_cycle(10)
    assert host.open(NONCE).nonce[:4] != first[:4]


def test_a_frame_without_a_tag_or_with_an_ill_formed_payload_is_refused() -> None:
    device = booted()
    host = Host(device)
    assert device.feed(encode_frame(5, DAEMON, FrameType.POLL, 9, encode_number(1), None), 0) == b""
    assert host.ask(FrameType.POLL, b"\x01") is None
    assert device.feed(encode_frame(5, DAEMON, FrameType.OPEN, 0, b"short", None), 0) == b""
    assert device.refused == 3
    assert device.journal.oldest == 1


def test_frames_for_others_and_from_others_are_not_its_business() -> None:
    device = booted()
    assert device.feed(encode_frame(6, DAEMON, FrameType.OPEN, 0, NONCE, None), 0) == b""
    assert device.feed(encode_frame(5, 6, FrameType.OPEN, 0, NONCE, None), 0) == b""
    assert device.feed(encode_frame(5, DAEMON, FrameType.EVENTS, 0, NONCE, None), 0) == b""
    assert device.refused == 0


def test_an_acknowledgement_above_its_newest_event_is_ignored() -> None:
    device = booted()
    host = Host(device)
    assert ids(host.poll(7)) == [1]
    assert device.journal.oldest == 1
    with pytest.raises(ValueError, match="never journalled"):
        device.journal.forget(7)


def test_an_acknowledgement_of_what_it_no_longer_holds_is_answered_with_the_gap() -> None:
    device = booted()
    host = Host(device)
    for _ in range(4):
        device.say(BetsLocked(), 0)
    host.poll(3)
    answer = host.poll(1)
    assert answer is not None
    assert answer.type is FrameType.GAP
    assert decode_number(answer.payload) == 4
    assert ids(host.poll(3)) == [4, 5]


def test_nothing_new_names_the_next_id() -> None:
    host = Host(booted())
    answer = host.poll(1)
    assert answer is not None
    assert answer.payload == (2).to_bytes(4, "little") + b"\0"


def test_a_full_frame_has_twenty_four_bets_and_the_rest_comes_next() -> None:
    device = booted()
    for _ in range(30):
        device.say(BetMoved(1, 0, on=True), 0)
    host = Host(device)
    host.poll(1)
    assert ids(host.poll(1)) == list(range(2, 26))
    assert ids(host.poll(25)) == list(range(26, 32))


def test_a_full_journal_takes_nothing_more_and_closes_at_three_quarters() -> None:
    device = booted()
    host = Host(device)
    host.command(1, Command.LOCKOUT, b"\x00")
    host.command(2, Command.LAMP, b"\x01\x01")
    while device.journal.newest < CAPACITY * 3 // 4 - 1:
        device.say(BetsLocked(), 0)
    assert device.lamps == {1: 1}
    device.say(BetsLocked(), 0)
    assert (device.lockout, device.lamps) == (True, {})
    while device.say(RoundEnded(), 0) is not None:
        pass
    assert (device.journal.oldest, device.journal.newest) == (1, CAPACITY)
    host.poll(CAPACITY // 2)
    assert (device.lockout, device.lamps) == (False, {1: 1})


def test_busy_is_not_processed() -> None:
    device = booted()
    host = Host(device)
    device.busy = 1
    answer = host.ask(FrameType.CMD, encode_command(CommandPayload(1, Command.LOCKOUT, b"\x00")))
    assert answer is not None
    assert answer.type is FrameType.BUSY
    assert device.lockout
    assert host.command(1, Command.LOCKOUT, b"\x00") == (1, Status.DONE)
    assert (device.lockout, device.lamps) == (False, {})


def test_a_command_sent_again_is_answered_again_and_done_once() -> None:
    device = booted()
    BetPanelSim(device, seats=3)
    host = Host(device)
    assert host.command(9, Command.REPORT_PLACES, b"") == (9, Status.DONE)
    assert host.command(9, Command.REPORT_PLACES, b"") == (9, Status.DONE)
    assert device.journal.newest == 4
    assert host.command(10, Command.REPORT_PLACES, b"") == (10, Status.DONE)
    assert device.journal.newest == 7


def test_places_wait_as_busy_until_the_journal_has_room() -> None:
    device = booted(journal=Journal(capacity=4))
    BetPanelSim(device, seats=4)
    host = Host(device)
    ask = encode_command(CommandPayload(1, Command.REPORT_PLACES, b""))
    answer = host.ask(FrameType.CMD, ask)
    assert answer is not None
    assert answer.type is FrameType.BUSY
    host.poll(1)
    assert host.command(1, Command.REPORT_PLACES, b"") == (1, Status.DONE)


@pytest.mark.parametrize(
    ("code", "data", "status"),
    [
        (Command.LAMP, b"\x01\x03", Status.DONE),
        (Command.LAMP, b"\x01\x04", Status.BAD_DATA),
        (Command.LAMP, b"\x01", Status.BAD_DATA),
        (Command.LOCKOUT, b"\x02", Status.BAD_DATA),
        (Command.TEXT, b"3 bets: 1 4 7", Status.DONE),
        (Command.TEXT, b"\xff", Status.BAD_DATA),
        (Command.ALL_LAMPS, b"\x01\x01\x09", Status.BAD_DATA),
        (Command.REPORT_PLACES, b"", Status.UNKNOWN_COMMAND),
        (0x77, b"", Status.UNKNOWN_COMMAND),
    ],
)
def test_a_command_is_done_or_refused_with_a_status(code: int, data: bytes, status: Status) -> None:
    assert Host(booted()).command(1, code, data) == (1, status)


def test_lamps_and_text_show_what_was_commanded_and_nothing_after_a_power_cut() -> None:
    device = booted()
    host = Host(device)
    host.command(1, Command.ALL_LAMPS, b"\x01\x00\x02")
    host.command(2, Command.LAMP, b"\x02\x03")
    host.command(3, Command.TEXT, b"2 bets")
    assert device.lamps == {1: 1, 2: 3, 3: 2}
    assert device.text == "2 bets"
    device.power_cycle(10)
    assert device.lamps == {}
    assert device.text == ""
