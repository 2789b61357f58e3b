"""Cancelling what a library waits for."""

from __future__ import annotations

import asyncio

import pytest

from jackpotd.daemon.tasks import cancellable

GENEROUS_S = 20.0


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


def test_what_is_waited_for_is_given_on() -> None:
    async def answer() -> int:
        return 7

    assert asyncio.run(cancellable(answer())) == 7
