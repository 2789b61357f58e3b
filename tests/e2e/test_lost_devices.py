"""Devices, ports and the controller itself that go away: what closes, holds and opens again (laws 7, 8)."""

from __future__ import annotations

from hardware.bee_tek import encode_warning
from hardware.bus_codec import Frame, FrameReader, FrameType
from hardware.bus_payloads import decode_events_head
from hardware.simulated.angel_eye_shoe import AngelEyeShoe
from jackpotd.daemon.stream_line import STRANGE_NOISE
from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.plays import BarePlay, JournaledPlay, SequencedPlay


def test_a_panel_lost_with_bets_open_only_closes_the_progressive_until_it_is_back(floor: Floor) -> None:
    play = BarePlay(floor)
    floor.start()
    play.bets()
    play.table.now(lambda _: play.table.panel.bus.power_off())
    floor.seen.table("T01", phase="open", progressive="closed", devices=lambda devices: devices["panel"] == "offline")
    floor.seen.alarm("offline-T01.panel")
    play.table.now(play.table.panel.bus.power_on)
    floor.seen.table("T01", phase="open", progressive="open")
    floor.seen.no_alarm("offline-T01.panel")
    play.table.wait_open()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    play.deal_some()
    play.deal_rest()
    floor.seen.table("T01", phase="dealt")
    play.finish()
    play.prizes()
    floor.seen.meter(play.pool, play.pencil.meter, "pending")


def test_a_panel_lost_after_the_lock_holds_the_round(floor: Floor) -> None:
    play = BarePlay(floor)
    floor.start()
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    play.table.now(lambda _: play.table.panel.bus.power_off())
    floor.seen.table("T01", phase="held", progressive="closed", why=lambda why: "panel" in why)
    floor.seen.alarm("held-T01")
    floor.seen.meter(play.pool, play.pencil.meter)
    play.table.now(play.table.panel.bus.power_on)
    floor.seen.table("T01", phase="held", devices=lambda devices: devices["panel"] == "online")


def test_a_port_pulled_out_and_put_back_under_another_name_is_found_by_its_link(floor: Floor) -> None:
    play = BarePlay(floor)
    floor.start()
    play.bets()
    ports = (play.table.bus, play.table.shoe_port)
    before = [port.terminal for port in ports]
    for port in ports:
        port.unplug()
    floor.seen.table("T01", progressive="closed", devices={"panel": "offline", "keypad": "offline", "shoe": "offline"})
    broken = {f"shoe of table T01 is not reached: its {port}" for port in ("port is dead", "line broke off")}
    assert floor.seen.alarm("offline-T01.shoe")["text"] in broken
    for port in reversed(ports):
        port.plug()
    assert [port.terminal for port in ports] != before
    floor.seen.table("T01", phase="open", progressive="open")
    play.table.wait_open()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    play.deal_some()
    play.deal_rest()
    floor.seen.table("T01", phase="dealt")


def test_a_shoe_pulled_out_while_it_deals_holds_the_round(floor: Floor) -> None:
    play = SequencedPlay(floor)
    floor.start()
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    play.deal_some()
    floor.seen.table("B01", phase="dealing")
    play.table.shoe_port.unplug()
    floor.seen.table("B01", phase="held", progressive="closed", why=lambda why: "shoe" in why)
    play.table.wait_shows(True, *([0] * play.table.seats))
    play.table.shoe_port.plug()
    floor.seen.table("B01", phase="held", devices=lambda devices: devices["shoe"] == "online")
    play.deal_rest()
    play.finish()
    floor.person("ana", "supervisor").does("round.void", table="B01", why="cards were missed")
    floor.seen.table("B01", phase="open", round="B01-2")
    floor.seen.meter(play.pool, play.pencil.meter)
    assert floor.seen.hits() == {}


def test_without_a_controller_a_panel_locks_itself_out_and_tells_it_later(floor: Floor) -> None:
    play = JournaledPlay(floor)
    floor.start()
    play.bets()
    floor.kill()
    play.table.wait_shows(True, 0, 0, 0, 0)
    assert not play.table.place(2, "progressive")
    assert play.table.place(2, "ante")
    floor.seen.offline()
    floor.start()
    play.table.wait_open()
    both = ["ante", "progressive"]
    floor.seen.table("T02", seats={"1": both, "2": ["ante"], "4": both})


def test_a_controller_that_hangs_leaves_a_panel_that_locks_itself_out(floor: Floor) -> None:
    play = BarePlay(floor)
    floor.start()
    play.table.wait_open()
    daemon = floor.daemon
    assert daemon is not None
    daemon.freeze()
    play.table.wait_shows(True, 0, 0, 0)
    assert not play.table.place(1, "progressive")
    daemon.thaw()
    play.table.wait_open()
    floor.seen.table("T01", progressive="open")


def test_an_event_committed_but_not_acknowledged_comes_again_and_counts_once(floor: Floor) -> None:
    play = JournaledPlay(floor)
    floor.start()
    play.bets()
    gate, panel = play.table.bus, play.table.panel.bus
    told = panel.journal.newest + 1

    def cut_behind_the_event(chunk: bytes) -> None:
        for frame in FrameReader().feed(chunk):
            if isinstance(frame, Frame) and (frame.src, frame.type) == (panel.address, FrameType.EVENTS):
                first, count = decode_events_head(frame.payload)
                gate.down.shut = first <= told < first + count

    gate.up.noticed = cut_behind_the_event
    assert play.table.place(6, "ante")
    floor.seen.table("T02", seats=lambda seats: seats.get("6") == ["ante"])
    floor.kill()
    assert panel.journal.oldest == told  # the panel was never told that it is on disk
    gate.up.noticed, gate.down.shut = None, False
    floor.start()
    floor.seen.table("T02", progressive="open")
    moved = [word["seq"] for word in raw_ledger.words(floor.ledger, "bet_moved")]
    assert moved.count(told) == 1
    assert len(moved) == len(set(moved)) == 5
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))


def test_a_line_on_which_another_dialect_is_spoken_is_offline_until_the_right_one_is_heard(floor: Floor) -> None:
    play = BarePlay(floor)
    floor.start()
    play.table.wait_open()
    stranger = AngelEyeShoe()
    for _ in range(STRANGE_NOISE):
        play.table.shoe_port.send(stranger.cut_card())
    floor.seen.table("T01", progressive="closed", devices=lambda devices: devices["shoe"] == "offline")
    assert "its bytes fit no frame of bee-tek" in floor.seen.alarm("offline-T01.shoe")["text"]
    floor.seen.meter(play.pool, play.pencil.meter)
    play.table.shoe_port.send(encode_warning(1))
    floor.seen.table("T01", progressive="open", devices=lambda devices: devices["shoe"] == "online")
    floor.seen.no_alarm("offline-T01.shoe")
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    play.deal_some()
    play.deal_rest()
    floor.seen.table("T01", phase="dealt")


def test_a_device_that_has_never_answered_closes_its_table_and_is_an_alarm_until_it_does(floor: Floor) -> None:
    play = BarePlay(floor)
    play.table.now(lambda _: play.table.panel.bus.power_off())
    floor.start()
    closed = floor.seen.table("T01", progressive="closed", devices=lambda devices: devices["keypad"] == "online")
    assert closed["why"] == "panel offline: not yet reached"
    assert floor.seen.alarm("offline-T01.panel")["text"] == "panel of table T01 is not reached: it has not answered yet"
    play.table.now(play.table.panel.bus.power_on)
    floor.seen.no_alarm("offline-T01.panel")
    floor.seen.table("T01", progressive="open")
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
