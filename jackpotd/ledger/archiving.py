"""Archiving: facts of closed days leave the ledger for files, beside a daemon that writes on.

Laws
1. File, fsync, name, fsync of the folder; read back and compared with the rows; named by the chain; and only then do
   payloads go, a bounded number at once. Wherever it breaks off the ledger verifies, and the command, said again, goes
   on.
2. No archive is begun before the last one is done: at most one is unfinished, and its file is named.
3. The rows of a day that runs are not touched.
4. A file that the chain was refused to name is taken away again. Where it is not known whether it was named, it stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from jackpotd.ledger import archive_file
from jackpotd.ledger.archive_file import Header
from jackpotd.ledger.archives import DAY_CLOSED, Leaving, Registration, registration, rows_digest
from jackpotd.ledger.chain import fields_of, genesis
from jackpotd.ledger.port import LedgerError, LedgerReader, Row

# Some tens of megabytes a file; whoever checks one holds the numbers of its rows in memory.
MAX_ARCHIVE_ROWS = 200_000
PROGRESS_ROWS = 10_000

Progress = Callable[[int, int], None]


class Keeper(Protocol):
    """Whoever may write the ledger: the daemon, asked over its socket, or a process that holds the ledger's lock."""

    def register(self, day: int, closed: int, archive: Registration) -> None:
        """Have the chain name an archive of a day that the row `closed` ended. LedgerError "unfit": it does not."""

    def drop(self, seqs: Sequence[int]) -> None:
        """Empty these rows, as many as there are; durable at return. LedgerError: it was not done."""


@dataclass(slots=True)
class Done:
    """What an archiving did: the files whose facts left, how many, and how many bytes of payload.

    `elsewhere`: archives of before that are not in the same folder.
    """

    files: list[str] = field(default_factory=list)
    facts: int = 0
    payload_bytes: int = 0
    elsewhere: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Part:
    """Rows to archive together: of one day, which the row `closed` ends."""

    day: int
    first: int
    last: int
    closed: int


def archive(
    ledger: LedgerReader, folder: Path, before: int | None, keeper: Keeper, progress: Progress | None = None
) -> Done:
    """Archive the facts of all closed days, or those before a day; `progress` hears of rows done and in all.

    LedgerError: missing, not_writable, corrupt, or as `keeper` says.
    """
    done = Done()
    last = _finish_last(ledger, folder, keeper, done)
    parts = list(_parts(ledger, last, before))
    for part in parts:
        _archive_part(ledger, folder, part, keeper, done)
        if progress is not None:
            progress(part.last, parts[-1].last)
    if done.files:
        named = (registration(ledger, archived).file for archived in ledger.archives())
        done.elsewhere = [name for name in named if not (folder / name).is_file()]
    return done


def _finish_last(ledger: LedgerReader, folder: Path, keeper: Keeper, done: Done) -> int:
    """Empty what an archiving that broke off has left in the rows of the last archive; the last of its rows."""
    archives = ledger.archives()
    if not archives:
        return 0
    last = registration(ledger, archives[-1])
    leaving = set(_leaving(ledger, last.first, last.last))
    if any(row.body and row.seq in leaving for row in ledger.rows(last.first - 1, last.last)):
        _drop(ledger, folder, last, keeper, done)
    return last.last


def _parts(ledger: LedgerReader, after: int, before: int | None) -> Iterator[_Part]:
    """What may be archived, in order."""
    first = after + 1
    for row in ledger.rows(after):
        if b'"kind":"%b"' % DAY_CLOSED.encode() not in row.body:
            continue
        said = fields_of(row.body)
        if said.get("kind") != DAY_CLOSED:
            continue
        day: int = said["day"]
        if before is not None and day >= before:
            return
        while first <= row.seq:
            last = min(row.seq, first + MAX_ARCHIVE_ROWS - 1)
            yield _Part(day, first, last, row.seq)
            first = last + 1


def _archive_part(ledger: LedgerReader, folder: Path, part: _Part, keeper: Keeper, done: Done) -> None:
    seqs = _leaving(ledger, part.first, part.last)
    if not seqs:
        return
    header = Header(ledger.site, ledger.uuid, part.day, part.first, part.last, len(seqs))
    file = folder / header.file
    with ExitStack() as undo:
        if not file.exists():
            undo.callback(_take_away, ledger, file)
        digest = archive_file.write(folder, header, _facts(ledger, part, set(seqs)))
        archive = Registration(part.first, part.last, len(seqs), rows_digest(seqs), digest, header.file)
        if [row.seq for row in _checked(ledger, folder, archive)] != seqs:
            raise LedgerError("corrupt", f"the archive {file} was not read back as it was written")
        unnamed = undo.pop_all()
    try:
        keeper.register(part.day, part.closed, archive)
    except LedgerError as error:
        if error.kind == "unfit":
            unnamed.close()
        raise
    _drop(ledger, folder, archive, keeper, done)


def _take_away(ledger: LedgerReader, file: Path) -> None:
    """Remove a file, unless somebody else who archives here had the chain name it meanwhile."""
    if file.name not in (registration(ledger, archived).file for archived in ledger.archives()):
        file.unlink(missing_ok=True)


def _leaving(ledger: LedgerReader, first: int, last: int) -> list[int]:
    leaving = Leaving()
    for row in ledger.rows(first - 1, last):
        leaving.take(row.seq, row.body)
    return leaving.seqs()


def _facts(ledger: LedgerReader, part: _Part, seqs: set[int]) -> Iterator[tuple[bytes, Row]]:
    """The facts that leave, each with the hash before it."""
    before = next(ledger.rows(part.first - 2, part.first - 1), None) if part.first > 1 else None
    previous = genesis(ledger.site, ledger.uuid) if before is None else before.hash
    for row in ledger.rows(part.first - 1, part.last):
        if row.seq in seqs:
            yield previous, row
        previous = row.hash


def _checked(ledger: LedgerReader, folder: Path, archive: Registration) -> Iterator[Row]:
    """The rows of a file, each as the ledger has it; those whose payloads are gone too. LedgerError "corrupt"."""
    rows = ledger.rows(archive.first - 1, archive.last)
    for fact in archive_file.read(folder / archive.file, archive.sha256):
        row = next((row for row in rows if row.seq == fact.seq), None)
        if row is None or row.hash != fact.hash or row.body not in (b"", fact.body):
            raise LedgerError("corrupt", f"the archive {folder / archive.file} has another row {fact.seq}")
        yield fact._replace(body=row.body)


def _drop(ledger: LedgerReader, folder: Path, archive: Registration, keeper: Keeper, done: Done) -> None:
    """Empty the rows of a registered archive, once all of its file has been read against them."""
    full = [(row.seq, len(row.body)) for row in _checked(ledger, folder, archive) if row.body]
    keeper.drop([seq for seq, _ in full])
    done.files.append(archive.file)
    done.facts += len(full)
    done.payload_bytes += sum(size for _, size in full)
