"""The seal of each closed gaming day, written beside the ledger by whoever holds the sealing key.

Laws
1. Every closed day has a seal of its own, also one of several that were closed at once, or before a power cut: the
   next look or start seals it. Days from before there was a key have none.
2. Only what is committed is sealed: while a commit is under way the state is ahead of the ledger.
3. No commit waits for a seal. A seal that cannot be written is an alarm, and is tried again.
4. A key other than the newest seal's is an alarm of the start: it seals, and whoever verifies has to be given it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from jackpotd.daemon.clock import Clock
from jackpotd.daemon.notices import utc_text
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.ledger import seals
from jackpotd.ledger.port import Head, LedgerError

log = logging.getLogger(__name__)

LOOK_S = 1.0
_TODO = "Make the folder of the ledger writable: the day's head is signed as soon as it can be."
_TODO_KEY = (
    "If the key was changed on purpose, give the auditor the new public key beside the old one (--key OLD --key NEW);"
    " otherwise put the old seal_key_file back and restart before the day ends."
)


class Sealing:
    """Seals days. `seed`: the secret key; `committed`: day under way and head of the ledger, None during a commit."""

    def __init__(
        self,
        ledger: Path,
        identity: tuple[str, str],
        seed: bytes,
        clock: Clock,
        alarms: ShellAlarms,
        committed: Callable[[], tuple[int, Head] | None],
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
        await self._compare_key()
        while True:
            await self._seal_closed_days()
            await asyncio.sleep(LOOK_S)

    async def _compare_key(self) -> None:
        """Law 4; seals that cannot be read are the alarm of the next day to seal."""
        with suppress(LedgerError, OSError):
            changed = await asyncio.to_thread(self._changed_key)
            if changed is not None:
                self._alarms.raise_alarm("seal_key", "ledger", changed, _TODO_KEY)

    def _changed_key(self) -> str | None:
        kept = seals.read_seals(self._path)
        if not kept or kept[-1].key == (own := seals.public_key(self._seed)):
            return None
        return (
            f"days are sealed with another key than before: {own}; day {kept[-1].day} was sealed with {kept[-1].key},"
            " and whoever has that public key alone will find the seals to come of another key"
        )

    async def _seal_closed_days(self) -> None:
        """Seal the closed days that are not sealed; their head is the newest row, which proves all before it."""
        found = self._committed()
        if found is None or found[0] - 1 == self._sealed:
            return
        day, head = found
        try:
            await asyncio.to_thread(self._seal, day - 1, head)
        except (LedgerError, OSError) as error:
            self._alarms.raise_alarm("seal", "ledger", f"day {day - 1} cannot be sealed: {error}", _TODO)
        else:
            self._sealed = day - 1
            self._alarms.clear("seal", "ledger")

    def _seal(self, closed: int, head: Head) -> None:
        for day in range(self._last_sealed(closed) + 1, closed + 1):
            seal = seals.sign(self._seed, *self._identity, day, head, utc_text(self._clock.utc_ms()))
            seals.keep(self._path, seal)
            log.info("day sealed", extra={"day": day, "row": head.seq, "hash": head.hash.hex()})

    def _last_sealed(self, closed: int) -> int:
        """The last day with a seal; where there is none yet, the last day that needs none."""
        no_need = max(closed - 1, 0) if self._sealed is None else self._sealed
        return max((seal.day for seal in seals.read_seals(self._path)), default=no_need)
