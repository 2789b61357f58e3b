"""The seal of each closed gaming day, written beside the ledger by whoever holds the sealing key.

Laws
1. A day that was closed and not sealed, since the power failed between the two, is sealed at the next start.
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
            await self._seal_closed_day()
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

    async def _seal_closed_day(self) -> None:
        """Seal the last closed day unless it is sealed; its head is the newest row, which proves all before it."""
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
        if self._last_sealed() < closed:
            seal = seals.sign(self._seed, *self._identity, closed, head, utc_text(self._clock.utc_ms()))
            seals.keep(self._path, seal)
            log.info("day sealed", extra={"day": closed, "row": head.seq, "hash": head.hash.hex()})

    def _last_sealed(self) -> int:
        return max((seal.day for seal in seals.read_seals(self._path)), default=0)
