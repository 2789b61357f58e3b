"""Simulated devices live in a thread of their own, so that a test may simply wait.

Laws
1. Everything of a device happens in this thread; a test reaches it through `call` and `enter`.
2. What was entered is left at the end, the last first.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, AbstractContextManager, AsyncExitStack
from types import TracebackType
from typing import Any, Self, TypeVar

# Generous: only a thread that died lets a test wait this long.
ANSWER_LIMIT_S = 30.0
T = TypeVar("T")


class SimThread:
    """An event loop in a thread, from `with` to its end."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="simulated devices", daemon=True)
        self._entered = AsyncExitStack()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._wait(self._entered.aclose())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(ANSWER_LIMIT_S)
            self._loop.close()

    def call(self, act: Callable[[], T]) -> T:
        """What `act` answers, done in the thread."""

        async def acting() -> T:
            return act()

        return self._wait(acting())

    def start(self, act: Callable[[], Coroutine[Any, Any, T]]) -> Future[T]:
        """Begin something that takes its time in the thread."""
        return asyncio.run_coroutine_threadsafe(act(), self._loop)

    def enter(self, port: AbstractContextManager[T] | AbstractAsyncContextManager[T]) -> T:
        """Plug a port in until the end."""

        async def entering() -> T:
            if isinstance(port, AbstractAsyncContextManager):
                return await self._entered.enter_async_context(port)
            return self._entered.enter_context(port)

        return self._wait(entering())

    def _wait(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(ANSWER_LIMIT_S)
