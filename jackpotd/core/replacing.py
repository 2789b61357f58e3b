"""A device is replaced in mid-shift, by technician and supervisor (devices.md section 3; design 1, law 7).

Laws
1. Both speak of the same board, the one that answers at the place now, and soon after one another.
2. A board is taken when it next answers, with a journal of its own; other tables notice nothing.
3. What the old device had not yet said is lost: a round in play is held, and so are bets that a bet device had taken.
"""

from __future__ import annotations

from jackpotd.core import entries as e
from jackpotd.core.acts import ReplaceDevice
from jackpotd.core.book import Book
from jackpotd.core.devices import why_elsewhere
from jackpotd.core.doubt import device_doubt
from jackpotd.core.errors import RuleError
from jackpotd.core.shoe import missed_shoe
from jackpotd.core.state import BET_DEVICE_KINDS, Device, Phase, Table
from jackpotd.core.supervising import table_of
from jackpotd.core.voters import with_voter

# Both persons stand at the table; who accepted a device longer ago may have meant another one.
VOTE_LASTS_MS = 30 * 60 * 1_000
_ANSWERED = ("foreign_device", "journal_gap", "journal_lost")


def replace_device(book: Book, act: ReplaceDevice) -> None:
    """A technician or a supervisor accepts the device that stands there now; the other of them completes it."""
    table = table_of(book.state, act.table)
    device = _device(table, act.device)
    if not act.why.strip():
        raise RuleError("a replacement needs its reason")
    serial = _serial(book, table, device)
    vote = device.vote
    counts = vote is not None and vote.serial == serial and book.at_ms - vote.at_ms <= VOTE_LASTS_MS
    voters = with_voter((vote.by,) if vote is not None and counts else (), act.by)
    if len(voters) == 1:
        book.write(e.DeviceVoted(book.at_ms, act.table, act.device, serial, act.by, act.why))
        return
    code = "deal_replaced" if act.device == table.deals else "device_replaced"
    book.write(e.DeviceReplaced(book.at_ms, act.table, act.device, serial, device.serial, voters, act.why))
    missed_shoe(book, table, act.device, "was replaced")
    for alarm in _ANSWERED:
        book.clear_device(alarm, table, act.device)
    book.device_fault(table, act.device, "")
    if table.phase is not Phase.OPEN or (table.bets and device.kind in BET_DEVICE_KINDS):
        device_doubt(book, table, act.device, code, act.device)


def _device(table: Table, name: str) -> Device:
    device = table.devices.get(name)
    if device is None:
        known = ", ".join(params.name for params in table.params.devices) or "none"
        raise RuleError(f"table {table.params.table} has no device {name}; it has {known}")
    return device


def _serial(book: Book, table: Table, device: Device) -> str:
    """The serial number of the board to accept; "" for a device that says none."""
    place = f"{table.params.table}/{device.params.name}"
    if device.params.grade == "journaled" and not device.foreign:
        raise RuleError(f"no other board answers at {place}: connect the new one, then accept it")
    elsewhere = device.foreign and why_elsewhere(book.state, device, device.foreign)
    if elsewhere:
        raise RuleError(f"the board at {place} says {device.foreign}, {elsewhere}: give it a number of its own")
    return device.foreign
