"""Devices that do not answer from the start on: their alarm, which otherwise only a loss raises.

Law: a device of the configuration that has not been reached for `ABSENT_MS` is said to be lost, as one that was there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from jackpotd.core.facts import DeviceLost
from jackpotd.daemon.config_settings import DeviceSettings
from jackpotd.daemon.ports import LONGEST_WAIT_S, Shell, watched

LOOK_S = 1.0
_MS_PER_S = 1_000
# Longer than the longest pause between two tries: a device that is there has been asked again by then.
ABSENT_MS = int(LONGEST_WAIT_S * _MS_PER_S) + 5 * _MS_PER_S


class AbsenceWatch:
    """Watches the devices that are served."""

    def __init__(self, shell: Shell, served: Callable[[], Iterable[DeviceSettings]]) -> None:
        self._shell = shell
        self._served = served
        self._since_ms: dict[str, int] = {}  # device -> since when it is awaited

    async def run(self) -> None:
        """Look at every device, for ever."""
        while True:
            self.look()
            await asyncio.sleep(LOOK_S)

    def look(self) -> None:
        """Say who has been absent for too long."""
        now = self._shell.clock.now()
        awaited = {device.label: device for device in self._served() if self._is_awaited(device)}
        self._since_ms = {label: self._since_ms.get(label, now.monotonic_ms) for label in awaited}
        for label, since_ms in self._since_ms.items():
            if now.monotonic_ms - since_ms >= ABSENT_MS:
                self._since_ms[label] = now.monotonic_ms
                self._shell.inbox.put_now(watched(awaited[label], DeviceLost("it has not answered yet"), now))

    def _is_awaited(self, device: DeviceSettings) -> bool:
        """Whether it is not reached, and nobody has been told."""
        state = self._shell.state
        place = state.tables[device.table].devices.get(device.name)
        told = f"offline-{device.table}.{device.name}" in state.alarms
        return place is not None and not (place.online or place.foreign or told)
