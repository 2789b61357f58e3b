"""What hands can do to a simulated panel, keypad, reader and shuffler, and what the wire then says."""

from __future__ import annotations

from hardware.bus_events import BusEvent, Kind
from hardware.bus_payloads import Command, Status
from hardware.reports import (
    BetMoved,
    BetsLocked,
    CardExposed,
    CardOut,
    CardUnreadable,
    Claimed,
    Folded,
    KeyTurned,
    PacketOut,
    Places,
    RoundEnded,
    ShufflerFault,
    ShufflerReady,
    VoidPressed,
)
from hardware.simulated.bus_boards import BetPanelSim, CardReaderSim, KeypadSim, ShufflerSim
from hardware.simulated.bus_journal import Journal
from tests.hardware.bus_host import Host, booted, journalled


def test_a_panel_lets_progressive_bets_in_and_out_only_while_it_is_open() -> None:
    device = booted(Kind.BET_PANEL)
    panel = BetPanelSim(device, seats=7)
    host = Host(device)
    assert not panel.place(3, 0, 0)
    assert panel.place(3, 1, 0)
    host.command(1, Command.LOCKOUT, b"\x00")
    assert panel.place(3, 0, 10)
    assert panel.place(5, 8, 20)
    assert panel.remove(5, 8, 30)
    assert not panel.remove(5, 8, 30)
    host.command(2, Command.LOCKOUT, b"\x01")
    assert not panel.remove(3, 0, 40)
    panel.sweep(50)
    expected: list[BusEvent] = [
        BetMoved(3, 1, on=True),
        BetMoved(3, 0, on=True),
        BetMoved(5, 8, on=True),
        BetMoved(5, 8, on=False),
        BetMoved(3, 0, on=False),
        BetMoved(3, 1, on=False),
    ]
    assert journalled(device) == expected


def test_a_panel_tells_every_place_and_chips_outlast_a_power_cut() -> None:
    device = booted(Kind.BET_PANEL)
    panel = BetPanelSim(device, seats=3)
    Host(device).command(1, Command.LOCKOUT, b"\x00")
    panel.place(1, 0, 0)
    panel.place(1, 1, 0)
    panel.place(3, 1, 0)
    device.power_cycle(10)
    assert Host(device).command(1, Command.REPORT_PLACES, b"") == (1, Status.DONE)
    assert journalled(device)[-3:] == [Places(1, 0b11), Places(2, 0), Places(3, 0b10)]


def test_every_key_of_the_dealer_is_an_event() -> None:
    device = booted(Kind.DEALER_KEYPAD)
    keypad = KeypadSim(device)
    assert keypad.lock_bets(1)
    assert keypad.fold(2, 2)
    assert keypad.expose(0, 3)
    assert keypad.void("misdeal", 4)
    assert keypad.claim(4, 1, 5)
    assert keypad.claim(4, 2, 5, pool=1)
    assert keypad.turn_key(6, 6)
    assert keypad.end_round(7)
    assert journalled(device) == [
        BetsLocked(), Folded(2), CardExposed(0), VoidPressed("misdeal"), Claimed(4, 1, 0), Claimed(4, 2, 1),
        KeyTurned(6), RoundEnded(),
    ]  # fmt: skip


def test_a_shuffler_says_every_card_and_then_the_packet() -> None:
    device = booted(Kind.SHUFFLER)
    shuffler = ShufflerSim(device)
    assert shuffler.recover(1)
    assert shuffler.deal(["AS", "TH", None], 2)
    assert shuffler.fail(3, 4)
    assert CardReaderSim(device).read("2C", 5)
    assert journalled(device) == [
        ShufflerReady(), CardOut("AS"), CardOut("TH"), CardUnreadable(), PacketOut(3), ShufflerFault(3), CardOut("2C"),
    ]  # fmt: skip


def test_a_shuffler_with_a_full_journal_says_that_its_packet_was_not_noted() -> None:
    device = booted(Kind.SHUFFLER, journal=Journal(capacity=4))
    assert not ShufflerSim(device).deal(["AS", "TH", "2C", "3C", "4C"], 2)
