"""The recorder and its files: bounded, never waited for, and an alarm where it cannot go on."""

from __future__ import annotations

import asyncio
import json
import shutil
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from jackpotd.core.facts import By, DeviceLost, OpenTable
from jackpotd.daemon import recorder as module
from jackpotd.daemon.capture_files import CaptureFiles, parts_in
from jackpotd.daemon.capture_lines import Header
from jackpotd.daemon.clock import Clock, Instant
from jackpotd.daemon.inbox import Item
from jackpotd.daemon.recorder import Recorder
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.ledger.port import Head

HEADER = Header(start_ms=1_000, epoch=1_796_025_600, monotonic_ms=50, watch=True)
NOW = Instant(2_000, 1_051_000_000)
HEAD = Head(12, b"\xab" * 32)


class Room:
    """A recorder with the files it writes and the alarms it raises."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        clock = Clock()
        self.alarms = ShellAlarms(clock)
        self.recorder = Recorder(clock, self.alarms)
        self.pasts = 0

    def begin(self, part_bytes: int = 1_000_000, keep: int = 3) -> None:
        self.recorder.begin(CaptureFiles(self.folder, keep), part_bytes, HEADER)

    def past(self, now: Instant) -> None:
        self.pasts += 1
        self.recorder.past("T01/shoe", b"half", now, sent=False)

    def lines(self, number: int = -1) -> list[dict[str, object]]:
        return [json.loads(line) for line in parts_in(self.folder)[number].read_text().splitlines()]


def done(tmp_path: Path, story: Callable[[Room], Awaitable[None]]) -> Room:
    here = Room(tmp_path / "captures")

    async def run() -> None:
        await story(here)
        await here.recorder.close()

    asyncio.run(run())
    return here


def test_what_happens_is_written_in_order_into_a_file_of_its_group_alone(tmp_path: Path) -> None:
    async def story(here: Room) -> None:
        here.begin()
        here.recorder.heard("T01/shoe", b"\x05", NOW)
        here.recorder.item(Item("T01", "shoe", DeviceLost("lost"), 2_001, 2_001, 0))
        here.recorder.item(Item("T01", "shoe", DeviceLost("in bytes"), 2_001, 2_001, 0, raw=b"\x05"))
        here.recorder.item(Item("", "", OpenTable(By("ana", "supervisor"), "T01"), 2_002, 2_002, 0, operator="ana"))
        here.recorder.sent("T01/panel", b"\x00", NOW)

    here = done(tmp_path, story)
    assert here.lines()[1:] == [
        {"t": 1.0, "device": "T01/shoe", "dir": "rx", "hex": "05", "skew_ms": 1},
        {"t": 1.001, "device": "T01/shoe", "word": {"kind": "device_lost", "why": "lost"}},
        {"t": 1.002, "operator": "ana", "role": "supervisor", "op": "table.open", "args": {"table": "T01"}},
        {"t": 1.0, "device": "T01/panel", "dir": "tx", "hex": "00", "skew_ms": 1},
    ]
    assert stat.S_IMODE(parts_in(here.folder)[0].stat().st_mode) == 0o640
    assert here.alarms.active == {}


def test_without_a_capture_nothing_is_kept(tmp_path: Path) -> None:
    async def story(here: Room) -> None:
        here.recorder.heard("T01/shoe", b"\x05", NOW)
        here.recorder.device_clock("T01/panel", (1, None, 2), NOW)
        await here.recorder.run(lambda: HEAD, here.past)

    assert not done(tmp_path, story).folder.exists()


def test_a_full_part_is_followed_by_one_that_says_where_it_begins_and_the_oldest_goes(tmp_path: Path) -> None:
    foreign = tmp_path / "captures" / "notes.jsonl"
    foreign.parent.mkdir()
    foreign.write_text("mine")

    async def story(here: Room) -> None:
        here.begin(part_bytes=1)
        for part in range(4):
            here.recorder.heard("T01/shoe", bytes([part]), NOW)
            await here.recorder._write(here.recorder._following(lambda: HEAD), here.past)

    here = done(tmp_path, story)
    assert [path.name for path in parts_in(here.folder)] == [f"1796025600-00000{part}.jsonl" for part in (3, 4, 5)]
    header, past, *_ = here.lines(0)
    assert (header["part"], header["after"], header["head"]) == (3, 12, "ab" * 32)
    assert (past["hex"], past["past"]) == ("68 61 6c 66", True)
    assert foreign.read_text() == "mine"


def test_no_part_begins_while_anything_waits(tmp_path: Path) -> None:
    async def story(here: Room) -> None:
        here.begin(part_bytes=1)
        here.recorder.heard("T01/shoe", b"\x05", NOW)
        await here.recorder._write(here.recorder._following(lambda: None), here.past)

    here = done(tmp_path, story)
    assert len(parts_in(here.folder)) == 1
    assert here.pasts == 0


def test_a_floor_that_never_rests_ends_the_capture_before_the_disk_is_full(tmp_path: Path) -> None:
    async def story(here: Room) -> None:
        here.begin(part_bytes=100)
        for _ in range(20):
            here.recorder.heard("T01/shoe", bytes(50), NOW)
            await here.recorder._write(here.recorder._following(lambda: None), here.past)

    here = done(tmp_path, story)
    assert "never rested" in here.alarms.active["capture_stopped-capture"].text
    assert parts_in(here.folder)[0].stat().st_size < 2_000


def test_a_disk_that_takes_nothing_more_is_an_alarm_and_nobody_else_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: CaptureFiles, lines: bytes) -> None:
        raise OSError(28, "No space left on device")

    async def story(here: Room) -> None:
        here.begin()
        here.recorder.heard("T01/shoe", b"\x05", NOW)
        monkeypatch.setattr(CaptureFiles, "write", full)
        await here.recorder.run(lambda: HEAD, here.past)
        here.recorder.heard("T01/shoe", b"\x05", NOW)

    here = done(tmp_path, story)
    assert "No space left on device" in here.alarms.active["capture_stopped-capture"].text


def test_a_folder_that_is_taken_away_is_an_alarm(tmp_path: Path) -> None:
    """What is written into a removed file is kept nowhere."""

    async def story(here: Room) -> None:
        here.begin()
        shutil.rmtree(here.folder)
        here.recorder.heard("T01/shoe", b"\x05", NOW)
        await here.recorder.run(lambda: HEAD, here.past)

    assert "was removed" in done(tmp_path, story).alarms.active["capture_stopped-capture"].text


def test_a_folder_that_cannot_be_made_is_an_alarm(tmp_path: Path) -> None:
    async def story(here: Room) -> None:
        here.folder.write_text("a file")
        here.begin()
        here.recorder.heard("T01/shoe", b"\x05", NOW)

    assert "capture_stopped-capture" in done(tmp_path, story).alarms.active


def test_a_disk_that_is_too_slow_costs_no_more_memory_than_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_KEPT_BYTES", 1_000)

    async def story(here: Room) -> None:
        here.begin()
        for _ in range(100):
            here.recorder.heard("T01/shoe", bytes(50), NOW)

    here = done(tmp_path, story)
    assert "too slow" in here.alarms.active["capture_stopped-capture"].text
