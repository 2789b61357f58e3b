"""Intake: an item becomes a fact, with the name that the ledger holds unique (design 1, law 6).

Laws
1. A journaled device's event is named by serial number, the ledger's journal number, and the device's event id.
2. All others are numbered here, by the ledger's own mark: a device by its place, a person, the controller by its epoch.
"""

from __future__ import annotations

from jackpotd.core.facts import Fact
from jackpotd.core.state import State, mark_key
from jackpotd.daemon.inbox import Item

CONTROLLER = "controller"
# Sources of a device's own numbers, people and the controller never meet: serial numbers have neither of these marks.
_PLACE_JOURNAL = 1


def bind(state: State, item: Item) -> Fact:
    """The fact of an item, numbered after all that the state has seen."""
    grade = ""
    seq = item.seq
    if item.device and item.raw:
        device = state.tables[item.table].devices[item.device]
        grade = device.params.grade
        if seq is not None and grade == "journaled":
            source, journal = device.serial, device.journal
        else:
            source, journal, seq = f"{item.table}/{item.device}", _PLACE_JOURNAL, None
    elif item.operator:
        source, journal, seq = f"operator/{item.operator}", _PLACE_JOURNAL, None
    else:
        source, journal, seq = CONTROLLER, max(state.epoch, 1), None
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
