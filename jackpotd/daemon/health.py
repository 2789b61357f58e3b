"""The service manager's side: ready, alive, stopping (sd_notify), and the watch over a ledger that does not answer.

Laws
1. The watchdog is fed only while the engine comes round: when it moved, or when it is provably idle.
2. A commit that takes longer than `STALL_MS` closes every table at once; the meters say suspended until it is done.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable, Mapping

from jackpotd.daemon.board import Board
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.engine import Engine

log = logging.getLogger(__name__)

# devices.md: a daemon that cannot commit for 500 ms sends lockout, then stops polling.
STALL_MS = 500
TICK_S = 0.05
_US_PER_S = 1_000_000


class ServiceManager:
    """Says things to systemd, if it started us."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._address = environ.get("NOTIFY_SOCKET", "")
        usec = environ.get("WATCHDOG_USEC", "")
        ours = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.watchdog_s = int(usec) / _US_PER_S if usec.isdecimal() and ours and int(usec) else None

    def say(self, *lines: str) -> None:
        """Send a notification such as READY=1."""
        if not self._address:
            return
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
            try:
                sender.sendto("\n".join(lines).encode(), address)
            except OSError as error:
                log.warning("service manager not reached", extra={"why": str(error)})


async def feed_watchdog(manager: ServiceManager, engine: Engine) -> None:
    """Feed the watchdog while the engine comes round; it does so at least every second, even when idle."""
    if manager.watchdog_s is None:
        return
    beats = engine.beats
    while True:
        await asyncio.sleep(manager.watchdog_s / 4)
        if engine.beats != beats:
            beats = engine.beats
            manager.say("WATCHDOG=1")


async def watch_ledger(
    engine: Engine, board: Board, clock: Clock, pause: Callable[[], None], resume: Callable[[], None]
) -> None:
    """Close everything while a commit does not come back (law 2)."""
    stalled = False
    while True:
        await asyncio.sleep(TICK_S)
        since = engine.writing_since_ms
        late = since is not None and clock.monotonic_ms() - since > STALL_MS
        if late and not stalled:
            stalled = True
            log.error("ledger stalled", extra={"ms": STALL_MS})
            board.suspend("the ledger does not answer")
            pause()
        elif stalled and not late:
            stalled = False
            log.warning("ledger answers again")
            board.suspend("")
            resume()
