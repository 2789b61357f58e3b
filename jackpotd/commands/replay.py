"""`jackpotd replay`: captures in, the ledger's rows out, and what the pools then hold (design section 4).

Laws
1. Nothing is touched but the files named: no daemon, no device, no ledger is written.
2. A line that does not fit ends the replay with the file, its number and the reason; what came before it is out.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import orjson

from jackpotd.commands.common import DONE, USAGE, add_config, plain_error
from jackpotd.daemon.capture_files import parts_in
from jackpotd.daemon.capture_lines import MAX_LINE_BYTES, CaptureError, read_line
from jackpotd.daemon.config import ConfigError, load
from jackpotd.daemon.credentials import read_bus_keys
from jackpotd.daemon.replay import Replay
from jackpotd.ledger.files import open_file

_EXAMPLES = """examples:
  jackpotd replay capture.jsonl
  jackpotd replay /var/lib/jackpotd/captures
  jackpotd replay --config then.toml 1764489600-000001.jsonl 1764489600-000002.jsonl | tail -n 1"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `replay`."""
    parser.epilog = _EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "capture", metavar="CAPTURE", nargs="+", type=Path, help="a capture, its parts in order, or a folder of them"
    )
    parser.add_argument("--archive", type=Path, metavar="FOLDER", help="the folder of the ledger's archives")
    add_config(parser)


def call(args: argparse.Namespace) -> int:
    """Print the rows, then meters and held rounds. 2: the configuration or a capture is wrong."""
    logging.getLogger().addHandler(logging.NullHandler())  # what a daemon would log is in the rows
    out = sys.stdout.buffer

    def rows(bodies: list[bytes]) -> None:
        out.write(b"".join(body + b"\n" for body in bodies))

    try:
        config = load(Path(args.config))
        replay = Replay(config, read_bus_keys(config, os.environ), rows, _refused, args.archive)
        for path in _files(args.capture):
            _tell(replay, path)
    except (ConfigError, CaptureError, OSError) as error:
        out.flush()
        print(plain_error(error), file=sys.stderr)
        return USAGE
    out.write(orjson.dumps(replay.end(), option=orjson.OPT_APPEND_NEWLINE))
    return DONE


def _refused(text: str) -> None:
    print(f"refused: {text}", file=sys.stderr)


def _files(paths: list[Path]) -> Iterator[Path]:
    """The captures; of a folder, its parts in order. CaptureError where it has none."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        parts = parts_in(path)
        if not parts:
            raise CaptureError(f"{path}: no capture in this folder")
        yield from parts


def _tell(replay: Replay, path: Path) -> None:
    """Tell a file line by line. CaptureError with the file and the line."""
    with open_file(path) as file:
        first = True
        for number, line in _lines(path, file):
            try:
                replay.hear(read_line(line, first=first))
            except CaptureError as error:
                raise CaptureError(f"{path}, line {number}: {error}") from None
            first = False


def _lines(path: Path, file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines that have something in them, with their numbers."""
    number = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES:
            raise CaptureError(f"{path}, line {number}: longer than {MAX_LINE_BYTES} bytes")
        if line.strip():
            yield number, line
