"""An event loop with its own time: it never waits, it jumps to the next timer. No descriptor, no thread.

Laws
1. Time moves only when nothing is left to do at its moment; with no timer either the run is over or stuck: StuckError.
2. What a program would do in a thread is done here, by `work`, when the simulation says so.
3. What fails in a callback fails the run: whoever waits for `broken` is told.
4. Tasks are numbered, and sets of them have the order of their numbers' hashes: no address decides what comes first.
5. Timers of one moment come in the order in which they were set. Handles are lean and their heap holds plain tuples:
   asyncio's own cost a fifth of a run.
"""

from __future__ import annotations

import asyncio
import contextvars
from asyncio import events
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import Context
from heapq import heappop, heappush
from itertools import count
from typing import Any

from jackpotd.daemon.clock import Clock

START_S = 1_000.0
# Far below the millisecond in which everything is measured, far above the rounding of the clock's float.
RESOLUTION_S = 1e-7
_NS_PER_S = 1_000_000_000
_NS_PER_MS = 1_000_000
_MS_PER_S = 1_000


class StuckError(Exception):
    """Nothing is left that could ever happen."""


class NumberedTask(asyncio.Task[Any]):
    """A task whose hash is its number."""

    def __init__(self, coro: Coroutine[Any, Any, Any], number: int, **options: Any) -> None:
        self._number = number
        super().__init__(coro, **options)

    def __hash__(self) -> int:
        return self._number


class Due:
    """What is to be called, once; what asyncio asks of a handle, and no more."""

    __slots__ = ("args", "callback", "context")

    def __init__(self, callback: Callable[..., Any], args: tuple[Any, ...], context: Context | None) -> None:
        self.callback: Callable[..., Any] | None = callback
        self.args = args
        self.context = context

    def cancel(self) -> None:
        """It is not called any more."""
        self.callback = None
        self.args = ()

    def cancelled(self) -> bool:
        """Whether it was called off."""
        return self.callback is None


class ClockLoop(asyncio.BaseEventLoop):
    """The loop. `work` runs what is meant for a thread; by default at once."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = START_S
        self.work: Callable[[Callable[[], Any], asyncio.Future[Any]], None] = fulfil
        self._now: deque[Due] = deque()
        self._later: list[tuple[float, int, Due]] = []
        self._timers = count(1)
        self._numbers = count(1)
        self.set_task_factory(self._numbered)
        self.set_exception_handler(self._failed)
        self.broken: asyncio.Future[None] = self.create_future()

    def time(self) -> float:
        return self.now_s

    def call_soon(  # type: ignore[override]  # typeshed's gives asyncio's own handle
        self, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> Due:
        due = Due(callback, args, context)
        self._now.append(due)
        return due

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> Due:
        due = Due(callback, args, context)
        heappush(self._later, (when, next(self._timers), due))
        return due

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> Due:
        return self.call_at(self.now_s + delay, callback, *args, context=context)

    def _run_once(self) -> None:
        """Everything that is due now; with nothing due, time jumps to the next timer (law 1)."""
        now, later = self._now, self._later
        if not now:
            while later and later[0][2].callback is None:
                heappop(later)
            if not later:
                raise StuckError
            self.now_s = max(self.now_s, later[0][0])
        until_s = self.now_s + RESOLUTION_S
        while later and later[0][0] < until_s:
            now.append(heappop(later)[2])
        for _ in range(len(now)):
            self._call(now.popleft())

    def _call(self, due: Due) -> None:
        if due.callback is None:
            return
        try:
            if due.context is None:
                due.callback(*due.args)
            else:
                due.context.run(due.callback, *due.args)
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException as error:  # noqa: BLE001  # whatever a callback fails with is the run's (law 3)
            self.call_exception_handler({"message": f"in the callback {due.callback!r}", "exception": error})

    def run_in_executor(  # type: ignore[override]  # typeshed's has a type for every argument
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        future = self.create_future()
        self.work(lambda: func(*args), future)
        return future

    def _failed(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if "callback" in context["message"] and error is not None and not self.broken.done():
            self.broken.set_exception(error)

    def _numbered(self, loop: events.AbstractEventLoop, coro: Any, **options: Any) -> NumberedTask:
        return NumberedTask(coro, next(self._numbers), loop=loop, **options)

    def _write_to_self(self) -> None:
        """Nobody sleeps."""


class SimOwner:
    """Stands where a thread stands that owns something: what it would do is done by the loop's `work`."""

    def __init__(self, loop: ClockLoop) -> None:
        self._loop = loop

    def do(self, work: Callable[[], Any]) -> asyncio.Future[Any]:
        """As the thread would."""
        return self._loop.run_in_executor(None, work)

    def close(self) -> None:
        """There is no thread."""


def fulfil(work: Callable[[], Any], future: asyncio.Future[Any]) -> None:
    """Do it now."""
    if future.cancelled():
        return
    try:
        result = work()
    except Exception as error:  # noqa: BLE001  # whatever it is, it is the waiting task's
        future.set_exception(error)
    else:
        future.set_result(result)


class SimClock(Clock):
    """The daemon's clock: the loop's time, and a wall clock that may be set."""

    def __init__(self, loop: ClockLoop, utc_ms: int) -> None:
        self._loop = loop
        self._offset_ns = utc_ms * _NS_PER_MS - self.monotonic_ns()
        super().__init__()

    def jump(self, by_ms: int) -> None:
        """Somebody sets the wall clock."""
        self._offset_ns += by_ms * _NS_PER_MS

    def _wall_ns(self) -> int:
        return self.monotonic_ns() + self._offset_ns

    def _boot_ns(self) -> int:
        return self.monotonic_ns()

    def monotonic_ms(self) -> int:
        return int(self._loop.now_s * _MS_PER_S)

    def monotonic_ns(self) -> int:
        return int(self._loop.now_s * _NS_PER_S)


def run_on_clock(main: Callable[[ClockLoop], Coroutine[Any, Any, None]]) -> None:
    """Run to the end in a context of its own."""
    loop = ClockLoop()
    try:
        events.set_event_loop(loop)
        contextvars.Context().run(loop.run_until_complete, main(loop))
    finally:
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        loop.broken.cancel()
        events.set_event_loop(None)
        loop.close()
