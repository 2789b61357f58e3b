"""The kernel's bound on how long a core may take to wake: held while the tables play, and no need."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from jackpotd.daemon import cpu_latency
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.cpu_latency import ANY_SLEEP, HOLD_S, NO_SLEEP, Bound, CpuLatency
from jackpotd.daemon.shell_alarms import ShellAlarms
from tests.simulation.clock_loop import ClockLoop

ALARM = "cores_asleep-controller"


class Device:
    def __init__(self, error: OSError | None = None) -> None:
        self.said: list[bytes] = []
        self.closed = False
        self._error = error

    def write(self, data: bytes, /) -> None:
        self.said.append(data)
        if self._error is not None:
            raise self._error

    def close(self) -> None:
        self.closed = True


def in_virtual_time(play: Callable[[], Awaitable[None]]) -> None:
    loop = ClockLoop()
    try:
        loop.run_until_complete(play())
    finally:
        loop.close()


def test_the_bound_is_held_from_the_first_word_until_some_time_after_the_last() -> None:
    device = Device()
    said, bound = device.said, CpuLatency(lambda: device, ShellAlarms(Clock()))

    async def play() -> None:
        for _ in range(5):
            bound.hold()
            await asyncio.sleep(HOLD_S * 0.9)
            assert said == [NO_SLEEP], "said again, or let go, while the tables play"
        await asyncio.sleep(HOLD_S)
        assert said == [NO_SLEEP, ANY_SLEEP]
        bound.hold()
        bound.close()
        assert device.closed
        await asyncio.sleep(2 * HOLD_S)
        bound.hold()
        assert said == [NO_SLEEP, ANY_SLEEP, NO_SLEEP], "asked after the end"

    in_virtual_time(play)


def test_without_the_right_to_it_an_alarm_says_so_and_nothing_else_happens() -> None:
    def refused() -> Bound:
        raise PermissionError(errno.EACCES, "Permission denied")

    alarms = ShellAlarms(Clock())
    bound = CpuLatency(refused, alarms)
    bound.hold()
    assert "Permission denied" in alarms.active[ALARM].text
    bound.close()


def test_a_device_that_fails_later_is_left_alone() -> None:
    device, alarms = Device(OSError(errno.EIO, "Input/output error")), ShellAlarms(Clock())
    bound = CpuLatency(lambda: device, alarms)

    async def play() -> None:
        bound.hold()
        await asyncio.sleep(3 * HOLD_S)
        bound.hold()

    in_virtual_time(play)
    assert device.said == [NO_SLEEP]
    assert device.closed
    assert ALARM in alarms.active


def test_the_kernel_is_told_microseconds_as_32_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device = tmp_path / "device"
    device.touch()
    monkeypatch.setattr(cpu_latency, "DEVICE", device)
    bound = cpu_latency.open_bound()
    bound.write(NO_SLEEP)
    bound.write(ANY_SLEEP)
    bound.close()
    assert device.read_bytes() == bytes(4) + (2_000_000_000).to_bytes(4, "little")
