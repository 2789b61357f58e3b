"""What a device must say, and who may share a port.

Laws
1. A port belongs to one device; only table-bus devices share one: at most eight, addresses distinct, settings equal.
2. A driver is known by name: one of ours or a plug-in's; its integrity grade is its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardware.drivers import TABLE_BUS, DriverError, find_driver
from hardware.reports import Grade
from jackpotd.daemon.config_faults import FaultList, block_key
from jackpotd.daemon.config_models import DeviceBlock, TableBlock

# The bus of one port is polled within 100 ms, every device of it (devices.md).
MAX_DEVICES_OF_PORT = 8
# One process polls no more; beyond that, relays (design section 8).
MAX_BUS_DEVICES = 100
# The dialects' usual speeds (devices.md). A plug-in on a tty names its own.
BAUD_OF_DRIVER = {"angel-eye": 4_800, "bee-tek": 9_600, TABLE_BUS: 115_200}


@dataclass(frozen=True, slots=True)
class _Placed:
    key: str
    device: DeviceBlock


def check_devices(tables: list[TableBlock], faults: FaultList) -> None:
    """Every fault of every device by itself and against the others."""
    placed = list(_placed(tables))
    for number, table in enumerate(tables, start=1):
        _check_names(block_key("table", number, table.id), table, faults)
    for place in placed:
        _check_device(place.key, place.device, faults)
    _check_ports(placed, faults)
    _check_boards(placed, faults)
    bus = sum(place.device.driver == TABLE_BUS for place in placed)
    if bus > MAX_BUS_DEVICES:
        faults.add("table", f"one controller polls at most {MAX_BUS_DEVICES}")


def baud_of(device: DeviceBlock) -> int | None:
    """The line's speed: the device's own, else the dialect's; None where neither says."""
    return device.baud or BAUD_OF_DRIVER.get(device.driver or "")


def grade_of(driver: str) -> Grade:
    """How far a driver's devices can prove that nothing was lost; DriverError when it is not installed."""
    return Grade.JOURNALED if driver == TABLE_BUS else find_driver(driver).grade


def _placed(tables: list[TableBlock]) -> Iterator[_Placed]:
    for table_number, table in enumerate(tables, start=1):
        for number, device in enumerate(table.device, start=1):
            outer = block_key("table", table_number, table.id)
            yield _Placed(block_key(f"{outer}.device", number, device.name), device)


def _check_names(key: str, table: TableBlock, faults: FaultList) -> None:
    names = [device.name for device in table.device if device.name is not None]
    for name in sorted({name for name in names if names.count(name) > 1}):
        faults.add(f"{key}.device[{name}].name", "two devices of this table have this name")


def _check_device(key: str, device: DeviceBlock, faults: FaultList) -> None:
    if device.name is None:
        faults.add(f"{key}.name", "every device has a name")
    elif device.name == "claims":
        faults.add(f"{key}.name", "claims is the word for no card reading")
    if device.port is None:
        faults.add(f"{key}.port", "name the device's path or socket://host:port")
    if device.driver is None:
        faults.add(f"{key}.driver", "name the driver that speaks the device's dialect")
        return
    try:
        grade_of(device.driver)
    except DriverError as error:
        faults.add(f"{key}.driver", str(error))
        return
    if device.driver == TABLE_BUS:
        if device.address is None:
            faults.add(f"{key}.address", "name its address on the bus, 1 to 126")
        if device.key is not None and device.key_file is not None:
            faults.add(f"{key}.key_file", "the key is named twice: keep key or key_file")
    else:
        _check_no_bus_keys(key, device, faults)
    if baud_of(device) is None and device.port is not None and not device.port.startswith("socket://"):
        faults.add(f"{key}.baud", "name the line's speed")


def _check_no_bus_keys(key: str, device: DeviceBlock, faults: FaultList) -> None:
    for name, value in (
        ("address", device.address),
        ("serial", device.serial),
        ("key", device.key),
        ("key_file", device.key_file),
    ):
        if value is not None:
            faults.add(f"{key}.{name}", "only table-bus devices have it; remove it")


def _line(device: DeviceBlock) -> tuple[object, ...]:
    return (baud_of(device), device.parity, device.data_bits, device.stop_bits)


def _check_ports(placed: list[_Placed], faults: FaultList) -> None:
    by_port: dict[str, list[_Placed]] = {}
    for place in placed:
        if place.device.port is not None:
            by_port.setdefault(place.device.port, []).append(place)
    for sharers in by_port.values():
        first = sharers[0]
        addresses: dict[int, str] = {}
        for place in sharers:
            _check_sharer(first, place, faults)
            address = place.device.address
            if address is not None and address in addresses:
                faults.add(f"{place.key}.address", f"{addresses[address]} has it on the same port")
            elif address is not None:
                addresses[address] = place.key
        if len(sharers) > MAX_DEVICES_OF_PORT:
            reason = f"{len(sharers)} devices share this port; at most {MAX_DEVICES_OF_PORT} can be polled in time"
            faults.add(f"{sharers[-1].key}.port", reason)


def _check_sharer(first: _Placed, place: _Placed, faults: FaultList) -> None:
    if place is first:
        return
    drivers = {first.device.driver, place.device.driver}
    if None in drivers:
        return
    if drivers != {TABLE_BUS}:
        faults.add(f"{place.key}.port", f"{first.key} has this port; only table-bus devices share one")
    elif _line(place.device) != _line(first.device):
        reason = f"baud, parity, data_bits and stop_bits differ from {first.key} on the same port"
        faults.add(f"{place.key}.port", reason)


def _check_boards(placed: list[_Placed], faults: FaultList) -> None:
    seen: dict[str, str] = {}
    for place in placed:
        serial = place.device.serial
        if serial is None:
            continue
        if serial in seen:
            faults.add(f"{place.key}.serial", f"{seen[serial]} is pinned to the same board")
        else:
            seen[serial] = place.key
