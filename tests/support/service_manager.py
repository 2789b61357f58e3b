"""What systemd is to a service of Type=notify: a socket that hears READY, WATCHDOG and STOPPING."""

from __future__ import annotations

import socket
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.until import LIMIT_S

_LARGEST_NOTICE = 4_096


class ServiceManagerSim:
    """Hears a service between `with` and its end."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "notify.sock"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.heard: list[str] = []

    def __enter__(self) -> Self:
        self._socket.bind(str(self._path))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()
        self._path.unlink()

    def environ(self, watchdog_ms: int | None = None, **more: str) -> Mapping[str, str]:
        """The environment that the service is started with."""
        watchdog = {} if watchdog_ms is None else {"WATCHDOG_USEC": str(watchdog_ms * 1_000)}
        return {"NOTIFY_SOCKET": str(self._path), **watchdog, **more}

    def wait(self, notice: str) -> None:
        """Until the service says this, from now on; AssertionError when it never does."""
        deadline = time.monotonic() + LIMIT_S
        while True:
            lines = self._next(max(0.0, deadline - time.monotonic()))
            assert lines, f"never said: {notice}; but {self.heard}"
            if notice in lines:
                return

    def look(self) -> list[str]:
        """What has been said since the last look."""
        new: list[str] = []
        while lines := self._next(0.0):
            new += lines
        return new

    def _next(self, timeout_s: float) -> list[str]:
        self._socket.settimeout(timeout_s)
        try:
            lines = self._socket.recv(_LARGEST_NOTICE).decode().split("\n")
        except (TimeoutError, BlockingIOError):
            return []
        self.heard += lines
        return lines
