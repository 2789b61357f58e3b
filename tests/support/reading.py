"""Reading a link in tests."""

from __future__ import annotations

import asyncio

from hardware.links import Link

_PATIENCE_S = 20.0  # only ends a test that would hang


async def read_exactly(link: Link, count: int) -> bytes:
    """The next `count` bytes; AssertionError when more come with them."""
    got = bytearray()
    async with asyncio.timeout(_PATIENCE_S):
        while len(got) < count:
            got += await link.read()
    assert len(got) == count
    return bytes(got)
