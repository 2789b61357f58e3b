"""Structured concurrency for things that come in pairs: a connection's reader and its talker."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")

# Longer than any part takes to end in order: the publisher's goodbye to a broker that does not answer is the longest.
CANCEL_AGAIN_S = 6.0


async def together(*parts: Coroutine[Any, Any, None], boundary: type[Exception] | tuple[type[Exception], ...]) -> None:
    """Run parts until one ends with an error; an error of the boundary is raised by itself, a bug as it came."""
    try:
        async with asyncio.TaskGroup() as group:
            for part in parts:
                group.create_task(part)
    except BaseExceptionGroup as errors:
        expected, bugs = errors.split(boundary)
        if bugs is not None or expected is None:
            raise
        first: Exception = expected
        while isinstance(first, ExceptionGroup):
            first = first.exceptions[0]
        raise first from None


async def cancellable(work: Coroutine[Any, Any, T]) -> T:
    """Await `work`, whose cancellation may get lost: here it is kept.

    `asyncio.wait_for` of Python 3.11, which aiomqtt uses, forgets one that comes together with what it waits for; a
    group whose tasks fail in that moment, or a connection whose end fails, raises that in its place.
    """
    outcomes = await asyncio.gather(work, return_exceptions=True)
    outcome: T | BaseException = outcomes[0]
    try:
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome
    finally:
        del outcome, outcomes  # an error that is known where it was raised would keep all that it has seen


async def cancel_all(tasks: Iterable[asyncio.Task[Any]], again_s: float = CANCEL_AGAIN_S) -> None:
    """Cancel tasks until they have ended.

    A task whose own children fail in the same moment hears of them and not of its cancellation, and would go on.
    """
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=again_s)
