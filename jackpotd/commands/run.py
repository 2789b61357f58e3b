"""`jackpotd run`: the daemon proper."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from jackpotd.commands.common import DONE, NO, USAGE, add_config
from jackpotd.daemon.app import run
from jackpotd.daemon.config import load
from jackpotd.daemon.config_faults import ConfigError
from jackpotd.daemon.logs import set_up_logs
from jackpotd.ledger.port import LedgerError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `run`."""
    add_config(parser)


def call(args: argparse.Namespace) -> int:
    """Run until SIGTERM. 1: the ledger cannot be used; 2: the configuration is wrong."""
    try:
        config = load(Path(args.config))
    except ConfigError as error:
        print(error, file=sys.stderr)
        return USAGE
    set_up_logs()
    failed: list[BaseException] = []
    try:
        asyncio.run(run(config))
    except* LedgerError as group:
        failed += group.exceptions
    for problem in failed:
        print(f"jackpotd: {problem}", file=sys.stderr)
    return NO if failed else DONE
