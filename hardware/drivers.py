"""Drivers by name: ours, and a vendor's own by the entry point group `jackpotd.drivers`.

Laws
1. A name of ours always means ours; no installed package can take it over.
2. A plug-in is a class with a `grade`, made with `last` (the last raw report of an earlier run, or None), and is a
   `StreamDriver`. What does not fit is refused when it is looked up, not when its first byte arrives.
3. `table-bus` is polled and has its own master, so it is installed but never found here.
"""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Final, Protocol, cast

from hardware.angel_eye import AngelEye
from hardware.bee_tek import BeeTek
from hardware.reports import Grade, StreamDriver

GROUP: Final = "jackpotd.drivers"
TABLE_BUS: Final = "table-bus"


class DriverError(Exception):
    """A driver that is not installed or does not fit; the text says what is installed."""


class DriverType(Protocol):
    """The class of a driver."""

    grade: Grade

    def __call__(self, last: bytes | None = None) -> StreamDriver:
        """Make a decoder; `last` as in law 2."""
        ...


_OURS: Final[dict[str, DriverType]] = {"angel-eye": AngelEye, "bee-tek": BeeTek}


def installed() -> tuple[str, ...]:
    """Every driver name that a configuration may use, in order."""
    return tuple(sorted({*_OURS, TABLE_BUS, *(entry.name for entry in entry_points(group=GROUP))}))


def find_driver(name: str) -> DriverType:
    """The class of the stream driver `name`; DriverError where there is none, or more than one."""
    if ours := _OURS.get(name):
        return ours
    found = set(entry_points(group=GROUP, name=name))
    if name == TABLE_BUS or len(found) != 1:
        why = "is installed by more than one package" if len(found) > 1 else "is no installed stream driver"
        raise DriverError(f"{name!r} {why}; installed: {', '.join(installed())}")
    return _load(found.pop())


def _load(entry: EntryPoint) -> DriverType:
    """The class behind an entry point. Whatever its import raises is the plug-in's fault and is told as such."""
    try:
        loaded = entry.load()
    except Exception as error:
        raise DriverError(f"driver {entry.name!r} ({entry.value}) does not load: {error}") from error
    missing = [part for part in ("feed", "reopened") if not callable(getattr(loaded, part, None))]
    if missing or not isinstance(getattr(loaded, "grade", None), Grade):
        needs = "it needs grade, feed and reopened"
        raise DriverError(f"driver {entry.name!r} ({entry.value}) is no stream driver: {needs}")
    return cast("DriverType", loaded)
