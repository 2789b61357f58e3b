"""Sees to it that every breaker has the limits of its pool's parameters in force.

Laws
1. The odds are computed by a child process, only for pools that lack them; the daemon itself knows none.
2. What is computed is recorded like all that concerns money: the controller's own word, through the engine.
3. A breaker that cannot be armed alarms: its pool plays on without it.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from asyncio.subprocess import PIPE
from collections.abc import Awaitable, Callable, Sequence

import orjson

from jackpotd.core import entries as e
from jackpotd.core.breaker import is_armed
from jackpotd.core.facts import LimitsComputed
from jackpotd.core.limits import Limits
from jackpotd.core.parameters import PoolParams
from jackpotd.core.state import State
from jackpotd.daemon import odds_child
from jackpotd.daemon.engine import Committed
from jackpotd.daemon.shell_alarms import ShellAlarms

log = logging.getLogger(__name__)

# After these a pool may have other parameters than its limits are for.
_NEW_PARAMETERS = frozenset({e.PoolOpened, e.ParametersApplied, e.ParametersTookForce})
_TODO = "The pool plays without its breaker: start the controller again, and if it says the same call its maker."


# The limits of these pools, as far as they could be computed, and 0 or what went wrong.
ComputeLimits = Callable[[Sequence[PoolParams]], Awaitable[tuple[list[Limits], int]]]


_NOT_STARTED = 127


class OddsWatch:
    """Arms breakers. `say` takes the controller's word to the engine."""

    def __init__(
        self,
        state: Callable[[], State],
        compute: ComputeLimits,
        alarms: ShellAlarms,
        say: Callable[[LimitsComputed], None],
    ) -> None:
        self._state = state
        self._compute = compute
        self._alarms = alarms
        self._say = say
        self._wake = asyncio.Event()
        self._wake.set()

    def committed(self, _: State, committed: Committed) -> None:
        """An engine's observer."""
        if committed.kinds & _NEW_PARAMETERS:
            self._wake.set()

    async def run(self) -> None:
        """Arm what is not armed, now and whenever a pool has new parameters."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self._arm(unarmed(self._state()))

    async def _arm(self, pools: Sequence[PoolParams]) -> None:
        if not pools:
            return
        computed, code = await self._compute(pools)
        for params, limits in zip(pools, computed, strict=False):
            self._alarms.clear("odds", params.pool)
            self._say(LimitsComputed(limits))
        for params in pools[len(computed) :]:
            text = f"the breaker of pool {params.pool} is not armed: its odds could not be computed (exit {code})"
            self._alarms.raise_alarm("odds", params.pool, text, _TODO)


def unarmed(state: State) -> list[PoolParams]:
    """The parameters of pools whose breaker has no limits for them."""
    return [pool.params for _, pool in sorted(state.pools.items()) if not (pool.retired_ms or is_armed(pool))]


async def compute_limits(pools: Sequence[PoolParams]) -> tuple[list[Limits], int]:
    """A `ComputeLimits`: a child process, and its exit code; as a shell says it, 127 for one that cannot start."""
    command = (sys.executable, "-P", "-m", odds_child.__name__)
    try:
        process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
    except OSError as error:
        log.warning("odds cannot be computed", extra={"why": error.strerror})
        return [], _NOT_STARTED
    try:
        asked = b"".join(odds_child.written(PoolParams, params) for params in pools)
        answered, _ = await process.communicate(asked)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    code = process.returncode
    assert code is not None
    log.info("odds computed", extra={"pools": len(pools), "exit": code})
    whole = answered[: answered.rfind(b"\n") + 1].splitlines()
    return [odds_child.LIMITS.decode(orjson.loads(line)) for line in whole], code
