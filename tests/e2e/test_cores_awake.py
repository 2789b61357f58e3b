"""`keep_cores_awake`: the kernel lets no core sleep while a table plays, or an alarm says why it cannot be asked."""

from __future__ import annotations

import os
import struct

from jackpotd.daemon.cpu_latency import DEVICE
from tests.support.floor import SITE, Floor
from tests.support.until import until


def bound_us() -> int:
    """The kernel's bound now, which is the smallest that anybody holds."""
    (bound,) = struct.unpack("=i", DEVICE.read_bytes())
    assert isinstance(bound, int)
    return bound


def test_the_cores_are_kept_awake_or_an_alarm_says_why_not(floor: Floor) -> None:
    floor.pool("stud-main")
    floor.claims()
    site = {"id": SITE, "currency": "MOP", "timezone": "Asia/Macau", "require_synchronised_clock": False}
    floor.start(site={**site, "keep_cores_awake": True})
    if os.access(DEVICE, os.R_OK | os.W_OK):
        until(lambda: bound_us() == 0, "a bound of 0 us", lambda: str(bound_us()))
        floor.kill()
        until(lambda: bound_us() != 0, "no bound, once the process is gone", lambda: str(bound_us()))
    else:
        alarm = floor.seen.alarm("cores_asleep-controller")
        assert str(DEVICE) in alarm["text"]
