"""`jackpotd simulate` as a technician runs it: a process, a port, lines typed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hardware.bus_codec import Frame, FrameReader, FrameType
from hardware.bus_session import Session
from tests.support.sources import ROOT

KEY = bytes(range(16))


@contextmanager
def simulated(device: str, port: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """A device plugged in at `port`; unplugged by Ctrl-C, which must end it well."""
    with subprocess.Popen(
        [sys.executable, "-m", "jackpotd.cli", "simulate", device, "--port", str(port), *options],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            assert str(port) in process.stdout.readline()
            yield process
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0
        finally:
            process.kill()


def typed(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()


def heard(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().rstrip("\n")


@contextmanager
def opened(port: Path) -> Iterator[int]:
    """The host's end."""
    terminal = os.open(port, os.O_RDWR | os.O_NOCTTY)
    try:
        yield terminal
    finally:
        os.close(terminal)


def test_a_shoe_says_the_card_that_is_typed_and_its_port_goes_with_it(tmp_path: Path) -> None:
    port = tmp_path / "shoe"
    with simulated("bee-tek", port, "--by-hand") as process, opened(port) as terminal:
        typed(process, "card 4S")
        assert b"<Card:4S>" in os.read(terminal, 100)
        assert heard(process).startswith("> ")
        typed(process, "card none")
        assert heard(process).startswith("? card none")
    assert not port.is_symlink()


def test_a_panel_answers_a_daemon_that_has_its_key(tmp_path: Path) -> None:
    port = tmp_path / "bus"
    options = ("--by-hand", "--key", KEY.hex(), "--address", "5", "--serial", "BP-0042")
    with simulated("panel", port, *options) as process, opened(port) as terminal:
        os.write(terminal, Session(5, KEY).open(b"daemon-1"))
        reader, frames = FrameReader(), list[Frame]()
        while not frames:
            frames += [item for item in reader.feed(os.read(terminal, 300)) if isinstance(item, Frame)]
        assert frames[0].type is FrameType.HELLO
        assert b"BP-0042" in frames[0].payload
        assert heard(process).startswith("< OPEN")
        assert heard(process).startswith("> HELLO")


def test_a_line_with_faults_repeats_what_the_shoe_says(tmp_path: Path) -> None:
    port = tmp_path / "shoe"
    with simulated("bee-tek", port, "--every", "0.01", "--repeat", "1") as process, opened(port) as terminal:
        said = b""
        while said.count(b">") < 4:
            said += os.read(terminal, 100)
        cards = [token.strip() for token in said.split(b">")]
        assert cards[0] == cards[1]
        assert cards[2] == cards[3] != cards[0]
        assert heard(process).startswith("card ")


@pytest.mark.parametrize(
    "options",
    [
        ("panel", "--address", "127"),
        ("panel", "--key", "00"),
        ("shoe",),
        ("panel", "--drop", "2"),
        ("panel", "--every", "0"),
    ],
)
def test_an_option_that_is_no_good_is_refused_with_2(tmp_path: Path, options: tuple[str, ...]) -> None:
    words = [sys.executable, "-m", "jackpotd.cli", "simulate", *options, "--port", str(tmp_path / "port")]
    done = subprocess.run(words, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert done.returncode == 2
    assert b"usage" in done.stderr


def test_a_port_that_is_a_file_is_refused_with_2(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    words = [sys.executable, "-m", "jackpotd.cli", "simulate", "panel", "--port", str(tmp_path / "file")]
    done = subprocess.run(words, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert done.returncode == 2
    assert b"no serial port" in done.stderr
