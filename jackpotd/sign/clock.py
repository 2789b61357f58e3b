"""The sign's one clock, and waits. Law: it never goes back, counts a suspended machine's sleep, and knows no date."""

from __future__ import annotations

import asyncio
import time

_NS_PER_MS = 1_000_000


def monotonic_ms() -> int:
    """Milliseconds since the machine started."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // _NS_PER_MS


async def wait(event: asyncio.Event, timeout_s: float) -> bool:
    """Whether the event comes within `timeout_s`."""
    try:
        async with asyncio.timeout(timeout_s):
            return await event.wait()
    except TimeoutError:
        return False
