"""A backup: the ledger as it is at one moment, whole and verified, while its daemon writes on.

Laws
1. A backup is there under its name only when all of it is on disk and verified; one that fails leaves nothing.
2. What the daemon commits meanwhile is not in it, and no commit waits for it.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

from jackpotd.ledger import sqlite_file
from jackpotd.ledger.open import require_file
from jackpotd.ledger.port import Head, LedgerError
from jackpotd.ledger.seals import seals_of
from jackpotd.ledger.verify import Verdict, verify_url

# 4 MiB a step: often enough for a progress bar, seldom enough to cost nothing.
_STEP_PAGES = 1_024
_FOLDER_MODE = 0o750
_SECRETS_MODE = 0o600  # hashes of passwords

Progress = Callable[[int, int], None]


def back_up(ledger: Path, to: Path, progress: Progress | None = None) -> Verdict:
    """Copy a ledger to a new file and verify the copy. `progress` hears pages done and in all.

    LedgerError: missing, corrupt; not_writable when the copy exists already or cannot be made.
    """
    if to.exists():
        raise LedgerError("not_writable", f"{to} is there already: a backup overwrites nothing")
    unfinished = to.with_name(to.name + ".new")
    try:
        unfinished.unlink(missing_ok=True)
        with closing(sqlite_file.connect_reader(ledger)) as source:
            _copy(ledger, source, unfinished, progress)
        verdict = verify_url(f"sqlite:///{unfinished.absolute()}")
        _finish(unfinished, to, verdict)
    except OSError as error:
        raise LedgerError("not_writable", f"the backup {to} cannot be made: {error.strerror}") from error
    return verdict


def copy_aside(ledger: Path, to: Path, progress: Progress | None = None) -> None:
    """Copy a ledger as it is at one moment to a new file, writing nothing to it, nor anything beside it.

    LedgerError as `back_up`. Beside a daemon the copy is made through its log; without one from the file alone, again
    if a daemon has come meanwhile.
    """
    while True:
        to.unlink(missing_ok=True)
        before, through_log = _looks(ledger), sqlite_file.log_of(ledger).exists()
        with closing(sqlite_file.connect_reader(ledger, leave_folder=not through_log)) as source:
            _copy(ledger, source, to, progress)
        if through_log or _looks(ledger) == before:
            return


def _looks(ledger: Path) -> tuple[object, ...]:
    """What is different once somebody has opened the ledger: its log is there, or the file was written."""
    found = ledger.stat()
    return sqlite_file.identity(sqlite_file.log_of(ledger)), found.st_ino, found.st_size, found.st_mtime_ns


def _copy(ledger: Path, source: sqlite3.Connection, to: Path, progress: Progress | None) -> None:
    try:
        source.execute("BEGIN")
        source.execute("SELECT max(seq) FROM row").fetchone()  # from here on the copy is of this moment
        _copy_all(source, to, sqlite_file.FILE_MODE, progress)
    except sqlite_file.SqliteFailure as error:
        raise sqlite_file.as_ledger_error(ledger, "backing up", error) from error


def _copy_all(source: sqlite3.Connection, to: Path, mode: int, progress: Progress | None) -> None:
    def told(_status: int, remaining: int, total: int) -> None:
        if progress is not None:
            progress(total - remaining, total)

    os.close(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode))
    with closing(sqlite3.connect(to, isolation_level=None)) as target:
        source.backup(target, pages=_STEP_PAGES, progress=told, sleep=0)
        # The copy stands alone: no log beside it, so that one file is the whole of it.
        target.execute("PRAGMA journal_mode=DELETE")


def _finish(unfinished: Path, to: Path, verdict: Verdict) -> None:
    if not verdict.ok:
        unfinished.unlink()
        raise LedgerError("corrupt", f"the ledger is not in order, so there is no backup: {verdict.findings[0].text}")
    sqlite_file.sync(unfinished)
    unfinished.rename(to)
    sqlite_file.sync(to.parent)


def back_up_all(ledger: Path, operators: Path, to: Path, progress: Progress | None = None) -> Head:
    """Ledger, operators and seals in a new folder. The ledger comes last: a folder without one is no backup.

    LedgerError as `back_up`; not_writable when the folder exists already.
    """
    require_file(ledger)
    with ExitStack() as undo:
        try:
            to.mkdir(mode=_FOLDER_MODE)
            undo.callback(shutil.rmtree, to, ignore_errors=True)
            seals = seals_of(ledger)
            if seals.exists():
                _copy_file(seals, to / seals.name)
            if operators.exists():
                _copy_operators(operators, to / operators.name)
        except FileExistsError as error:
            raise LedgerError("not_writable", f"{to} is there already: a backup overwrites nothing") from error
        except OSError as error:
            text = f"the backup {to} cannot be made: {error.filename or to}: {error.strerror}"
            raise LedgerError("not_writable", text) from error
        head = back_up(ledger, to / ledger.name, progress).head
        undo.pop_all()
    return head


def _copy_operators(source: Path, to: Path) -> None:
    try:
        os.close(os.open(source, os.O_RDONLY | os.O_CLOEXEC))  # SQLite would not say what is in the way
        with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as operators:
            _copy_all(operators, to, _SECRETS_MODE, None)
    except PermissionError as error:
        text = f"the operators {source} may be read by the daemon's user and root alone: back up as one of them"
        raise LedgerError("not_writable", text) from error
    except sqlite_file.SqliteFailure as error:
        raise LedgerError("not_writable", f"copying the operators {source} to {to} failed: {error}") from error


def _copy_file(source: Path, to: Path) -> None:
    to.write_bytes(source.read_bytes())
    to.chmod(sqlite_file.FILE_MODE)
    sqlite_file.sync(to)
