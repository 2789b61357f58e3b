"""What is watched of a running daemon: that the engine comes round, and that its ledger answers.

Laws
1. The watchdog is fed only while the engine comes round: when it moved, or when it is provably idle.
2. A log that a reader keeps from being moved is an alarm: it grows until that reader ends.
3. A commit that takes longer than `STALL_MS` closes every table at once; the meters say suspended until it is done.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from jackpotd.daemon.board import Board
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.service_manager import ServiceManager
from jackpotd.daemon.shell_alarms import ShellAlarms

log = logging.getLogger(__name__)

# devices.md: a daemon that cannot commit for 500 ms sends lockout, then stops polling.
STALL_MS = 500
TICK_S = 0.05
LOG_LOOK_S = 1.0
# Two checkpoints are 8 MiB of log that no reader of ours ever keeps: each of them reads in short pieces.
KEPT_LOGS = 2
_LOG_KEPT = "a program reads the ledger without an end, so that its log grows"
_LOG_KEPT_TODO = "End the program that has the ledger open (fuser names it): commits go on, the disk fills up."


class Beats(Protocol):
    """What is watched of the engine."""

    beats: int
    writing_since_ms: int | None


class Watchdog:
    """Feeds the service manager's watchdog (law 1)."""

    def __init__(self, manager: ServiceManager, engine: Beats) -> None:
        self._manager = manager
        self._engine = engine
        self._fed = engine.beats

    async def run(self) -> None:
        """Look four times in the time that the service manager gives, for ever; at once over if it gives none."""
        if self._manager.watchdog_s is not None:
            while True:
                await asyncio.sleep(self._manager.watchdog_s / 4)
                self.tick()

    def tick(self) -> None:
        """Feed it if the engine has come round since it was fed; that does so every second at least, also when idle."""
        if self._engine.beats != self._fed:
            self._fed = self._engine.beats
            self._manager.say("WATCHDOG=1")


class Logs(Protocol):
    """What is watched of the ledger's writer."""

    kept_logs: int


class LogWatch:
    """Alarms while a reader keeps the ledger's log (law 2); the next checkpoint after it has ended clears it."""

    def __init__(self, writer: Logs, alarms: ShellAlarms) -> None:
        self._writer = writer
        self._alarms = alarms

    async def run(self) -> None:
        """Look for ever."""
        while True:
            await asyncio.sleep(LOG_LOOK_S)
            self.tick()

    def tick(self) -> None:
        """Raise it, or clear it."""
        if self._writer.kept_logs >= KEPT_LOGS:
            self._alarms.raise_alarm("log_kept", "ledger", _LOG_KEPT, _LOG_KEPT_TODO)
        elif self._writer.kept_logs == 0:
            self._alarms.clear("log_kept", "ledger")


class LedgerWatch:
    """Closes everything while the ledger does not come back (law 3)."""

    def __init__(
        self, engine: Beats, board: Board, clock: Clock, pause: Callable[[], None], resume: Callable[[], None]
    ) -> None:
        self._engine = engine
        self._board = board
        self._clock = clock
        self._pause = pause
        self._resume = resume
        self._stalled = False

    async def run(self) -> None:
        """Look for ever."""
        while True:
            await asyncio.sleep(TICK_S)
            self.tick()

    def tick(self) -> None:
        """Close, or open again."""
        since = self._engine.writing_since_ms
        late = since is not None and self._clock.monotonic_ms() - since > STALL_MS
        if late and not self._stalled:
            log.error("ledger stalled", extra={"ms": STALL_MS})
            self._board.suspend("the ledger does not answer")
            self._pause()
        elif self._stalled and not late:
            log.warning("ledger answers again")
            self._board.suspend("")
            self._resume()
        self._stalled = late
