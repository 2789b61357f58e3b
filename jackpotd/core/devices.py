"""Devices reached and lost, boards exchanged, journals (devices.md section 3; design 1, laws 6 to 8).

Laws
1. The first serial number at a place is taken, unless the configuration pins one; another one later is not.
2. A journal's number is the ledger's own: it rises only when the device's newest event is below what is committed.
3. A device is back when it is reached and has nothing old left to say.
"""

from __future__ import annotations

from jackpotd.core import entries as e
from jackpotd.core.book import Book
from jackpotd.core.doubt import doubt
from jackpotd.core.facts import DeviceHello, DeviceLost, JournalGap
from jackpotd.core.said import Said
from jackpotd.core.state import Device, Phase, State, Table, mark_key


def is_accepted(device: Device, hello: DeviceHello) -> bool:
    """Whether this board is the one of this place."""
    return (device.serial or device.params.serial or hello.serial) == hello.serial


def committed(state: State, device: Device) -> int:
    """The highest event id of a device's journal that the ledger has."""
    return state.marks.get(mark_key(device.serial, device.journal), 0)


def hello(book: Book, table: Table, said: Said) -> None:
    """A table-bus device answered: take it, or refuse a foreign one, or find its journal lost."""
    word = said.word
    assert isinstance(word, DeviceHello)
    name = table.params.table
    device = table.devices[said.device]
    subject = f"{name}-{said.device}"
    if not is_accepted(device, word):
        expected = device.serial or device.params.serial
        text = f"{said.device} of table {name} answers as {word.serial}, not {expected}"
        book.alarm("foreign_device", subject, text, name, said.device)
        return
    book.clear("foreign_device", subject)
    if not device.serial:
        _take(book, table, said.device, word, journal=1)
    elif word.newest < committed(book.state, device):
        _take(book, table, said.device, word, journal=device.journal + 1)
        text = f"{said.device} of table {name} has lost its journal"
        book.alarm("journal_lost", subject, text, name, said.device)
        doubt(book, table, "journal_lost", said.device)


def _take(book: Book, table: Table, device: str, word: DeviceHello, journal: int) -> None:
    """Number the journal; a journal that other rows have used already (a board moved here) keeps its marks."""
    marks = book.state.marks
    while mark_key(word.serial, journal) in marks and marks[mark_key(word.serial, journal)] > word.newest:
        journal += 1
    mark = max(word.oldest - 1, marks.get(mark_key(word.serial, journal), 0))
    book.write(e.DeviceTaken(book.at_ms, table.params.table, device, word.serial, word.device_kind, journal, mark))


def back(book: Book, table: Table, said: Said) -> None:
    """The device is in step again."""
    book.device_online(table, table.devices[said.device])


def lost(book: Book, table: Table, said: Said) -> None:
    """The device is not reached: with bets open this only closes the progressive, later it holds (law 7)."""
    word = said.word
    assert isinstance(word, DeviceLost)
    book.device_offline(table, table.devices[said.device], word.why)
    if table.phase is not Phase.OPEN:
        doubt(book, table, "device_lost", f"{said.device}: {word.why}")


def gap(book: Book, table: Table, said: Said) -> None:
    """Events before `oldest` are lost for ever: the gap is committed, and the round held."""
    word = said.word
    assert isinstance(word, JournalGap)
    device = table.devices[said.device]
    if word.oldest - 1 <= committed(book.state, device):
        return
    name = table.params.table
    text = f"{said.device} of table {name} lost the events before {word.oldest}"
    book.write(e.JournalMoved(book.at_ms, name, said.device, word.oldest - 1))
    book.alarm("journal_gap", f"{name}-{said.device}", text, name, said.device)
    doubt(book, table, "journal_gap", said.device)


def fault(book: Book, table: Table, device_name: str, text: str) -> None:
    """A device raises ("text") or clears ("") its own error; it closes the progressive."""
    device = table.devices[device_name]
    if device.fault == text:
        return
    name = table.params.table
    book.write(e.DeviceFaulted(book.at_ms, name, device_name, text))
    subject = f"{name}-{device_name}"
    book.clear("device_fault", subject)
    if text:
        book.alarm("device_fault", subject, f"{device_name} of table {name}: {text}", name, device_name)
