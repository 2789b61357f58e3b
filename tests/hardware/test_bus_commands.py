"""Commands of the bus master, and a daemon that cannot commit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hardware.bus_codec import FrameType
from hardware.bus_commands import MOST_WAITING, CommandQueue
from hardware.bus_events import Kind
from hardware.bus_master import REPLY_WAIT_TTY_MS
from hardware.bus_payloads import Command, HelloPayload, Status, decode_command, encode_hello, encode_response
from hardware.bus_reports import BusNoise, Done, Hello, Online
from hardware.reports import BetMoved, BetsLocked
from hardware.simulated.bus_boards import BetPanelSim
from tests.hardware.bus_puppet import Puppet, frame_of, online_rig, panel
from tests.hardware.bus_rig import Rig


def commands(puppet: Puppet, number: int) -> Iterator[tuple[int, bytes]]:
    """The next `number` commands, each answered; polls between them have nothing new."""
    while number > 0:
        request = puppet.asked()
        if request.type is FrameType.POLL:
            puppet.events(1, 0)
            continue
        number -= 1
        command = decode_command(request.payload)
        yield command.code, command.data
        assert puppet.says(FrameType.RSP, encode_response(command.command_id, 0))[-1] == Done(
            "panel", command.code, command.data, Status.DONE
        )


def test_a_newer_command_takes_the_place_of_a_waiting_one_and_a_lockout_overtakes() -> None:
    puppet = Puppet()
    send = puppet.master.command
    assert send("panel", Command.LAMP, b"\x01\x01")
    assert send("panel", Command.LAMP, b"\x02\x01")
    assert send("panel", Command.TEXT, b"old")
    assert send("panel", Command.LAMP, b"\x01\x02")
    assert send("panel", Command.TEXT, b"new")
    assert send("panel", Command.LOCKOUT, b"\x00")
    assert send("panel", Command.LOCKOUT, b"\x01")
    assert list(commands(puppet, 4)) == [(2, b"\x01"), (1, b"\x01\x02"), (1, b"\x02\x01"), (3, b"new")]
    assert puppet.asked().type is FrameType.POLL


def test_all_lamps_take_the_place_of_single_ones_but_not_of_later_ones() -> None:
    puppet = Puppet()
    for code, data in [(1, b"\x01\x01"), (1, b"\x02\x01"), (5, b"\x02\x02"), (1, b"\x02\x03")]:
        puppet.master.command("panel", code, data)
    assert list(commands(puppet, 2)) == [(5, b"\x02\x02"), (1, b"\x02\x03")]


def test_a_command_keeps_its_id_through_misses_and_busy_and_the_next_has_another() -> None:
    puppet = Puppet()
    puppet.master.command("panel", Command.TEXT, b"x")
    sent: list[tuple[int, int]] = []
    while len(sent) < 3:
        request = puppet.asked()
        if request.type is FrameType.POLL:
            puppet.events(1, 0)
            continue
        sent.append((decode_command(request.payload).command_id, request.ctr))
        if len(sent) == 1:
            puppet.misses()
        elif len(sent) == 2:
            puppet.says(FrameType.BUSY, b"")
    assert {command_id for command_id, _ in sent} == {1}
    assert len({ctr for _, ctr in sent}) == 3
    assert puppet.says(FrameType.RSP, encode_response(7, 0)) == [BusNoise("panel", "stale", 1)]
    assert puppet.says(FrameType.RSP, encode_response(1, 2)) == [Done("panel", 3, b"x", 2)]
    puppet.master.command("panel", Command.TEXT, b"y")
    while (request := puppet.asked()).type is FrameType.POLL:
        puppet.events(1, 0)
    assert decode_command(request.payload).command_id == 2


def test_many_commands_do_not_keep_events_waiting() -> None:
    device = panel()
    rig = online_rig(device)
    device.say(BetMoved(1, 0, on=True), rig.now_ms)
    for seat in range(1, 20):
        rig.master.command("BP-1", Command.LAMP, bytes((seat, 1)))
        rig.run(5)
    assert BetMoved(1, 0, on=True) in rig.ledger.counted["BP-1"]
    assert device.lamps[19] == 1


def test_a_device_not_polled_takes_no_command_and_forgets_those_of_its_former_session() -> None:
    puppet = Puppet()
    assert puppet.master.command("panel", Command.TEXT, b"x")
    puppet.master.link_lost("unplugged")
    assert not puppet.master.command("panel", Command.TEXT, b"y")
    puppet.asked()
    hello = encode_hello(HelloPayload(bytes(8), Kind.BET_PANEL, 1, 1, 0, "BP-1"))
    (greeting,) = puppet.says(FrameType.HELLO, hello, ctr=0)
    assert isinstance(greeting, Hello)
    puppet.master.accept(greeting, 0)
    assert puppet.asked().type is FrameType.POLL


def test_the_queue_of_commands_is_bounded_and_ids_wrap() -> None:
    queue = CommandQueue()
    for seat in range(MOST_WAITING):
        queue.put(Command.LAMP, bytes((seat, 1)))
    queue.put(Command.LAMP, b"\x00\x02")
    with pytest.raises(ValueError, match="more than 32"):
        queue.put(Command.TEXT, b"x")
    queue.clear()
    assert not queue
    for number in range(1, 258):
        queue.put(Command.TEXT, b"x")
        assert queue.flying().command_id == number % 256
        assert queue.landed(number % 256) is not None


def test_places_are_reported_when_asked_for() -> None:
    device = panel()
    BetPanelSim(device, seats=2)
    rig = online_rig(device)
    rig.master.command("BP-1", Command.REPORT_PLACES, b"")
    reports = rig.run(300)
    assert Done("BP-1", 4, b"", Status.DONE) in reports
    assert len(rig.ledger.counted["BP-1"]) == 3


def test_a_daemon_that_cannot_commit_locks_out_every_device_and_then_asks_nothing() -> None:
    devices = [panel(1), panel(2)]
    rig = online_rig(*devices)
    for device in devices:
        rig.master.command(device.serial, Command.LOCKOUT, b"\x00")
    rig.run(50)
    assert not any(device.lockout for device in devices)
    for device in devices:
        device.say(BetsLocked(), rig.now_ms)
        rig.master.command(device.serial, Command.TEXT, b"x")
    rig.master.pause()
    assert not rig.master.command("BP-1", Command.LOCKOUT, b"\x00")
    rig.run(50)
    assert [(device.lockout, device.text) for device in devices] == [(True, "")] * 2
    sent = rig.sent
    rig.run(5_000)
    assert rig.sent == sent
    assert rig.master.wake_at_ms() is None
    rig.master.resume()
    reports = rig.run(300)
    assert [report.device for report in reports if isinstance(report, Hello)] == ["BP-1", "BP-2"]
    rig.run_until_counted(1_000)


def test_a_lockout_goes_before_the_turn_of_others() -> None:
    devices = [panel(1), panel(2), panel(3)]
    rig = online_rig(*devices)
    for _ in range(200):
        for device in devices:
            device.say(BetMoved(1, 0, on=True), rig.now_ms)
    rig.run(10)
    for device in devices:
        rig.master.command(device.serial, Command.LOCKOUT, b"\x00")
    rig.run(20)
    while (request := rig.master.next_frame(rig.now_ms)) is None:
        rig.run(1)
    last = request.device
    rig.master.command(last, Command.LOCKOUT, b"\x01")
    rig.master.timed_out(rig.now_ms + REPLY_WAIT_TTY_MS)
    rig.now_ms += 200
    again = rig.master.next_frame(rig.now_ms)
    assert again is not None
    assert again.device == last
    assert frame_of(again).type is FrameType.CMD


def test_resuming_while_an_answer_is_awaited_waits_for_its_time_and_opens_then() -> None:
    puppet = Puppet()
    puppet.asked()
    puppet.master.resume()
    assert puppet.master.next_frame(puppet.now_ms) is None
    assert puppet.events(1, 1) == [BusNoise("panel", "stale", 1)]
    assert puppet.misses() == []
    assert puppet.asked().type is FrameType.OPEN


def test_a_device_not_yet_accepted_stays_so_through_pause_and_resume() -> None:
    rig = Rig([panel()])
    rig.accepting = False
    (hello,) = rig.run(50)
    rig.master.pause()
    rig.master.resume()
    assert rig.run(500) == []
    assert isinstance(hello, Hello)
    rig.accept(hello)
    assert Online("BP-1") in rig.run(50)
