"""The files of a capture: parts in one folder, each bounded, the oldest going first.

Laws
1. A part is named `<epoch>-<part>.jsonl`, so that names in order are captures in order; it is never written again.
2. No part grows past its bound by more than what was handed over at once, and no more parts are kept than is said.
3. Only files of such a name are ever removed.
"""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from typing import BinaryIO

MODE = 0o640
_FOLDER_MODE = 0o750
_NAME = re.compile(r"\d{10,20}-\d{6,12}\.jsonl")


def parts_in(folder: Path) -> list[Path]:
    """The parts in a folder, oldest first. OSError where it cannot be read."""
    found = (path for path in folder.iterdir() if _NAME.fullmatch(path.name))
    return sorted(found, key=lambda path: tuple(map(int, path.stem.split("-"))))


class CaptureFiles:
    """Writes one part after the other. Every method may raise OSError and may wait for the disk."""

    def __init__(self, folder: Path, keep: int) -> None:
        """`keep`: how many parts there may be in the folder."""
        self._folder = folder
        self._keep = keep
        self._file: BinaryIO | None = None

    def begin(self, epoch: int, part: int, head: bytes) -> None:
        """End the part that was written, begin another with its first lines, and remove the oldest ones."""
        self.close()
        self._folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
        for old in parts_in(self._folder)[: -(self._keep - 1) or None]:
            old.unlink()
        path = self._folder / f"{epoch:010d}-{part:06d}.jsonl"
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, MODE)
        self._file = os.fdopen(handle, "wb", buffering=0)
        self.write(head)

    def write(self, lines: bytes) -> None:
        """Add lines to the part. OSError: it takes none, as on a full disk, or it was removed, for nobody to read."""
        assert self._file is not None, "no part was begun"
        if not os.fstat(self._file.fileno()).st_nlink:
            raise FileNotFoundError(errno.ENOENT, "the part under way was removed")
        rest = memoryview(lines)
        while rest:
            rest = rest[self._file.write(rest) :]

    def close(self) -> None:
        """End the part."""
        file, self._file = self._file, None
        if file is not None:
            file.close()
