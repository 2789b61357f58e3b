"""The ledger in SQLite, the default.

Laws
1. A commit makes exactly one fdatasync, of the write-ahead log. Whatever else must be synced (a new log's header, a
   checkpoint) is synced in `checkpoint`, which the owner calls when nobody waits.
2. After a write that failed the adapter does nothing more: what the disk holds is known only after opening anew.
3. Few calls into SQLite: each gives up the interpreter and must get it back from a busy event loop.
4. A commit into a file that was removed or exchanged is none: the next start would not have it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, starmap
from pathlib import Path
from typing import Any

from jackpotd.ledger import sqlite_file
from jackpotd.ledger.chain import check_bounds, check_may_drop, genesis, hash_rows, repeat
from jackpotd.ledger.port import KEPT_SNAPSHOTS, Archived, Head, LedgerError, Mark, Row, Snapshot
from jackpotd.ledger.sqlite_tables import GUARD, MIGRATION, NEWEST_VERSION, UNGUARD

# Moving this much takes some milliseconds, in which every event waits; and a start reads the whole log before anything.
WAL_BOUND_BYTES = 4 * 1024 * 1024
# In an idle moment less than this is left where it is: moving it would cost more syncs than the commits did.
WAL_WORTH_MOVING_BYTES = 1024 * 1024
# What a commit writes beside its rows: partly filled pages of each table it touches, and their frames' headers.
_COMMIT_OVERHEAD_BYTES = 8 * 4096
_ROW_OVERHEAD_BYTES = 96
# Rows read at once: few calls, a bounded list, and the log is never pinned for longer than this takes.
_READ_ROWS = 2_048
# Rows in one INSERT; beyond this a longer statement gains nothing.
_INSERT_ROWS = 64
_MAX_STRUCTURE_FAULTS = 20
# Rows between the first and the last that are emptied together. Where more lie between, there is little to gain.
_MAX_PACKED_ROWS = 2_000

_SELECT_ROWS = "SELECT seq, hash, body FROM row WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?"
_MAX_SEQ = 2**63 - 1


# Statements of 0.._INSERT_ROWS rows; rows and marks have three columns each.
_VALUES = [",".join(["(?,?,?)"] * rows) for rows in range(_INSERT_ROWS + 1)]
_INTO_ROW = "INSERT INTO row VALUES"
_INTO_MARK = "INSERT INTO mark VALUES"
_RISE = "ON CONFLICT (source, journal) DO UPDATE SET seq = excluded.seq"
_INSERT_ROW = [f"{_INTO_ROW} {values}" for values in _VALUES]
_INSERT_MARK = [f"{_INTO_MARK} {values} {_RISE}" for values in _VALUES]


class SqliteReader:
    """A ledger's file, to look at; the writer may be at work beside it."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Takes over the connection; LedgerError when the file does not say whose it is."""
        self._path = path
        self._connection = connection
        self._closed = False
        self.site, self.uuid = self._identity()

    @property
    def head(self) -> Head:
        """The newest row now."""
        found = self._read("SELECT seq, hash FROM row ORDER BY seq DESC LIMIT 1")
        if not found:
            return Head(0, genesis(self.site, self.uuid))
        seq, row_hash = found[0]
        if type(row_hash) is not bytes:
            raise self._damaged(f"hash of row {seq}", row_hash)
        return Head(seq, row_hash)

    def rows(self, after: int = 0, to: int | None = None) -> Iterator[Row]:
        """Rows in order; LedgerError "corrupt" names the first that cannot be read, after all before it."""
        last = _MAX_SEQ if to is None else to
        while True:
            found = self._read_rows(after, last)
            yield from found
            if not found:
                return
            after = found[-1].seq

    def marks(self) -> Mapping[tuple[str, int], int]:
        """All marks."""
        found = self._read("SELECT source, journal, seq FROM mark")
        return {(self._text(source), self._number(journal)): self._number(seq) for source, journal, seq in found}

    def snapshots(self) -> list[Snapshot]:
        """Newest first."""
        found = self._read("SELECT seq, head, state_hash, version, body FROM snapshot ORDER BY seq DESC")
        # A damaged one has no body that fits its hash, so that the start falls to the one before.
        return [
            Snapshot(seq, _blob(head), _blob(state_hash), _blob(version).decode(errors="replace"), _blob(body))
            for seq, head, state_hash, version, body in found
        ]

    def archives(self) -> list[Archived]:
        """In order of their rows; none in a file of version 1, which has no place for them."""
        if not self._read("SELECT 1 FROM sqlite_master WHERE name = 'archive'"):
            return []
        found = self._read("SELECT entry, first, last, closed FROM archive ORDER BY first")
        return [Archived(*map(self._number, each)) for each in found]

    def structure_faults(self) -> list[str]:
        """What SQLite's own check of the file finds."""
        found = self._read(f"PRAGMA quick_check({_MAX_STRUCTURE_FAULTS})")
        texts = [bytes(text).decode(errors="replace") for (text,) in found]
        return [] if texts == ["ok"] else texts

    def close(self) -> None:
        """Close the file."""
        self._closed = True
        self._connection.close()

    def _read(self, sql: str, arguments: tuple[int | str, ...] = ()) -> list[tuple[Any, ...]]:
        self._require_usable()
        try:
            return self._connection.execute(sql, arguments).fetchall()
        except sqlite_file.SqliteFailure as error:
            raise sqlite_file.as_ledger_error(self._path, "reading", error) from error

    def _read_rows(self, after: int, last: int) -> list[Row]:
        """The next rows; where SQLite cannot read them all, those before the damage."""
        try:
            return self._select_rows(after, last, _READ_ROWS)
        except LedgerError as error:
            if error.kind != "corrupt":
                raise
        sound: list[Row] = []
        try:
            while found := self._select_rows(after, last, 1):
                sound += found
                after = found[0].seq
        except LedgerError as error:
            if not sound:
                raise LedgerError("corrupt", f"row {after + 1} cannot be read: {error}") from error
        return sound

    def _select_rows(self, after: int, last: int, limit: int) -> list[Row]:
        found = self._read(_SELECT_ROWS, (after, last, limit))
        for seq, row_hash, body in found:
            if type(row_hash) is not bytes or type(body) is not bytes:
                raise self._damaged(f"hash or body of row {seq}", body)
        return list(starmap(Row, found))

    def _identity(self) -> tuple[str, str]:
        found = self._read("SELECT site, uuid FROM ledger")
        if len(found) != 1:
            raise LedgerError("corrupt", f"the ledger {self._path} does not say whose it is")
        site, uuid = found[0]
        return self._text(site), self._text(uuid)

    def _text(self, value: Any) -> str:
        try:
            return bytes(value).decode()
        except (TypeError, UnicodeDecodeError) as error:
            raise self._damaged("text", value) from error

    def _number(self, value: Any) -> int:
        if type(value) is not int:
            raise self._damaged("number", value)
        return value

    def _damaged(self, what: str, value: object) -> LedgerError:
        return LedgerError("corrupt", f"a damaged {what} in the ledger {self._path}: {str(value)[:40]!r}")

    def _require_usable(self) -> None:
        if self._closed:
            raise LedgerError("unusable", f"the ledger {self._path} is closed")


def _blob(value: object) -> bytes:
    return value if isinstance(value, bytes) else b""


class SqliteLedger(SqliteReader):
    """The writer: holds the lock of the file and keeps the head in memory."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: int) -> None:
        """Takes over the connection and the lock; LedgerError when the file cannot be written."""
        self._failure: str | None = None
        super().__init__(path, connection)
        self._lock = lock
        self._marks: dict[tuple[str, int], int] = {}
        self._log_bytes = 0
        self._files = str(path), str(sqlite_file.log_of(path))
        self._head = super().head
        self._version = self._number(self._read("PRAGMA user_version")[0][0])
        self._in_place = self._places()
        self._move_log()  # what a process that was killed left; also tells at once whether the file can be written
        self._in_place = self._places()

    @property
    def head(self) -> Head:
        """The last row committed here."""
        return self._head

    def append(self, bodies: Sequence[bytes], marks: Sequence[Mark], archives: Sequence[Archived] = ()) -> Head:
        """Add rows in one transaction with one fdatasync; the first archive also migrates the file, in the same."""
        self._require_usable()
        check_bounds(bodies)
        risen = self._risen(marks)
        hashes = hash_rows(self._head.hash, bodies)
        first = self._head.seq + 1
        rows = list(chain.from_iterable(zip(range(first, first + len(bodies)), hashes, bodies, strict=True)))
        raised = [value for (source, journal), seq in risen.items() for value in (source, journal, seq)]

        def write() -> None:
            self._insert(_INSERT_ROW, rows)
            self._insert(_INSERT_MARK, raised)
            if archives:
                self._register([archive._replace(entry=self._head.seq + archive.entry) for archive in archives])

        self._commit(write, sum(map(len, bodies)) + len(bodies) * _ROW_OVERHEAD_BYTES)
        self._marks.update(risen)
        if archives:
            self._version = NEWEST_VERSION
        self._head = Head(self._head.seq + len(bodies), hashes[-1])
        return self._head

    def _register(self, archives: Sequence[Archived]) -> None:
        if self._version != NEWEST_VERSION:
            for statement in MIGRATION:
                self._connection.execute(statement)
        self._connection.executemany("INSERT INTO archive VALUES (?, ?, ?, ?)", archives)

    def drop_payloads(self, seqs: Sequence[int]) -> None:
        """Empty rows in one transaction with one fdatasync; whole pages become free for rows to come."""
        self._require_usable()
        wanted = set(seqs)
        first, last = min(wanted), max(wanted)
        within = self._select_rows(first - 1, last, _MAX_PACKED_ROWS)
        packed = within if last - first < _MAX_PACKED_ROWS else []
        found = within if packed else [row for seq in seqs for row in self._select_rows(seq - 1, seq, 1)]
        check_may_drop(seqs, (row for row in found if row.seq in wanted), self.archives())
        full = [(row.seq,) for row in found if row.seq in wanted and row.body]

        def write() -> None:
            self._connection.executemany("UPDATE row SET body = x'' WHERE seq = ?", full)
            if packed:
                self._pack(first, last)

        # Every page of these rows is written anew.
        self._commit(write, sum(len(row.body) + _ROW_OVERHEAD_BYTES for row in found))

    def _pack(self, first: int, last: int) -> None:
        """Put rows where they were, but without the room between them, which SQLite keeps when a row shrinks.

        Within the transaction the guards are away; nobody else ever sees the file without them.
        """
        rows = self._select_rows(first - 1, last, _MAX_PACKED_ROWS)
        for statement in UNGUARD:
            self._connection.execute(statement)
        self._connection.execute("DELETE FROM row WHERE seq BETWEEN ? AND ?", (first, last))
        self._insert(_INSERT_ROW, [value for row in rows for value in row])
        for statement in GUARD:
            self._connection.execute(statement)
        if self._select_rows(first - 1, last, _MAX_PACKED_ROWS) != rows:
            raise LedgerError("corrupt", f"rows {first} to {last} of the ledger {self._path} are not as they were")

    def save_snapshot(self, snapshot: Snapshot) -> None:
        """Keep it, and of all only the newest."""
        self._require_usable()
        values = (snapshot.seq, snapshot.head, snapshot.state_hash, snapshot.version, snapshot.body)

        def write() -> None:
            self._connection.execute("INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?, ?)", values)
            self._connection.execute(
                "DELETE FROM snapshot WHERE seq NOT IN (SELECT seq FROM snapshot ORDER BY seq DESC LIMIT ?)",
                (KEPT_SNAPSHOTS,),
            )

        self._commit(write, len(snapshot.body))

    def checkpoint_due(self, *, idle: bool = False) -> bool:
        """Whether the log has outgrown its bound, or is worth moving while nobody waits."""
        return self._log_bytes > (WAL_WORTH_MOVING_BYTES if idle else WAL_BOUND_BYTES)

    def checkpoint(self) -> bool:
        """Move the log into the file; False when a reader kept some of it: due again after as much once more."""
        self._require_usable()
        return self._log_bytes == 0 or self._move_log()

    def _move_log(self) -> bool:
        """Move the log and begin it again: writing the file's version once more makes the first frame of the new log.

        A log's header has its own sync, which otherwise the next commit would make.
        """
        try:
            _, frames, moved = self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            self._connection.execute(f"PRAGMA user_version={self._version}")
        except sqlite_file.SqliteFailure as error:
            raise self._failed(sqlite_file.as_ledger_error(self._path, "writing", error)) from error
        self._log_bytes = 0
        return bool(frames == moved)

    def close(self) -> None:
        """Close the file, then let the next writer in."""
        if not self._closed:
            super().close()
            os.close(self._lock)

    def _risen(self, marks: Sequence[Mark]) -> dict[tuple[str, int], int]:
        """The marks after these facts; LedgerError "repeat" for one that is not newer than what is stored."""
        risen: dict[tuple[str, int], int] = {}
        for mark in marks:
            key = (mark.source, mark.journal)
            stored = risen.get(key)
            if stored is None:
                stored = self._stored(key)
            if mark.seq <= stored:
                raise repeat(mark, stored)
            risen[key] = mark.seq
        return risen

    def _stored(self, key: tuple[str, int]) -> int:
        """The mark on disk; read once, since only this object raises it."""
        if key not in self._marks:
            found = self._read("SELECT seq FROM mark WHERE source = ? AND journal = ?", key)
            self._marks[key] = self._number(found[0][0]) if found else -1
        return self._marks[key]

    def _insert(self, statements: list[str], values: list[Any]) -> None:
        for start in range(0, len(values), 3 * _INSERT_ROWS):
            part = values[start : start + 3 * _INSERT_ROWS]
            self._connection.execute(statements[len(part) // 3], part)

    def _commit(self, write: Callable[[], None], size: int) -> None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            write()
            self._connection.execute("COMMIT")
        except sqlite_file.SqliteFailure as error:
            raise self._failed(sqlite_file.as_ledger_error(self._path, "writing", error)) from error
        except LedgerError as error:
            raise self._failed(error) from error
        if self._places() != self._in_place:
            raise self._failed(LedgerError("missing", f"the ledger {self._path} was removed or exchanged while in use"))
        self._log_bytes += size + _COMMIT_OVERHEAD_BYTES

    def _places(self) -> tuple[tuple[int, int] | None, ...]:
        """Which files now stand where the ledger and its log are (law 4)."""
        return tuple(map(sqlite_file.identity, self._files))

    def _failed(self, failure: LedgerError) -> LedgerError:
        self._failure = str(failure)
        return failure

    def _require_usable(self) -> None:
        super()._require_usable()
        if self._failure is not None:
            raise LedgerError("unusable", f"{self._failure}; it must be opened anew")
