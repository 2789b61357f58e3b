"""Effects of entries about the machine's clock.

Laws
1. A doubt about the clock belongs to the gaming day in which it is recorded; the next begins without it.
2. When the clock was set, the moments that waits are counted from are set with it: two persons' window, the length of a
   day, the breaker's, what is shown for a while and which restart a round was before are none the longer or shorter.
   Rows keep the times that they were written with, and their order is their sequence.
3. What a round in play compares with one another stays as it was said: the rules there see that the clock was set.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jackpotd.core import entries as e
from jackpotd.core.state import KEPT_DOUBTS, Pool, State
from jackpotd.core.window import move


def _clock_noted(state: State, entry: e.ClockNoted) -> None:
    state.clock_synchronised = entry.synchronised
    if not entry.synchronised:
        _doubt(state, e.ClockDoubt(entry.at_ms, "unsynchronised", 0))


def _clock_jumped(state: State, entry: e.ClockJumped) -> None:
    _doubt(state, e.ClockDoubt(entry.at_ms, "jumped", entry.by_ms))
    by_ms = entry.by_ms
    state.day_began_ms = _set(state.day_began_ms, by_ms)
    for pool in state.pools.values():
        _pool(pool, by_ms)
    for hit in state.hits.values():
        hit.decided_ms = _set(hit.decided_ms, by_ms)
    for table in state.tables.values():
        table.held_ms = _set(table.held_ms, by_ms)
        for device in table.devices.values():
            if device.vote is not None:
                device.vote.at_ms += by_ms


def _pool(pool: Pool, by_ms: int) -> None:
    pool.restarted_ms = _set(pool.restarted_ms, by_ms)
    pool.retired_ms = _set(pool.retired_ms, by_ms)
    if pool.proposal is not None:
        pool.proposal.at_ms += by_ms
    if pool.params.breaker is not None:
        move(pool.window, pool.params.breaker, by_ms)


def _set(moment_ms: int, by_ms: int) -> int:
    """A moment by the clock as it was set; 0 is none, and one before 1970 is the first there is."""
    return max(1, moment_ms + by_ms) if moment_ms else 0


def _doubt(state: State, doubt: e.ClockDoubt) -> None:
    if len(state.doubts) < KEPT_DOUBTS:
        state.doubts.append(doubt)


def _day_provisional(state: State, _: e.DayProvisional) -> None:
    state.doubts = []


CLOCK_EFFECTS: dict[type, Callable[[State, Any], None]] = {
    e.ClockNoted: _clock_noted,
    e.ClockJumped: _clock_jumped,
    e.DayProvisional: _day_provisional,
}
