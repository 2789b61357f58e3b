"""The engine: one commit for all that waits, answers only after it, and an end between two commits."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from jackpotd.core.errors import RuleError
from jackpotd.core.facts import CloseTable, OpenTable
from jackpotd.daemon.engine import settled_future
from jackpotd.ledger.port import LedgerError
from jackpotd.ledger.restore import encode_state, restore
from tests.support.engine_room import BY, VERSION, room

T = TypeVar("T")


def played(story: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(story)


def test_all_that_waits_is_one_commit_and_after_it_first_those_hear_who_said_it() -> None:
    async def story() -> None:
        here = await room()
        for act in (CloseTable(BY, "T01"), OpenTable(BY, "T01"), OpenTable(BY, "T01")):
            here.act(act)
        items = await here.inbox.take(1.0)
        await here.engine.commit(items)
        assert len(here.ledger.appends) == 1
        assert here.told == ["done", "done", "table T01 is open already", f"committed {here.ledger.head.seq}"]
        await here.engine.writer.close()

    played(story())


def test_an_act_that_is_refused_writes_nothing() -> None:
    async def story() -> None:
        here = await room()
        before = here.ledger.head
        await here.engine.commit([here.item(OpenTable(BY, "T01"), BY.name)])
        assert here.ledger.head == before
        assert here.told == ["table T01 is open already"]
        await here.engine.writer.close()

    played(story())


def test_it_ends_after_the_commit_under_way_and_keeps_exactly_that() -> None:
    async def story() -> None:
        here = await room()
        here.ledger.gate.clear()
        here.ledger.waiting.clear()
        async with asyncio.TaskGroup() as group:
            group.create_task(here.engine.run())
            here.act(CloseTable(BY, "T01"))
            await asyncio.to_thread(here.ledger.waiting.wait)
            here.engine.end()
            here.act(OpenTable(BY, "T01"))  # too late: it was never acknowledged
            assert here.told == []
            here.ledger.gate.set()
        assert here.told == ["done", f"committed {here.ledger.head.seq}"]
        await here.engine.snapshot()
        restored = restore(here.ledger, VERSION)
        assert (restored.snapshot_seq, restored.replayed) == (here.ledger.head.seq, 0)
        assert not restored.state.tables["T01"].open
        assert encode_state(restored.state) == encode_state(here.engine.state)
        await here.engine.writer.close()

    played(story())


def test_an_idle_engine_ends_at_once() -> None:
    async def story() -> None:
        here = await room()
        async with asyncio.TaskGroup() as group:
            group.create_task(here.engine.run())
            await asyncio.sleep(0)
            here.engine.end()
        await here.engine.writer.close()

    played(story())


def test_after_a_failed_write_nobody_is_told_that_it_was_done() -> None:
    async def story() -> None:
        here = await room()
        here.ledger.failure = LedgerError("full", "the disk is full")
        here.act(CloseTable(BY, "T01"))
        with pytest.raises(LedgerError, match="the disk is full"):
            await here.engine.run()
        assert here.told == []
        assert here.engine.writing_since_ms is not None, "whoever watches would think that the ledger answers again"
        await here.engine.writer.close()

    played(story())


def test_while_it_waits_for_the_ledger_that_shows_and_afterwards_not() -> None:
    async def story() -> None:
        here = await room()
        here.ledger.gate.clear()
        here.ledger.waiting.clear()
        async with asyncio.TaskGroup() as group:
            group.create_task(here.engine.run())
            here.act(CloseTable(BY, "T01"))
            await asyncio.to_thread(here.ledger.waiting.wait)
            here.seen_writing.append(here.engine.writing_since_ms)
            here.engine.end()
            here.ledger.gate.set()
        before, after = here.seen_writing[-2:]
        assert before is not None
        assert after is None
        await here.engine.writer.close()

    played(story())


def test_whoever_asks_can_wait_for_the_answer() -> None:
    async def story() -> None:
        here = await room()
        future, settled = settled_future(asyncio.get_running_loop())
        refused, refuse = settled_future(asyncio.get_running_loop())
        for act, answer in ((CloseTable(BY, "T01"), settled), (CloseTable(BY, "T01"), refuse)):
            item = here.item(act, BY.name)
            item.settled = answer
            await here.engine.commit([item])
        await future
        with pytest.raises(RuleError, match="closed already"):
            await refused
        await here.engine.writer.close()

    played(story())
