"""Small rows and ledgers for tests of the ledger; the rows say only what every reader of rows may rely on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from jackpotd.ledger.codec import canonical
from jackpotd.ledger.port import Ledger, LedgerReader, Mark, Row

SITE = "lisboa"
UUID = "5f0c7c9e-0f0c-4a8e-9d2b-3c1f5a7e9b10"


def url_of(path: Path) -> str:
    return f"sqlite:///{path}"


def fact(source: str, journal: int, seq: int, **more: object) -> bytes:
    return canonical({"row": "fact", "schema": 1, "source": source, "journal": journal, "seq": seq, **more})


def entry(postings: Mapping[str, int] | None = None, **more: object) -> bytes:
    moved = [{"account": account, "atoms": str(atoms)} for account, atoms in (postings or {}).items()]
    return canonical({"row": "entry", "schema": 1, **({"postings": moved} if moved else {}), **more})


def bet(atoms: int) -> bytes:
    return entry({"wagers:stud-main": -atoms, "pool:stud-main": atoms})


def prize(atoms: int) -> bytes:
    return entry({"pool:stud-main": -atoms, "prizes:stud-main": atoms})


def append_said(ledger: Ledger, seqs: Sequence[int], source: str = "BP-0001", journal: int = 1) -> None:
    """One append: a fact and the bet it means, for each number."""
    bodies = [body for seq in seqs for body in (fact(source, journal, seq), bet(seq * 1_000_000))]
    ledger.append(bodies, [Mark(source, journal, seq) for seq in seqs])


def all_rows(ledger: LedgerReader) -> list[Row]:
    return list(ledger.rows())
