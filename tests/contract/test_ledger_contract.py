"""What every ledger does, wherever it keeps its rows: one suite for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from jackpotd.ledger.open import open_ledger
from jackpotd.ledger.port import (
    KEPT_SNAPSHOTS,
    MAX_APPEND_ROWS,
    MAX_BODY_BYTES,
    MAX_SNAPSHOT_AGE_ROWS,
    Archived,
    Head,
    Ledger,
    LedgerError,
    Mark,
    Row,
)
from jackpotd.ledger.snapshots import snapshot_due, sound_snapshots, take_snapshot
from jackpotd.ledger.verify import verify
from tests.support.ledgers import SITE, UUID, all_rows, append_said, bet, entry, fact, prize, url_of

GENESIS = sha256(f"{SITE}{UUID}".encode()).digest()


@pytest.fixture(params=["memory", "sqlite"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ledger]:
    url = "memory:" if request.param == "memory" else url_of(tmp_path / "ledger.db")
    opened = open_ledger(url, SITE, create=UUID)
    yield opened
    opened.close()


def test_a_new_ledger_is_empty_and_its_head_is_the_hash_of_site_and_uuid(ledger: Ledger) -> None:
    assert (ledger.site, ledger.uuid) == (SITE, UUID)
    assert ledger.head == Head(0, GENESIS)
    assert all_rows(ledger) == []
    assert ledger.marks() == {}
    assert ledger.snapshots() == []


def test_each_hash_is_the_sha256_of_the_previous_hash_and_the_row(ledger: Ledger) -> None:
    bodies = [fact("BP-0001", 1, 1), bet(7_000_000), bet(1)]
    head = ledger.append(bodies, [Mark("BP-0001", 1, 1)])
    expected = GENESIS
    for seq, (row, body) in enumerate(zip(all_rows(ledger), bodies, strict=True), start=1):
        expected = sha256(expected + body).digest()
        assert row == Row(seq, expected, body)
    assert head == ledger.head == Head(3, expected)


def test_rows_come_back_in_the_order_in_which_they_were_added(ledger: Ledger) -> None:
    for start in range(1, 400, 37):
        append_said(ledger, range(start, start + 37))
    rows = all_rows(ledger)
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    assert [row.body for row in rows[::2]] == [fact("BP-0001", 1, seq) for seq in range(1, 408)]


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 128, 129, 1_024])
def test_an_append_of_any_size_is_one_piece_of_the_chain(ledger: Ledger, count: int) -> None:
    ledger.append([bet(number + 1) for number in range(count)], [])
    assert [row.body for row in ledger.rows()] == [bet(number + 1) for number in range(count)]
    assert verify(ledger).ok


def test_rows_are_given_after_one_seq_and_up_to_another(ledger: Ledger) -> None:
    ledger.append([bet(number) for number in range(1, 11)], [])
    assert [row.seq for row in ledger.rows(after=3)] == [4, 5, 6, 7, 8, 9, 10]
    assert [row.seq for row in ledger.rows(after=3, to=6)] == [4, 5, 6]
    assert list(ledger.rows(after=10)) == []
    assert list(ledger.rows(after=0, to=0)) == []


def test_a_fact_whose_archive_is_registered_is_emptied_and_nothing_else(ledger: Ledger) -> None:
    closed = entry(kind="day_closed", day=1)
    registered = entry(kind="facts_archived", first=1, last=5, closed=5)
    append_said(ledger, [1, 2])
    ledger.append([closed], [])
    rows = all_rows(ledger)
    with pytest.raises(LedgerError, match="row 1 is in no registered archive"):
        ledger.drop_payloads([1])
    assert ledger.archives() == []
    ledger.append([bet(1), registered], [], [Archived(2, 1, 5, 5)])
    assert ledger.archives() == [Archived(7, 1, 5, 5)]
    for refused in ([1, 2], [1, 6], [1, 7], [1, 8]):
        with pytest.raises(LedgerError) as refusal:
            ledger.drop_payloads(refused)
        assert refusal.value.kind == "unfit"
    assert all_rows(ledger)[:5] == rows
    ledger.drop_payloads([1])
    ledger.drop_payloads([1, 3])
    emptied = [row._replace(body=b"") if row.seq in (1, 3) else row for row in rows]
    assert all_rows(ledger)[:5] == emptied
    assert [row.seq for row in ledger.rows(2, 4)] == [3, 4]
    append_said(ledger, [3])
    assert ledger.head.seq == 9


def test_no_row_is_added_without_a_body(ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match="a row is empty") as refusal:
        ledger.append([bet(1), b""], [])
    assert refusal.value.kind == "unfit"
    assert all_rows(ledger) == []


def test_a_fact_said_again_is_refused_and_nothing_of_its_append_is_written(ledger: Ledger) -> None:
    append_said(ledger, [1, 2])
    before, marks = all_rows(ledger), ledger.marks()
    for seq in (1, 2):
        with pytest.raises(LedgerError, match="already here") as refusal:
            ledger.append(
                [fact("BP-0002", 1, 9), bet(5), fact("BP-0001", 1, seq)],
                [Mark("BP-0002", 1, 9), Mark("BP-0001", 1, seq)],
            )
        assert refusal.value.kind == "repeat"
        assert (all_rows(ledger), ledger.marks(), ledger.head.seq) == (before, marks, 4)


def test_a_ledger_that_refused_a_repeat_goes_on(ledger: Ledger) -> None:
    append_said(ledger, [1])
    with pytest.raises(LedgerError):
        append_said(ledger, [1])
    append_said(ledger, [2])
    assert ledger.head.seq == 4


def test_a_fact_twice_in_one_append_is_refused(ledger: Ledger) -> None:
    with pytest.raises(LedgerError) as refusal:
        append_said(ledger, [5, 5])
    assert refusal.value.kind == "repeat"
    assert ledger.head.seq == 0


def test_marks_are_kept_for_each_source_and_journal_and_may_skip_numbers(ledger: Ledger) -> None:
    append_said(ledger, [1, 2, 9])
    append_said(ledger, [0, 4], source="BP-0001", journal=2)
    append_said(ledger, [3], source="DK-0001")
    assert ledger.marks() == {("BP-0001", 1): 9, ("BP-0001", 2): 4, ("DK-0001", 1): 3}


@pytest.mark.parametrize("count", [0, MAX_APPEND_ROWS + 1])
def test_an_append_of_no_rows_or_too_many_is_refused(ledger: Ledger, count: int) -> None:
    with pytest.raises(LedgerError, match="rows") as refusal:
        ledger.append([b"{}"] * count, [])
    assert (refusal.value.kind, ledger.head.seq) == ("unfit", 0)


def test_a_row_larger_than_the_bound_is_refused(ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match="larger") as refusal:
        ledger.append([bet(1), b"x" * (MAX_BODY_BYTES + 1)], [])
    assert (refusal.value.kind, ledger.head.seq) == ("unfit", 0)


def test_only_the_newest_snapshots_are_kept_newest_first(ledger: Ledger) -> None:
    taken = []
    for seq in range(1, KEPT_SNAPSHOTS + 3):
        append_said(ledger, [seq])
        taken.append(take_snapshot(ledger.head, "1.0", b"state %d" % seq))
        ledger.save_snapshot(taken[-1])
    assert ledger.snapshots() == taken[: -KEPT_SNAPSHOTS - 1 : -1]


def test_a_snapshot_of_the_same_row_takes_the_place_of_the_former(ledger: Ledger) -> None:
    append_said(ledger, [1])
    ledger.save_snapshot(take_snapshot(ledger.head, "1.0", b"old"))
    ledger.save_snapshot(take_snapshot(ledger.head, "1.1", b"new"))
    assert [snapshot.body for snapshot in ledger.snapshots()] == [b"new"]


def test_a_start_takes_the_newest_sound_snapshot(ledger: Ledger) -> None:
    assert next(sound_snapshots(ledger, "1.0"), None) is None
    ledger.save_snapshot(take_snapshot(ledger.head, "1.0", b"nothing yet"))
    append_said(ledger, [1])
    ledger.save_snapshot(take_snapshot(ledger.head, "1.0", b"one"))
    found = next(sound_snapshots(ledger, "1.0"), None)
    assert found is not None
    assert found.body == b"one"


def test_a_snapshot_of_the_empty_ledger_is_sound_too(ledger: Ledger) -> None:
    ledger.save_snapshot(take_snapshot(ledger.head, "1.0", b"nothing yet"))
    append_said(ledger, [1])
    found = next(sound_snapshots(ledger, "1.0"), None)
    assert found is not None
    assert found.seq == 0


def test_a_snapshot_is_due_long_before_it_is_older_than_a_start_may_replay() -> None:
    assert not snapshot_due(Head(104, bytes(32)), 100)
    assert snapshot_due(Head(100 + MAX_SNAPSHOT_AGE_ROWS // 2, bytes(32)), 100)


@pytest.mark.parametrize("harm", ["body", "state hash", "other chain", "beyond the rows", "other version"])
def test_a_start_falls_to_the_snapshot_before_when_the_newest_does_not_fit(ledger: Ledger, harm: str) -> None:
    append_said(ledger, [1])
    ledger.save_snapshot(take_snapshot(ledger.head, "1.0", b"one"))
    append_said(ledger, [2])
    good = take_snapshot(ledger.head, "1.0", b"two")
    harmed = {
        "body": type(good)(good.seq, good.head, good.state_hash, good.version, b"twn"),
        "state hash": type(good)(good.seq, good.head, bytes(32), good.version, good.body),
        "other chain": take_snapshot(Head(good.seq, bytes(32)), "1.0", b"two"),
        "beyond the rows": take_snapshot(Head(good.seq + 1, good.head), "1.0", b"two"),
        "other version": take_snapshot(ledger.head, "1.1", b"two"),
    }
    ledger.save_snapshot(harmed[harm])
    found = next(sound_snapshots(ledger, "1.0"), None)
    assert found is not None
    assert found.body == b"one"
    assert verify(ledger).ok == (harm == "other version")


def test_a_sound_ledger_verifies_with_its_balances(ledger: Ledger) -> None:
    append_said(ledger, [1, 2, 3])
    ledger.append([prize(5_000_000), entry()], [])
    told: list[tuple[int, int]] = []
    verdict = verify(ledger, progress=lambda done, total: told.append((done, total)))
    assert verdict.ok
    assert (verdict.rows, verdict.head) == (8, ledger.head)
    assert verdict.balances == {
        "wagers:stud-main": -6_000_000,
        "pool:stud-main": 1_000_000,
        "prizes:stud-main": 5_000_000,
    }
    assert told == []


def test_a_checkpoint_changes_no_row(ledger: Ledger) -> None:
    append_said(ledger, [1, 2, 3])
    before = all_rows(ledger)
    assert not ledger.checkpoint_due()
    assert ledger.checkpoint()
    assert all_rows(ledger) == before
    append_said(ledger, [4])
    assert verify(ledger).ok


def test_a_closed_ledger_refuses_everything(ledger: Ledger) -> None:
    ledger.close()
    ledger.close()
    for use in (lambda: append_said(ledger, [1]), ledger.marks, ledger.snapshots, ledger.checkpoint):
        with pytest.raises(LedgerError, match="closed") as refusal:
            use()
        assert refusal.value.kind == "unusable"
    with pytest.raises(LedgerError, match="closed"):
        list(ledger.rows())
