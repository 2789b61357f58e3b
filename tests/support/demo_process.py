"""`jackpotd demo` as a process of its own, as a user starts it, and what it leaves behind.

Laws
1. It has a temporary folder of its own, so that what it leaves there can be seen.
2. It is a process group of its own; `leftovers` are what is still alive of it.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.support.sources import ROOT
from tests.support.until import until

# Generous: a loaded two-core machine; only a failing test waits this long.
END_LIMIT_S = 120.0


class DemoProcess:
    """A running demo; `lines` are what it has said so far, unless it was given an `output` of its own."""

    def __init__(self, temporary: Path, *options: str, output: int | None = None) -> None:
        self.temporary = temporary
        self.lines: list[str] = []
        temporary.mkdir(exist_ok=True)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "jackpotd.cli", "demo", *options],
            cwd=ROOT,
            env={**os.environ, "TMPDIR": str(temporary), "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if output is None else output,
            stderr=subprocess.STDOUT if output is None else subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._reader.join()

    @property
    def text(self) -> str:
        """All that it has said."""
        return "\n".join(self.lines)

    def says(self, pattern: str) -> re.Match[str]:
        """Wait for a line that has this pattern; its first match."""
        until(lambda: bool(self._found(pattern)) or self._process.poll() is not None, pattern, lambda: self.text)
        found = self._found(pattern)
        assert found is not None, f"ended without {pattern}:\n{self.text}"
        return found

    def interrupt(self) -> None:
        """Ctrl-C."""
        self._process.send_signal(signal.SIGINT)

    def ended(self) -> int:
        """Wait for its end; the exit code."""
        code = self._process.wait(END_LIMIT_S)
        self._reader.join()
        return code

    def leftovers(self) -> list[str]:
        """Files in its temporary folder, and whether a process of its group is still alive."""
        left = [str(path.relative_to(self.temporary)) for path in self.temporary.rglob("*")]
        try:
            os.killpg(self._process.pid, 0)
        except ProcessLookupError:
            return left
        return [*left, "a process"]

    def _read(self) -> None:
        if self._process.stdout is None:
            return
        with self._process.stdout as said:
            self.lines.extend(line.rstrip("\n") for line in said)

    def _found(self, pattern: str) -> re.Match[str] | None:
        return next((match for line in tuple(self.lines) if (match := re.search(pattern, line))), None)


@dataclass(frozen=True, slots=True)
class Ended:
    """A demo that has run to its end."""

    code: int
    text: str
    folder: Path

    @property
    def meters(self) -> dict[str, str]:
        """The final meters by pool, as it printed them."""
        found = re.findall(r"^  (\S+) +([\d,]+\.\d\d) MOP$", self.text, re.MULTILINE)
        return {pool: amount.replace(",", "") for pool, amount in found}

    @property
    def rounds(self) -> list[dict[str, Any]]:
        """What its tables played, in order."""
        return [json.loads(line) for line in (self.folder / "rounds.jsonl").read_text(encoding="utf-8").splitlines()]


def run_demo(temporary: Path, *options: str) -> Ended:
    """Run a demo to its end, its folder kept."""
    folder = temporary / "kept"
    with DemoProcess(temporary, "--folder", str(folder), *options) as demo:
        code = demo.ended()
        return Ended(code, demo.text, folder)
