"""Root's hands shut no service out: what is made beside a ledger is its owner's, and another's file is named."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from jackpotd.ledger.open import open_ledger
from jackpotd.ledger.port import LedgerError
from tests.support.ledgers import SITE, UUID, append_said, url_of

NOBODY_UID = 65_534
FOLDERS_UID = 65_533


@pytest.fixture
def path() -> Iterator[Path]:
    """A ledger's place in a folder of another user than root, which every user reaches."""
    assert os.geteuid() == 0, "to give files away this test must be root"
    with tempfile.TemporaryDirectory(prefix="jackpotd-") as name:
        os.chown(name, NOBODY_UID, NOBODY_UID)
        yield Path(name) / "ledger.db"


@contextmanager
def as_nobody() -> Iterator[None]:
    os.seteuid(NOBODY_UID)
    try:
        yield
    finally:
        os.seteuid(0)


def owners_of(path: Path) -> dict[str, tuple[int, int]]:
    return {each.name: (each.stat().st_uid, each.stat().st_gid) for each in path.parent.iterdir()}


def test_what_root_makes_belongs_to_the_owner_of_the_folder_and_the_service_goes_on(path: Path) -> None:
    with closing(open_ledger(url_of(path), SITE, create=UUID)) as ledger:
        append_said(ledger, [1])
        assert set(owners_of(path).values()) == {(NOBODY_UID, NOBODY_UID)}
    with as_nobody(), closing(open_ledger(url_of(path), SITE)) as ledger:
        append_said(ledger, [2])


def test_a_lock_that_root_makes_belongs_to_the_owner_of_the_ledger(path: Path) -> None:
    with as_nobody():
        open_ledger(url_of(path), SITE, create=UUID).close()
    path.with_name("ledger.db.lock").unlink()
    os.chown(path.parent, FOLDERS_UID, FOLDERS_UID)
    group = path.stat().st_gid
    open_ledger(url_of(path), SITE).close()
    assert owners_of(path)["ledger.db.lock"] == (NOBODY_UID, group)


@pytest.mark.parametrize("name", ["ledger.db", "ledger.db.lock", "ledger.db-wal"])
def test_a_file_of_another_user_is_named_with_its_owner_and_the_remedy(path: Path, name: str) -> None:
    with as_nobody():
        open_ledger(url_of(path), SITE, create=UUID).close()
    file = path.with_name(name)
    file.touch(0o640)
    os.chown(file, 0, 0)
    with as_nobody(), pytest.raises(LedgerError, match="belongs to root and nobody may not write it") as refused:
        open_ledger(url_of(path), SITE)
    assert refused.value.kind == "not_writable"
    assert str(refused.value).endswith(f"as root: chown nobody {file}")


def test_a_ledger_that_is_only_not_writable_is_not_called_anothers(path: Path) -> None:
    with as_nobody():
        open_ledger(url_of(path), SITE, create=UUID).close()
        path.chmod(0o440)
        with pytest.raises(LedgerError) as refused:
            open_ledger(url_of(path), SITE)
    assert "belongs to" not in str(refused.value)
