"""`jackpotd check`: whether a configuration is in order, and what it chooses. Needs no daemon and touches no device.

The secrets that it names are looked at too, as far as this process may: a password or key that is missing or malformed
is a fault; what the service alone has, as a systemd credential, is a warning.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from jackpotd.commands.common import DONE, USAGE, add_config
from jackpotd.daemon.check import check_json, check_lines, faults_json
from jackpotd.daemon.config import ConfigError, load
from jackpotd.daemon.credentials import check_credentials


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `check`: the file may stand alone, as in `jackpotd check F`."""
    parser.add_argument("file", metavar="F", nargs="?", help="configuration file, in place of --config")
    add_config(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def call(args: argparse.Namespace) -> int:
    """Print the readings and warnings, exit 0; or every fault, exit 2."""
    try:
        config = load(Path(args.file or args.config))
        unseen = check_credentials(config, os.environ)
    except ConfigError as error:
        if args.json:
            print(json.dumps(faults_json(error), ensure_ascii=False, indent=2))
        else:
            print(error, file=sys.stderr)
        return USAGE
    if args.json:
        print(json.dumps(check_json(config, unseen), ensure_ascii=False, indent=2))
    else:
        print("\n".join(check_lines(config, unseen)))
    return DONE
