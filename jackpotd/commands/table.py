"""`jackpotd table`: tables open and close for the gaming day (design 7)."""

from __future__ import annotations

import argparse
from typing import Any

from jackpotd.commands.asking import add_acting, ask
from jackpotd.commands.common import add_action


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `table`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, line in (("open", "open a table"), ("close", "close a table between two rounds")):
        action = add_action(actions, name, line, f"table {name} T01", f"table {name} T01 --as ana --json")
        action.add_argument("table", metavar="TABLE")
        add_acting(action)


def call(args: argparse.Namespace) -> int:
    """Ask the daemon."""
    return ask(args, f"table.{args.action}", show, table=args.table)


def show(table: dict[str, Any]) -> None:
    """One line of a table."""
    why = f" ({table['why']})" if table["why"] else ""
    print(f"table {table['table']}: {table['phase']}, progressive {table['progressive']}{why}")
