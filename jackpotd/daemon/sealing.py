"""The seal of each closed gaming day, written beside the ledger by whoever holds the sealing key.

Laws
1. A day that was closed and not sealed, since the power failed between the two, is sealed at the next start.
2. No commit waits for a seal. A seal that cannot be written is an alarm, and is tried again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

from jackpotd.core.state import State
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.notices import utc_text
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.ledger import seals
from jackpotd.ledger.port import Head, LedgerError

log = logging.getLogger(__name__)

LOOK_S = 1.0
_TODO = "Make the folder of the ledger writable: the day's head is signed as soon as it can be."


class Sealing:
    """Seals days. `seed`: the secret key; `head`: the ledger's committed head; `state`: as committed."""

    def __init__(
        self,
        ledger: Path,
        identity: tuple[str, str],
        seed: bytes,
        clock: Clock,
        alarms: ShellAlarms,
        committed: Callable[[], tuple[State, Head]],
    ) -> None:
        """`identity`: the site and the ledger's uuid."""
        self._path = seals.seals_of(ledger)
        self._identity = identity
        self._seed = seed
        self._clock = clock
        self._alarms = alarms
        self._committed = committed
        self._sealed: int | None = None

    async def run(self) -> None:
        """Seal what is not sealed, for ever."""
        while True:
            await asyncio.to_thread(self.seal_closed_day)
            await asyncio.sleep(LOOK_S)

    def seal_closed_day(self) -> None:
        """Seal the last closed day unless it is sealed; its head is the newest row, which proves all before it."""
        state, head = self._committed()
        closed = state.day - 1
        if closed == self._sealed:
            return
        try:
            if self._last_sealed() < closed:
                seal = seals.sign(self._seed, *self._identity, closed, head, utc_text(self._clock.utc_ms()))
                seals.keep(self._path, seal)
                log.info("day sealed", extra={"day": closed, "row": head.seq, "hash": head.hash.hex()})
            self._sealed = closed
        except (LedgerError, OSError) as error:
            self._alarms.raise_alarm("seal", "ledger", f"day {closed} cannot be sealed: {error}", _TODO)
        else:
            self._alarms.clear("seal", "ledger")

    def _last_sealed(self) -> int:
        return max((seal.day for seal in seals.read_seals(self._path)), default=0)
