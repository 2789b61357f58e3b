"""An archive file: facts that leave a ledger's rows, byte for byte, and proved without it.

Laws
1. The first line says whose facts these are and how many; then comes a line a fact, in the order of the rows.
2. Every line proves itself: its hash is SHA-256(previous hash, 32 raw bytes, + body, as the bytes between the keys).
3. A file is there under its name only when it is whole and on the disk; one of other content is never written over.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from hashlib import file_digest, sha256
from itertools import chain, starmap
from pathlib import Path
from typing import BinaryIO, NamedTuple

from jackpotd.ledger.chain import fields_of
from jackpotd.ledger.codec import canonical
from jackpotd.ledger.files import open_file
from jackpotd.ledger.port import MAX_BODY_BYTES, LedgerError, Row
from jackpotd.ledger.sqlite_file import FILE_MODE, sync

_LINE = re.compile(rb'\{"body":(.+),"hash":"([0-9a-f]{64})","previous":"([0-9a-f]{64})","seq":([1-9][0-9]*)\}\n')
# The largest row and what stands beside it.
_MAX_LINE_BYTES = MAX_BODY_BYTES + 512


class ArchiveError(LedgerError):
    """It is the archive that cannot be used: of the ledger this says nothing."""


class Header(NamedTuple):
    """Whose facts: of the rows `first` to `last` of a ledger, so many."""

    site: str
    ledger: str
    day: int
    first: int
    last: int
    facts: int

    @property
    def file(self) -> str:
        """The file's name, by which names sort as the rows do."""
        return f"facts-{self.first:012}-{self.last:012}.jsonl"

    def line(self) -> bytes:
        """The file's first line."""
        return canonical({"kind": "facts_archive", "schema": 1, **self._asdict()}) + b"\n"


def write(folder: Path, header: Header, facts: Iterable[tuple[bytes, Row]]) -> str:
    """Write a file: each fact with the hash before it. Its SHA-256 in hex. LedgerError "not_writable"."""
    path = folder / header.file
    unfinished = path.with_name(path.name + ".new")
    digest = sha256()
    try:
        unfinished.unlink(missing_ok=True)
        with ExitStack() as undo:
            file = undo.enter_context(
                os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE), "wb")
            )
            undo.callback(unfinished.unlink, missing_ok=True)  # once it has its name, there is nothing to undo
            for line in chain((header.line(),), starmap(_line, facts)):
                digest.update(line)
                file.write(line)
            file.flush()
            os.fsync(file.fileno())
            _require_same(path, digest.hexdigest())
            unfinished.rename(path)
        sync(folder)
    except OSError as error:
        raise LedgerError("not_writable", f"the archive {path} cannot be written: {error.strerror}") from error
    return digest.hexdigest()


def _require_same(path: Path, digest: str) -> None:
    """Nothing, or the same again; two ledgers call their archives alike."""
    with suppress(FileNotFoundError), open_file(path) as file:
        if file_digest(file, "sha256").hexdigest() != digest:
            raise LedgerError("exists", f"{path} is there already and is another archive: name another folder")


def _line(previous: bytes, row: Row) -> bytes:
    hashes = b'"hash":"%b","previous":"%b"' % (row.hash.hex().encode(), previous.hex().encode())
    return b'{"body":%b,%b,"seq":%d}\n' % (row.body, hashes, row.seq)


def read(path: Path, digest: str) -> Iterator[Row]:
    """The facts of a file, each proved by its line; the whole by its SHA-256 before the first is given.

    ArchiveError: missing; corrupt, which names the line.
    """
    try:
        with open_file(path) as file:
            if file_digest(file, "sha256").hexdigest() != digest:
                raise ArchiveError("corrupt", f"the archive {path} is not the file that the ledger names")
            file.seek(0)
            yield from _rows(path, file)
    except FileNotFoundError as error:
        raise ArchiveError("missing", f"the archive {path} is not there: name the folder that has it") from error
    except OSError as error:
        raise ArchiveError("missing", f"the archive {path} cannot be read: {error.strerror}") from error


def _rows(path: Path, file: BinaryIO) -> Iterator[Row]:
    expected, seen = fields_of(file.readline(_MAX_LINE_BYTES)).get("facts"), 0
    while line := file.readline(_MAX_LINE_BYTES):
        found = _LINE.fullmatch(line)
        body, row_hash = (found[1], bytes.fromhex(found[2].decode())) if found else (b"", b"")
        if found is None or sha256(bytes.fromhex(found[3].decode()) + body).digest() != row_hash:
            raise ArchiveError("corrupt", f"line {seen + 2} of the archive {path} does not prove itself")
        seen += 1
        yield Row(int(found[4]), row_hash, body)
    if seen != expected:
        raise ArchiveError("corrupt", f"the archive {path} has {seen} facts, and its first line says {expected}")
