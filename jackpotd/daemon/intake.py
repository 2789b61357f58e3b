"""Intake: an item becomes a fact, with the name that the ledger holds unique (design 1, law 6).

Laws
1. A journaled device's event is named by serial number, the ledger's journal number, and the device's event id.
2. All others are numbered here, by the ledger's own mark: a device by its place, a person, the controller by its epoch.
"""

from __future__ import annotations

from jackpotd.core.errors import RuleError
from jackpotd.core.facts import Fact
from jackpotd.core.state import Device, State, mark_key
from jackpotd.daemon.inbox import Item

CONTROLLER = "controller"
# A serial number may be any text, but the journals of boards begin at 1 and the controller's is its epoch: no board can
# take anybody's name.
_PLACE_JOURNAL = 0


def bind(state: State, item: Item) -> Fact:
    """The fact of an item, numbered after all that the state has seen.

    RuleError: its device was taken out of the configuration while it waited; it is not acknowledged.
    """
    grade = ""
    seq = item.seq
    device = _device(state, item) if item.device else None
    if device is not None and item.raw:
        grade = device.params.grade
        if seq is not None and grade == "journaled":
            source, journal = device.serial, device.journal
        else:
            source, journal, seq = f"{item.table}/{item.device}", _PLACE_JOURNAL, None
    elif item.operator:
        source, journal, seq = f"operator/{item.operator}", _PLACE_JOURNAL, None
    else:
        source, journal, seq = CONTROLLER, state.epoch, None
    if seq is None:
        seq = state.marks.get(mark_key(source, journal), 0) + 1
    return Fact(
        source,
        journal,
        seq,
        item.at_ms,
        item.said_ms,
        item.table,
        item.device,
        grade,
        item.raw.hex(),
        item.stale,
        item.what,
    )


def _device(state: State, item: Item) -> Device:
    table = state.tables.get(item.table)
    device = table.devices.get(item.device) if table is not None else None
    if device is None:
        raise RuleError(f"{item.table}/{item.device} is not configured any more")
    return device
