"""A terminal: `jackpotd` commands as processes of their own, by the user of the tests or another."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.people import PASSWORD
from tests.support.sources import ROOT

DONE, NO, USAGE, UNREACHABLE = 0, 1, 2, 3
# The interpreter may lie where another user cannot read: all is imported before he is one, by a command in vain.
_AS_ANOTHER = """
import contextlib, io, os, sys
import jackpotd.cli
for command in ("operator", "reload", "status"):
    jackpotd.cli.build_parser(command).format_help()
with contextlib.redirect_stderr(io.StringIO()):
    jackpotd.cli.main(["table", "close", "no-such-table"])
user = int(sys.argv.pop(1))
os.setgroups([])
os.setresuid(user, user, user)
sys.exit(jackpotd.cli.main())
"""


class Terminal:
    """Runs `jackpotd` against a configuration, as the user of the tests or as `uid`."""

    def __init__(self, config: Path, uid: int | None = None) -> None:
        self._config = config
        self._uid = uid

    def run(self, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        """One command; `typed` is its standard input."""
        environ = os.environ | {"JACKPOTD_CONFIG": str(self._config)}
        how = ("-m", "jackpotd.cli") if self._uid is None else ("-c", _AS_ANOTHER, str(self._uid))
        command = [sys.executable, *how, *words]
        return subprocess.run(command, cwd=ROOT, env=environ, input=typed, capture_output=True, text=True, check=False)

    def done(self, *words: str, typed: str = "") -> Any:
        """The JSON of a command that is expected to be done."""
        found = self.run(*words, "--json", typed=typed)
        assert found.returncode == DONE, found
        return json.loads(found.stdout)

    def no(self, *words: str, typed: str = "") -> str:
        """What a command says whose answer is expected to be no."""
        found = self.run(*words, typed=typed)
        assert (found.returncode, found.stdout) == (NO, ""), found
        return found.stderr

    def add(self, name: str, role: str) -> None:
        """A new operator with the password of the tests."""
        self.done("operator", "add", name, "--role", role, typed=f"{PASSWORD}\n")
