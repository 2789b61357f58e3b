"""`jackpotd day`: the gaming day ends and the next begins (design 7)."""

from __future__ import annotations

import argparse
from typing import Any

from jackpotd.commands.asking import add_acting, ask
from jackpotd.commands.common import add_action
from jackpotd.commands.doubts import doubt_text


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
    return ask(args, "day.close", show_closed, day=args.day)


def show_closed(closed: dict[str, Any]) -> None:
    """What a day ends with, what it leaves open, and why it is provisional if it is."""
    print(f"gaming day {closed['day']} is closed{', provisional' if closed['provisional'] else ''}")
    for doubt in closed["provisional"]:
        print(f"  provisional: {doubt_text(doubt)}")
    for meter in closed["meters"]:
        print(f"  {meter['pool']}: opened with {meter['opening']}, closed with {meter['closing']}")
    for key, words in (("held_rounds", "held"), ("pending_hits", "not paid"), ("carried_bets", "carried")):
        for one in closed[key]:
            print(f"  left open: {one} ({words})")
