"""The daemon as a process of its own, as the service manager runs it.

Law: it is ended by its process id, in order (`stop`), as by a power cut (`kill`), or held still (`freeze`).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.support.sources import ROOT

# Generous: only a daemon that hangs lets a test wait this long.
END_LIMIT_S = 60.0


class DaemonProcess:
    """`jackpotd run` with a configuration; `log` takes what it says. `prefix`: a program to run it under."""

    def __init__(
        self,
        config: Path,
        log: Path,
        prefix: Sequence[str] = (),
        environ: Mapping[str, str] | None = None,
        options: Sequence[str] = (),
    ) -> None:
        command = [*prefix, sys.executable, "-m", "jackpotd.cli", "run", *options, "--config", str(config)]
        self.log = log
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                command,
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env={**os.environ, **(environ or {})},
            )

    @property
    def pid(self) -> int:
        """Its process id; under a `prefix` the prefix's."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        self._process.send_signal(signal.SIGTERM)
        return self.ended()

    def kill(self) -> None:
        """SIGKILL, what a power cut leaves of a process."""
        self._process.kill()
        self._process.wait(END_LIMIT_S)

    def freeze(self) -> None:
        """Hold it still: it neither reads nor writes."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self._process.send_signal(signal.SIGCONT)

    def ended(self) -> int:
        """Its exit code, once it has ended; one that hangs is killed."""
        try:
            return self._process.wait(END_LIMIT_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
