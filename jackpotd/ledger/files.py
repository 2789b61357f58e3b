"""Opening a file that somebody names: a FIFO would be waited for, a device has no end, so only a file will do."""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path


def open_file(path: Path) -> BufferedReader:
    """A file to read; OSError also, and at once, for what is there and is no file."""
    return open(path, "rb", opener=_opener)  # Path.open has no opener


def _opener(path: str, flags: int) -> int:
    descriptor = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):  # a folder is refused by whoever opens, in the system's words
        return descriptor
    os.close(descriptor)
    raise OSError(errno.EINVAL, "it is no file but a pipe or a device", path)
