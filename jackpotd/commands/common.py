"""What commands share: exit codes and the way to the configuration (design section 4)."""

from __future__ import annotations

import argparse
import os

DEFAULT_CONFIG = "/etc/jackpotd/jackpotd.toml"
CONFIG_VARIABLE = "JACKPOTD_CONFIG"
DONE, NO, USAGE, UNREACHABLE = 0, 1, 2, 3


def add_config(parser: argparse.ArgumentParser) -> None:
    """The --config option: the file, else $JACKPOTD_CONFIG, else /etc/jackpotd/jackpotd.toml."""
    default = os.environ.get(CONFIG_VARIABLE, DEFAULT_CONFIG)
    parser.add_argument("--config", metavar="F", default=default, help=f"configuration file (now {default})")
