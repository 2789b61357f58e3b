"""What commands share: exit codes and the way to the configuration (design section 4)."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    Actions = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001  # it has no public name

DEFAULT_CONFIG = "/etc/jackpotd/jackpotd.toml"
CONFIG_VARIABLE = "JACKPOTD_CONFIG"
DONE, NO, USAGE, UNREACHABLE = 0, 1, 2, 3


def plain_error(error: Exception) -> str:
    """What went wrong, in words; of a file that could not be read, which and why."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def add_config(parser: argparse.ArgumentParser) -> None:
    """The --config option: the file, else $JACKPOTD_CONFIG, else /etc/jackpotd/jackpotd.toml."""
    default = os.environ.get(CONFIG_VARIABLE, DEFAULT_CONFIG)
    parser.add_argument("--config", metavar="F", default=default, help=f"configuration file (now {default})")


def add_action(actions: Actions, name: str, line: str, *examples: str) -> argparse.ArgumentParser:
    """A subcommand with its help: one line, and examples of it as typed after `jackpotd`."""
    return actions.add_parser(
        name,
        help=line,
        description=line,
        epilog="\n".join(("examples:", *(f"  jackpotd {each}" for each in examples))),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
