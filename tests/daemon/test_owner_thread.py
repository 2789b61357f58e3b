"""The thread that owns the ledger: in order, whoever waits, and an error is for who waits."""

from __future__ import annotations

import asyncio
from threading import Event

import pytest

from jackpotd.daemon.owner_thread import OwnerThread


def test_work_is_done_in_order_also_when_nobody_waits_for_it_any_more() -> None:
    async def story() -> None:
        owner, done, gate = OwnerThread("test"), list[int](), Event()
        held = owner.do(gate.wait)
        left = owner.do(lambda: done.append(1))
        kept = owner.do(lambda: done.append(2))
        left.cancel()
        gate.set()
        await asyncio.gather(held, kept)
        assert done == [1, 2]
        owner.close()

    asyncio.run(story())


def test_an_error_is_for_who_waits_and_the_next_work_is_done() -> None:
    async def story() -> None:
        owner = OwnerThread("test")

        def fails() -> None:
            raise OSError("the disk is gone")

        with pytest.raises(OSError, match="the disk is gone"):
            await owner.do(fails)
        assert await owner.do(lambda: 7) == 7
        owner.close()

    asyncio.run(story())


def test_closing_waits_for_the_work_that_it_has() -> None:
    async def story() -> None:
        owner, done = OwnerThread("test"), list[int]()
        owner.do(lambda: done.append(1))
        owner.close()
        assert done == [1]

    asyncio.run(story())


def test_a_loop_that_has_ended_meanwhile_is_told_nothing() -> None:
    gate, done = Event(), Event()

    async def leave() -> OwnerThread:
        owner = OwnerThread("test")
        owner.do(gate.wait)
        owner.do(done.set)
        return owner

    owner = asyncio.run(leave())
    gate.set()
    owner.close()
    assert done.is_set()
