"""Archiving that is refused, or finds another file in its place: nothing is left behind, nothing is written over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jackpotd.ledger import archiving
from jackpotd.ledger.archives import Registration, registration
from jackpotd.ledger.archiving import archive
from jackpotd.ledger.open import open_ledger
from jackpotd.ledger.port import Ledger, LedgerError
from jackpotd.ledger.verify import verify, verify_url
from tests.support.archived import Hands, two_days
from tests.support.ledgers import SITE, UUID, all_rows, url_of


class Refusing(Hands):
    """A keeper that refuses the second archive; before that it may do something."""

    def __init__(self, ledger: Ledger, kind: str = "unfit", meanwhile: Callable[[], object] = lambda: None) -> None:
        super().__init__(ledger)
        self._kind = kind
        self._meanwhile = meanwhile

    def register(self, day: int, closed: int, archive: Registration) -> None:
        if self.registered == 1:
            self._meanwhile()
            raise LedgerError(self._kind, "no")
        super().register(day, closed, archive)


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


def test_an_archive_of_another_ledger_in_the_folder_is_not_written_over(
    ledger: Ledger, folder: Path, tmp_path: Path
) -> None:
    with closing(open_ledger(url_of(tmp_path / "other.db"), SITE, create="another")) as other:
        two_days(other)
        archive(other, folder, None, Hands(other))
    before = {file: file.read_bytes() for file in folder.iterdir()}
    with pytest.raises(LedgerError, match=r"facts-.*jsonl is there already and is another archive"):
        archive(ledger, folder, None, Hands(ledger))
    assert {file: file.read_bytes() for file in folder.iterdir()} == before
    assert all(row.body for row in all_rows(ledger))
    assert ledger.archives() == []


def test_a_file_of_the_same_content_is_no_hindrance(ledger: Ledger, folder: Path) -> None:
    with pytest.raises(LedgerError, match="no"):
        archive(ledger, folder, None, Refusing(ledger, "unusable"))
    assert len(archive(ledger, folder, None, Hands(ledger)).files) == 1
    assert verify(ledger).ok


def test_an_archive_that_the_chain_does_not_take_leaves_no_file(ledger: Ledger, folder: Path) -> None:
    with pytest.raises(LedgerError, match="no"):
        archive(ledger, folder, None, Refusing(ledger))
    (file,) = folder.iterdir()
    assert file.name == registration(ledger, ledger.archives()[0]).file
    (second,) = archive(ledger, folder, None, Hands(ledger)).files
    assert sorted(folder.iterdir()) == [file, folder / second]


def test_a_file_of_which_nobody_knows_if_the_chain_names_it_stays(ledger: Ledger, folder: Path) -> None:
    with pytest.raises(LedgerError, match="no"):
        archive(ledger, folder, None, Refusing(ledger, "unusable"))
    assert len(list(folder.iterdir())) == 2


def test_a_file_that_was_there_or_that_another_archiving_had_named_meanwhile_stays(
    ledger: Ledger, path: Path, folder: Path
) -> None:
    hands = Hands(ledger)
    with pytest.raises(LedgerError, match="no"):
        archive(ledger, folder, None, Refusing(ledger, meanwhile=lambda: archive(ledger, folder, None, hands)))
    assert hands.registered == 1
    assert verify_url(url_of(path), folder).ok


def test_what_is_not_read_back_as_it_was_written_does_not_stay(
    ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archiving, "_checked", lambda *_: iter(()))
    with pytest.raises(LedgerError, match="was not read back as it was written"):
        archive(ledger, folder, None, Hands(ledger))
    assert list(folder.iterdir()) == []
