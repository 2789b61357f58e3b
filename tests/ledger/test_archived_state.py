"""The state of a ledger whose facts are archived: folded from the first row it is the same, without any archive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from random import Random

import pytest

from jackpotd.core import facts as f
from jackpotd.core.state import State
from jackpotd.ledger.archives import Registration
from jackpotd.ledger.archiving import archive
from jackpotd.ledger.open import open_ledger, read_ledger
from jackpotd.ledger.port import Archived, Head, Ledger, LedgerError
from jackpotd.ledger.restore import encode_state, fold_row, restore
from jackpotd.ledger.rows import decode_row, mark_of
from jackpotd.ledger.snapshots import take_snapshot
from jackpotd.ledger.verify import verify
from tests.ledger.golden.keeping import append
from tests.support.chance import house, step, tell
from tests.support.felt import ROOT, SUPERVISOR, Felt
from tests.support.ledgers import SITE, UUID, url_of

VERSION = "0.1.0"


class House:
    """A house of felt and its ledger; it keeps the ledger as a daemon would."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.felt: Felt = house()
        self.dice = Random(61_2004)
        self.commit()

    def play(self, steps: int) -> None:
        tell(self.felt, [step(self.dice) for _ in range(steps)])
        self.commit()

    def close_day(self) -> None:
        self.felt.act(f.CloseDay(SUPERVISOR, self.felt.state.day))
        self.commit()

    def commit(self) -> None:
        if rows := self.felt.rows[self.ledger.head.seq :]:
            append(self.ledger, rows)

    def register(self, day: int, closed: int, archive: Registration) -> None:
        self.felt.act(f.ArchiveFacts(by=ROOT, day=day, closed=closed, **asdict(archive)))
        rows = self.felt.rows[self.ledger.head.seq :]
        marks = [mark_of(fact) for fact in map(decode_row, rows) if isinstance(fact, f.Fact)]
        self.ledger.append(rows, marks, [Archived(2, archive.first, archive.last, closed)])

    def drop(self, seqs: Sequence[int]) -> None:
        self.ledger.drop_payloads(seqs)

    def after(self, row: int) -> State:
        state = State()
        for body in self.felt.rows[:row]:
            fold_row(state, body)
        return state


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "archive"
    made.mkdir()
    return made


@pytest.fixture
def a_house(path: Path, folder: Path) -> Iterator[House]:
    """Two days are archived, a third runs."""
    with closing(open_ledger(url_of(path), SITE, create=UUID)) as ledger:
        made = House(ledger)
        for _ in range(2):
            made.play(150)
            made.close_day()
        made.play(50)
        done = archive(ledger, folder, None, made)
        assert done.facts > 200
        made.play(50)
        yield made


def test_the_fold_of_all_that_is_left_is_the_state(a_house: House, path: Path, folder: Path) -> None:
    restored = restore(a_house.ledger, VERSION)
    assert restored.snapshot_seq == 0
    assert restored.state == a_house.felt.state
    assert verify(a_house.ledger).ok
    with closing(read_ledger(url_of(path), folder)) as filled:
        assert restore(filled, VERSION).state == a_house.felt.state


def test_from_a_snapshot_of_any_row_it_is_the_same_state(a_house: House) -> None:
    felt, ledger = a_house.felt, a_house.ledger
    hashes = {row.seq: row.hash for row in ledger.rows()}
    first = ledger.archives()[0]
    for seq in (first.first, (first.first + first.last) // 2, first.last - 1, first.last, ledger.head.seq - 1):
        ledger.save_snapshot(take_snapshot(Head(seq, hashes[seq]), VERSION, encode_state(a_house.after(seq))))
        restored = restore(ledger, VERSION)
        assert restored.state == felt.state
        assert restored.snapshot_seq == seq


def test_a_state_between_two_archived_rows_is_told_by_the_archive_alone(
    a_house: House, path: Path, folder: Path
) -> None:
    first, *_, second = a_house.ledger.archives()
    assert restore(a_house.ledger, VERSION, to=first.last).state == a_house.after(first.last)
    middle = (second.first + second.last) // 2
    with pytest.raises(LedgerError, match=rf"after row {middle} is told by the archive .*-{second.last:012}\.jsonl"):
        restore(a_house.ledger, VERSION, to=middle)
    with closing(read_ledger(url_of(path), folder)) as filled:
        assert restore(filled, VERSION, to=middle).state == a_house.after(middle)


def test_a_start_refuses_a_ledger_in_which_another_row_was_emptied(a_house: House, folder: Path) -> None:
    """The memory adapter has no guard, as somebody with every right on the file has none."""
    with closing(open_ledger("memory:", SITE, create=UUID)) as ledger:
        made = House(ledger)
        made.play(100)
        made.close_day()
        archive(ledger, folder, None, made)
        kept = next(row for row in ledger.rows() if row.body and b'"row":"fact"' in row.body)
        ledger.drop_payloads([kept.seq])
        with pytest.raises(LedgerError, match="of which other ones are empty than those whose payloads facts-"):
            restore(ledger, VERSION)
