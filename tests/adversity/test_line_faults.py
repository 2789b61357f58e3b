"""What a line and a device do to a running controller, fault by fault: nothing lost, nothing counted twice.

Each test names its fault. What is below the wire (noise in linear time, a port that reads nothing, counters and tags of
single frames) is shown in `tests/hardware`.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from hardware.bus_session import Session
from hardware.simulated.bus_journal import CAPACITY
from hardware.simulated.wire import monotonic_ms
from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.plays import BarePlay, JournaledPlay, SequencedPlay
from tests.support.sim_tables import SimTable
from tests.support.until import until

WRAP_MS = 1 << 32


def finish_and_pay(play: BarePlay | JournaledPlay | SequencedPlay) -> None:
    """The round goes to its end, and its prize is what the pencil says."""
    play.deal_rest()
    play.floor.seen.table(play.table.name, phase="dealt")
    play.finish()
    play.prizes()
    play.floor.seen.hit(play.pool, play.hit, "pending")
    play.floor.seen.meter(play.pool, play.pencil.meter)


# ---- adapters and ports


def exchange_panels(one: SimTable, other: SimTable) -> None:
    """The adapters of two tables change places: each line leads to the other's panel."""

    def exchange(now_ms: int) -> None:
        boards = one.boards["panel"], other.boards["panel"]
        for board in boards:
            board.power_off()
        boards[0].serial, boards[1].serial = boards[1].serial, boards[0].serial
        boards[0].journal, boards[1].journal = boards[1].journal, boards[0].journal
        for board in boards:
            board.power_on(now_ms)

    one.now(exchange)


def test_two_adapters_exchanged_are_found_by_the_serial_numbers_behind_them(floor: Floor) -> None:
    pencil = floor.pool("stud-main")
    tables = {"T01": floor.stud("T01"), "T02": floor.stud("T02")}
    floor.start()
    floor.bet(tables["T01"], 1)
    for table in tables.values():
        table.wait_open()
    exchange_panels(*tables.values())
    for name, other in (("T01", "T02"), ("T02", "T01")):
        text = floor.seen.alarm(f"foreign_device-{name}.panel")["text"]
        assert f"answers as {other}-panel" in text
        floor.seen.table(name, progressive="closed", devices=lambda devices: devices["panel"] == "offline")
        tables[name].wait_shows(True)
        assert not tables[name].place(5, "progressive")
    exchange_panels(*tables.values())
    for name, table in tables.items():
        floor.seen.no_alarm(f"foreign_device-{name}.panel")
        floor.seen.table(name, progressive="open")
        table.wait_open()
    floor.bet(tables["T02"], 2)
    tables["T01"].lock()
    tables["T02"].lock()
    floor.seen.meter("stud-main", pencil.bets(2))


def test_a_port_that_somebody_holds_after_a_kill_is_told_and_taken_when_it_is_free(floor: Floor) -> None:
    play = JournaledPlay(floor)
    floor.start()
    play.bets()
    floor.kill()
    with Path(play.table.bus.path).open("rb", buffering=0) as held:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        floor.start()
        floor.seen.table("T02", progressive="closed", devices=lambda devices: set(devices.values()) == {"offline"})
        until(lambda: "busy" in floor.said(), "the port is said to be busy", floor.said)
        assert play.table.place(3, "ante")  # its own keeps note of it
    floor.seen.table("T02", progressive="open", seats=lambda seats: seats.get("3") == ["ante"])
    assert play.table.take_back(3, "ante")
    floor.seen.table("T02", seats=lambda seats: "3" not in seats)
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    play.deal_some()
    finish_and_pay(play)


def test_a_serial_server_that_drops_the_line_in_mid_deal_holds_the_round_and_is_reached_again(floor: Floor) -> None:
    play = SequencedPlay(floor, tcp=True)
    floor.start()
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    play.deal_some()
    floor.seen.table("B01", phase="dealing")
    play.table.shoe_port.disconnect()
    floor.seen.table("B01", phase="held", progressive="closed")
    floor.seen.table("B01", devices=lambda devices: devices["shoe"] == "online")
    assert floor.seen.hits() == {}
    floor.person("ana", "supervisor").does("round.void", table="B01", why="cards were missed")
    floor.seen.table("B01", phase="open", round="B01-2", progressive="open")
    floor.seen.meter(play.pool, play.pencil.meter)


def test_a_serial_server_that_goes_silent_closes_the_table_until_it_speaks_again(floor: Floor) -> None:
    play = JournaledPlay(floor, tcp=True)
    floor.start()
    play.bets()
    play.table.bus.up.shut = True  # connected, and nothing comes
    floor.seen.table("T02", progressive="closed", devices=lambda devices: set(devices.values()) == {"offline"})
    play.table.bus.up.shut = False
    floor.seen.table("T02", progressive="open")
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    play.deal_some()
    finish_and_pay(play)


def test_half_a_frame_and_silence_cost_nothing_when_the_good_frame_comes(floor: Floor) -> None:
    play = SequencedPlay(floor)
    floor.start()
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    first = next(play.messages())
    play.table.shoe_port.send(first[:4])
    assert play.table.place(7, "tie")  # the loop goes round: the panel is heard while the shoe is silent
    floor.seen.wait(lambda: len(raw_ledger.words(floor.ledger, "bet_moved")) == 5, "the panel heard in the silence")
    play.table.shoe_port.send(first)
    for _ in range(5):
        play.table.shoe_port.send(next(play.messages()))
    floor.seen.table("B01", phase="dealt")
    play.finish()
    play.prizes()
    floor.seen.hit(play.pool, play.hit, "pending")
    floor.seen.meter(play.pool, play.pencil.meter)


def test_a_terminal_that_nobody_drains_keeps_no_other_table_waiting(floor: Floor) -> None:
    play = JournaledPlay(floor)
    stuck = floor.stud("T01")
    master, slave = os.openpty()
    try:
        os.set_blocking(slave, False)
        stuck.bus.path = os.ttyname(slave)
        with suppress(BlockingIOError):
            while True:
                os.write(slave, bytes(64))  # whoever should read here hangs: the line is full
        floor.start()
        floor.seen.table("T01", progressive="closed", devices=lambda devices: devices["panel"] == "offline")
        play.bets()
        play.lock()
        floor.seen.meter(play.pool, play.pencil.bets(2))
        play.deal_some()
        finish_and_pay(play)
    finally:
        floor.stop()
        os.close(slave)
        os.close(master)


# ---- devices


def test_a_recorded_line_played_back_counts_nothing_in_its_own_session_and_in_the_next(floor: Floor) -> None:
    pencil = floor.pool("stud-main")
    table = floor.stud(key=bytes(range(16)))
    floor.start()
    heard: list[bytes] = []
    table.bus.up.noticed = heard.append
    floor.bet(table, 1)
    table.bus.up.noticed = None
    table.bus.send(b"".join(heard))
    assert table.take_back(1, "progressive")
    floor.seen.table("T01", seats={"1": ["ante"]})
    floor.kill()
    floor.start()
    table.wait_open()
    table.bus.send(b"".join(heard))
    floor.bet(table, 2)
    table.lock()
    floor.seen.meter("stud-main", pencil.bets(1))
    heard_once = [word["seq"] for word in raw_ledger.words(floor.ledger, "bet_moved")]
    assert heard_once == sorted(set(heard_once))
    assert len(heard_once) == 5


def test_a_false_open_on_the_line_costs_no_session_and_no_bet(floor: Floor) -> None:
    pencil = floor.pool("stud-main")
    table = floor.stud(key=bytes(range(16)))
    floor.start()
    floor.bet(table, 1)
    for board in table.boards.values():
        stranger = Session(board.address, bytes(16)).open(b"stranger")
        table.now(lambda now, board=board, stranger=stranger: board.feed(stranger, now))  # type: ignore[misc]
    floor.bet(table, 2)
    table.lock()
    floor.seen.meter("stud-main", pencil.bets(2))
    assert raw_ledger.words(floor.ledger, "device_lost") == []


def test_a_shoe_that_powers_up_in_mid_round_holds_it(floor: Floor) -> None:
    play = SequencedPlay(floor)
    floor.start()
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    play.deal_some()
    play.table.shoe_port.send(play.table.shoe.power_up())
    floor.seen.table("B01", phase="held", why=lambda why: "powered up in the middle of the round" in why)
    play.deal_rest()
    play.finish()
    assert floor.seen.hits() == {}
    floor.seen.meter(play.pool, play.pencil.meter)


def test_boards_that_power_up_in_mid_round_hold_it_until_a_supervisor_finds_it_in_order(floor: Floor) -> None:
    play = JournaledPlay(floor)
    floor.start()
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    play.deal_some()
    floor.seen.table("T02", phase="dealing")
    play.table.power_cut()
    floor.seen.table("T02", phase="held", why=lambda why: "a device is not reached" in why)
    floor.seen.table("T02", devices=lambda devices: set(devices.values()) == {"online"})
    play.deal_rest()
    floor.seen.wait(lambda: len(raw_ledger.entries(floor.ledger, "card_taken")) == 15, "all cards placed")
    floor.person("ana", "supervisor").does("round.confirm", table="T02", why="the felt is as it was")
    floor.seen.table("T02", phase="dealt")
    play.finish()
    play.prizes()
    floor.seen.hit(play.pool, play.hit, "pending")
    floor.seen.meter(play.pool, play.pencil.meter)


def test_a_journal_that_was_erased_is_an_alarm_and_holds_the_round(floor: Floor) -> None:
    play = JournaledPlay(floor)
    floor.start()
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    play.table.exchange("panel", "T02-panel")  # the same board; its memory is empty
    floor.seen.table("T02", phase="held", progressive="closed")
    assert "has lost its journal" in floor.seen.alarm("journal_lost-T02.panel")["text"]
    floor.person("ana", "supervisor").does("round.void", table="T02", why="compared with the felt")
    floor.seen.no_alarm("journal_lost-T02.panel")
    play.table.sweep()
    floor.seen.table("T02", phase="open", round="T02-2", progressive="open")
    floor.bet(play.table, 6, also=())
    moved = [(word["journal"], word["seq"]) for word in raw_ledger.words(floor.ledger, "bet_moved")]
    assert len(moved) == len(set(moved))


def test_a_full_journal_closes_its_panel_and_every_event_it_took_counts_once(floor: Floor) -> None:
    play = JournaledPlay(floor)
    floor.start()
    play.bets()
    floor.kill()
    table, journal = play.table, play.table.panel.bus.journal
    while table.place(3, "ante") and table.take_back(3, "ante"):
        pass
    assert journal.newest - journal.oldest + 1 == CAPACITY
    newest = journal.newest
    floor.start()
    floor.seen.table("T02", progressive="open")
    table.wait_open()
    heard = [word["seq"] for word in raw_ledger.words(floor.ledger, "bet_moved") if word["device"] == "panel"]
    assert heard == sorted(set(heard))
    assert heard[-1] == newest
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))


def test_a_lock_pressed_while_the_controller_was_away_counts_where_the_cards_have_a_journal(floor: Floor) -> None:
    play = JournaledPlay(floor)
    floor.start()
    play.bets()
    floor.kill()
    play.lock()
    floor.start()
    floor.seen.table("T02", phase="locked")
    floor.seen.meter(play.pool, play.pencil.bets(2))
    play.deal_some()
    finish_and_pay(play)


def test_a_lock_pressed_while_the_controller_was_away_holds_what_a_bare_shoe_may_have_dealt(floor: Floor) -> None:
    play = BarePlay(floor)
    floor.start()
    play.bets()
    floor.kill()
    play.lock()
    play.deal_some()
    floor.start()
    floor.seen.table("T01", phase="held", why=lambda why: "while nobody listened" in why)
    floor.seen.meter(play.pool, play.pencil.bets(2))
    assert floor.seen.hits() == {}


def test_a_device_clock_that_runs_over_in_mid_round_keeps_the_order_of_bets_and_lock(floor: Floor) -> None:
    play = JournaledPlay(floor)
    floor.start()
    play.table.wait_open()
    floor.kill()  # what is known of the clocks is forgotten with the controller: they run on for 49 days
    floor.start()
    floor.seen.table(play.table.name, progressive="open")
    play.table.wait_open()
    boards = list(play.table.boards.values())

    def nearly_over(now_ms: int) -> None:
        for board in boards:
            board.clock_runs(WRAP_MS - 400 - board.clock_ms(now_ms))

    play.table.now(nearly_over)
    floor.bet(play.table, 1)
    until(lambda: boards[0].clock_ms(monotonic_ms()) < WRAP_MS // 2, "the device's clock has run over")
    floor.bet(play.table, 4)
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    words = raw_ledger.words(floor.ledger, "bet_moved") + raw_ledger.words(floor.ledger, "bets_locked")
    said = [word["said_ms"] for word in words]
    assert said == sorted(said)
    play.deal_some()
    finish_and_pay(play)
