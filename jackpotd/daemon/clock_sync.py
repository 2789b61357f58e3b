"""Whether the machine's clock is synchronised, as far as anything on the machine says so.

Laws
1. The kernel knows, whichever time service tells it: its estimated error stays below 16 s while the service goes on.
2. Where the kernel may not be asked, as under the shipped unit's ProtectClock=yes, the mark of systemd-timesyncd
   counts, which is touched whenever it hears a time server; for as long as the kernel would go on believing it.
3. What nothing vouches for is not synchronised.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from pathlib import Path

TIMESYNCD_MARK = Path("/run/systemd/timesync/synchronized")
# struct timex begins with modes, offset, freq and maxerror (us), a long each, and is shorter than so many longs.
_TIMEX_LONGS, _MAXERROR = 64, 3
# NTP_PHASE_LIMIT of the kernel, which gives up at that error; it adds 500 us every second.
_MAX_ERROR_US = 16_000_000
_ERROR_US_PER_S = 500
BELIEVED_S = _MAX_ERROR_US // _ERROR_US_PER_S
# The mark's time is the wall clock's, taken by another process.
_AHEAD_S = 2


def is_synchronised() -> bool:
    """Ask the kernel, else the mark."""
    return judge(kernel_error_us(), TIMESYNCD_MARK, time.time)


def kernel_error_us() -> int | None:
    """The most that the clock may be wrong, as the kernel reckons; None where it may not be asked."""
    timex = (ctypes.c_long * _TIMEX_LONGS)()  # modes 0: nothing is changed
    return None if ctypes.CDLL(None).adjtimex(timex) < 0 else timex[_MAXERROR]


def judge(error_us: int | None, mark: Path, now_s: Callable[[], float]) -> bool:
    """Whether the clock is synchronised, by the kernel's error or else by the age of the mark."""
    if error_us is not None:
        return error_us < _MAX_ERROR_US
    try:
        age_s = now_s() - mark.stat().st_mtime
    except OSError:
        return False
    return -_AHEAD_S < age_s < BELIEVED_S
