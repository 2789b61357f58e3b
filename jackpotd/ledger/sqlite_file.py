"""The SQLite file beneath a ledger: how it is made, and how it is opened.

Laws
1. A ledger file is whole or not there: it is made under another name, synced, renamed, and its folder synced.
2. A file whose tables or guards are not those of its version is no ledger.
3. A commit is durable: journal_mode=WAL and synchronous=FULL are set and read back, and nothing else is accepted.
4. One writer: a lock on `<file>.lock` is held as long as the ledger is open. Readers need none.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from jackpotd.ledger.owners import make_file, require_own
from jackpotd.ledger.port import USE_THE_NEWER, LedgerError
from jackpotd.ledger.sqlite_tables import NEWEST_VERSION, STATEMENTS, VERSIONS

APPLICATION_ID = 0x4A504C44  # "JPLD", what `file` and SQLite's own tools show
FILE_MODE = 0o640  # the group reads: reports and checks run as other users
# A person with SQLite's shell may hold the write lock for a moment; longer is a second writer.
LOCK_PATIENCE_S = 5.0
_FREE_PAGES = ("freelist_count", "page_size")
# Rows are added at the end and never read again: what a full load's commit touches, and no more.
WRITER_CACHE_KIB = 512
# A log that a reader made long is cut to this when it begins again: twice what it grows to without one.
KEPT_LOG_BYTES = 8 * 1024 * 1024
# One prepared INSERT for every number of rows up to 64, and a few others.
CACHED_STATEMENTS = 128

_KINDS = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_CORRUPT: "corrupt",
    sqlite3.SQLITE_NOTADB: "corrupt",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_READONLY: "not_writable",
    sqlite3.SQLITE_CANTOPEN: "not_writable",
    sqlite3.SQLITE_PERM: "not_writable",
    sqlite3.SQLITE_IOERR: "not_writable",
    sqlite3.SQLITE_CONSTRAINT: "corrupt",  # the guards refuse only what a sound ledger is never asked
}


# What SQLite raises; its words may quote damaged bytes, which then are no text.
SqliteFailure = (sqlite3.Error, UnicodeDecodeError)


def as_ledger_error(path: Path, doing: str, error: Exception) -> LedgerError:
    """What SQLite says, as the ledger says it."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    return LedgerError(_KINDS.get(code & 0xFF, "corrupt"), f"{doing} the ledger {path} failed: {error}")


def log_of(path: Path) -> Path:
    """The write-ahead log of a ledger."""
    return path.with_name(path.name + "-wal")


def beside(path: Path) -> tuple[Path, ...]:
    """What SQLite keeps beside a file, and takes for a part of it."""
    return log_of(path), *(path.with_name(path.name + suffix) for suffix in ("-shm", "-journal"))


def identity(path: Path | str) -> tuple[int, int] | None:
    """Which file stands at a path; None when there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116  # after every commit: a Path would make its text anew
    except OSError:
        return None
    return found.st_dev, found.st_ino


def take_lock(path: Path) -> int:
    """The writer's lock, as a file descriptor to close; LedgerError "locked" when somebody has it."""
    lock_path = path.with_name(path.name + ".lock")
    try:
        require_own((path, *beside(path), lock_path))
        lock = _open_lock(lock_path, path)
    except OSError as error:
        raise LedgerError(
            "not_writable", f"the ledger's lock {lock_path} cannot be opened: {error.strerror}"
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        if isinstance(error, BlockingIOError):
            raise LedgerError("locked", f"the ledger {path} is in use by another process") from error
        raise LedgerError("not_writable", f"the ledger's lock {lock_path} cannot be taken: {error.strerror}") from error
    return lock


def _open_lock(lock_path: Path, ledger: Path) -> int:
    try:
        return make_file(lock_path, FILE_MODE, ledger)
    except FileExistsError:
        return os.open(lock_path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)


def create(path: Path, site: str, uuid: str) -> None:
    """Make an empty ledger file (law 1); the caller holds the lock."""
    new, log = path.with_name(path.name + ".new"), log_of(path)
    if log.exists():
        raise LedgerError(
            "missing", f"{log} is left of a ledger that is gone: put the ledger back or move the log away"
        )
    try:
        new.unlink(missing_ok=True)
        os.close(make_file(new, FILE_MODE, path))
        with closing(_connect(new, "rw")) as connection:
            _fill(connection, site, uuid)
        sync(new)
        new.rename(path)
        sync(path.parent)
    except SqliteFailure as error:
        raise as_ledger_error(path, "making", error) from error
    except OSError as error:
        raise LedgerError("not_writable", f"the ledger {path} cannot be made: {error.strerror}") from error


def _fill(connection: sqlite3.Connection, site: str, uuid: str) -> None:
    connection.execute("PRAGMA synchronous=EXTRA")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={NEWEST_VERSION}")
    for statement in STATEMENTS[NEWEST_VERSION]:
        connection.execute(statement)
    connection.execute("INSERT INTO ledger VALUES (1, ?, ?)", (site, uuid))
    connection.execute("COMMIT")


def version_of(path: Path) -> int:
    """The version of a ledger's file that nobody has open; LedgerError when it is no ledger."""
    try:
        with closing(_connect(path, "ro")) as connection:
            return _version(connection)
    except SqliteFailure as error:
        raise as_ledger_error(path, "reading", error) from error


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _connect(path: Path, options: str) -> sqlite3.Connection:
    # The owner may make the ledger in one thread and use it in another, one at a time.
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={options}",
        uri=True,
        timeout=LOCK_PATIENCE_S,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=CACHED_STATEMENTS,
    )
    connection.text_factory = bytes  # damaged text is for `verify` to name, not for SQLite to stumble over
    return connection


def connect_writer(path: Path) -> sqlite3.Connection:
    """A connection that commits durably (law 3), on a file that is a ledger; LedgerError otherwise."""
    with _opening(path, "rw", "opening") as connection:
        _require(connection, path, "journal_mode", "WAL", b"wal")
        _require(connection, path, "synchronous", "FULL", 2)
        # A checkpoint inside a commit would sync more than once: the owner makes them when nobody waits.
        _require(connection, path, "wal_autocheckpoint", "0", 0)
        _require(connection, path, "recursive_triggers", "ON", 1)
        connection.execute("PRAGMA trusted_schema=OFF")
        connection.execute(f"PRAGMA journal_size_limit={KEPT_LOG_BYTES}")
        connection.execute("PRAGMA temp_store=MEMORY")
        connection.execute(f"PRAGMA cache_size=-{WRITER_CACHE_KIB}")
        return connection


def connect_reader(path: Path, *, leave_folder: bool = False) -> sqlite3.Connection:
    """A connection that only reads, beside a writer or without one; LedgerError when the file is no ledger.

    `leave_folder`: without a writer nothing is put beside the file; if one comes meanwhile, what was read is worthless.
    """
    # Nobody has it open and nothing waits beside it: it can be read even where nothing may be written.
    untouched = not log_of(path).exists() and (leave_folder or not os.access(path.parent, os.W_OK))
    with _opening(path, "ro&immutable=1" if untouched else "ro", "reading") as connection:
        return connection


def free_bytes_of(path: Path) -> int:
    """What of a ledger's file is free for rows to come; LedgerError when it is no ledger."""
    with closing(connect_reader(path)) as connection:
        ((pages,), (page_bytes,)) = (connection.execute(f"PRAGMA {each}").fetchone() for each in _FREE_PAGES)
    return int(pages * page_bytes)


@contextmanager
def _opening(path: Path, options: str, doing: str) -> Iterator[sqlite3.Connection]:
    """A connection to a sound ledger, closed again if anything in the block fails."""
    with ExitStack() as undo:
        try:
            connection = undo.enter_context(closing(_connect(path, options)))
            _require_ledger(connection, path)
            yield connection
        except SqliteFailure as error:
            raise as_ledger_error(path, doing, error) from error
        undo.pop_all()


def _require(connection: sqlite3.Connection, path: Path, pragma: str, value: str, expected: object) -> None:
    connection.execute(f"PRAGMA {pragma}={value}")
    (found,) = connection.execute(f"PRAGMA {pragma}").fetchone()
    if found != expected:
        raise LedgerError("not_writable", f"the ledger {path} refuses {pragma}={value}: it stays {found!r}")


def _require_ledger(connection: sqlite3.Connection, path: Path) -> None:
    """LedgerError unless the file is a ledger that this program knows, its tables and guards as they were made."""
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    version = _version(connection)
    if application_id != APPLICATION_ID:
        raise LedgerError("corrupt", f"{path} is not a ledger of jackpotd")
    if version not in VERSIONS:
        text = f"{path} is a ledger of version {version}; this jackpotd reads {VERSIONS[0]} to {NEWEST_VERSION}"
        raise LedgerError("corrupt", f"{text}; {USE_THE_NEWER}" if version > NEWEST_VERSION else text)
    found = {sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
    if found != {statement.encode() for statement in STATEMENTS[version]}:
        raise LedgerError("corrupt", f"the tables or guards of the ledger {path} are not as they were made")
