"""`jackpotd sign` as a process of its own, ended by its process id."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.sources import ROOT

# Generous: only a player that never starts or stops takes so long.
START_LIMIT_S = 30.0
STOP_LIMIT_S = 15.0


class SignProcess:
    """A player, running from `with` to its end. `where`: what it says about itself, a page's address."""

    def __init__(self, folder: Path, *options: str, environ: dict[str, str] | None = None) -> None:
        self.where = ""
        self.log = folder / "sign.log"
        self._command = [sys.executable, "-m", "jackpotd.cli", "sign", *options]
        self._environ = os.environ | (environ or {})
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        with self.log.open("a", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                self._command, cwd=ROOT, env=self._environ, stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self._process.stdout is not None
        # A player that says nothing is ended, so that the read comes back.
        watch = threading.Timer(START_LIMIT_S, self._process.kill)
        watch.start()
        line = self._process.stdout.readline()
        watch.cancel()
        if not line:
            self._end(signal.SIGKILL)
            raise AssertionError(self.said)
        self.where = line.partition(": ")[2].strip()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(signal.SIGTERM)

    @property
    def said(self) -> str:
        """Its log so far."""
        return self.log.read_text(encoding="utf-8")

    @property
    def resident_kib(self) -> int:
        """Its resident memory, as the kernel counts it."""
        assert self._process is not None
        text = Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii")
        return int(text.partition("VmRSS:")[2].split()[0])

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """End it in order; its exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(how)
        try:
            return process.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
        finally:
            if process.stdout is not None:
                process.stdout.close()
