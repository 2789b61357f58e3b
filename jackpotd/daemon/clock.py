"""Time and identity for the shell. The core takes both as arguments.

Law: money's order is the ledger's sequence, never a clock's; UTC is for people, monotonic time for waits.
"""

from __future__ import annotations

import time

_NS_PER_MS = 1_000_000


class Clock:
    """UTC and monotonic time."""

    def utc_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        return time.time_ns() // _NS_PER_MS

    def monotonic_ms(self) -> int:
        """Milliseconds that never go back."""
        return time.monotonic_ns() // _NS_PER_MS

    def monotonic_ns(self) -> int:
        """Nanoseconds that never go back, for latencies."""
        return time.monotonic_ns()


class DeviceClock:
    """Maps a device's own milliseconds (u32, since boot) to the controller's UTC, by the freshest events seen.

    The offset is the smallest (heard - said) of a recent window: an event is never heard before it was said. Old
    samples are forgotten, since two crystals drift apart by seconds a day.
    """

    # Ten minutes of drift between two ordinary crystals (100 ppm) is 60 ms, less than one polling period.
    WINDOW_MS = 600_000
    _WRAP = 1 << 32

    def __init__(self) -> None:
        self._offset_ms: int | None = None
        self._since_ms = 0

    def restart(self) -> None:
        """The device booted or was away: what was known of its clock counts no more."""
        self._offset_ms = None

    def utc_ms(self, device_ms: int, heard_utc_ms: int) -> int:
        """When it was said, never later than when it was heard."""
        offset = (heard_utc_ms - device_ms) % self._WRAP
        known = self._offset_ms
        if known is None or heard_utc_ms - self._since_ms > self.WINDOW_MS or self._is_less(offset, known):
            self._offset_ms = known = offset
            self._since_ms = heard_utc_ms
        age_ms = (offset - known) % self._WRAP
        return heard_utc_ms - age_ms

    def _is_less(self, offset: int, known: int) -> bool:
        """Whether an offset is smaller, round the wrap of 2^32."""
        return (offset - known) % self._WRAP > self._WRAP // 2
