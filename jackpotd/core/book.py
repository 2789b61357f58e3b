"""The book of one decision: entries are written into it and take effect at once, so that each sees those before it.

Laws
1. Nothing changes the state but an entry written here.
2. The book knows the fact being judged; times come from it and from nowhere else.
3. What was said while a round was locking waits here once it is locked, and is judged before the decision ends.
"""

from __future__ import annotations

from jackpotd.core import entries as e
from jackpotd.core.alarms import todo
from jackpotd.core.apply import apply
from jackpotd.core.facts import Fact
from jackpotd.core.said import Said
from jackpotd.core.state import Device, Pool, State, Table


class Book:
    """State, the fact being judged, what it has led to so far, and words that are still to be judged."""

    __slots__ = ("entries", "fact", "state", "unheard")

    def __init__(self, state: State, fact: Fact) -> None:
        self.state = state
        self.fact = fact
        self.entries: list[e.Entry] = []
        self.unheard: list[tuple[Table, Said]] = []

    @property
    def at_ms(self) -> int:
        """When the fact was taken in."""
        return self.fact.at_ms

    def write(self, entry: e.Entry) -> None:
        """Record an entry and let it take effect."""
        apply(self.state, entry)
        self.entries.append(entry)

    def pools_of(self, table: Table) -> list[Pool]:
        """The pools a table offers, in its order."""
        return [self.state.pools[pool] for pool in table.params.pools]

    def alarm(self, code: str, subject: str, text: str, table: str = "", device: str = "", *, cause: str = "") -> None:
        """Raise an alarm once; the same code and subject again says nothing new."""
        alarm = f"{code}-{subject}"
        if alarm not in self.state.alarms:
            self.write(e.AlarmRaised(self.at_ms, alarm, code, text, table, device, todo(code, cause)))

    def restate(self, code: str, subject: str, text: str) -> None:
        """Raise an alarm, or raise it anew when what it says has changed."""
        known = self.state.alarms.get(f"{code}-{subject}")
        if known is not None and known.text != text:
            self.clear(code, subject)
        self.alarm(code, subject, text)

    def clear(self, code: str, subject: str) -> None:
        """Clear an alarm if it is raised."""
        alarm = f"{code}-{subject}"
        if alarm in self.state.alarms:
            self.write(e.AlarmCleared(self.at_ms, alarm))

    def device_alarm(self, code: str, table: Table, device: str, text: str) -> None:
        """Raise an alarm about a device of a table."""
        name = table.params.table
        self.alarm(code, subject(name, device), f"{device} of table {name} {text}", name, device)

    def clear_device(self, code: str, table: Table, device: str) -> None:
        """Clear an alarm about a device of a table."""
        self.clear(code, subject(table.params.table, device))

    def device_online(self, table: Table, device: Device) -> None:
        """The device is reached and in step."""
        if not device.online:
            self.write(e.DeviceOnline(self.at_ms, table.params.table, device.params.name))
        self.clear_device("offline", table, device.params.name)

    def device_offline(self, table: Table, device: Device, why: str) -> None:
        """The device is not reached."""
        name = device.params.name
        if device.online or device.awaited:
            self.write(e.DeviceOffline(self.at_ms, table.params.table, name, why))
        self.device_alarm("offline", table, name, f"is not reached: {why}")

    def device_fault(self, table: Table, name: str, text: str) -> None:
        """A device raises ("text") or clears ("") its own error; it closes the progressive."""
        if table.devices[name].fault == text:
            return
        self.write(e.DeviceFaulted(self.at_ms, table.params.table, name, text))
        self.clear_device("device_fault", table, name)
        if text:
            self.device_alarm("device_fault", table, name, f"says: {text}")


def subject(table: str, device: str) -> str:
    """What an alarm about a device is about; ids have no dots, so two devices never share it."""
    return f"{table}.{device}"
