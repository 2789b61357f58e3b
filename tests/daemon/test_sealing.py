"""Seals of closed days: of what is committed and nothing else, written beside the loop, alarmed on it."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from jackpotd.commands.verify_package import is_signed
from jackpotd.core.facts import By, CloseDay, CloseTable
from jackpotd.daemon import sealing
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.engine import Engine
from jackpotd.daemon.sealing import Sealing
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.ledger import seals
from jackpotd.ledger.port import Head, LedgerError
from jackpotd.ledger.seals import Seal, read_seals, seals_of
from tests.support.engine_room import BY, Room, room
from tests.support.ledgers import SITE, UUID
from tests.support.until import until

SEED = bytes(range(32))
LOOKS = 5


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealing, "LOOK_S", 0.001)


class Looking:
    """What a sealing asks the engine, counted."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.looks = 0

    def __call__(self) -> tuple[int, Head] | None:
        self.looks += 1
        return self._engine.committed_day()


def sealing_of(ledger: Path, looking: Looking, alarms: ShellAlarms | None = None) -> Sealing:
    clock = Clock()
    return Sealing(ledger, (SITE, UUID), SEED, clock, alarms or ShellAlarms(clock), looking)


async def seen(condition: Callable[[], bool], what: str) -> None:
    """Wait for it beside the loop."""
    await asyncio.to_thread(until, condition, what)


def kept(ledger: Path) -> list[Seal]:
    return read_seals(seals_of(ledger))


async def close_day(here: Room) -> None:
    """The day's end is decided, and waits at the gate to be committed."""
    here.ledger.gate.clear()
    here.ledger.waiting.clear()
    here.act(CloseDay(By("ada", "accounting"), 1))
    await asyncio.to_thread(here.ledger.waiting.wait)


def test_a_day_whose_end_is_being_committed_is_sealed_after_the_commit_with_its_last_row(tmp_path: Path) -> None:
    async def story() -> None:
        here, ledger = await room(), tmp_path / "ledger.db"
        looking = Looking(here.engine)
        async with asyncio.TaskGroup() as group:
            group.create_task(here.engine.run())
            sealer = group.create_task(sealing_of(ledger, looking).run())
            await close_day(here)
            before, asked = here.ledger.head, looking.looks
            assert here.engine.state.day == 2, "the state is ahead of the ledger"
            await seen(lambda: looking.looks >= asked + LOOKS, "some looks at the commit under way")
            assert kept(ledger) == []
            here.ledger.gate.set()
            await seen(lambda: len(kept(ledger)) == 1, "the seal of the day")
            sealer.cancel()
            here.engine.end()
        (seal,) = kept(ledger)
        closed = here.ledger.head
        assert closed.seq > before.seq
        assert (seal.day, seal.seq, seal.hash) == (1, closed.seq, closed.hash.hex())
        await here.engine.writer.close()

    asyncio.run(story())


def test_days_that_are_closed_within_one_look_have_a_seal_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealing, "LOOK_S", 0.2)

    async def story() -> None:
        here, ledger = await room(), tmp_path / "ledger.db"
        looking = Looking(here.engine)
        async with asyncio.TaskGroup() as group:
            group.create_task(here.engine.run())
            sealer = group.create_task(sealing_of(ledger, looking).run())
            await seen(lambda: looking.looks >= 1, "a look at a day that runs")
            for day in (1, 2, 3):
                here.act(CloseDay(By("ada", "accounting"), day))
            await seen(lambda: bool(kept(ledger)) and kept(ledger)[-1].day == 3, "the seals")
            sealer.cancel()
            here.engine.end()
        assert [seal.day for seal in kept(ledger)] == [1, 2, 3]
        head = here.ledger.head
        for seal in kept(ledger):
            assert (seal.seq, seal.hash) == (head.seq, head.hash.hex())
            assert is_signed(bytes.fromhex(seal.key), seal.signed_bytes(), bytes.fromhex(seal.signature))
        await here.engine.writer.close()

    asyncio.run(story())


@pytest.mark.parametrize(("before", "days"), [(1, [1, 2, 3]), (None, [3])], ids=["the first has one", "no key yet"])
def test_at_a_start_days_without_a_seal_are_sealed_from_the_last_seal_on(
    tmp_path: Path, before: int | None, days: list[int]
) -> None:
    async def story() -> None:
        here, ledger = await room(), tmp_path / "ledger.db"
        if before is not None:
            first = seals.sign(SEED, SITE, UUID, before, here.ledger.head, "2026-11-30T06:00:00.000Z")
            seals.keep(seals_of(ledger), first)
        words = [here.item(CloseDay(By("ada", "accounting"), day), "ada") for day in (1, 2, 3)]
        await here.engine.commit(words)
        async with asyncio.TaskGroup() as group:
            sealer = group.create_task(sealing_of(ledger, Looking(here.engine)).run())
            await seen(lambda: bool(kept(ledger)) and kept(ledger)[-1].day == 3, "the seals")
            sealer.cancel()
        assert [seal.day for seal in kept(ledger)] == days
        await here.engine.writer.close()

    asyncio.run(story())


def test_a_commit_that_failed_is_never_sealed(tmp_path: Path) -> None:
    """The state is ahead for good: the ledger has to be opened and read anew."""

    async def story() -> None:
        here, ledger = await room(), tmp_path / "ledger.db"
        here.ledger.failure = LedgerError("full", "the disk is full")
        here.act(CloseDay(By("ada", "accounting"), 1))
        with pytest.raises(LedgerError):
            await here.engine.run()
        looking = Looking(here.engine)
        async with asyncio.TaskGroup() as group:
            sealer = group.create_task(sealing_of(ledger, looking).run())
            await seen(lambda: looking.looks >= LOOKS, "some looks")
            sealer.cancel()
        assert kept(ledger) == []
        await here.engine.writer.close()

    asyncio.run(story())


def test_what_prevents_a_seal_is_an_alarm_that_is_raised_and_cleared_on_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alarms are said on MQTT by whoever listens, which only the loop may do; the disk is waited for elsewhere."""

    async def story() -> None:
        here, folder = await room(), tmp_path / "gone"
        ledger, alarms = folder / "ledger.db", ShellAlarms(here.engine.clock)
        told: list[int] = []
        wrote: list[int] = []
        alarms.listeners.append(lambda: told.append(threading.get_ident()))
        keep = seals.keep

        def watched(path: Path, seal: Seal) -> None:
            wrote.append(threading.get_ident())
            keep(path, seal)

        monkeypatch.setattr(seals, "keep", watched)
        here.act(CloseDay(By("ada", "accounting"), 1))
        looking = Looking(here.engine)
        async with asyncio.TaskGroup() as group:
            group.create_task(here.engine.run())
            sealer = group.create_task(sealing_of(ledger, looking, alarms).run())
            await seen(lambda: "seal-ledger" in alarms.active, "the alarm")
            assert alarms.active["seal-ledger"].text.startswith("day 1 cannot be sealed: ")
            folder.mkdir()
            await seen(lambda: "seal-ledger" not in alarms.active, "the end of the alarm")
            sealer.cancel()
            here.engine.end()
        assert [seal.day for seal in kept(ledger)] == [1]
        assert set(told) == {threading.get_ident()}
        assert threading.get_ident() not in wrote
        await here.engine.writer.close()

    asyncio.run(story())


def test_while_a_seal_is_written_commits_go_on_and_it_is_of_the_row_it_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        here, ledger = await room(), tmp_path / "ledger.db"
        slow, begun = threading.Event(), threading.Event()
        keep = seals.keep

        def slowly(path: Path, seal: Seal) -> None:
            begun.set()
            assert slow.wait(40.0)
            keep(path, seal)

        monkeypatch.setattr(seals, "keep", slowly)
        async with asyncio.TaskGroup() as group:
            group.create_task(here.engine.run())
            here.act(CloseDay(By("ada", "accounting"), 1))
            sealer = group.create_task(sealing_of(ledger, Looking(here.engine)).run())
            await asyncio.to_thread(begun.wait)
            closed = here.ledger.head
            here.act(CloseTable(BY, "T01"))
            await seen(lambda: here.ledger.head.seq > closed.seq, "a commit beside the seal")
            slow.set()
            await seen(lambda: len(kept(ledger)) == 1, "the seal")
            sealer.cancel()
            here.engine.end()
        (seal,) = kept(ledger)
        assert (seal.seq, seal.hash) == (closed.seq, closed.hash.hex())
        await here.engine.writer.close()

    asyncio.run(story())


def test_seals_that_cannot_be_read_are_an_alarm_and_nothing_is_written_over_them(tmp_path: Path) -> None:
    async def story() -> None:
        here, ledger = await room(), tmp_path / "ledger.db"
        alarms = ShellAlarms(here.engine.clock)
        shutil.copy(__file__, seals_of(ledger))
        before = seals_of(ledger).read_bytes()
        here.act(CloseDay(By("ada", "accounting"), 1))
        async with asyncio.TaskGroup() as group:
            group.create_task(here.engine.run())
            sealer = group.create_task(sealing_of(ledger, Looking(here.engine), alarms).run())
            await seen(lambda: "seal-ledger" in alarms.active, "the alarm")
            sealer.cancel()
            here.engine.end()
        assert "holds a line that is no seal" in alarms.active["seal-ledger"].text
        assert seals_of(ledger).read_bytes() == before
        await here.engine.writer.close()

    asyncio.run(story())


@pytest.mark.parametrize("seed", [SEED, bytes(range(1, 33))], ids=["its own", "another"])
def test_a_key_other_than_the_newest_seals_is_an_alarm_of_the_start_and_seals_nevertheless(
    tmp_path: Path, seed: bytes
) -> None:
    async def story() -> None:
        here, ledger = await room(), tmp_path / "ledger.db"
        seals.keep(seals_of(ledger), seals.sign(seed, SITE, UUID, 0, here.ledger.head, "2026-11-30T06:00:00.000Z"))
        alarms = ShellAlarms(here.engine.clock)
        here.act(CloseDay(By("ada", "accounting"), 1))
        async with asyncio.TaskGroup() as group:
            group.create_task(here.engine.run())
            sealer = group.create_task(sealing_of(ledger, Looking(here.engine), alarms).run())
            await seen(lambda: len(kept(ledger)) == 2, "the seal of the day")
            sealer.cancel()
            here.engine.end()
        if seed == SEED:
            assert not alarms.active
        else:
            text = alarms.active["seal_key-ledger"].text
            assert seals.public_key(SEED) in text
            assert f"day 0 was sealed with {seals.public_key(seed)}" in text
        assert kept(ledger)[-1].key == seals.public_key(SEED)
        await here.engine.writer.close()

    asyncio.run(story())
