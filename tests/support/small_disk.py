"""A small disk: a tmpfs mounted for a test and taken away with it.

Law: mounting takes root, or sudo without a question; without either the test says so and fails.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

_AS_ROOT = [] if os.geteuid() == 0 else ["sudo", "-n"]


class SmallDisk:
    """A disk of `mib` MiB at `folder`, as long as the context lasts."""

    def __init__(self, folder: Path, mib: int) -> None:
        self.folder = folder
        self._mib = mib

    def __enter__(self) -> Self:
        self.folder.mkdir()
        options = f"size={self._mib}m,uid={os.getuid()},mode=0755"
        mount = [*_AS_ROOT, "mount", "-t", "tmpfs", "-o", options, "jackpotd-small-disk", str(self.folder)]
        done = subprocess.run(mount, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"a small disk takes root, or sudo without a password: {done.stderr}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        subprocess.run([*_AS_ROOT, "umount", "--lazy", str(self.folder)], check=True)

    @property
    def free_bytes(self) -> int:
        """What a file may still take."""
        disk = os.statvfs(self.folder)
        return disk.f_bavail * disk.f_frsize

    def may_be_written(self, *, yes: bool) -> None:
        """Mount it anew, to be written or to be read only; nobody may have a file of it open for writing."""
        options = "remount,rw" if yes else "remount,ro"
        subprocess.run([*_AS_ROOT, "mount", "-o", options, str(self.folder)], check=True)

    def fill(self, leave_bytes: int) -> None:
        """Somebody's file takes everything but this."""
        with (self.folder / "somebody's").open("ab") as file:
            file.write(bytes(max(0, self.free_bytes - leave_bytes)))

    def empty(self) -> None:
        """He takes it away."""
        (self.folder / "somebody's").unlink()
