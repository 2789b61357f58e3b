"""Backups: of one moment, whole, verified, and made while the writer goes on."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from jackpotd.ledger.backup import back_up
from jackpotd.ledger.open import open_ledger, read_ledger
from jackpotd.ledger.port import LedgerError
from tests.support import raw_ledger
from tests.support.ledgers import SITE, UUID, all_rows, append_said, url_of


def test_a_backup_is_the_ledger_of_the_moment_it_began_though_the_writer_goes_on(tmp_path: Path) -> None:
    path, copy = tmp_path / "ledger.db", tmp_path / "copy.db"
    with closing(open_ledger(url_of(path), SITE, create=UUID)) as ledger:
        for commit in range(100):
            append_said(ledger, range(commit * 100, commit * 100 + 100))
        at_the_start = ledger.head
        seqs = iter(range(100_000, 1_000_000, 10))

        def write_on(_done: int, _of: int) -> None:
            first = next(seqs)
            append_said(ledger, range(first, first + 10))

        verdict = back_up(path, copy, write_on)
        assert verdict.head == at_the_start
        assert ledger.head.seq > at_the_start.seq, "nothing was written meanwhile"
        with closing(read_ledger(url_of(copy))) as backup:
            assert all_rows(backup) == all_rows(ledger)[: at_the_start.seq]
            assert (backup.site, backup.uuid) == (SITE, UUID)
    assert sorted(tmp_path.glob("copy*")) == [copy]


def test_a_backup_can_be_opened_and_written_on(tmp_path: Path) -> None:
    path, copy = tmp_path / "ledger.db", tmp_path / "copy.db"
    with closing(open_ledger(url_of(path), SITE, create=UUID)) as ledger:
        append_said(ledger, range(1, 10))
    back_up(path, copy)
    with closing(open_ledger(url_of(copy), SITE)) as restored:
        append_said(restored, range(10, 20))
    assert len(raw_ledger.rows(copy)) == len(raw_ledger.rows(path)) + 20


def test_a_backup_overwrites_nothing(tmp_path: Path) -> None:
    path, copy = tmp_path / "ledger.db", tmp_path / "copy.db"
    open_ledger(url_of(path), SITE, create=UUID).close()
    copy.write_text("precious")
    with pytest.raises(LedgerError, match="overwrites nothing"):
        back_up(path, copy)
    assert copy.read_text() == "precious"


def test_a_ledger_that_is_not_in_order_has_no_backup(tmp_path: Path) -> None:
    path, copy = tmp_path / "ledger.db", tmp_path / "copy.db"
    with closing(open_ledger(url_of(path), SITE, create=UUID)) as ledger:
        append_said(ledger, range(1, 10))
    content = path.read_bytes()
    path.write_bytes(content.replace(b'"seq":5,', b'"seq":6,', 1))
    with pytest.raises(LedgerError, match="not in order"):
        back_up(path, copy)
    assert not list(tmp_path.glob("copy*"))


def test_a_backup_that_cannot_be_written_says_where(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    open_ledger(url_of(path), SITE, create=UUID).close()
    with pytest.raises(LedgerError, match=r"no/copy\.db cannot be made: No such file"):
        back_up(path, tmp_path / "no" / "copy.db")
