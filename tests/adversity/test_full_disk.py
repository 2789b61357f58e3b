"""The ledger's disk fills up (ENOSPC, on a small disk) or is read-only: closed in time, nothing is acknowledged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.floor import Floor
from tests.support.plays import JournaledPlay
from tests.support.small_disk import SmallDisk

MIB = 1 << 20


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with SmallDisk(tmp_path / "disk", 48) as small:
        yield small


@pytest.fixture
def play(disk: SmallDisk, floor: Floor) -> JournaledPlay:
    floor.ledger = disk.folder / "ledger.db"
    floor.min_free = "8MiB"
    return JournaledPlay(floor)


def test_below_its_bound_no_bet_is_taken_and_the_round_in_play_ends(play: JournaledPlay, disk: SmallDisk) -> None:
    floor, seen = play.floor, play.floor.seen
    floor.start()
    play.bets()
    play.lock()
    seen.meter(play.pool, play.pencil.bets(2))
    disk.fill(leave_bytes=7 * MIB)
    seen.alarm("storage-ledger")
    play.deal_some()
    play.deal_rest()
    seen.table("T02", phase="dealt")
    play.finish()
    play.prizes()
    seen.meter(play.pool, play.pencil.meter)
    seen.table("T02", phase="open", progressive="closed")
    play.table.wait_shows(True)
    floor.kill()
    floor.start()
    seen.alarm("storage-ledger")
    disk.empty()
    seen.no_alarm("storage-ledger")
    # The hit still holds the table; the disk no more.
    seen.table("T02", why=lambda why: why.startswith("hit "))


def test_full_in_one_stroke_it_stops_in_order_and_the_ballast_lets_the_round_end(
    play: JournaledPlay, disk: SmallDisk
) -> None:
    floor, seen = play.floor, play.floor.seen
    floor.start()
    play.bets()
    play.lock()
    seen.meter(play.pool, play.pencil.bets(2))
    daemon = floor.daemon
    assert daemon is not None
    daemon.freeze()  # faster than any look at the disk
    disk.fill(leave_bytes=0)
    play.deal_some()
    daemon.thaw()
    if daemon.ended() != 1:
        raise AssertionError(floor.said())
    floor.daemon = None
    seen.offline()
    assert f"jackpotd: writing the ledger {floor.ledger} failed: database or disk is full" in floor.said()
    play.table.wait_shows(True)
    floor.start()
    seen.alarm("storage-ledger")
    play.deal_rest()
    seen.table("T02", phase="dealt")
    play.finish()
    play.prizes()
    seen.meter(play.pool, play.pencil.meter)
    disk.empty()
    seen.no_alarm("storage-ledger")


def test_a_disk_that_is_read_only_is_no_start_and_no_event_is_lost_by_it(play: JournaledPlay, disk: SmallDisk) -> None:
    floor, seen = play.floor, play.floor.seen
    floor.start()
    play.bets()
    floor.kill()
    seen.offline()
    disk.may_be_written(yes=False)
    floor.launch()
    daemon = floor.daemon
    assert daemon is not None
    assert daemon.ended() == 1
    floor.daemon = None
    (sentence,) = [line for line in floor.said().splitlines() if line.startswith("jackpotd: ")]
    assert sentence == f"jackpotd: the ledger's lock {floor.ledger}.lock cannot be opened: Read-only file system"
    assert "Traceback" not in floor.said()
    play.table.wait_shows(True)
    play.lock()
    disk.may_be_written(yes=True)
    floor.start()
    seen.meter(play.pool, play.pencil.bets(2))
