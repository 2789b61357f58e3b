"""`jackpotd alarm`: what needs a person now."""

from __future__ import annotations

import argparse
from typing import Any

from jackpotd.commands.asking import add_asking, ask
from jackpotd.commands.common import add_action
from jackpotd.commands.tables import lines

_HEAD = ("SINCE", "ALARM", "WHAT", "WHAT TO DO")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `alarm`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add_asking(add_action(actions, "list", "the active alarms, oldest first", "alarm list", "alarm list --json"))


def call(args: argparse.Namespace) -> int:
    """Ask the daemon."""
    return ask(args, "alarm.list", _show)


def _show(alarms: list[dict[str, Any]]) -> None:
    rows = [(alarm["since"], alarm["alarm"], alarm["text"], alarm["todo"]) for alarm in alarms]
    print("\n".join(lines(_HEAD, rows)) if rows else "no alarms")
