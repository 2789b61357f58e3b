"""Who writes the ledger while it is archived: the daemon that runs, or this process when none does.

Laws
1. There is one writer: a daemon that answers is asked; else the ledger's lock is taken, and a daemon that starts
   meanwhile is refused until it is free.
2. A connection lasts for one request after the other, never while files are written: the daemon lets idle ones go.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from jackpotd import __version__
from jackpotd.commands.client import AnswerError, Client, UnreachableError
from jackpotd.core import facts as f
from jackpotd.core.roles import ADMIN
from jackpotd.daemon.config_settings import Config
from jackpotd.daemon.engine import decide_all
from jackpotd.daemon.inbox import Item
from jackpotd.daemon.outside import ledger_url
from jackpotd.ledger.archives import Registration, check_next
from jackpotd.ledger.archiving import Keeper
from jackpotd.ledger.open import open_ledger
from jackpotd.ledger.owners import unix_user
from jackpotd.ledger.port import Ledger, LedgerError
from jackpotd.ledger.restore import restore
from jackpotd.messages.control import MAX_DROPPED_ROWS

_NS_PER_MS = 1_000_000


@contextmanager
def keeper(config: Config) -> Iterator[Keeper]:
    """Whoever may write. LedgerError: nobody runs, and the ledger cannot be opened."""
    try:
        with Client(config.control_socket):
            pass
    except UnreachableError:
        ledger = open_ledger(ledger_url(config), config.site.site)
        try:
            yield OwnHands(ledger)
        finally:
            ledger.close()
    else:
        yield RunningDaemon(config.control_socket)


class RunningDaemon:
    """The daemon, asked. UnreachableError: it answers no more, so look whether it was done."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket

    def register(self, day: int, closed: int, archive: Registration) -> None:
        """Have the chain name an archive."""
        with Client(self._socket) as client:
            _ask(client, "ledger.archive", {"day": day, "closed": closed, **asdict(archive)})

    def drop(self, seqs: Sequence[int]) -> None:
        """Empty rows; between two requests the tables go on."""
        with Client(self._socket) as client:
            for chunk in _chunks(seqs):
                _ask(client, "ledger.drop", {"rows": chunk})


def _ask(client: Client, op: str, args: dict[str, Any]) -> None:
    try:
        client.ask(op, args)
    except AnswerError as error:
        raise LedgerError("unfit", f"the daemon refuses: {error}") from error


class OwnHands:
    """A ledger that this process has opened."""

    def __init__(self, ledger: Ledger) -> None:
        """LedgerError "corrupt": the ledger cannot be read."""
        self._ledger = ledger
        self._state = restore(ledger, __version__).state
        self._by = f.By(unix_user(os.getuid()), ADMIN)

    def register(self, day: int, closed: int, archive: Registration) -> None:
        """Have the chain name an archive, as the daemon does."""
        check_next(self._ledger, day, archive.first, archive.last, closed)
        word = f.ArchiveFacts(by=self._by, day=day, closed=closed, **asdict(archive))
        now_ms = time.time_ns() // _NS_PER_MS
        decided = decide_all(self._state, [Item("", "", word, now_ms, now_ms, 0, operator=self._by.name)])
        ((_, refusal),) = decided.answers
        if refusal is not None:
            raise LedgerError("unfit", str(refusal))
        self._ledger.append(decided.bodies, decided.marks, decided.archives)

    def drop(self, seqs: Sequence[int]) -> None:
        """Empty rows."""
        for chunk in _chunks(seqs):
            self._ledger.drop_payloads(chunk)
            if self._ledger.checkpoint_due():
                self._ledger.checkpoint()


def _chunks(seqs: Sequence[int]) -> Iterator[list[int]]:
    for start in range(0, len(seqs), MAX_DROPPED_ROWS):
        yield list(seqs[start : start + MAX_DROPPED_ROWS])
