"""Verification finds one flipped bit anywhere, and every breach of the laws, and names the row."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from jackpotd.ledger.codec import canonical
from jackpotd.ledger.memory import MemoryLedger
from jackpotd.ledger.open import open_ledger, read_ledger
from jackpotd.ledger.port import Ledger, LedgerError, LedgerReader, Mark, Row
from jackpotd.ledger.snapshots import take_snapshot
from jackpotd.ledger.verify import MAX_FINDINGS, PROGRESS_ROWS, verify, verify_url
from tests.support.ledgers import SITE, UUID, all_rows, append_said, bet, entry, fact, prize, url_of

ROWS = 6


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A small ledger, closed, with a snapshot."""
    path = tmp_path / "ledger.db"
    with closing(open_ledger(url_of(path), SITE, create=UUID)) as ledger:
        append_said(ledger, [1, 2])
        ledger.save_snapshot(take_snapshot(ledger.head, "1.0", b"state"))
        append_said(ledger, [3])
    return path


@pytest.fixture
def memory() -> Ledger:
    return MemoryLedger(SITE, UUID)


def rows_found(ledger: LedgerReader) -> list[int]:
    return [finding.row for finding in verify(ledger).findings]


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


class Tampered:
    """A ledger whose guards are out of the way while somebody writes into it, and back again when it is read."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._guards = self._connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in self._guards:
            self._connection.execute(f"DROP TRIGGER {name}")

    def write(self, sql: str, *values: object) -> None:
        self._connection.execute(sql, values)

    def close(self) -> None:
        for _, sql in self._guards:
            self._connection.execute(sql)
        self._connection.close()


@pytest.mark.parametrize("seq", range(1, ROWS + 1))
@pytest.mark.parametrize("column", ["hash", "body"])
@pytest.mark.parametrize("balances", [False, True])
def test_every_single_flipped_bit_of_a_row_is_found_and_the_row_named(
    path: Path, seq: int, column: str, balances: bool
) -> None:
    with closing(read_ledger(url_of(path))) as reader, closing(Tampered(path)) as tampered:
        good = dict(zip(("seq", "hash", "body"), all_rows(reader)[seq - 1], strict=True))[column]
        assert isinstance(good, bytes)
        for bit in range(len(good) * 8):
            tampered.write(f"UPDATE row SET {column} = ? WHERE seq = ?", flipped(good, bit), seq)
            findings = verify(reader, balances=balances).findings
            chain = [finding.row for finding in findings if "breaks the chain" in finding.text]
            assert chain == [seq], f"bit {bit}"
        tampered.write(f"UPDATE row SET {column} = ? WHERE seq = ?", good, seq)
        assert verify(reader, balances=balances).ok


@pytest.mark.parametrize("part", range(8))
def test_no_flipped_bit_of_the_file_changes_a_row_unnoticed(path: Path, tmp_path: Path, part: int) -> None:
    """One bit of every byte of the file, an eighth of them here; what SQLite keeps to itself may go unnoticed."""
    with closing(read_ledger(url_of(path))) as reader:
        good = contents(reader)
    data = path.read_bytes()
    copy = tmp_path / "copy.db"
    noticed = 0
    for offset in range(part, len(data), 8):
        if data[offset] == 0 and offset % 64 != part:
            continue  # of the empty space one byte in eight is enough
        copy.write_bytes(flipped(data, offset * 8 + offset // 8 % 8))
        if verify_url(url_of(copy)).ok:
            with closing(read_ledger(url_of(copy))) as reader:
                assert contents(reader) == good, f"byte {offset}"
        else:
            noticed += 1
    assert noticed > 100


def contents(reader: LedgerReader) -> object:
    """All that counts; a snapshot's version only decides whether it is used."""
    snapshots = [(snapshot.seq, snapshot.head, snapshot.body) for snapshot in reader.snapshots()]
    return reader.site, reader.uuid, all_rows(reader), dict(reader.marks()), snapshots


@pytest.mark.parametrize("keep", [1, 100, 4_096, 5_000, 8_192])
def test_a_file_that_was_cut_short_is_a_finding_and_not_a_traceback(path: Path, keep: int) -> None:
    path.write_bytes(path.read_bytes()[:keep])
    verdict = verify_url(url_of(path))
    assert not verdict.ok
    assert all(finding.text for finding in verdict.findings)


def test_a_page_of_noise_is_named_by_the_first_row_that_cannot_be_read(path: Path) -> None:
    with closing(open_ledger(url_of(path), SITE)) as ledger:
        ledger.append([entry(text=f"{number:>0300}") for number in range(1, 200)], [])
    data = bytearray(path.read_bytes())
    where = data.index(f"{150:>0300}".encode())
    page = where - where % 4_096
    data[page : page + 4_096] = bytes(range(256)) * 16
    path.write_bytes(data)
    verdict = verify_url(url_of(path))
    first_lost = verdict.rows + 1
    assert 100 < first_lost <= ROWS + 150
    assert [finding.row for finding in verdict.findings if "cannot be read" in finding.text] == [first_lost]
    assert any(finding.row == 0 and "malformed" in finding.text for finding in verdict.findings)


Change = Callable[[Tampered], None]


@pytest.mark.parametrize(
    ("change", "expected", "words"),
    [
        (lambda file: file.write("DELETE FROM row WHERE seq = 4"), [5, 5, 0], "follows row 3"),
        (lambda file: file.write("DELETE FROM row WHERE seq = 1"), [2, 2], "follows row 0"),
        (lambda file: file.write("DELETE FROM row WHERE seq > 4"), [0], "no row has that fact"),
        (lambda file: file.write("UPDATE row SET seq = 9 WHERE seq = 6"), [9], "follows row 5"),
        (lambda file: file.write("UPDATE mark SET seq = 2"), [0], "below its fact 3"),
        (lambda file: file.write("UPDATE mark SET seq = 4"), [0], "no row has that fact"),
        (lambda file: file.write("DELETE FROM mark"), [0], "below its fact 3"),
        (lambda file: file.write("UPDATE mark SET source = 'BP-0002'"), [0, 0], "BP-0002"),
        (lambda file: file.write("UPDATE ledger SET site = 'sands'"), [1], "breaks the chain"),
        (lambda file: file.write("UPDATE ledger SET uuid = 'x'"), [1], "breaks the chain"),
        (lambda file: file.write("UPDATE snapshot SET body = x'00'"), [0], "row 4 is not what was written"),
        (lambda file: file.write("UPDATE snapshot SET head = zeroblob(32)"), [0], "on another chain"),
        (lambda file: file.write("UPDATE snapshot SET seq = 9"), [0], "snapshot of row 9, but no such row"),
    ],
)
def test_what_somebody_changed_behind_the_guards_is_found(
    path: Path, change: Change, expected: Sequence[int], words: str
) -> None:
    with closing(Tampered(path)) as tampered:
        change(tampered)
    verdict = verify_url(url_of(path))
    assert [finding.row for finding in verdict.findings] == expected
    assert words in " / ".join(finding.text for finding in verdict.findings)


def test_rows_put_in_another_order_are_found(path: Path) -> None:
    with closing(Tampered(path)) as tampered:
        tampered.write("UPDATE row SET seq = 100 WHERE seq = 2")
        tampered.write("UPDATE row SET seq = 2 WHERE seq = 4")
        tampered.write("UPDATE row SET seq = 4 WHERE seq = 100")
    assert {2, 4} <= {finding.row for finding in verify_url(url_of(path)).findings}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"{", "is not JSON"),
        (b"[]", "is not a canonical JSON object"),
        (b'{"row": "entry"}', "is not a canonical JSON object"),
        (b'{"row":"entry","a":1}', "is not a canonical JSON object"),
        (canonical({"row": "note"}), "neither a fact nor an entry but 'note'"),
        (canonical({}), "neither a fact nor an entry but None"),
        (canonical({"row": "fact", "source": "BP-0001", "journal": 1}), "a fact without source, journal and seq"),
        (canonical({"row": "fact", "source": "BP-0001", "journal": 1, "seq": True}), "a fact without"),
        (fact("BP-0001", 1, 1), "is fact 1 of BP-0001, journal 1, after 1"),
        (entry({"pool:a": 5, "house:a": -4}), "does not balance: its postings sum to 1 atoms"),
        (entry({"pool:a": -5, "house:a": 5}), "takes pool:a below zero, to -5 atoms"),
        (entry({"reserve:a": -5, "house:a": 5}), "takes reserve:a below zero"),
        (entry({"overflow:a": -5, "house:a": 5}), "takes overflow:a below zero"),
        (prize(1_000_001), "takes pool:stud-main below zero, to -1 atoms"),
        (entry({"pot:a": 5, "house:a": -5}), "a posting that is not an account and an amount"),
        (canonical({"row": "entry", "postings": {}}), "a posting that is not"),
        (canonical({"row": "entry", "postings": [["pool:a", "0"]]}), "a posting that is not"),
        (canonical({"row": "entry", "postings": [{"account": "pool:a"}]}), "a posting that is not"),
        (canonical({"row": "entry", "postings": [{"account": "pool:a", "atoms": 0}]}), "a posting that is not"),
        (canonical({"row": "entry", "postings": [{"account": "pool:a", "atoms": "00"}]}), "a posting that is not"),
        (canonical({"row": "entry", "postings": [{"account": "pool:a", "atoms": "0.0"}]}), "a posting that is not"),
    ],
)
def test_a_row_that_breaks_a_law_is_found_though_its_hash_is_right(memory: Ledger, body: bytes, words: str) -> None:
    append_said(memory, [1])
    memory.append([body, entry()], [])
    verdict = verify(memory)
    assert [finding.row for finding in verdict.findings] == [3]
    assert words in verdict.findings[0].text
    assert verify(memory, balances=False).ok


def test_a_pool_may_go_through_zero_inside_an_entry_but_not_after_it(memory: Ledger) -> None:
    moved = [
        {"account": "pool:a", "atoms": "-5"},
        {"account": "house:a", "atoms": "0"},
        {"account": "pool:a", "atoms": "5"},
    ]
    memory.append([canonical({"row": "entry", "postings": moved})], [])
    verdict = verify(memory)
    assert (verdict.ok, verdict.balances) == (True, {"pool:a": 0, "house:a": 0})


def test_house_wagers_and_prizes_may_be_below_zero(memory: Ledger) -> None:
    memory.append([entry({"house:a": -3, "wagers:a": -2, "prizes:a": -1, "pool:a": 6})], [])
    assert verify(memory).ok


def test_balances_are_exact_beyond_64_bits(memory: Ledger) -> None:
    memory.append([bet(10**19)] * 5, [])
    assert verify(memory).balances["pool:stud-main"] == 5 * 10**19


def test_findings_beyond_reading_end_the_verification(memory: Ledger) -> None:
    memory.append([b"{"] * (MAX_FINDINGS * 2), [])
    verdict = verify(memory)
    assert len(verdict.findings) == MAX_FINDINGS + 1
    assert "the rest is not checked" in verdict.findings[-1].text


def test_progress_is_told_with_the_rows_in_all(memory: Ledger) -> None:
    for _ in range(5):
        memory.append([bet(1)] * (PROGRESS_ROWS // 2), [])
    told: list[tuple[int, int]] = []
    verify(memory, balances=False, progress=lambda done, total: told.append((done, total)))
    assert told == [(PROGRESS_ROWS, 25_000), (2 * PROGRESS_ROWS, 25_000)]


class Busy:
    """A reader whose ledger is written between any two of its looks."""

    def __init__(self, ledger: Ledger, reader: LedgerReader) -> None:
        self._ledger = ledger
        self._reader = reader
        self._said = 100

    def __getattr__(self, name: str) -> object:
        self._said += 1
        append_said(self._ledger, [self._said])
        return getattr(self._reader, name)


def test_a_ledger_is_verified_while_its_daemon_writes_it(path: Path) -> None:
    with closing(open_ledger(url_of(path), SITE)) as ledger, closing(read_ledger(url_of(path))) as reader:
        busy: LedgerReader = Busy(ledger, reader)  # type: ignore[assignment]
        verdict = verify(busy)
        assert verdict.ok
        assert ROWS < verdict.rows < ledger.head.seq


class Shortened(MemoryLedger):
    """A ledger whose last rows are not given."""

    def rows(self, after: int = 0, to: int | None = None) -> Iterator[Row]:
        assert to is not None
        return super().rows(after, to - 2)


def test_rows_that_are_not_given_though_the_head_names_them_are_found() -> None:
    ledger = Shortened(SITE, UUID)
    ledger.append([bet(1)] * 5, [])
    assert [(finding.row, finding.text) for finding in verify(ledger).findings] == [
        (4, "is missing: the rows end here and should go on to 5")
    ]


def test_a_ledger_that_is_not_there_is_no_verdict(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="there is no ledger"):
        verify_url(url_of(tmp_path / "ledger.db"))


def test_a_copy_in_a_folder_where_nothing_may_be_written_can_be_verified(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "evidence"
    folder.mkdir()
    shutil.copy(path, folder / "ledger.db")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    assert verify_url(url_of(folder / "ledger.db")).ok
    assert [found.name for found in folder.iterdir()] == ["ledger.db"]


def test_the_head_of_a_verdict_is_the_last_row_checked(memory: Ledger) -> None:
    memory.append([fact("BP-0001", 1, 1)], [Mark("BP-0001", 1, 1)])
    assert verify(memory).head == memory.head
    assert rows_found(memory) == []
