"""`jackpotd replay` as a person runs it: files in, rows and the last line out."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.sources import ROOT


@dataclass(frozen=True, slots=True)
class Replayed:
    """`rows`: every line of the output but the last, as bytes; `last`: that one; `said`: what went to people."""

    code: int
    out: bytes
    said: str

    @property
    def rows(self) -> list[bytes]:
        return self.out.splitlines()[:-1]

    @property
    def last(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out.splitlines()[-1])
        return found

    def words(self, kind: str) -> list[dict[str, Any]]:
        """The facts in which this was said."""
        rows = (json.loads(row) for row in self.rows)
        return [row for row in rows if row["row"] == "fact" and row["what"]["kind"] == kind]

    def entries(self, kind: str) -> list[dict[str, Any]]:
        """The entries of a kind."""
        rows = (json.loads(row) for row in self.rows)
        return [row for row in rows if row["row"] == "entry" and row["kind"] == kind]


def replay(config: Path, *captures: Path, archive: Path | None = None) -> Replayed:
    """Run it, beside the archives in a folder if there is one."""
    archives = [] if archive is None else ["--archive", str(archive)]
    command = [sys.executable, "-m", "jackpotd.cli", "replay", "--config", str(config), *archives, *map(str, captures)]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True)
    return Replayed(done.returncode, done.stdout, done.stderr.decode())
