"""The watch over the free space of the ledger's disk, and the ballast that is thrown off when it runs out.

Laws
1. Below the bound the core is told, and closes the progressive; rounds in play go on. It is told again when there is
   room for the bound and a bit more, so that it does not swing.
2. The ballast is room that only a nearly full disk gets: it is thrown off when less than its own size is free, also at
   a start, so that a daemon that a full disk ended can start and let its open rounds end.
3. The ballast comes back once the disk has room for it above the bound.
4. A ballast that the disk refuses, or does not give back, is a line in the log: it ends nothing.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from pathlib import Path

from jackpotd.core.facts import StorageSaid

log = logging.getLogger(__name__)

LOOK_S = 2.0
# Room for the rows of open rounds at every table of a large house, many times over.
MAX_BALLAST_BYTES = 64 * 1024 * 1024
# Part of the bound: a small bound has a small ballast, and the two never add up to a disk.
_BALLAST_SHARE = 4
# Room above the bound before bets are taken again.
_SWING_SHARE = 8
_MODE = 0o640


def ballast_of(ledger: Path) -> Path:
    """The ballast beside a ledger."""
    return ledger.with_name(ledger.name + ".ballast")


class Storage:
    """One ledger's disk. `bound_bytes`: what must be free; `was_low`: what was said last."""

    def __init__(self, ledger: Path, bound_bytes: int, *, was_low: bool) -> None:
        self._folder = ledger.parent
        self._ballast = ballast_of(ledger)
        self._bound_bytes = bound_bytes
        self._ballast_bytes = min(bound_bytes // _BALLAST_SHARE, MAX_BALLAST_BYTES)
        self._low = was_low

    def make_room(self) -> None:
        """At a start: throw the ballast off if the disk is full."""
        if self._free_bytes() < self._ballast_bytes:
            self._throw_off()

    def look(self) -> StorageSaid | None:
        """What there is to say now; None when nothing has changed."""
        free_bytes = self._free_bytes()
        if free_bytes < self._ballast_bytes:
            self._throw_off()
        elif free_bytes >= self._bound_bytes + self._ballast_bytes:
            self._take_on()
        enough = self._bound_bytes + (self._bound_bytes // _SWING_SHARE if self._low else 0)
        low = free_bytes < enough
        if low == self._low:
            return None
        self._low = low
        return StorageSaid(low, free_bytes, self._bound_bytes)

    def _free_bytes(self) -> int:
        disk = os.statvfs(self._folder)
        return disk.f_bavail * disk.f_frsize

    def _throw_off(self) -> None:
        try:
            self._ballast.unlink()
        except FileNotFoundError:
            return
        except OSError as error:
            log.warning("the ballast cannot be thrown off", extra={"why": str(error)})
            return
        log.critical("the ledger's disk is full, its ballast is thrown off", extra={"path": str(self._ballast)})

    def _take_on(self) -> None:
        if self._ballast.exists():
            return
        try:
            descriptor = os.open(self._ballast, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, _MODE)
            try:
                os.posix_fallocate(descriptor, 0, self._ballast_bytes)
            except OSError:
                self._ballast.unlink()
                raise
            finally:
                os.close(descriptor)
        except OSError as error:
            log.warning("no ballast could be taken on", extra={"why": str(error)})


async def watch_storage(ledger: Path, bound_bytes: int, was_low: bool, said: Callable[[StorageSaid], None]) -> None:  # noqa: FBT001  # a port
    """Look for ever, and say what changed."""
    storage = Storage(ledger, bound_bytes, was_low=was_low)
    while True:
        # In a thread: a file system without fallocate writes the ballast out.
        word = await asyncio.to_thread(storage.look)
        if word is not None:
            said(word)
        await asyncio.sleep(LOOK_S)
