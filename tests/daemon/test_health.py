"""The service manager's side, and the watch over a ledger that does not answer."""

from __future__ import annotations

import asyncio
import os
import socket
import uuid
from collections.abc import Mapping
from pathlib import Path

import pytest

from jackpotd.core.facts import BetsLocked, Fact
from jackpotd.daemon.board import Board
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.health import STALL_MS, LedgerWatch, Watchdog
from jackpotd.daemon.service_manager import ServiceManager
from jackpotd.ledger.memory import MemoryLedger
from jackpotd.ledger.restore import PROGRESS_ROWS, restore
from jackpotd.ledger.rows import encode_row


class Beating:
    """What the watch looks at: an engine that beats, or does not."""

    def __init__(self) -> None:
        self.beats = 0
        self.writing_since_ms: int | None = None


class StillClock(Clock):
    """Stands until it is moved."""

    ms = 10_000

    def monotonic_ms(self) -> int:
        return self.ms


@pytest.mark.parametrize(
    ("environ", "seconds"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "15000000"}, 15.0),
        ({"WATCHDOG_USEC": "15000000", "WATCHDOG_PID": str(os.getpid())}, 15.0),
        ({"WATCHDOG_USEC": "15000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_the_watchdog_is_the_service_managers_to_ask_for(environ: Mapping[str, str], seconds: float | None) -> None:
    assert ServiceManager(environ).watchdog_s == seconds


def test_a_name_in_the_abstract_namespace_is_understood() -> None:
    name = f"jackpotd-test-{uuid.uuid4()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(f"\0{name}")
        ServiceManager({"NOTIFY_SOCKET": f"@{name}"}).say("READY=1", "STATUS=x")
        assert manager.recv(100) == b"READY=1\nSTATUS=x"


def test_a_service_manager_that_is_gone_ends_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    ServiceManager({"NOTIFY_SOCKET": str(tmp_path / "gone")}).say("READY=1")
    assert [record.getMessage() for record in caplog.records] == ["service manager not reached"]


def test_a_service_manager_that_does_not_listen_keeps_nobody_waiting(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        service = ServiceManager({"NOTIFY_SOCKET": str(tmp_path / "notify")})
        while not caplog.records:
            service.say("WATCHDOG=1")


def heard(manager: socket.socket) -> list[bytes]:
    manager.setblocking(False)
    said = []
    while True:
        try:
            said.append(manager.recv(100))
        except BlockingIOError:
            return said


def test_the_watchdog_is_fed_once_for_each_time_the_engine_was_seen_to_come_round(tmp_path: Path) -> None:
    engine = Beating()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        watchdog = Watchdog(ServiceManager({"NOTIFY_SOCKET": str(tmp_path / "notify")}), engine)
        for _ in range(3):
            watchdog.tick()
        assert heard(manager) == []
        for _ in range(3):
            engine.beats += 2
            watchdog.tick()
            watchdog.tick()
        assert heard(manager) == [b"WATCHDOG=1"] * 3


def test_a_start_that_reads_a_long_ledger_asks_for_more_time(tmp_path: Path) -> None:
    ledger = MemoryLedger("lisboa", "5f0c7c9e-0f0c-4a8e-9d2b-3c1f5a7e9b10")
    seqs = range(1, PROGRESS_ROWS + 2)
    said = [Fact("BP-0001", 1, seq, 1, 1, "T01", "panel", "journaled", "", False, BetsLocked()) for seq in seqs]
    ledger.append([encode_row(fact) for fact in said], [])
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        service = ServiceManager({"NOTIFY_SOCKET": str(tmp_path / "notify")})
        restored = restore(ledger, "0.1.0", service.reading)
        assert heard(manager) == [b"EXTEND_TIMEOUT_USEC=60000000\nSTATUS=reading the ledger, row 10000 of 10001"]
    assert restored.replayed == PROGRESS_ROWS + 1


def test_without_a_watchdog_there_is_nothing_to_feed() -> None:
    asyncio.run(Watchdog(ServiceManager({}), Beating()).run())


class Ledgers:
    """A watch over a ledger, and what it did."""

    def __init__(self) -> None:
        self.engine, self.board, self.clock = Beating(), Board(), StillClock()
        self.did: list[str] = []
        self.watch = LedgerWatch(
            self.engine,
            self.board,
            self.clock,
            lambda: self.did.append("pause"),
            lambda: self.did.append("resume"),
        )

    def pass_ms(self, ms: int) -> None:
        self.clock.ms += ms
        self.watch.tick()


def test_a_commit_that_takes_half_a_second_closes_nothing() -> None:
    ledgers = Ledgers()
    ledgers.engine.writing_since_ms = ledgers.clock.ms
    ledgers.pass_ms(STALL_MS)
    assert (ledgers.did, ledgers.board.suspended) == ([], "")


def test_a_longer_one_closes_everything_once_until_it_is_done() -> None:
    ledgers = Ledgers()
    ledgers.engine.writing_since_ms = ledgers.clock.ms
    for _ in range(5):
        ledgers.pass_ms(STALL_MS + 1)
    assert (ledgers.did, ledgers.board.suspended) == (["pause"], "the ledger does not answer")
    ledgers.engine.writing_since_ms = None
    for _ in range(5):
        ledgers.pass_ms(1)
    assert (ledgers.did, ledgers.board.suspended) == (["pause", "resume"], "")


def test_many_quick_commits_one_after_the_other_are_no_stall() -> None:
    ledgers = Ledgers()
    for _ in range(100):
        ledgers.engine.writing_since_ms = ledgers.clock.ms
        ledgers.pass_ms(20)
    assert ledgers.did == []


def test_a_ledger_that_failed_is_never_said_to_answer_again() -> None:
    ledgers = Ledgers()
    ledgers.engine.writing_since_ms = ledgers.clock.ms  # it stays, as the engine leaves it after a failure
    ledgers.pass_ms(STALL_MS + 1)
    ledgers.board.suspend("the ledger cannot be written")
    for _ in range(100):
        ledgers.pass_ms(1_000)
    assert (ledgers.did, ledgers.board.suspended) == (["pause"], "the ledger cannot be written")
