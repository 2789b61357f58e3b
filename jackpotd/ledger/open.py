"""Which ledger an address means: sqlite:////absolute/path or memory:."""

from __future__ import annotations

import os
from pathlib import Path

from jackpotd.ledger import sqlite_file
from jackpotd.ledger.filled import FilledReader
from jackpotd.ledger.memory import MemoryLedger
from jackpotd.ledger.port import Ledger, LedgerError, LedgerReader
from jackpotd.ledger.sqlite import SqliteLedger, SqliteReader

_SQLITE = "sqlite:///"


def open_ledger(url: str, site: str, *, create: str | None = None) -> Ledger:
    """The one writer of a ledger. `create`: the uuid of a ledger that is not there yet; None refuses to make one.

    LedgerError: url, missing, locked, not_writable, corrupt, other_site.
    """
    if url == "memory:":
        if create is None:
            raise LedgerError("missing", "a ledger in memory is always new and needs a uuid")
        return MemoryLedger(site, create)
    path = _sqlite_path(url)
    if create is None:
        require_file(path)
    lock = sqlite_file.take_lock(path)
    try:
        if create is not None and not path.exists():
            sqlite_file.create(path, site, create)
        ledger = _open_locked(path, lock)
    except LedgerError:
        os.close(lock)
        raise
    if ledger.site != site:
        ledger.close()
        raise LedgerError("other_site", f"the ledger {path} is of site {ledger.site!r}, not {site!r}")
    return ledger


def read_ledger(url: str, archives: Path | None = None) -> LedgerReader:
    """A ledger to look at, also while a daemon writes it. LedgerError: url, missing, corrupt.

    `archives`: the folder with what left it, which is then read as if it were still there.
    """
    path = _sqlite_path(url)
    require_file(path)
    connection = sqlite_file.connect_reader(path)
    try:
        reader = SqliteReader(path, connection)
        return reader if archives is None else FilledReader(reader, archives)
    except LedgerError:
        connection.close()
        raise


def _open_locked(path: Path, lock: int) -> SqliteLedger:
    connection = sqlite_file.connect_writer(path)
    try:
        return SqliteLedger(path, connection, lock)
    except LedgerError:
        connection.close()
        raise


def _sqlite_path(url: str) -> Path:
    if url.startswith("postgresql:"):
        raise LedgerError("url", "this version of jackpotd keeps no ledger in PostgreSQL; use sqlite:////path")
    if not url.startswith(_SQLITE + "/"):
        raise LedgerError("url", f"{url!r} is not the address of a ledger; write it like sqlite:////var/lib/ledger.db")
    return Path(url.removeprefix(_SQLITE))


def require_file(path: Path) -> None:
    """LedgerError "missing" unless a ledger's file is there; also where one may not look."""
    try:
        there = path.is_file()
    except OSError as error:
        raise LedgerError("missing", f"the ledger {path} cannot be reached: {error.strerror}") from error
    if not there:
        raise LedgerError("missing", f"there is no ledger at {path}")
