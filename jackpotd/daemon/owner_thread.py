"""A thread that owns something (the ledger) and does its work in order; the event loop only waits for the results.

Laws
1. Work is done one piece at a time, in the order in which it was given, whether or not somebody still waits for it.
2. Few hops: a queue there and one call back. An executor's future on the way would cost a commit a tenth of its time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Owner(Protocol):
    """Whoever does work in order."""

    def do(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Have it done; its error is the future's."""
        ...

    def close(self) -> None:
        """Let it end, after the work that it has."""
        ...


class OwnerThread:
    """The thread. Made on the event loop that waits for it."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.get_running_loop()
        self._jobs: SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]] | None] = SimpleQueue()
        # A process that ends without closing it must not wait for it: to what it owns that is a power cut.
        self._thread = Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def do(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Have it done; its error is the future's."""
        future: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put((work, future))
        return future

    def close(self) -> None:
        """Let it end, after the work that it has; waits for that."""
        self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            work, future = job
            try:
                result = work()
            except BaseException as error:  # noqa: BLE001  # whatever it is, it is for who waits
                self._tell(future, future.set_exception, error)
            else:
                self._tell(future, future.set_result, result)

    def _tell(self, future: asyncio.Future[Any], how: Callable[[Any], None], what: object) -> None:
        def tell() -> None:
            if not future.done():  # who waited may have been cancelled
                how(what)

        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(tell)
