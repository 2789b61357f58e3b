"""Cancelling what a library waits for."""

from __future__ import annotations

import asyncio

import pytest

from jackpotd.daemon.tasks import cancel_all, cancellable, together

GENEROUS_S = 20.0


class GoneError(Exception):
    """A boundary's."""


@pytest.mark.parametrize("steps", range(6))
def test_a_cancellation_that_comes_together_with_the_result_is_not_lost(steps: int) -> None:
    async def cancelled_after(steps: int) -> bool:
        came = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(cancellable(asyncio.wait_for(came.wait(), GENEROUS_S)))
            await asyncio.sleep(0.01)
            came.set()
            for _ in range(steps):
                await asyncio.sleep(0)
            over = waiting.done() or not waiting.cancel()
        return over or waiting.cancelled()

    assert asyncio.run(cancelled_after(steps))


@pytest.mark.parametrize("steps", range(6))
def test_a_cancellation_that_comes_together_with_an_error_of_a_group_is_not_lost(steps: int) -> None:
    async def fails(start: asyncio.Event) -> None:
        await start.wait()
        raise GoneError

    async def session(start: asyncio.Event) -> None:
        await together(fails(start), boundary=GoneError)

    async def tries_again(start: asyncio.Event) -> None:
        while True:
            try:
                await cancellable(session(start))
            except GoneError:
                start.clear()

    async def ends() -> bool:
        start = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            task = group.create_task(tries_again(start))
            await asyncio.sleep(0.01)
            start.set()
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            _, lost = await asyncio.wait([task], timeout=GENEROUS_S)
            task.cancel()
        return not lost

    assert asyncio.run(ends())


def test_what_is_waited_for_is_given_on() -> None:
    async def answer() -> int:
        return 7

    assert asyncio.run(cancellable(answer())) == 7


def test_a_task_that_hears_of_its_children_instead_of_its_cancellation_is_cancelled_again() -> None:
    async def fails(start: asyncio.Event) -> None:
        await start.wait()
        raise GoneError

    async def stubborn(start: asyncio.Event) -> None:
        while True:
            try:
                await together(fails(start), boundary=GoneError)
            except GoneError:
                start.clear()

    async def ends() -> bool:
        start = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            task = group.create_task(stubborn(start))
            await asyncio.sleep(0.01)
            start.set()
            await asyncio.sleep(0)  # the child has failed, and the group has not heard of it yet
            await cancel_all([task], again_s=0.01)
        return task.cancelled()

    assert asyncio.run(ends())
