"""Verification: is this ledger, from its first row, what was once written and what the laws allow?

Laws
1. Nothing is repaired and nothing believed: hashes, balances and marks are worked out again from the rows' bytes.
2. A finding names the row, so that a person can look at it; the rows after a bad one are still checked.
3. A row whose payload is in an archive is proved with that archive alone. Without it the verdict says how many rows
   rest on archives, and proves that they are those of which the chain says so.
4. A ledger may be verified while its daemon writes it: what is checked is the chain as it stood at the beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import orjson

from jackpotd.ledger.archive_file import ArchiveError
from jackpotd.ledger.archives import ArchiveCheck
from jackpotd.ledger.chain import genesis
from jackpotd.ledger.codec import canonical
from jackpotd.ledger.open import read_ledger
from jackpotd.ledger.port import Head, LedgerError, LedgerReader, Row, Snapshot
from jackpotd.ledger.snapshots import is_unharmed

# A ledger with more than this is beyond reading finding by finding.
MAX_FINDINGS = 100
PROGRESS_ROWS = 10_000
_ACCOUNT_KINDS = frozenset(("pool", "reserve", "overflow", "house", "wagers", "prizes"))
_NEVER_NEGATIVE = ("pool:", "reserve:", "overflow:")

Progress = Callable[[int, int], None]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong; row 0 where it is not one row's."""

    row: int
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verification found. `balances` in atoms, empty unless asked for; `head` is the last row checked.

    `archived`: rows whose payloads were not looked at; `bound`: those of them whose hashes the next row bears out.
    """

    rows: int
    head: Head
    balances: Mapping[str, int]
    findings: tuple[Finding, ...]
    archived: int = 0
    bound: int = 0

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


class _TooManyError(Exception):
    """MAX_FINDINGS reached: the rest is not looked at."""


class _Verification:
    """One pass over the rows."""

    def __init__(self, ledger: LedgerReader, *, balances: bool) -> None:
        self._ledger = ledger
        self._with_balances = balances
        self.previous = self._other_previous = genesis(ledger.site, ledger.uuid)
        self._snapshots: dict[int, Snapshot] = {}
        self._facts: dict[tuple[str, int], int] = {}
        self.seq = 0
        self.rows = 0
        self.archived = self.bound = 0
        self._archives: ArchiveCheck | None = None
        self._after_empty = False
        self.balances: dict[str, int] = {}
        self.findings: list[Finding] = []

    def run(self, progress: Progress | None) -> None:
        """Everything that can be read; stops early only at MAX_FINDINGS."""
        try:
            self._step(0, self._storage)
            marks = self._step(0, self._ledger.marks)
            self._step(0, self._snapshot_bodies)
            self._archives = self._step(0, lambda: ArchiveCheck(self._ledger))
            # Read after the marks: every mark belongs to a row up to this one, though the daemon writes on.
            head = self._step(0, lambda: self._ledger.head)
            self._rows(None if head is None else head.seq, progress)
            if marks is not None and self._with_balances:
                self._step(0, lambda: self._marks(marks, self._ledger.marks()))
        except _TooManyError:
            self.findings.append(Finding(self.seq, f"more than {MAX_FINDINGS} findings; the rest is not checked"))

    def _step(self, row: int, step: Callable[[], T]) -> T | None:
        """One look at the ledger; what cannot be read is a finding, and None."""
        try:
            return step()
        except LedgerError as error:
            self._find(row, str(error))
            return None

    def _storage(self) -> None:
        for fault in self._ledger.structure_faults():
            self._find(0, f"the file is damaged: {fault}")

    def _snapshot_bodies(self) -> None:
        for snapshot in self._ledger.snapshots():
            self._snapshots[snapshot.seq] = snapshot
            if not is_unharmed(snapshot):
                self._find(0, f"the snapshot of row {snapshot.seq} is not what was written")

    def _rows(self, last: int | None, progress: Progress | None) -> None:
        """All rows, or those before the first that cannot be read; then the snapshots that no row bore out."""
        self._snapshot_head()
        try:
            for row in self._ledger.rows(0, last):
                self._row(row)
                if progress is not None and row.seq % PROGRESS_ROWS == 0:
                    progress(row.seq, last or row.seq)
            if last is not None and self.seq != last:
                self._find(self.seq + 1, f"is missing: the rows end here and should go on to {last}")
        except ArchiveError:
            raise  # another folder proves the ledger: what one might find without it would be held against the ledger
        except LedgerError as error:
            self._find(self.seq + 1, str(error))
        for seq in self._snapshots:
            self._find(0, f"there is a snapshot of row {seq}, but no such row")

    def _row(self, row: Row) -> None:
        seq, row_hash, body = row
        if seq != self.seq + 1:
            self._find(seq, f"follows row {self.seq}: the rows between are missing")
        archives = self._archives
        if archives is not None and (not body or seq >= archives.begins) and (fault := archives.take(row)):
            self._find(seq, fault)
        self._count(body)
        # An empty row has no hash but the one that stands there.
        computed = sha256(self.previous + body).digest() if body else row_hash
        if computed != row_hash and sha256(self._other_previous + body).digest() != row_hash:
            self._find(seq, "breaks the chain: its body, its hash or the row before it is not what was written")
        self.rows += 1
        self.seq = seq
        # Where they differ, the next row tells which was written, so that one bad row is one finding.
        self.previous, self._other_previous = row_hash, computed
        if seq in self._snapshots:
            self._snapshot_head()
        if self._with_balances and body:
            self._body(row)

    def _count(self, body: bytes) -> None:
        if not body:
            self.archived += 1
        elif self._after_empty:
            self.bound += 1
        self._after_empty = not body

    def _snapshot_head(self) -> None:
        snapshot = self._snapshots.pop(self.seq, None)
        if snapshot is not None and snapshot.head != self.previous:
            self._find(0, f"the snapshot of row {self.seq} was taken on another chain")

    def _body(self, row: Row) -> None:
        try:
            fields = orjson.loads(row.body)
        except orjson.JSONDecodeError as error:
            self._find(row.seq, f"is not JSON: {error}")
            return
        if type(fields) is not dict or canonical(fields) != row.body:
            self._find(row.seq, "is not a canonical JSON object")
            return
        kind = fields.get("row")
        if kind == "fact":
            self._fact(row.seq, fields)
        elif kind != "entry":
            self._find(row.seq, f"is neither a fact nor an entry but {kind!r}")
        elif "postings" in fields:
            self._postings(row.seq, fields["postings"])

    def _fact(self, row_seq: int, fields: dict[str, Any]) -> None:
        source, journal, seq = fields.get("source"), fields.get("journal"), fields.get("seq")
        if type(source) is not str or type(journal) is not int or type(seq) is not int:
            self._find(row_seq, "is a fact without source, journal and seq")
            return
        key = (source, journal)
        last = self._facts.get(key)
        if last is not None and seq <= last:
            self._find(row_seq, f"is fact {seq} of {source}, journal {journal}, after {last}: counted twice or late")
            return
        self._facts[key] = seq

    def _postings(self, row_seq: int, postings: Any) -> None:
        total = 0
        touched = []
        for account, atoms in _read_postings(postings):
            if account is None or atoms is None:
                self._find(row_seq, "has a posting that is not an account and an amount")
                return
            total += atoms
            self.balances[account] = self.balances.get(account, 0) + atoms
            touched.append(account)
        if total != 0:
            self._find(row_seq, f"does not balance: its postings sum to {total} atoms")
        for account in touched:
            if self.balances[account] < 0 and account.startswith(_NEVER_NEGATIVE):
                self._find(row_seq, f"takes {account} below zero, to {self.balances[account]} atoms")

    def _marks(self, before: Mapping[tuple[str, int], int], after: Mapping[tuple[str, int], int]) -> None:
        for (source, journal), seq in before.items():
            if seq > self._facts.get((source, journal), -1):
                self._find(0, f"the mark of {source}, journal {journal}, is {seq}, but no row has that fact")
        for (source, journal), seq in self._facts.items():
            if seq > after.get((source, journal), -1):
                self._find(0, f"the mark of {source}, journal {journal}, is below its fact {seq}")

    def _find(self, row: int, text: str) -> None:
        if len(self.findings) >= MAX_FINDINGS:
            raise _TooManyError
        self.findings.append(Finding(row, text))


def _read_postings(postings: Any) -> list[tuple[str | None, int | None]]:
    """Account and atoms of every posting; None for one that is not as the codec writes it."""
    if type(postings) is not list:
        return [(None, None)]
    return [_read_posting(posting) for posting in postings]


def _read_posting(posting: Any) -> tuple[str | None, int | None]:
    if type(posting) is not dict or posting.keys() != {"account", "atoms"}:
        return None, None
    account, text = posting["account"], posting["atoms"]
    if type(account) is not str or type(text) is not str or account.partition(":")[0] not in _ACCOUNT_KINDS:
        return None, None
    try:
        atoms = int(text)
    except ValueError:
        return account, None
    return account, atoms if str(atoms) == text else None


def verify(ledger: LedgerReader, *, balances: bool = True, progress: Progress | None = None) -> Verdict:
    """Check the storage, every row's hash and the snapshots; with `balances` also what the rows say.

    That is: canonical JSON, facts in order and never twice, marks, postings that sum to zero, no pool below zero.
    `progress` is told (rows done, rows in all) every PROGRESS_ROWS.
    """
    verification = _Verification(ledger, balances=balances)
    verification.run(progress)
    return Verdict(
        verification.rows,
        Head(verification.seq, verification.previous),
        verification.balances,
        tuple(verification.findings),
        verification.archived,
        verification.bound,
    )


def verify_url(
    url: str, archives: Path | None = None, *, balances: bool = True, progress: Progress | None = None
) -> Verdict:
    """Verify the ledger at an address; a file too damaged to open is a finding. LedgerError: url, missing, locked.

    `archives`: the folder of its archives, to prove the rows that rest on them. ArchiveError: one of them cannot.
    """
    try:
        ledger = read_ledger(url, archives)
    except LedgerError as error:
        if error.kind != "corrupt":
            raise
        return Verdict(0, Head(0, b""), {}, (Finding(0, str(error)),))
    try:
        return verify(ledger, balances=balances, progress=progress)
    finally:
        ledger.close()


def first_break(ledger: LedgerReader, to: int, progress: Progress) -> Finding | None:
    """The first of rows 1..`to` that does not follow from those before it; None when all do.

    Hashes alone, so that it is cheap, and archives as in `verify`. `progress` as in `verify`.
    """
    previous, seq = genesis(ledger.site, ledger.uuid), 0
    try:
        archives = ArchiveCheck(ledger)
        for row in ledger.rows(0, to):
            if (not row.body or row.seq >= archives.begins) and (fault := archives.take(row)):
                return Finding(row.seq, f"it {fault}")
            previous = sha256(previous + row.body).digest() if row.body else row.hash
            seq += 1
            if row.seq != seq or row.hash != previous:
                return Finding(seq, "it does not follow from the rows before it")
            if seq % PROGRESS_ROWS == 0:
                progress(seq, to)
    except LedgerError as error:
        return Finding(seq + 1, str(error))
    return None if seq == to else Finding(seq + 1, "it is missing")
