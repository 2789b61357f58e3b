"""SQLite's own traps, and what the file and its lock promise."""

from __future__ import annotations

import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from jackpotd.ledger import sqlite_file
from jackpotd.ledger.open import open_ledger, read_ledger
from jackpotd.ledger.port import Ledger, LedgerError, Mark
from jackpotd.ledger.snapshots import take_snapshot
from jackpotd.ledger.sqlite import WAL_BOUND_BYTES, WAL_WORTH_MOVING_BYTES
from jackpotd.ledger.verify import verify, verify_url
from tests.support.ledgers import SITE, UUID, all_rows, append_said, bet, entry, fact, url_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "led ger?#%.db"


@pytest.fixture
def ledger(path: Path) -> Iterator[Ledger]:
    opened = open_ledger(url_of(path), SITE, create=UUID)
    append_said(opened, [1, 2, 3])
    yield opened
    opened.close()


def raw(path: Path) -> sqlite3.Connection:
    """Somebody with SQLite's shell: none of our pragmas."""
    return sqlite3.connect(path, isolation_level=None)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE row SET body = x'7b7d' WHERE seq = 2",
        "UPDATE row SET seq = 9 WHERE seq = 6",
        "UPDATE OR REPLACE row SET seq = 1 WHERE seq = 6",
        "DELETE FROM row WHERE seq = 6",
        "DELETE FROM row",
        "INSERT OR REPLACE INTO row VALUES (2, zeroblob(32), x'7b7d')",
        "REPLACE INTO row VALUES (6, zeroblob(32), x'7b7d')",
        "INSERT INTO row VALUES (8, zeroblob(32), x'7b7d')",
        "INSERT INTO row VALUES (0, zeroblob(32), x'7b7d')",
        "INSERT INTO row VALUES (NULL, zeroblob(32), x'7b7d')",
        "INSERT OR IGNORE INTO row VALUES (3, zeroblob(32), x'7b7d')",
        "INSERT INTO row VALUES (7, zeroblob(31), x'7b7d')",
        "INSERT INTO row VALUES (7, zeroblob(32), 'text')",
        "INSERT INTO row VALUES (2, zeroblob(32), x'7b7d') ON CONFLICT DO UPDATE SET body = x'7b7d'",
        "UPDATE ledger SET site = 'elsewhere'",
        "DELETE FROM ledger",
        "INSERT OR REPLACE INTO ledger VALUES (1, 'elsewhere', 'other')",
        "DELETE FROM mark",
        "UPDATE mark SET seq = 2",
        "UPDATE mark SET journal = 9, seq = 9",
        "INSERT OR REPLACE INTO mark VALUES ('BP-0001', 1, 2)",
    ],
)
def test_whoever_holds_the_file_cannot_change_what_was_written(ledger: Ledger, path: Path, statement: str) -> None:
    rows, marks = all_rows(ledger), ledger.marks()
    with closing(raw(path)) as shell, pytest.raises(sqlite3.IntegrityError):
        shell.execute(statement)
    assert (all_rows(ledger), ledger.marks()) == (rows, marks)
    append_said(ledger, [4])
    assert verify(ledger).ok


def test_a_commit_is_durable_by_the_pragmas_that_say_so(ledger: Ledger, path: Path) -> None:
    with closing(sqlite_file.connect_writer(path)) as connection:
        found = [
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "wal_autocheckpoint", "recursive_triggers", "trusted_schema")
        ]
    assert found == [b"wal", 2, 0, 1, 0]


def test_a_file_that_cannot_be_put_into_its_journal_mode_is_not_opened_for_writing(
    ledger: Ledger, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.close()
    monkeypatch.setattr(sqlite_file, "LOCK_PATIENCE_S", 0.01)
    with closing(raw(path)) as shell:
        shell.execute("PRAGMA journal_mode=DELETE")
        shell.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerError, match=r"^opening the ledger .* failed: database is locked$") as refusal:
            open_ledger(url_of(path), SITE)
    assert refusal.value.kind == "locked"


def test_a_pragma_that_does_not_stick_refuses_the_file(ledger: Ledger, path: Path) -> None:
    with (
        closing(sqlite_file.connect_writer(path)) as connection,
        pytest.raises(LedgerError, match="refuses synchronous=NORMAL: it stays 1") as refusal,
    ):
        sqlite_file._require(connection, path, "synchronous", "NORMAL", 2)
    assert refusal.value.kind == "not_writable"


def test_what_was_committed_is_there_after_opening_again(ledger: Ledger, path: Path) -> None:
    ledger.save_snapshot(take_snapshot(ledger.head, "1.0", b"state"))
    rows, head, marks, snapshots = all_rows(ledger), ledger.head, ledger.marks(), ledger.snapshots()
    ledger.close()
    with closing(open_ledger(url_of(path), SITE, create="another uuid")) as again:
        assert (again.site, again.uuid) == (SITE, UUID)
        assert (all_rows(again), again.head, again.marks(), again.snapshots()) == (rows, head, marks, snapshots)
        with pytest.raises(LedgerError, match="already here"):
            append_said(again, [3])
        append_said(again, [4])
        assert verify(again).ok


def test_a_second_writer_is_refused_in_one_sentence_and_the_first_goes_on(ledger: Ledger, path: Path) -> None:
    with pytest.raises(LedgerError, match=r"^the ledger .* is in use by another process$") as refusal:
        open_ledger(url_of(path), SITE)
    assert refusal.value.kind == "locked"
    append_said(ledger, [4])
    assert verify(ledger).ok


def test_a_writer_that_closed_lets_the_next_one_in(ledger: Ledger, path: Path) -> None:
    ledger.close()
    open_ledger(url_of(path), SITE).close()


def test_a_reader_sees_each_commit_and_cannot_write(ledger: Ledger, path: Path) -> None:
    with closing(read_ledger(url_of(path))) as reader:
        assert all_rows(reader) == all_rows(ledger)
        append_said(ledger, [4])
        assert reader.head == ledger.head
        assert all_rows(reader) == all_rows(ledger)
        assert reader.marks() == ledger.marks()
    with closing(sqlite_file.connect_reader(path)) as connection, pytest.raises(sqlite3.OperationalError):
        connection.execute("INSERT INTO mark VALUES ('x', 1, 1)")


def test_a_reader_half_way_through_does_not_see_rows_twice_or_miss_any(ledger: Ledger, path: Path) -> None:
    for start in range(10, 4_010, 500):
        append_said(ledger, range(start, start + 500))
    with closing(read_ledger(url_of(path))) as reader:
        seen = []
        for row in reader.rows():
            seen.append(row.seq)
            if row.seq == 3_000:
                append_said(ledger, [9_000])
    assert seen == list(range(1, ledger.head.seq + 1))


def test_the_file_and_its_companions_are_for_the_owner_and_the_group_to_read(ledger: Ledger, path: Path) -> None:
    modes = {found.name: stat.S_IMODE(found.stat().st_mode) for found in path.parent.iterdir()}
    assert modes == {path.name + suffix: 0o640 for suffix in ("", "-wal", "-shm", ".lock")}


def test_a_ledger_that_is_not_there_is_made_only_when_asked(path: Path) -> None:
    with pytest.raises(LedgerError, match="there is no ledger at") as refusal:
        open_ledger(url_of(path), SITE)
    assert refusal.value.kind == "missing"
    with pytest.raises(LedgerError, match="there is no ledger at"):
        read_ledger(url_of(path))
    assert list(path.parent.iterdir()) == []


def test_a_ledger_half_made_by_a_power_cut_is_made_anew(path: Path) -> None:
    path.with_name(path.name + ".new").write_bytes(b"half a ledger")
    with closing(open_ledger(url_of(path), SITE, create=UUID)) as ledger:
        append_said(ledger, [1])
        assert verify(ledger).ok
    assert not path.with_name(path.name + ".new").exists()


def test_a_ledger_of_another_site_is_refused(ledger: Ledger, path: Path) -> None:
    ledger.close()
    with pytest.raises(LedgerError, match="is of site 'lisboa', not 'sands'") as refusal:
        open_ledger(url_of(path), "sands")
    assert refusal.value.kind == "other_site"
    open_ledger(url_of(path), SITE).close()


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("PRAGMA application_id=1", "is not a ledger of jackpotd"),
        ("PRAGMA user_version=9", "is a ledger of version 9"),
        ("DROP TRIGGER row_update", "not as they were made"),
        ("CREATE TABLE pool (meter)", "not as they were made"),
        ("CREATE TRIGGER late AFTER INSERT ON row BEGIN DELETE FROM snapshot; END", "not as they were made"),
        ("DROP TRIGGER ledger_delete; DELETE FROM ledger", "not as they were made"),
    ],
)
def test_a_file_that_is_not_a_ledger_as_it_was_made_is_refused(
    ledger: Ledger, path: Path, damage: str, words: str
) -> None:
    ledger.close()
    with closing(raw(path)) as shell:
        shell.executescript(damage)
    uses: list[Callable[[], object]] = [lambda: open_ledger(url_of(path), SITE), lambda: read_ledger(url_of(path))]
    for use in uses:
        with pytest.raises(LedgerError, match=words) as refusal:
            use()
        assert refusal.value.kind == "corrupt"
    verdict = verify_url(url_of(path))
    assert not verdict.ok
    assert words in verdict.findings[0].text


def test_a_ledger_that_does_not_say_whose_it_is_is_refused(ledger: Ledger, path: Path) -> None:
    ledger.close()
    with closing(raw(path)) as shell:
        (guard,) = shell.execute("SELECT sql FROM sqlite_master WHERE name = 'ledger_delete'").fetchone()
        shell.executescript(f"DROP TRIGGER ledger_delete; DELETE FROM ledger; {guard}")
    with pytest.raises(LedgerError, match="does not say whose it is"):
        open_ledger(url_of(path), SITE)
    with pytest.raises(LedgerError, match="does not say whose it is"):
        read_ledger(url_of(path))


@pytest.mark.parametrize("content", [b"", b"not a database, but long enough to look at" * 50])
def test_a_file_of_something_else_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(LedgerError) as refusal:
        open_ledger(url_of(path), SITE, create=UUID)
    assert refusal.value.kind == "corrupt"
    assert path.read_bytes() == content


def test_an_address_that_names_no_ledger_is_refused(tmp_path: Path) -> None:
    for url in ("ledger.db", "sqlite:ledger.db", "sqlite:///ledger.db", "mysql://x", ""):
        with pytest.raises(LedgerError, match="is not the address of a ledger") as refusal:
            open_ledger(url, SITE, create=UUID)
        assert refusal.value.kind == "url"
    with pytest.raises(LedgerError, match="PostgreSQL"):
        open_ledger("postgresql://db/jackpotd", SITE, create=UUID)
    with pytest.raises(LedgerError, match="needs a uuid"):
        open_ledger("memory:", SITE)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match=r"gone/ledger.db.lock cannot be opened: No such file") as refusal:
        open_ledger(url_of(tmp_path / "gone" / "ledger.db"), SITE, create=UUID)
    assert refusal.value.kind == "not_writable"


def test_a_file_name_taken_by_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ledger.db.new").mkdir()
    with pytest.raises(LedgerError, match="cannot be made") as refusal:
        open_ledger(url_of(tmp_path / "ledger.db"), SITE, create=UUID)
    assert refusal.value.kind == "not_writable"


def test_after_a_write_that_failed_nothing_is_tried_again_until_the_ledger_is_opened_anew(
    ledger: Ledger, path: Path
) -> None:
    rows = all_rows(ledger)
    with closing(raw(path)) as shell:
        shell.execute("INSERT INTO row VALUES (7, zeroblob(32), x'7b7d')")  # a stranger's row: ours is in its way
    with pytest.raises(LedgerError, match="rows are only added at the end"):
        append_said(ledger, [4])
    for use in (lambda: append_said(ledger, [5]), ledger.checkpoint, lambda: all_rows(ledger)):
        with pytest.raises(LedgerError, match="must be opened anew") as refusal:
            use()
        assert refusal.value.kind == "unusable"
    ledger.close()
    with closing(open_ledger(url_of(path), SITE)) as again:
        assert all_rows(again)[:6] == rows
        assert again.head.seq == 7
        assert again.marks() == {("BP-0001", 1): 3}
        assert [finding.row for finding in verify(again).findings] == [7, 7]


@pytest.mark.parametrize("ending", ["", "-wal"])
def test_a_commit_into_a_file_that_was_removed_is_none(ledger: Ledger, path: Path, ending: str) -> None:
    path.with_name(path.name + ending).unlink()
    with pytest.raises(LedgerError, match="was removed or exchanged while in use") as refusal:
        append_said(ledger, [4])
    assert refusal.value.kind == "missing"
    with pytest.raises(LedgerError, match="must be opened anew"):
        append_said(ledger, [5])


def test_a_commit_into_a_file_that_another_stands_in_the_place_of_is_none(ledger: Ledger, path: Path) -> None:
    copy = path.with_name("copy.db")
    shutil.copy(path, copy)
    copy.rename(path)
    with pytest.raises(LedgerError, match="was removed or exchanged while in use"):
        append_said(ledger, [4])


def test_no_ledger_is_made_beside_the_log_of_one_that_is_gone(tmp_path: Path) -> None:
    (tmp_path / "ledger.db-wal").write_bytes(b"log")
    with pytest.raises(LedgerError, match="is left of a ledger that is gone") as refusal:
        open_ledger(url_of(tmp_path / "ledger.db"), SITE, create=UUID)
    assert refusal.value.kind == "missing"
    assert not (tmp_path / "ledger.db").exists()


def test_the_log_is_bounded_when_the_owner_makes_checkpoints_when_due(ledger: Ledger, path: Path) -> None:
    log = path.with_name(path.name + "-wal")
    bodies = [entry(text="x" * 30_000) for _ in range(64)]
    largest = checkpoints = 0
    for _ in range(25):
        ledger.append(bodies, [])
        largest = max(largest, log.stat().st_size)
        if ledger.checkpoint_due():
            checkpoints += 1
            assert ledger.checkpoint()
    assert checkpoints >= 2
    assert largest < WAL_BOUND_BYTES + 2 * sum(map(len, bodies))


def test_an_idle_moment_moves_the_log_only_when_it_is_worth_it(ledger: Ledger) -> None:
    assert not ledger.checkpoint_due(idle=True)
    ledger.append([entry(text="x" * WAL_WORTH_MOVING_BYTES)], [])
    assert ledger.checkpoint_due(idle=True)
    assert not ledger.checkpoint_due()
    assert ledger.checkpoint()
    assert not ledger.checkpoint_due(idle=True)


def test_a_checkpoint_says_when_a_reader_kept_it_from_finishing(ledger: Ledger, path: Path) -> None:
    with closing(raw(path)) as shell:
        shell.execute("BEGIN")
        assert shell.execute("SELECT max(seq) FROM row").fetchone() == (6,)
        append_said(ledger, [4])
        assert not ledger.checkpoint()
        append_said(ledger, [5])
        shell.execute("COMMIT")
    assert ledger.checkpoint()
    assert verify(ledger).ok


def test_a_row_is_found_by_anyone_with_a_shell_and_a_hash(ledger: Ledger, path: Path) -> None:
    previous = sha256(f"{SITE}{UUID}".encode()).digest()
    with closing(raw(path)) as shell:
        for row_hash, body in shell.execute("SELECT hash, body FROM row ORDER BY seq"):
            previous = sha256(previous + body).digest()
            assert row_hash == previous


def test_bytes_of_a_fact_and_its_mark_are_committed_together(ledger: Ledger, path: Path) -> None:
    ledger.append([fact("DK-0001", 5, 2**40), bet(1)], [Mark("DK-0001", 5, 2**40)])
    with closing(read_ledger(url_of(path))) as reader:
        assert reader.marks()["DK-0001", 5] == 2**40
        assert all_rows(reader)[-2].body == fact("DK-0001", 5, 2**40)
