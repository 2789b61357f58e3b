"""Effects of entries about the controller, configuration, days, people, alarms and devices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from jackpotd.core import entries as e
from jackpotd.core.state import Alarm, Device, DeviceVote, Operator, State, Table, mark_key


def _epoch_began(state: State, entry: e.EpochBegan) -> None:
    state.epoch = entry.epoch
    state.started_ms = entry.at_ms
    for table in state.tables.values():
        for device in table.devices.values():
            device.awaited = device.awaited or device.online
            device.online = False
            device.why = "not yet reached since the start"


def _storage_noted(state: State, entry: e.StorageNoted) -> None:
    state.storage_low = entry.low


def _breaker_armed(state: State, entry: e.BreakerArmed) -> None:
    pool = state.pools[entry.limits.params.pool]
    pool.limits = entry.limits
    pool.window = []


def _table_set(state: State, entry: e.TableSet) -> None:
    table = state.tables.get(entry.params.table)
    if table is None:
        table = state.tables[entry.params.table] = Table(params=entry.params, deals=entry.params.deal[0])
    if table.params.deal != entry.params.deal:  # another order of preference is another choice
        table.deals = entry.params.deal[0]
    table.params = entry.params
    kept = table.devices
    table.devices = {}
    for params in entry.params.devices:
        device = kept.get(params.name) or Device(params=params)
        device.params = params
        table.devices[params.name] = device


def _table_opened(state: State, entry: e.TableOpened) -> None:
    state.tables[entry.table].open = True


def _table_closed(state: State, entry: e.TableClosed) -> None:
    state.tables[entry.table].open = False
    state.tables[entry.table].closed_after = state.hit_count


def _deal_changed(state: State, entry: e.DealChanged) -> None:
    state.tables[entry.table].deals = entry.deal


def _day_closed(state: State, entry: e.DayClosed) -> None:
    state.day = entry.day + 1
    state.day_began_ms = entry.at_ms
    for meter in entry.meters:
        state.pools[meter.pool].opening_atoms = meter.closing_atoms


def _facts_archived(_state: State, _entry: e.FactsArchived) -> None:
    """Nothing: no rule rests on what was archived."""


def _operator_changed(state: State, entry: e.OperatorChanged) -> None:
    state.operators[entry.name] = Operator(entry.name, entry.role, entry.unix_user, entry.change == "disabled")


def _alarm_raised(state: State, entry: e.AlarmRaised) -> None:
    state.alarms[entry.alarm] = Alarm(
        entry.alarm, entry.code, entry.text, entry.table, entry.device, entry.at_ms, entry.todo
    )


def _alarm_cleared(state: State, entry: e.AlarmCleared) -> None:
    del state.alarms[entry.alarm]


def _alarm_acknowledged(state: State, entry: e.AlarmAcknowledged) -> None:
    if not entry.seen:  # one of the shell's own is not in the state
        known = state.alarms[entry.alarm]
        state.alarms[entry.alarm] = replace(known, seen_by=entry.by, seen_ms=entry.at_ms)


def _device_taken(state: State, entry: e.DeviceTaken) -> None:
    device = state.tables[entry.table].devices[entry.device]
    device.serial = entry.serial
    device.kind = entry.device_kind
    device.journal = entry.journal
    device.foreign = device.accepted = ""
    state.marks[mark_key(entry.serial, entry.journal)] = entry.mark


def _journal_moved(state: State, entry: e.JournalMoved) -> None:
    device = state.tables[entry.table].devices[entry.device]
    state.marks[mark_key(device.serial, device.journal)] = entry.mark


def _device_online(state: State, entry: e.DeviceOnline) -> None:
    device = state.tables[entry.table].devices[entry.device]
    device.online = True
    device.awaited = False
    device.why = ""


def _device_offline(state: State, entry: e.DeviceOffline) -> None:
    device = state.tables[entry.table].devices[entry.device]
    device.online = device.awaited = False
    device.why = entry.why


def _device_faulted(state: State, entry: e.DeviceFaulted) -> None:
    state.tables[entry.table].devices[entry.device].fault = entry.fault


def _device_foreign(state: State, entry: e.DeviceForeign) -> None:
    state.tables[entry.table].devices[entry.device].foreign = entry.serial


def _device_voted(state: State, entry: e.DeviceVoted) -> None:
    state.tables[entry.table].devices[entry.device].vote = DeviceVote(entry.serial, entry.by, entry.at_ms)


def _device_replaced(state: State, entry: e.DeviceReplaced) -> None:
    device = state.tables[entry.table].devices[entry.device]
    device.vote = None
    device.foreign, device.accepted = "", entry.serial
    device.replacements += 1
    device.serial = ""  # what it says next is the first of it
    state.last_frames.pop(f"{entry.table}/{entry.device}", None)


SITE_EFFECTS: dict[type, Callable[[State, Any], None]] = {
    e.EpochBegan: _epoch_began,
    e.StorageNoted: _storage_noted,
    e.BreakerArmed: _breaker_armed,
    e.TableSet: _table_set,
    e.TableOpened: _table_opened,
    e.TableClosed: _table_closed,
    e.DealChanged: _deal_changed,
    e.DayClosed: _day_closed,
    e.FactsArchived: _facts_archived,
    e.OperatorChanged: _operator_changed,
    e.AlarmRaised: _alarm_raised,
    e.AlarmCleared: _alarm_cleared,
    e.AlarmAcknowledged: _alarm_acknowledged,
    e.DeviceTaken: _device_taken,
    e.JournalMoved: _journal_moved,
    e.DeviceOnline: _device_online,
    e.DeviceOffline: _device_offline,
    e.DeviceFaulted: _device_faulted,
    e.DeviceForeign: _device_foreign,
    e.DeviceVoted: _device_voted,
    e.DeviceReplaced: _device_replaced,
}
