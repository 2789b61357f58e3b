"""The watch over the machine's clock: is it synchronised, and was it set?

Laws
1. A wall clock that went otherwise than the time since boot by more than JUMP_MS within an hour was set: it jumped. One
   that is slewed is not, and a machine that slept is not.
2. A smaller difference is followed slowly: no bet made before a lock is ever dated after it. A life of the controller
   that begins so little before the ledger's last row goes on from that row.
3. From one life of the controller to the next only a clock that went back is seen: one that went forward looks like a
   long time without a controller.
4. What it finds is the controller's own word; no table waits for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from jackpotd.core.facts import ClockSaid
from jackpotd.core.state import State
from jackpotd.core.wall_clock import JUMPED_ALARM
from jackpotd.daemon.clock import Clock

LOOK_S = 1.0
# Above a leap second and what a service slews in an hour at the kernel's 500 ppm; far below what people could dispute.
JUMP_MS = 2_000
_HOUR_MS = 3_600_000
# A service that has just set the clock may do so again within its next few polls.
CALM_MS = 600_000
_NS_PER_MS = 1_000_000


class ClockWatch:
    """Looks at the clock. `is_synchronised` asks the machine; `begin` comes first, then `run`."""

    def __init__(self, clock: Clock, is_synchronised: Callable[[], bool]) -> None:
        self._clock = clock
        self._is_synchronised = is_synchronised
        self._base_ns = clock.look()
        clock.step()  # a life begins with what the wall clock says
        self._based_ms = clock.monotonic_ms()
        self._set_ms: int | None = None  # when it was last set, in monotonic time
        self._said = (True, True)  # synchronised, calm

    def begin(self, state: State, last_ms: int) -> ClockSaid | None:
        """The first word of a life, if there is one. `last_ms`: when the ledger's last row was written."""
        alarmed = JUMPED_ALARM in state.alarms
        self._set_ms = self._clock.monotonic_ms() if alarmed else None
        self._said = state.clock_synchronised, not alarmed
        went_ms = self._clock.utc_ms() - last_ms
        if went_ms < -JUMP_MS:
            return self._word(went_ms)
        self._clock.go_on_from(last_ms)
        return self._word(0)

    async def run(self, say: Callable[[ClockSaid], None]) -> None:
        """Look for ever, and say what changed."""
        while True:
            word = self.look()
            if word is not None:
                say(word)
            await asyncio.sleep(LOOK_S)

    def look(self) -> ClockSaid | None:
        """What there is to say now; None when nothing has changed."""
        utc_ns, now_ms = self._clock.look(), self._clock.monotonic_ms()
        moved_ms = (utc_ns - self._base_ns) // _NS_PER_MS
        jumped = abs(moved_ms) > JUMP_MS
        if jumped or now_ms - self._based_ms >= _HOUR_MS:
            self._base_ns, self._based_ms = utc_ns, now_ms
        if jumped:
            self._clock.step()
        return self._word(moved_ms if jumped else 0)

    def _word(self, jump_ms: int) -> ClockSaid | None:
        now_ms = self._clock.monotonic_ms()
        if jump_ms:
            self._set_ms = now_ms
        calm = self._set_ms is None or now_ms - self._set_ms >= CALM_MS
        found = self._is_synchronised(), calm
        if not jump_ms and found == self._said:
            return None
        self._said = found
        return ClockSaid(found[0], jump_ms, found[1])
