"""A reader that is woken because something is to be said: it loses no byte and hears of every end."""

from __future__ import annotations

import asyncio
import os
import tty
from collections.abc import Iterator

import pytest

from hardware.links import Link, LinkError, SerialSettings, open_link

SETTINGS = SerialSettings(9600)


@pytest.fixture
def terminal() -> Iterator[tuple[int, str]]:
    """A pseudo-terminal: the device's descriptor, and the path to open."""
    master, slave = os.openpty()
    tty.setraw(slave)
    yield master, os.ttyname(slave)
    os.close(slave)
    os.close(master)


async def waiting(link: Link) -> asyncio.Task[bytes]:
    """A reader that has begun to wait."""
    reading = asyncio.create_task(link.read_unless_woken())
    await asyncio.sleep(0)
    return reading


def test_a_reader_who_is_woken_goes_on_without_bytes(terminal: tuple[int, str]) -> None:
    async def check() -> None:
        link = await open_link(terminal[1], SETTINGS)
        reading = await waiting(link)
        link.wake()
        assert await reading == b""
        link.close()

    asyncio.run(check())


def test_who_was_woken_before_he_came_goes_on_once(terminal: tuple[int, str]) -> None:
    async def check() -> None:
        link = await open_link(terminal[1], SETTINGS)
        link.wake()
        link.wake()
        assert await link.read_unless_woken() == b""
        reading = await waiting(link)
        assert not reading.done()
        os.write(terminal[0], b"card")
        assert await reading == b"card"
        link.close()

    asyncio.run(check())


def test_bytes_that_came_before_the_waking_are_given_with_it(terminal: tuple[int, str]) -> None:
    async def check() -> None:
        link = await open_link(terminal[1], SETTINGS)
        reading = await waiting(link)
        os.write(terminal[0], b"card")
        link._readable()  # the loop found them, and in the same turn the reader is woken
        link.wake()
        assert await reading == b"card"
        link.close()

    asyncio.run(check())


def test_bytes_that_come_after_the_waking_are_there_the_next_time(terminal: tuple[int, str]) -> None:
    async def check() -> None:
        link = await open_link(terminal[1], SETTINGS)
        reading = await waiting(link)
        link.wake()
        os.write(terminal[0], b"card")
        assert await reading == b""
        assert await link.read_unless_woken() == b"card"
        link.close()

    asyncio.run(check())


def test_a_link_that_breaks_is_told_to_the_reader_whether_woken_or_not(terminal: tuple[int, str]) -> None:
    async def check() -> None:
        link = await open_link(terminal[1], SETTINGS)
        reading = await waiting(link)
        link.close()
        assert await reading == b""
        link.wake()
        with pytest.raises(LinkError, match="closed by this side"):
            await link.read_unless_woken()

    asyncio.run(check())
