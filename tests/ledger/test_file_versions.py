"""The versions of a ledger's file: the first is used as it is, and becomes the second when something must leave it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jackpotd.ledger import sqlite_file
from jackpotd.ledger.archiving import archive
from jackpotd.ledger.open import open_ledger, read_ledger
from jackpotd.ledger.port import Archived, Ledger, LedgerError
from jackpotd.ledger.sqlite_tables import STATEMENTS
from jackpotd.ledger.verify import verify, verify_url
from tests.ledger.golden.keeping import Golden
from tests.support.archived import Hands, two_days
from tests.support.ledgers import SITE, UUID, all_rows, append_said, entry, fact, url_of
from tests.support.version_1 import make_version_1


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "archive"
    made.mkdir()
    return made


@pytest.fixture
def archived(path: Path, folder: Path) -> Iterator[Ledger]:
    """A ledger whose first day is archived."""
    with closing(open_ledger(url_of(path), SITE, create=UUID)) as ledger:
        two_days(ledger)
        archive(ledger, folder, 2, Hands(ledger))
        yield ledger


def shell(path: Path) -> sqlite3.Connection:
    """Somebody with SQLite's shell: none of our pragmas."""
    return sqlite3.connect(path, isolation_level=None)


def version(path: Path) -> int:
    with closing(shell(path)) as file:
        found: int = file.execute("PRAGMA user_version").fetchone()[0]
        return found


# ---- version 1


def test_the_file_that_the_first_program_made_is_of_version_1_to_the_letter(tmp_path: Path, path: Path) -> None:
    """Else the migration would be tested with files that nobody has."""
    make_version_1(path)
    (tmp_path / "golden").mkdir()
    golden = Golden(1).put(tmp_path / "golden")
    with closing(shell(path)) as made, closing(shell(golden)) as then:
        for asked in ("SELECT name, sql FROM sqlite_master ORDER BY name", "PRAGMA user_version"):
            assert made.execute(asked).fetchall() == then.execute(asked).fetchall()


def test_a_file_of_version_1_is_used_as_it_is_so_that_the_program_before_reads_it_too(path: Path) -> None:
    make_version_1(path)
    with closing(open_ledger(url_of(path), SITE)) as ledger:
        two_days(ledger)
        assert ledger.archives() == []
        with pytest.raises(LedgerError, match="row 1 is in no registered archive"):
            ledger.drop_payloads([1])
    with closing(open_ledger(url_of(path), SITE)) as ledger:
        append_said(ledger, [90])
        assert ledger.checkpoint()
    assert version(path) == 1
    with closing(shell(path)) as file:
        found = {sql for (sql,) in file.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
    assert found == set(STATEMENTS[1])


def test_the_first_archive_makes_it_version_2_with_every_row_as_it_was(path: Path, folder: Path) -> None:
    make_version_1(path)
    with closing(open_ledger(url_of(path), SITE)) as ledger, closing(read_ledger(url_of(path))) as reader:
        two_days(ledger)
        before = all_rows(ledger)
        assert reader.archives() == []
        archive(ledger, folder, None, Hands(ledger))
        assert version(path) == 2
        assert len(ledger.archives()) == 2
        assert reader.archives() == ledger.archives()
        assert ledger.checkpoint()
        append_said(ledger, [90])
        assert verify(ledger).ok
    assert version(path) == 2
    with closing(open_ledger(url_of(path), SITE)) as again, closing(read_ledger(url_of(path), folder)) as filled:
        assert verify(again).ok
        assert list(filled.rows())[: len(before)] == before


def test_a_new_ledger_is_of_version_2(path: Path) -> None:
    open_ledger(url_of(path), SITE, create=UUID).close()
    assert version(path) == 2


def test_a_file_of_a_version_that_is_not_known_is_refused_by_number(path: Path) -> None:
    open_ledger(url_of(path), SITE, create=UUID).close()
    with closing(shell(path)) as file:
        file.execute("PRAGMA user_version=3")
    with pytest.raises(LedgerError, match="is a ledger of version 3; this jackpotd reads 1 to 2"):
        open_ledger(url_of(path), SITE)


@pytest.mark.parametrize("claimed", [1, 2])
def test_a_file_with_the_guards_of_the_other_version_is_refused(path: Path, claimed: int) -> None:
    if claimed == 2:
        make_version_1(path)
    else:
        open_ledger(url_of(path), SITE, create=UUID).close()
    with closing(shell(path)) as file:
        file.execute(f"PRAGMA user_version={claimed}")
    assert "are not as they were made" in verify_url(url_of(path)).findings[0].text


# ---- version 2: of the rows 1 to 22, a closed day, facts are archived; 23 to 44 are the next one, 45 and on the last


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE row SET body = x'7b7d' WHERE seq = 2",
        "UPDATE row SET body = x'' WHERE seq = 2",
        "UPDATE row SET body = x'' WHERE seq = 22",
        "UPDATE row SET body = x'' WHERE seq = 23",
        "UPDATE row SET body = x'', hash = zeroblob(32) WHERE seq = 11",
        "UPDATE row SET body = x'', seq = 900 WHERE seq = 11",
        "UPDATE row SET body = x'7b7d' WHERE seq = 1",
        "UPDATE row SET body = x'' WHERE seq = 1",
        "UPDATE OR REPLACE row SET body = x'00' WHERE seq = 11",
        "DELETE FROM row WHERE seq = 1",
        "INSERT OR REPLACE INTO row VALUES (1, zeroblob(32), x'7b7d')",
        "INSERT INTO row SELECT max(seq) + 1, zeroblob(32), x'' FROM row",
        "UPDATE archive SET last = 40",
        "DELETE FROM archive",
        "INSERT OR REPLACE INTO archive SELECT entry, 1, 40, closed FROM archive",
        "INSERT INTO archive SELECT entry + 1, 23, 40, 44 FROM archive",
        "INSERT INTO archive SELECT NULL, first, last, closed FROM archive",
    ],
)
def test_whoever_holds_the_file_can_only_empty_a_fact_that_an_archive_has(
    archived: Ledger, path: Path, statement: str
) -> None:
    rows = all_rows(archived)
    assert rows[0].body == b""
    assert b'"row":"fact"' in rows[10].body  # the newest of its journal
    assert b"day_closed" in rows[21].body
    assert b"day_closed" in rows[43].body
    with closing(shell(path)) as file, pytest.raises(sqlite3.IntegrityError):
        file.execute(statement)
    assert all_rows(archived) == rows
    append_said(archived, [90])
    assert verify(archived).ok


def registering(**changes: object) -> bytes:
    """The entry of an archive of the second day, with changes."""
    said: dict[str, object] = {"kind": "facts_archived", "first": 23, "last": 44, "closed": 44}
    return entry(None, **said | changes)


@pytest.mark.parametrize(
    ("said", "names"),
    [
        (registering(kind="table_closed"), (23, 44, 44)),
        (
            fact("operator/root", 0, 9, what={"kind": "facts_archived", "first": 23, "last": 44, "closed": 44}),
            (23, 44, 44),
        ),
        (registering(first=24), (23, 44, 44)),
        (registering(last=43), (23, 44, 44)),
        (registering(closed=43), (23, 44, 44)),
        (registering(closed=43, last=43), (23, 43, 43)),  # row 43 closes no day
        (registering(first=22), (22, 44, 44)),  # row 22 is another archive's
        (registering(last=45), (23, 45, 44)),  # row 45 is of the day that runs
        (registering(first=45, last=44), (45, 44, 44)),
    ],
)
def test_an_archive_is_registered_only_as_the_chain_says_and_up_to_the_end_of_a_closed_day(
    archived: Ledger, path: Path, said: bytes, names: tuple[int, int, int]
) -> None:
    with pytest.raises(LedgerError, match="an archive is registered by the chain"):
        archived.append([said], [], [Archived(1, *names)])
    archived.close()
    with closing(open_ledger(url_of(path), SITE)) as again:
        assert len(again.archives()) == 1
        again.append([registering()], [], [Archived(1, 23, 44, 44)])
        assert again.archives()[1] == Archived(again.head.seq, 23, 44, 44)


def test_only_facts_of_registered_archives_may_be_emptied(archived: Ledger) -> None:
    rows = all_rows(archived)
    for seq, words in ((22, "row 22 is no fact"), (23, "row 23 is in no registered archive")):
        with pytest.raises(LedgerError, match=words) as refusal:
            archived.drop_payloads([1, seq])
        assert refusal.value.kind == "unfit"
    archived.drop_payloads([1])
    assert all_rows(archived) == rows
    archived.append([entry()], [])


def test_the_room_that_payloads_leave_is_used_again(path: Path, folder: Path) -> None:
    with closing(open_ledger(url_of(path), SITE, create=UUID)) as ledger:
        for start in range(100, 3_000, 100):
            append_said(ledger, range(start, start + 100))
        ledger.append([entry(kind="day_closed", day=1)], [])
        assert ledger.checkpoint()
        before = path.stat().st_size
        done = archive(ledger, folder, None, Hands(ledger, chunk=500))
        assert ledger.checkpoint()
        free = sqlite_file.free_bytes_of(path)
        assert free > done.payload_bytes // 2
        for start in range(3_000, 3_300, 100):
            append_said(ledger, range(start, start + 100))
        assert ledger.checkpoint()
        assert path.stat().st_size <= before
        assert sqlite_file.free_bytes_of(path) < free
