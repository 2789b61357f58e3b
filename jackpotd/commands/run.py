"""`jackpotd run`: the daemon proper."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import uvloop

from jackpotd.commands.common import DONE, NO, USAGE, add_config
from jackpotd.daemon.app import run
from jackpotd.daemon.config import load
from jackpotd.daemon.config_faults import ConfigError
from jackpotd.daemon.control import ControlError
from jackpotd.daemon.logs import set_up_logs
from jackpotd.daemon.operators import OperatorsError
from jackpotd.ledger.port import LedgerError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `run`."""
    add_config(parser)
    parser.add_argument(
        "--existing-ledger",
        action="store_true",
        help="do not start without a ledger (else a new one is made, with every pool at its seed)",
    )


def call(args: argparse.Namespace) -> int:
    """Run until SIGTERM.

    1: ledger, operators' file or control socket cannot be used; 2: the configuration is wrong, a secret is not there.
    """
    try:
        config = load(Path(args.config))
    except ConfigError as error:
        print(error, file=sys.stderr)
        return USAGE
    set_up_logs()
    code = DONE
    try:
        uvloop.run(run(config, existing_ledger=args.existing_ledger))
    except* ConfigError as group:
        code = _tell(group, USAGE)
    except* (LedgerError, OperatorsError, ControlError) as group:
        code = _tell(group, NO)
    return code


def _tell(group: BaseExceptionGroup[Exception], code: int) -> int:
    """Say each reason in its sentence; a group may hold groups, one for each level of tasks."""
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            _tell(error, code)
        else:
            print(f"jackpotd: {error}", file=sys.stderr)
    return code
