"""Archives: facts of closed days leave the ledger, every hash stays, and nothing else can be passed off as archived."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path

import pytest

from jackpotd.ledger import archive_file, archiving
from jackpotd.ledger.archives import Leaving, registration
from jackpotd.ledger.archiving import archive
from jackpotd.ledger.filled import FilledReader
from jackpotd.ledger.open import open_ledger, read_ledger
from jackpotd.ledger.port import Ledger, LedgerError, Mark, Row
from jackpotd.ledger.verify import Verdict, first_break, verify, verify_url
from tests.support.archived import BrokenOffError, Hands, close_day, two_days
from tests.support.ledgers import SITE, UUID, all_rows, append_said, fact, url_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture
def ledger(path: Path) -> Iterator[Ledger]:
    with closing(open_ledger(url_of(path), SITE, create=UUID)) as opened:
        two_days(opened)
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "archive"
    made.mkdir()
    return made


def empty(ledger: Ledger) -> list[int]:
    return [row.seq for row in ledger.rows() if not row.body]


def checked(ledger: Ledger) -> Verdict:
    """Verified in every way that there is; all must agree."""
    verdict = verify(ledger)
    broken = first_break(ledger, ledger.head.seq, lambda *_: None)
    assert (broken is None) == (not any(finding.row for finding in verdict.findings)), (broken, verdict.findings)
    return verdict


def test_facts_of_closed_days_leave_and_the_chain_still_verifies(ledger: Ledger, folder: Path) -> None:
    before = all_rows(ledger)
    done = archive(ledger, folder, None, Hands(ledger))
    after = all_rows(ledger)
    assert [row.hash for row in after[: len(before)]] == [row.hash for row in before]
    gone = empty(ledger)
    assert len(gone) == done.facts > 10
    assert all(json.loads(before[seq - 1].body)["row"] == "fact" for seq in gone)
    assert done.payload_bytes == sum(len(before[seq - 1].body) for seq in gone)
    verdict = checked(ledger)
    assert verdict.ok, verdict.findings
    assert (verdict.archived, verdict.rows) == (len(gone), len(after))
    last_closed = max(row.seq for row in before if b"day_closed" in row.body)
    assert max(gone) < last_closed, "a fact of the day that runs has gone"
    append_said(ledger, [90])
    assert checked(ledger).ok


def test_with_the_archives_every_row_is_proved_and_is_what_it_was(ledger: Ledger, path: Path, folder: Path) -> None:
    before = all_rows(ledger)
    archive(ledger, folder, None, Hands(ledger))
    with closing(read_ledger(url_of(path), folder)) as filled:
        assert list(filled.rows())[: len(before)] == before
        assert list(filled.rows(4, 9)) == before[4:9]
    verdict = verify_url(url_of(path), folder)
    assert verdict.ok, verdict.findings
    assert (verdict.archived, verdict.bound) == (0, 0)
    assert verdict.balances == verify(ledger).balances


def test_rows_whose_hash_the_next_row_does_not_bear_out_are_told_apart(ledger: Ledger, folder: Path) -> None:
    archive(ledger, folder, None, Hands(ledger))
    gone = set(empty(ledger))
    bound = sum(seq + 1 not in gone for seq in gone)
    verdict = verify(ledger)
    assert (verdict.archived, verdict.bound) == (len(gone), bound)


def test_the_newest_of_every_journal_and_the_last_frame_of_every_shoe_stay() -> None:
    leaving = Leaving()
    rows = [
        fact("P", 1, 1),
        fact("P", 2, 1),
        fact("S", 0, 1, grade="sequenced", raw="01"),
        fact("P", 1, 2),
        fact("S", 0, 2, grade="sequenced", raw="02"),
        fact("S", 0, 3, grade="sequenced", raw=""),
        b'{"row":"entry","text":"\\"row\\":\\"fact\\""}',
    ]
    for seq, body in enumerate(rows, start=1):
        leaving.take(seq, body)
    assert leaving.seqs() == [1, 3]


def test_only_days_before_the_one_that_is_named_are_archived(ledger: Ledger, folder: Path) -> None:
    assert archive(ledger, folder, 1, Hands(ledger)).files == []
    (file,) = archive(ledger, folder, 2, Hands(ledger)).files
    assert json.loads((folder / file).read_bytes().splitlines()[0])["day"] == 1
    again = archive(ledger, folder, 2, Hands(ledger))
    assert (again.files, again.facts) == ([], 0)
    (second,) = archive(ledger, folder, None, Hands(ledger)).files
    assert second > file
    assert checked(ledger).ok


def test_archives_of_before_that_are_in_another_folder_are_named(
    ledger: Ledger, path: Path, folder: Path, tmp_path: Path
) -> None:
    first = archive(ledger, folder, 2, Hands(ledger))
    assert first.elsewhere == []
    other = tmp_path / "other"
    other.mkdir()
    second = archive(ledger, other, None, Hands(ledger))
    assert second.elsewhere == first.files
    (other / second.files[0]).rename(folder / second.files[0])
    assert verify_url(url_of(path), folder).ok, "together they prove all"
    assert archive(ledger, other, None, Hands(ledger)).elsewhere == [], "nothing was put there"


def test_a_long_day_goes_into_several_files(ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archiving, "MAX_ARCHIVE_ROWS", 7)
    heard: list[tuple[int, int]] = []
    done = archive(ledger, folder, None, Hands(ledger), lambda *at: heard.append(at))
    assert len(done.files) > 4
    assert sorted(each.name for each in folder.iterdir()) == done.files
    assert heard[-1][0] == heard[-1][1]
    assert checked(ledger).ok
    with closing(FilledReader(ledger, folder)) as filled:
        assert verify(filled).ok


# ---- broken off


@pytest.mark.parametrize("steps", range(12))
def test_wherever_it_breaks_off_the_ledger_verifies_and_goes_on(path: Path, folder: Path, steps: int) -> None:
    with closing(open_ledger(url_of(path), SITE, create=UUID)) as ledger:
        two_days(ledger)
        before = all_rows(ledger)
        hands = Hands(ledger, steps)
        with suppress(BrokenOffError):
            archive(ledger, folder, None, hands)
        verdict = checked(ledger)
        assert verdict.ok, verdict.findings
        with closing(read_ledger(url_of(path), folder)) as filled:
            assert list(filled.rows())[: len(before)] == before
        append_said(ledger, [90])
        archive(ledger, folder, None, Hands(ledger))
        assert archive(ledger, folder, None, Hands(ledger)).facts == 0
        assert len(ledger.archives()) == 2
        assert checked(ledger).ok
        with closing(read_ledger(url_of(path), folder)) as filled:
            assert list(filled.rows())[: len(before)] == before
            assert verify(filled).ok


def test_an_archive_that_is_not_done_goes_on_only_in_the_folder_that_has_its_file(
    ledger: Ledger, folder: Path, tmp_path: Path
) -> None:
    with pytest.raises(BrokenOffError):
        archive(ledger, folder, None, Hands(ledger, 2))
    other = tmp_path / "other"
    other.mkdir()
    with pytest.raises(LedgerError, match=r"other/facts-.*jsonl is not there: name the folder that has it"):
        archive(ledger, other, None, Hands(ledger))
    assert list(other.iterdir()) == []


def test_no_payload_goes_before_its_file_was_read_back(ledger: Ledger, folder: Path) -> None:
    class Careless(Hands):
        def register(self, day: int, closed: int, archive: object) -> None:
            super().register(day, closed, archive)  # type: ignore[arg-type]
            (file,) = folder.iterdir()
            file.write_bytes(file.read_bytes()[:-50])

    with pytest.raises(LedgerError, match="is not the file that the ledger names"):
        archive(ledger, folder, None, Careless(ledger))
    assert empty(ledger) == []


def test_a_folder_that_cannot_be_written_is_named_and_nothing_has_changed(ledger: Ledger, folder: Path) -> None:
    head = ledger.head
    with pytest.raises(LedgerError, match=r"the archive .*missing/facts.* cannot be written: No such file"):
        archive(ledger, folder / "missing", None, Hands(ledger))
    assert (ledger.head, empty(ledger)) == (head, [])


def test_an_archiving_that_a_person_breaks_off_leaves_no_half_file(
    ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken_off(*_: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(archive_file, "_line", broken_off)
    with pytest.raises(KeyboardInterrupt):
        archive(ledger, folder, None, Hands(ledger))
    assert list(folder.iterdir()) == []


# ---- harmed


def harmed(file: Path, change: Callable[[bytes], bytes]) -> None:
    content = file.read_bytes()
    changed = change(content)
    assert changed != content
    file.write_bytes(changed)


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content.replace(b'"seq":11', b'"seq":12', 1),
        lambda content: content[:-1],
        lambda content: content + content.splitlines(keepends=True)[-1],
        lambda content: b"".join(content.splitlines(keepends=True)[:-1]),
        lambda _: b"",
    ],
)
def test_a_harmed_archive_is_named_and_proves_nothing(
    ledger: Ledger, path: Path, folder: Path, change: Callable[[bytes], bytes]
) -> None:
    file, _ = archive(ledger, folder, None, Hands(ledger)).files
    harmed(folder / file, change)
    with pytest.raises(LedgerError, match=f"{file} is not the file that the ledger names"):
        verify_url(url_of(path), folder)
    (folder / file).unlink()
    with pytest.raises(LedgerError, match=f"{file} is not there"):
        verify_url(url_of(path), folder)
    assert verify_url(url_of(path)).ok, "without the archive the ledger still verifies"


def test_an_archive_whose_digest_was_forged_is_found_by_its_lines(ledger: Ledger, folder: Path) -> None:
    """The chain's own digest would not help whoever writes both: every line proves itself, and the row has its hash."""
    file, _ = archive(ledger, folder, None, Hands(ledger)).files
    body = (folder / file).read_bytes()
    said = registration(ledger, ledger.archives()[0])
    assert said.sha256 == sha256(body).hexdigest()
    facts = len(body.splitlines()) - 1
    for change, words in (
        (body.replace(b'"seq":11,', b'"seq":19,', 1), "line 3 of the archive .* does not prove itself"),
        (body.replace(b'"body":{', b'"body" {', 1), "line 2 of the archive .* does not prove itself"),
        (b"".join(body.splitlines(keepends=True)[:-1]), f"has {facts - 1} facts, and its first line says {facts}"),
    ):
        (folder / file).write_bytes(change)
        with pytest.raises(LedgerError, match=words):
            list(archive_file.read(folder / file, sha256(change).hexdigest()))


# ---- passed off as archived


class Forger:
    """Somebody with every right on the file, and no guard in his way."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, sql: str, *values: object) -> None:
        with closing(sqlite3.connect(self._path, isolation_level=None)) as file:
            guards = file.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
            for name, _ in guards:
                file.execute(f"DROP TRIGGER {name}")
            assert file.execute(sql, values).rowcount == 1
            for _, guard in guards:
                file.execute(guard)


def test_an_entry_hidden_as_archived_is_found(ledger: Ledger, path: Path, folder: Path) -> None:
    archive(ledger, folder, None, Hands(ledger))
    hidden = next(row for row in ledger.rows() if b"pool:stud-main" in row.body)
    Forger(path).write("UPDATE row SET body = x'' WHERE seq = ?", hidden.seq)
    assert "of which other ones are empty" in checked(ledger).findings[0].text


def test_an_entry_hidden_behind_a_fact_that_was_put_back_is_found(ledger: Ledger, path: Path, folder: Path) -> None:
    before = all_rows(ledger)
    archive(ledger, folder, None, Hands(ledger))
    hidden = next(row for row in ledger.rows() if b"pool:stud-main" in row.body)
    forger, back = Forger(path), empty(ledger)[0]
    forger.write("UPDATE row SET body = ? WHERE seq = ?", before[back - 1].body, back)
    assert checked(ledger).ok, "a fact that is there again is no harm"
    forger.write("UPDATE row SET body = x'' WHERE seq = ?", hidden.seq)
    assert "of which other ones are empty" in checked(ledger).findings[0].text


def test_a_row_emptied_where_no_archive_is_registered_is_found(ledger: Ledger, path: Path, folder: Path) -> None:
    archive(ledger, folder, None, Hands(ledger))
    last = next(row for row in reversed(all_rows(ledger)) if b'"row":"fact"' in row.body)
    Forger(path).write("UPDATE row SET body = x'' WHERE seq = ?", last.seq)
    found = checked(ledger).findings[0]
    assert (found.row, found.text) == (last.seq, "is empty, and no archive is registered that has it")


def test_an_archive_registered_but_not_by_the_chain_is_found(ledger: Ledger, path: Path, folder: Path) -> None:
    archive(ledger, folder, None, Hands(ledger))
    entry, first, last, _ = ledger.archives()[1]
    Forger(path).write("UPDATE archive SET entry = entry - 1 WHERE entry = ?", entry)
    verdict = verify(ledger)
    assert f"row {entry - 1} does not name the archive of rows {first} to {last}" in verdict.findings[0].text


def test_an_empty_row_of_another_hash_is_found_by_the_next_row(ledger: Ledger, path: Path, folder: Path) -> None:
    archive(ledger, folder, None, Hands(ledger))
    gone = set(empty(ledger))
    bound = next(seq for seq in sorted(gone) if seq + 1 not in gone)
    Forger(path).write("UPDATE row SET hash = zeroblob(32) WHERE seq = ?", bound)
    assert [finding.row for finding in verify(ledger).findings] == [bound + 1]
    assert first_break(ledger, ledger.head.seq, lambda *_: None).row == bound + 1  # type: ignore[union-attr]


def test_a_hash_between_two_empty_rows_is_proved_by_the_archive_alone(ledger: Ledger, path: Path, folder: Path) -> None:
    append_said(ledger, [90, 91])
    ledger.append([fact("P", 1, seq) for seq in (1, 2, 3)], [Mark("P", 1, seq) for seq in (1, 2, 3)])
    close_day(ledger, 3)
    archive(ledger, folder, None, Hands(ledger))
    gone = set(empty(ledger))
    between = next(seq for seq in sorted(gone) if seq + 1 in gone)
    Forger(path).write("UPDATE row SET hash = zeroblob(32) WHERE seq = ?", between)
    assert verify(ledger).ok, "which is why the verdict tells such rows apart"
    found = verify_url(url_of(path), folder).findings[0]
    assert f"the payload of row {between} is not in" in found.text


def test_facts_archived_while_somebody_reads_are_no_finding(ledger: Ledger, folder: Path) -> None:
    class Late:
        """A reader beside whom archiving begins when it has told its archives."""

        def __init__(self) -> None:
            self.archived = False

        def __getattr__(self, name: str) -> object:
            return getattr(ledger, name)

        def rows(self, after: int = 0, to: int | None = None) -> Iterator[Row]:
            if not self.archived:
                self.archived = True
                archive(ledger, folder, None, Hands(ledger))
            return ledger.rows(after, to)

    verdict = verify(Late())  # type: ignore[arg-type]
    assert verdict.archived
    assert verdict.ok, verdict.findings
