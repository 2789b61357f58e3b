"""Devices reached and lost, boards exchanged, journals (devices.md section 3; design 1, laws 6 to 8).

Laws
1. The first serial number at a place is taken, unless the configuration pins one; another one later is not, and none
   that another place of the configuration has: two boards of one number would share a journal, and one's bets be lost.
2. A journal's number is the ledger's own: it rises only when the device's newest event is below what is committed.
3. A device is back when it is reached and has nothing old left to say.
"""

from __future__ import annotations

from jackpotd.core import entries as e
from jackpotd.core.book import Book
from jackpotd.core.doubt import device_doubt
from jackpotd.core.facts import DeviceHello, DeviceLost, JournalGap
from jackpotd.core.locking import lost_code
from jackpotd.core.said import Said
from jackpotd.core.shoe import missed_shoe
from jackpotd.core.state import Device, Phase, State, Table, mark_key


def why_foreign(state: State, place: Device, serial: str) -> str:
    """Why the board of this serial number is not the one of this place; "" when it is."""
    expected = place.serial or place.accepted or place.params.serial or serial
    return f"not {expected}" if serial != expected else why_elsewhere(state, place, serial)


def why_elsewhere(state: State, place: Device, serial: str) -> str:
    """Which other place has this board; "" when none has."""
    for name, table in sorted(state.tables.items()):
        for other in table.devices.values():
            # Of two places that have it, by settings changed to and fro, the one that is reached keeps it.
            has_it = other is not place and other.serial == serial and (other.online or place.serial != serial)
            if has_it and not is_missing(state, name):
                return f"which is {other.params.name} of table {name}"
    return ""


def is_missing(state: State, table: str) -> bool:
    """Whether the configuration has this table no more: its boards may serve elsewhere."""
    return f"table_missing-{table}" in state.alarms


def committed(state: State, device: Device) -> int:
    """The highest event id of a device's journal that the ledger has."""
    return state.marks.get(mark_key(device.serial, device.journal), 0)


def hello(book: Book, table: Table, said: Said) -> None:
    """A table-bus device answered: take it, or refuse a foreign one, or find its journal lost."""
    word = said.word
    assert isinstance(word, DeviceHello)
    device = table.devices[said.device]
    why = why_foreign(book.state, device, word.serial)
    if why:
        _refuse(book, table, device, word.serial, why)
        return
    if device.foreign:
        book.write(e.DeviceForeign(book.at_ms, table.params.table, said.device, ""))
    book.clear_device("foreign_device", table, said.device)
    if not device.serial:
        _take(book, table, said.device, word, journal=1)
    elif word.newest < committed(book.state, device):
        _take(book, table, said.device, word, journal=device.journal + 1)
        book.device_alarm("journal_lost", table, said.device, "has lost its journal")
        device_doubt(book, table, said.device, "journal_lost", said.device)


def _refuse(book: Book, table: Table, device: Device, serial: str, why: str) -> None:
    """A foreign board answers: it is named, never served; and whoever had the place before is not there any more."""
    name = device.params.name
    if device.foreign != serial:
        book.write(e.DeviceForeign(book.at_ms, table.params.table, name, serial))
        book.clear_device("foreign_device", table, name)
    book.device_alarm("foreign_device", table, name, f"answers as {serial}, {why}")
    if device.online or device.awaited:
        _is_gone(book, table, device, f"{serial} answers in its place")


def _take(book: Book, table: Table, device: str, word: DeviceHello, journal: int) -> None:
    """Number the journal; a journal that other rows have used already (a board moved here) keeps its marks."""
    marks = book.state.marks
    while marks.get(mark_key(word.serial, journal), 0) > word.newest:
        journal += 1
    mark = max(word.oldest - 1, marks.get(mark_key(word.serial, journal), 0))
    book.write(e.DeviceTaken(book.at_ms, table.params.table, device, word.serial, word.device_kind, journal, mark))


def back(book: Book, table: Table, said: Said) -> None:
    """The device is in step again."""
    device = table.devices[said.device]
    if not device.online:
        missed_shoe(book, table, said.device, "was not reached")
    book.device_online(table, device)


def lost(book: Book, table: Table, said: Said) -> None:
    """The device is not reached. With bets open this only closes the progressive, later it holds (law 7).

    What deals is not missed once every hand is complete: a dealt round goes on (design 7).
    """
    word = said.word
    assert isinstance(word, DeviceLost)
    _is_gone(book, table, table.devices[said.device], word.why)


def _is_gone(book: Book, table: Table, device: Device, why: str) -> None:
    name = device.params.name
    book.device_offline(table, device, why)
    has_dealt = table.phase is Phase.DEALT and name == table.deals
    if table.phase is not Phase.OPEN and not has_dealt:
        device_doubt(book, table, name, lost_code(table, (name,)), f"{name}: {why}")


def gap(book: Book, table: Table, said: Said) -> None:
    """Events before `oldest` are lost for ever: the gap is committed, and the round held."""
    word = said.word
    assert isinstance(word, JournalGap)
    if word.oldest - 1 <= committed(book.state, table.devices[said.device]):
        return
    book.write(e.JournalMoved(book.at_ms, table.params.table, said.device, word.oldest - 1))
    book.device_alarm("journal_gap", table, said.device, f"lost the events before {word.oldest}")
    device_doubt(book, table, said.device, "journal_gap", said.device)
