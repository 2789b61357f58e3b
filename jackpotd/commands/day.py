"""`jackpotd day`: the gaming day ends and the next begins (design 7)."""

from __future__ import annotations

import argparse
from typing import Any

from jackpotd.commands.asking import add_acting, ask
from jackpotd.commands.common import add_action


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `day`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    line = "close the gaming day; what it leaves open is named"
    close = add_action(actions, "close", line, "day close", "day close --day 12 --as ana --json")
    close.add_argument(
        "--day", type=int, metavar="N", help="the day that is meant; must be said of one that has just begun"
    )
    add_acting(close)


def call(args: argparse.Namespace) -> int:
    """Ask the daemon."""
    return ask(args, "day.close", _show, day=args.day)


def _show(closed: dict[str, Any]) -> None:
    print(f"gaming day {closed['day']} is closed")
    for meter in closed["meters"]:
        print(f"  {meter['pool']}: opened with {meter['opening']}, closed with {meter['closing']}")
    for key, words in (("held_rounds", "held"), ("pending_hits", "not paid"), ("carried_bets", "carried")):
        for one in closed[key]:
            print(f"  left open: {one} ({words})")
