"""Time and identity for the shell. The core takes both as arguments.

Laws
1. Money's order is the ledger's sequence, never a clock's; UTC is for people, monotonic time for waits.
2. UTC is carried on by the time since boot. At every look it follows the wall clock, by at most SLEW of the time that
   has passed, so that what was said first is never dated later; a clock that was set is taken over only by `step`,
   between two rows, and the watch says so before anything is dated by it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

_NS_PER_MS = 1_000_000
# Of so many readings the quickest counts: one between which the machine stood still would be a clock that was set.
_READINGS = 3
# 500 ppm, as the kernel itself corrects a clock.
SLEW = 2_000


@dataclass(frozen=True, slots=True)
class Instant:
    """One moment by both clocks."""

    utc_ms: int
    monotonic_ns: int

    @property
    def monotonic_ms(self) -> int:
        """Milliseconds that never go back."""
        return self.monotonic_ns // _NS_PER_MS


class Clock:
    """UTC and monotonic time."""

    def __init__(self) -> None:
        """Takes over what the wall clock says."""
        self._looked_ns = self._boot_ns()
        self._utc_ns = self._found_ns = self._utc_at_boot()

    def look(self) -> int:
        """UTC at boot in nanoseconds as the wall clock says it, which moves when it is set; followed slowly."""
        now_ns = self._boot_ns()
        most_ns = (now_ns - self._looked_ns) // SLEW
        self._looked_ns, self._found_ns = now_ns, self._utc_at_boot()
        self._utc_ns += max(-most_ns, min(most_ns, self._found_ns - self._utc_ns))
        return self._found_ns

    def step(self) -> None:
        """Take over at once what the last look found."""
        self._utc_ns = self._found_ns

    def go_on_from(self, utc_ms: int) -> None:
        """Begin no earlier than this, and follow the wall clock from there."""
        self._utc_ns = max(self._utc_ns, utc_ms * _NS_PER_MS - self._boot_ns())

    def _utc_at_boot(self) -> int:
        readings = [(self._boot_ns(), self._wall_ns(), self._boot_ns()) for _ in range(_READINGS)]
        before_ns, wall_ns, _ = min(readings, key=lambda reading: reading[2] - reading[0])
        return wall_ns - before_ns

    def _wall_ns(self) -> int:
        return time.time_ns()

    def _boot_ns(self) -> int:
        """Since boot, the time that the machine slept included."""
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME)

    def now(self) -> Instant:
        """The moment: what is heard in one piece is judged by one."""
        return Instant(self.utc_ms(), self.monotonic_ns())

    def utc_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        return (self._boot_ns() + self._utc_ns) // _NS_PER_MS

    def monotonic_ms(self) -> int:
        """Milliseconds that never go back."""
        return time.monotonic_ns() // _NS_PER_MS

    def monotonic_ns(self) -> int:
        """Nanoseconds that never go back, for latencies."""
        return time.monotonic_ns()


class DeviceClock:
    """How long ago an event was said, by a device's own milliseconds (u32, since boot) and the controller's monotonic.

    The offset between the two is the smallest (heard - said) of this window and the one before: an event is never heard
    before it was said. A window begins with one that was heard promptly: before that nobody knows how late any is.
    Older samples are forgotten, since two crystals drift apart by seconds a day.
    """

    # Ten minutes of drift between two ordinary crystals (100 ppm) is 60 ms, less than one polling period.
    WINDOW_MS = 600_000
    _WRAP = 1 << 32

    def __init__(self) -> None:
        self._recent_ms: int | None = None
        self._earlier_ms: int | None = None
        self._began_ms = 0

    def known(self) -> tuple[int, int | None, int] | None:
        """What is known of its clock: this window's offset, the one's before, and when this one began."""
        return None if self._recent_ms is None else (self._recent_ms, self._earlier_ms, self._began_ms)

    def know(self, recent_ms: int, earlier_ms: int | None, began_ms: int) -> None:
        """Go on from what was known."""
        self._recent_ms, self._earlier_ms, self._began_ms = recent_ms, earlier_ms, began_ms

    def restart(self) -> None:
        """The device booted: what was known of its clock counts no more."""
        self._recent_ms = self._earlier_ms = None

    def age_ms(self, device_ms: int, heard_ms: int, *, prompt: bool) -> int | None:
        """The age, when it was heard, of what was said at device_ms; never negative. None: nobody knows."""
        offset_ms = (heard_ms - device_ms) % self._WRAP
        window_ms = heard_ms - self._began_ms
        if window_ms > 2 * self.WINDOW_MS:
            self.restart()
        if prompt and (self._recent_ms is None or window_ms > self.WINDOW_MS):
            self._earlier_ms, self._recent_ms = self._recent_ms, offset_ms
            self._began_ms = heard_ms
        if self._recent_ms is None:
            return None
        self._recent_ms = self._smaller(offset_ms, self._recent_ms)
        known_ms = self._recent_ms if self._earlier_ms is None else self._smaller(self._recent_ms, self._earlier_ms)
        return (offset_ms - known_ms) % self._WRAP

    def _smaller(self, one_ms: int, other_ms: int) -> int:
        """The smaller of two offsets, round the wrap of 2^32."""
        return one_ms if (one_ms - other_ms) % self._WRAP > self._WRAP // 2 else other_ms
