"""The watch over the ledger's disk, on a real small one."""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from jackpotd.daemon import storage as watched
from jackpotd.daemon.storage import Storage, ballast_of, watch_storage
from tests.support.small_disk import SmallDisk
from tests.support.until import until

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


def test_a_place_where_no_ballast_can_be_opened_is_left_as_it_is(
    disk: SmallDisk, caplog: pytest.LogCaptureFixture
) -> None:
    """Somebody's link to nowhere stands there: it is not followed, nor taken away by a disk that says no."""
    ballast = ballast_of(disk.folder / "ledger.db")
    ballast.symlink_to(disk.folder / "nowhere")
    assert storage_on(disk).look() is None
    assert "no ballast could be taken on" in caplog.text
    assert ballast.is_symlink()
    assert not (disk.folder / "nowhere").exists()


def test_a_disk_that_neither_takes_a_ballast_nor_gives_its_place_back_ends_nothing(
    disk: SmallDisk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, "posix_fallocate", refuse)
        patch.setattr(Path, "unlink", refuse)
        assert storage_on(disk).look() is None
    assert "no ballast could be taken on" in caplog.text


def test_a_ballast_that_cannot_be_thrown_off_is_only_logged_and_the_disk_is_told_of_as_it_is(
    disk: SmallDisk, caplog: pytest.LogCaptureFixture
) -> None:
    """A folder stands in its place, which no unlink takes away."""
    ballast_of(disk.folder / "ledger.db").mkdir()
    storage = storage_on(disk)
    disk.fill(leave_bytes=0)
    storage.make_room()
    assert "the ballast cannot be thrown off" in caplog.text
    said = storage.look()
    assert said is not None
    assert said.low
    assert ballast_of(disk.folder / "ledger.db").is_dir()


def test_the_watch_goes_on_whatever_the_disk_refuses(
    disk: SmallDisk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(watched, "LOOK_S", 0.001)
    ballast_of(disk.folder / "ledger.db").mkdir()
    said: list[bool] = []

    async def story() -> None:
        watch = watch_storage(disk.folder / "ledger.db", BOUND_BYTES, False, lambda word: said.append(word.low))
        async with asyncio.TaskGroup() as group:
            watching = group.create_task(watch)
            await asyncio.to_thread(disk.fill, 0)
            await asyncio.to_thread(until, lambda: said == [True], "the word that the disk is low")
            refused = "the ballast cannot be thrown off"  # it may be low for some looks before it is full
            await asyncio.to_thread(until, lambda: refused in caplog.text, refused)
            await asyncio.to_thread(disk.empty)
            await asyncio.to_thread(until, lambda: said == [True, False], "the word that it has room again")
            watching.cancel()

    asyncio.run(story())
