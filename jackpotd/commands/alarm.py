"""`jackpotd alarm`: what needs a person now."""

from __future__ import annotations

import argparse
from typing import Any

from jackpotd.commands.asking import add_acting, add_asking, ask
from jackpotd.commands.common import add_action
from jackpotd.commands.tables import lines

_HEAD = ("SINCE", "ALARM", "WHAT", "WHAT TO DO", "ACKNOWLEDGED")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `alarm`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add_asking(add_action(actions, "list", "the active alarms, oldest first", "alarm list", "alarm list --json"))
    line = "say that you have seen an alarm; it stays until its cause is gone"
    ack = add_action(actions, "ack", line, "alarm ack held-T01", "alarm ack held-T01 --as ana")
    ack.add_argument("alarm", metavar="ALARM", help="its name, as `jackpotd alarm list` shows it")
    add_acting(ack)


def call(args: argparse.Namespace) -> int:
    """Ask the daemon."""
    if args.action == "ack":
        return ask(args, "alarm.ack", _show, alarm=args.alarm)
    return ask(args, "alarm.list", _show)


def _show(alarms: list[dict[str, Any]]) -> None:
    rows = [(alarm["since"], alarm["alarm"], alarm["text"], alarm["todo"], _seen(alarm)) for alarm in alarms]
    print("\n".join(lines(_HEAD, rows)) if rows else "no alarms")


def _seen(alarm: dict[str, Any]) -> str:
    seen = alarm["acknowledged"]
    return f"{seen['by']} {seen['at']}" if seen else ""
