"""What the chain says of archives, and the check that nothing else is gone from the rows.

Laws
1. All facts of some rows go, but the newest of every journal and the last frame of every sequenced device: what marks
   and repeats rest on stays, so that the state can be folded from the first row without any archive.
2. The chain's entry has the digest of the numbers of the rows that go. It can be worked out again at any moment, from
   the rows that are empty and the facts still there; so nobody can hide an entry, or another fact, as archived.
3. An empty row's hash is not worked out again without its archive. The next row's hash stands for it, where that is
   there; where rows in a row are empty, the archive alone does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from jackpotd.ledger.chain import fields_of, is_fact
from jackpotd.ledger.port import Archived, LedgerError, LedgerReader, Row

KIND = "facts_archived"
DAY_CLOSED = "day_closed"
_NO_ROW = 2**63


@dataclass(frozen=True, slots=True)
class Registration:
    """An archive as the chain names it. `rows`, `sha256`: digests in hex, of the rows' numbers and of the file."""

    first: int
    last: int
    facts: int
    rows: str
    sha256: str
    file: str


class Leaving:
    """The facts of some rows that go into an archive (law 1)."""

    def __init__(self) -> None:
        self._facts: list[int] = []
        self._newest: dict[tuple[str, int] | str, int] = {}

    def take(self, seq: int, body: bytes) -> None:
        """The next row; one that is empty has gone already."""
        if not body:
            self._facts.append(seq)
        elif is_fact(body):
            self._facts.append(seq)
            for key in _rested_on(fields_of(body)):
                self._newest[key] = seq

    def seqs(self) -> list[int]:
        """The rows whose payloads go."""
        staying = set(self._newest.values())
        return [seq for seq in self._facts if seq not in staying]


def _rested_on(fact: dict[str, Any]) -> list[tuple[str, int] | str]:
    """What is known from the newest fact of its kind: the mark of its journal, the last frame of its device."""
    journal = (str(fact.get("source")), fact["journal"] if type(fact.get("journal")) is int else 0)
    return [journal, journal[0]] if fact.get("grade") == "sequenced" and fact.get("raw") else [journal]


def rows_digest(seqs: Iterable[int]) -> str:
    """SHA-256 of the numbers, each in decimal with a line feed, in hex."""
    return sha256(b"".join(b"%d\n" % seq for seq in seqs)).hexdigest()


def registration(ledger: LedgerReader, archived: Archived) -> Registration:
    """What the chain's entry says; LedgerError "corrupt" when it does not name this archive."""
    row = next(ledger.rows(archived.entry - 1, archived.entry), None)
    said = fields_of(row.body) if row is not None else {}
    try:
        found = Registration(**{name: said[name] for name in Registration.__slots__})
    except KeyError:
        found = None
    if found is None or said.get("kind") != KIND or (found.first, found.last) != (archived.first, archived.last):
        raise LedgerError("corrupt", f"row {archived.entry} does not name the archive of rows {_span(archived)}")
    return found


def check_next(ledger: LedgerReader, day: int, first: int, last: int, closed: int) -> None:
    """LedgerError "unfit" unless these rows may be archived next: after all others, of a day that `closed` ended."""
    done = max((archived.last for archived in ledger.archives()), default=0)
    if not done < first <= last <= closed:
        raise LedgerError("unfit", f"rows {first} to {last} are not the next to be archived, after row {done}")
    row = next(ledger.rows(closed - 1, closed), None)
    said = fields_of(row.body) if row is not None else {}
    if (said.get("row"), said.get("kind"), said.get("day")) != ("entry", DAY_CLOSED, day):
        raise LedgerError("unfit", f"row {closed} does not close day {day}")


def _span(archived: Archived | Registration) -> str:
    return f"{archived.first} to {archived.last}"


class ArchiveCheck:
    """Watches the rows go by, in order from `after`: `take` is for those that are empty or not before `begins`."""

    def __init__(self, ledger: LedgerReader, after: int = 0) -> None:
        """LedgerError "corrupt": the chain does not name an archive that is registered."""
        self._ledger = ledger
        self._all: list[Registration] = []
        self._todo: list[Registration] = []  # the next one last
        self._leaving = Leaving()
        self.begins = _NO_ROW
        self._look(after)

    def take(self, row: Row) -> str:
        """The next row; what is wrong, or ""."""
        if not row.body and self.holding(row.seq) is None:
            self._look(row.seq)  # somebody may be archiving at this moment
            if self.holding(row.seq) is None:
                return "is empty, and no archive is registered that has it"
        if row.seq < self.begins:
            return ""
        self._leaving.take(row.seq, row.body)
        return self._judge() if row.seq == self._todo[-1].last else ""

    def _look(self, after: int) -> None:
        """Take note of the archives that are registered now; only one whose rows are all seen can be judged."""
        new = [registration(self._ledger, archived) for archived in self._ledger.archives()[len(self._all) :]]
        self._all += new
        self._todo = [each for each in reversed(new) if each.first > after] + self._todo
        self.begins = self._todo[-1].first if self._todo else _NO_ROW

    def holding(self, seq: int) -> Registration | None:
        """The archive that has a row's payload, if it is gone."""
        return next((each for each in self._all if each.first <= seq <= each.last), None)

    def splits(self, seq: int) -> bool:
        """Whether a row lies between others of one archive: a state after it is that archive's to tell."""
        archive = self.holding(seq)
        return archive is not None and seq < archive.last

    def _judge(self) -> str:
        archive, gone, self._leaving = self._todo.pop(), self._leaving.seqs(), Leaving()
        self.begins = self._todo[-1].first if self._todo else _NO_ROW
        if (len(gone), rows_digest(gone)) == (archive.facts, archive.rows):
            return ""
        return f"ends rows {_span(archive)}, of which other ones are empty than those whose payloads {archive.file} has"
