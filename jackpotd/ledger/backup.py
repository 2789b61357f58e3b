"""A backup: the ledger as it is at one moment, whole and verified, while its daemon writes on; and how it is put back.

Laws
1. A backup is there under its name only when all of it is on disk and verified; one that fails leaves nothing. So is a
   ledger that is put back.
2. What the daemon commits meanwhile is not in it, and no commit waits for it.
3. A backup is put back only where no file of a ledger is: a log that is left there would be taken for its own.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from pathlib import Path

from jackpotd.ledger import sqlite_file
from jackpotd.ledger.files import open_file
from jackpotd.ledger.open import read_ledger, require_file
from jackpotd.ledger.owners import make_file
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

    os.close(make_file(to, mode, to))
    with closing(sqlite3.connect(to, isolation_level=None)) as target:
        source.backup(target, pages=_STEP_PAGES, progress=told, sleep=0)
        # The copy stands alone: no log beside it, so that one file is the whole of it.
        target.execute("PRAGMA journal_mode=DELETE")


def _finish(unfinished: Path, to: Path, verdict: Verdict) -> None:
    if not verdict.ok:
        unfinished.unlink()
        raise LedgerError("corrupt", f"the ledger is not in order, so there is no backup: {verdict.findings[0].text}")
    _name(unfinished, to)


def _name(unfinished: Path, to: Path) -> None:
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
            _copy_seals(seals, to / seals.name)
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
        open_file(source).close()  # SQLite would not say what is in the way
        with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as operators:
            _copy_all(operators, to, _SECRETS_MODE, None)
    except PermissionError as error:
        text = f"the operators {source} may be read by the daemon's user and root alone: back up as one of them"
        raise LedgerError("not_writable", text) from error
    except sqlite_file.SqliteFailure as error:
        raise LedgerError("not_writable", f"copying the operators {source} to {to} failed: {error}") from error


def _copy_seals(seals: Path, to: Path) -> None:
    if seals.exists():
        with open_file(seals) as kept, os.fdopen(make_file(to, sqlite_file.FILE_MODE, to), "wb") as file:
            file.write(kept.read())
        sqlite_file.sync(to)


def put_back(backup: Path, ledger: Path, operators: Path, site: str, progress: Progress | None = None) -> Head:
    """Put a backup of `back_up_all` where a ledger is to be; verified before it has its name.

    LedgerError: missing, corrupt, other_site; locked while a daemon runs; exists; not_writable.
    """
    source, seals = backup / ledger.name, seals_of(ledger)
    # The ledger has its name last: operators without a ledger are no start.
    new = {path: path.with_name(path.name + ".new") for path in (operators, seals, ledger)}
    lock = sqlite_file.take_lock(ledger)
    try:
        if not source.is_file():
            raise LedgerError("missing", f"there is no backup at {backup}: it has no {ledger.name}")
        _require_nothing(ledger, operators)
        _clear(new.values())
        copy_aside(source, new[ledger], progress)
        head = _require_sound(new[ledger], backup, site)
        if (backup / operators.name).exists():
            _copy_operators(backup / operators.name, new[operators])
        _copy_seals(backup / seals.name, new[seals])
        for path, unfinished in new.items():
            if unfinished.exists():
                _name(unfinished, path)
    except OSError as error:
        raise LedgerError(
            "not_writable", f"the ledger {ledger} cannot be restored: {error.filename or ledger}: {error.strerror}"
        ) from error
    finally:
        _clear(new.values())
        os.close(lock)
    return head


def _clear(unfinished: Iterable[Path]) -> None:
    for path in unfinished:
        path.unlink(missing_ok=True)


def _require_nothing(ledger: Path, operators: Path) -> None:
    places = (ledger, *sqlite_file.beside(ledger), seals_of(ledger), operators, *sqlite_file.beside(operators))
    found = [path for path in places if path.is_symlink() or path.exists()]
    if found:
        named, moved = ", ".join(path.name for path in found), " ".join(map(str, found))
        text = f"there is a ledger already, or what is left of one: move {named} away first: mv {moved} FOLDER"
        raise LedgerError("exists", text)


def _require_sound(copy: Path, backup: Path, site: str) -> Head:
    url = f"sqlite:///{copy.absolute()}"
    verdict = verify_url(url)
    if not verdict.ok:
        raise LedgerError("corrupt", f"the backup {backup} is not in order: {verdict.findings[0].text}")
    with closing(read_ledger(url)) as reader:
        if reader.site != site:
            raise LedgerError("other_site", f"the backup {backup} is of site {reader.site!r}, not {site!r}")
    return verdict.head
