"""What the tests of decoders share: feeding bytes cut anyhow, and counting work without a clock."""

from __future__ import annotations

import pickle
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise
from types import FrameType
from typing import Protocol, TypeVar

from hypothesis import strategies as st

from hardware.reports import Noise, Report, Said, StreamDriver

R = TypeVar("R", bound="Reader")
MEBIBYTE = 1 << 20


def cuts(size: int) -> st.SearchStrategy[list[int]]:
    """Any places to cut `size` bytes at."""
    return st.lists(st.integers(0, size), max_size=12).map(sorted)


def cut(data: bytes, places: Iterable[int]) -> list[bytes]:
    """`data` in pieces."""
    ends = [0, *places, len(data)]
    return [data[start:end] for start, end in pairwise(ends)]


def feed_all(driver: StreamDriver, pieces: Iterable[bytes]) -> tuple[list[Said], Counter[str]]:
    """What a driver said, and the noise it counted by reason."""
    return sort_out(item for piece in pieces for item in driver.feed(piece))


def sort_out(items: Iterable[Said | Noise]) -> tuple[list[Said], Counter[str]]:
    """Reports in order, and noise by reason."""
    said: list[Said] = []
    noise: Counter[str] = Counter()
    for item in items:
        if isinstance(item, Noise):
            noise[item.reason] += item.count
        else:
            said.append(item)
    return said, noise


def whats(items: Iterable[Said | Noise]) -> list[Report]:
    """Only what was said, without bytes and noise."""
    return [item.what for item in items if isinstance(item, Said)]


def calls_made(work: Callable[[], object]) -> int:
    """How many calls, Python's and C's, `work` makes: its cost in steps, the same on every machine."""
    count = 0

    def counted(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


class Reader(Protocol):
    """Whatever takes a line's bytes piece by piece."""

    def feed(self, data: bytes, /) -> object:
        """Take some."""
        ...


def assert_bounded(make: Callable[[], R], unit: bytes) -> R:
    """Twice the noise costs twice the steps, and a mebibyte of it leaves a driver as small as before; returns it."""
    small, large = (unit * (size // len(unit)) for size in (8192, 16384))
    assert calls_made(lambda: make().feed(large)) <= 2.1 * calls_made(lambda: make().feed(small)) + 20
    driver = make()
    driver.feed(unit * (MEBIBYTE // len(unit)))
    assert len(pickle.dumps(driver)) < 1000
    return driver
