"""What a command does when whoever reads its output has enough."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("words", [("schema", "config"), ("ledger", "verify", "--help"), ("--version",)])
def test_an_output_that_is_full_is_said_in_one_sentence(words: tuple[str, ...]) -> None:
    command = ["/usr/bin/env", "-u", "PYTHONUNBUFFERED", sys.executable, "-m", "jackpotd.cli", *words]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (1, b"the output cannot be written: No space left on device\n")


def test_an_output_that_is_closed_is_said_before_anything_is_done(tmp_path: Path) -> None:
    key = tmp_path / "key"
    command = f"exec '{sys.executable}' -m jackpotd.cli ledger newkey --to '{key}' >&-"
    done = subprocess.run(["/bin/sh", "-c", command], cwd=ROOT, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (1, b"the output cannot be written: it is closed\n")
    assert not key.exists()
