"""What a command does when whoever reads its output has enough."""

from __future__ import annotations

import subprocess
import sys

from tests.support.sources import ROOT

SIGPIPE_CODE = 141


def test_an_output_that_nobody_reads_to_its_end_leaves_no_traceback() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "jackpotd.cli", "schema", "config"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdout.close()
        assert command.stderr.read() == b""
    assert command.returncode == SIGPIPE_CODE
