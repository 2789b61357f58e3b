"""`jackpotd check`: whether a configuration is in order, and what it chooses. Needs no daemon and touches no device."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from jackpotd.commands.common import DONE, USAGE, add_config
from jackpotd.daemon.check import check_json, check_lines, faults_json
from jackpotd.daemon.config import ConfigError, load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `check`: the file may stand alone, as in `jackpotd check F`."""
    parser.add_argument("file", metavar="F", nargs="?", help="configuration file, in place of --config")
    add_config(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def call(args: argparse.Namespace) -> int:
    """Print the readings and warnings, exit 0; or every fault, exit 2."""
    try:
        config = load(Path(args.file or args.config))
    except ConfigError as error:
        if args.json:
            print(json.dumps(faults_json(error), ensure_ascii=False, indent=2))
        else:
            print(error, file=sys.stderr)
        return USAGE
    if args.json:
        print(json.dumps(check_json(config), ensure_ascii=False, indent=2))
    else:
        print("\n".join(check_lines(config)))
    return DONE
