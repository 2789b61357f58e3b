"""Ledgers whose facts are archived, made of the small rows of `ledgers`; the keeper breaks off where it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from jackpotd.ledger.archives import Registration, check_next
from jackpotd.ledger.port import Archived, Ledger, Mark
from tests.support.ledgers import append_said, bet, entry, fact


class BrokenOffError(Exception):
    """The keeper went no further."""


def close_day(ledger: Ledger, day: int) -> int:
    """Somebody closes a day: the row that says so."""
    ledger.append([fact("operator/ada", 0, day), entry(kind="day_closed", day=day)], [Mark("operator/ada", 0, day)])
    return ledger.head.seq


def two_days(ledger: Ledger) -> None:
    """Two closed days and a third that runs: a journaled panel, a shoe with frames, and entries between the facts."""
    for day in (1, 2, 3):
        append_said(ledger, range(day * 10, day * 10 + 6))
        for seq in range(day * 10, day * 10 + 4):
            frame = {"grade": "sequenced", "raw": f"{seq:02x}"} if seq % 10 < 3 else {"grade": "sequenced", "raw": ""}
            ledger.append([fact("T01/shoe", 0, seq, **frame), bet(1)], [Mark("T01/shoe", 0, seq)])
        if day < 3:
            close_day(ledger, day)


@dataclass(slots=True)
class Hands:
    """Writes what archiving asks for; `steps` registrations and chunks, then it breaks off."""

    ledger: Ledger
    steps: int = 1_000_000
    chunk: int = 4
    registered: int = 0

    def register(self, day: int, closed: int, archive: Registration) -> None:
        self._step()
        check_next(self.ledger, day, archive.first, archive.last, closed)
        self.registered += 1
        seq = self.ledger.marks().get(("operator/root", 0), 0) + 1
        said = entry(kind="facts_archived", day=day, closed=closed, **asdict(archive))
        archived = Archived(2, archive.first, archive.last, closed)
        self.ledger.append([fact("operator/root", 0, seq), said], [Mark("operator/root", 0, seq)], [archived])

    def drop(self, seqs: Sequence[int]) -> None:
        for start in range(0, len(seqs), self.chunk):
            self._step()
            self.ledger.drop_payloads(seqs[start : start + self.chunk])

    def _step(self) -> None:
        if self.steps == 0:
            raise BrokenOffError
        self.steps -= 1
