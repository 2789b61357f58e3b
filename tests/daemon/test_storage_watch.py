"""The watch over the ledger's disk, on a real small one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jackpotd.daemon.storage import Storage, ballast_of
from tests.support.small_disk import SmallDisk

MIB = 1 << 20
BOUND_BYTES = 4 * MIB
BALLAST_BYTES = MIB


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with SmallDisk(tmp_path / "disk", 16) as small:
        yield small


def storage_on(disk: SmallDisk, *, was_low: bool = False) -> Storage:
    return Storage(disk.folder / "ledger.db", BOUND_BYTES, was_low=was_low)


def test_a_disk_with_room_takes_a_ballast_on_and_has_nothing_to_say(disk: SmallDisk) -> None:
    storage = storage_on(disk)
    assert storage.look() is None
    assert ballast_of(disk.folder / "ledger.db").stat().st_blocks * 512 == BALLAST_BYTES


def test_below_the_bound_it_says_so_once_and_again_when_there_is_more_than_the_bound(disk: SmallDisk) -> None:
    storage = storage_on(disk)
    storage.look()
    disk.fill(leave_bytes=BOUND_BYTES - 4_096)
    said = storage.look()
    assert said is not None
    assert (said.low, said.free_bytes, said.bound_bytes) == (True, BOUND_BYTES - 4_096, BOUND_BYTES)
    assert storage.look() is None
    disk.empty()
    disk.fill(leave_bytes=BOUND_BYTES + 4_096)
    assert storage.look() is None, "a disk at its bound would swing"
    disk.empty()
    said = storage.look()
    assert said is not None
    assert not said.low


def test_a_watch_that_begins_anew_knows_what_was_said_last(disk: SmallDisk) -> None:
    said = storage_on(disk, was_low=True).look()
    assert said is not None
    assert not said.low
    disk.fill(leave_bytes=BOUND_BYTES - 4_096)
    assert storage_on(disk, was_low=True).look() is None


def test_a_full_disk_gets_the_ballast_and_a_disk_with_room_gives_it_back(disk: SmallDisk) -> None:
    storage = storage_on(disk)
    storage.look()
    disk.fill(leave_bytes=0)
    storage.make_room()
    assert disk.free_bytes == BALLAST_BYTES
    disk.fill(leave_bytes=0)
    assert storage.look() is not None
    assert disk.free_bytes == 0, "there was no second ballast"
    disk.empty()
    storage.look()
    assert ballast_of(disk.folder / "ledger.db").exists()


def test_a_ballast_that_the_disk_refuses_is_left_out(
    disk: SmallDisk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    storage = storage_on(disk)
    disk.fill(leave_bytes=BOUND_BYTES + BALLAST_BYTES)
    monkeypatch.setattr(storage, "_ballast_bytes", 8 * BOUND_BYTES)
    monkeypatch.setattr(storage, "_free_bytes", lambda: 64 * BOUND_BYTES)
    assert storage.look() is None
    assert not ballast_of(disk.folder / "ledger.db").exists()
    assert "no ballast could be taken on" in caplog.text
