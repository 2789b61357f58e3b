"""What commands share: exit codes and the way to the configuration (design section 4)."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
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


def shown(what: str) -> Callable[[int, int], None] | None:
    """How far long work is, for a person at a terminal."""
    if not sys.stderr.isatty():
        return None
    return lambda done, of: print(f"\r\x1b[K{done:,} of {of:,} {what}", end="", file=sys.stderr, flush=True)


def clear_progress() -> None:
    """Take what was shown off the terminal."""
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)


def refuse(exit_code: int, text: str, *, as_json: bool) -> int:
    """Say why not, and give the exit code."""
    if as_json:
        print(json.dumps({"ok": False, "error": text}, ensure_ascii=False, indent=2))
    else:
        print(text, file=sys.stderr)
    return exit_code
