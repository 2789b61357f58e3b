"""The audit package: everything that a regulator needs to add up a ledger without us, in plain files in one folder.

Laws
1. Rows are exported as they are stored, byte for byte, a line each: their hashes can be computed again. One whose
   payload is in an archive that is not at hand is exported as its hash alone, and says so.
2. Nothing in the package needs this program: the verifier is one file for Python's standard library.
3. A package is there under its name only when it is complete; one that fails leaves nothing, one that was killed a
   folder `.new`. Of two exports to one folder the second is refused and touches nothing.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

from jackpotd.ledger.codec import canonical
from jackpotd.ledger.files import open_file
from jackpotd.ledger.open import read_ledger
from jackpotd.ledger.port import Head, LedgerError
from jackpotd.ledger.seals import seals_of
from jackpotd.ledger.sqlite_file import sync

ROWS, SEALS, HISTORY, SUMMARY = "rows.jsonl", "seals.jsonl", "configuration.jsonl", "summary.json"
# Rows between two words of progress.
_PROGRESS_ROWS = 10_000
# What a configuration is told by: who started with which file, what of it came into force.
_HISTORY_KINDS = (b'"kind":"controller_started"', b'"kind":"site_configured"', b'"kind":"pool_opened"')

Progress = Callable[[int, int], None]


def export(
    ledger: Path, to: Path, programs: tuple[Path, ...], archives: Path | None = None, progress: Progress | None = None
) -> Head:
    """Write the package of a ledger to a new folder; `programs` go into it as they are. The last row exported.

    `archives`: the folder of its archives, so that the package has every payload.

    LedgerError: missing, corrupt; not_writable when the folder exists already or cannot be made; locked.
    """
    unfinished = to.with_name(to.name + ".new")
    try:
        if to.exists():
            raise LedgerError("not_writable", f"{to} is there already: an export overwrites nothing")
        _make_alone(unfinished)
        with ExitStack() as undo:
            undo.callback(shutil.rmtree, unfinished, ignore_errors=True)
            head = _write_rows(ledger, unfinished, archives, progress)
            for program in programs:
                shutil.copyfile(program, unfinished / program.name)
            for path in (*unfinished.iterdir(), unfinished):
                sync(path)
            unfinished.rename(to)
            undo.pop_all()
        sync(to.parent)
    except OSError as error:
        raise LedgerError(
            "not_writable", f"the export {to} cannot be made: {error.filename or to}: {error.strerror}"
        ) from error
    return head


def _make_alone(unfinished: Path) -> None:
    """Make the folder of this export alone: one that is there is another's, of which nobody knows if it goes on."""
    try:
        unfinished.mkdir()
    except FileExistsError as error:
        text = f"{unfinished} is there: another export to the same folder is under way; or one was killed: remove it"
        raise LedgerError("locked", text) from error


def _kept_seals(path: Path) -> bytes:
    if not path.exists():
        return b""
    with open_file(path) as file:
        return file.read()


def _write_rows(ledger: Path, folder: Path, archives: Path | None, progress: Progress | None) -> Head:
    with (
        closing(read_ledger(f"sqlite:///{ledger}", archives)) as reader,
        (folder / ROWS).open("wb") as rows,
        (folder / HISTORY).open("wb") as history,
    ):
        # Before the head is read: the seal of a day that closes later is of a row that is not in the package.
        kept = _kept_seals(seals_of(ledger))
        (folder / SEALS).write_bytes(kept[: kept.rfind(b"\n") + 1])  # a line cut short by a power cut is no seal
        head = reader.head
        held = [archived for archived in reader.archives() if archived.entry <= head.seq]
        for row in reader.rows(0, head.seq):
            if not row.body and not any(archived.first <= row.seq <= archived.last for archived in held):
                raise LedgerError("locked", f"row {row.seq} was archived meanwhile: export when archiving is done")
            rows.write((row.body or canonical({"hash": row.hash.hex(), "row": "archived"})) + b"\n")
            if any(kind in row.body for kind in _HISTORY_KINDS):
                history.write(b'{"seq":%d,"row":%b}\n' % (row.seq, row.body))
            if progress is not None and row.seq % _PROGRESS_ROWS == 0:
                progress(row.seq, head.seq)
        summary = {"site": reader.site, "ledger": reader.uuid, "rows": head.seq, "head": head.hash.hex()}
    (folder / SUMMARY).write_text(json.dumps(summary, indent=2) + os.linesep, encoding="utf-8")
    return head
