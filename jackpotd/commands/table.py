"""`jackpotd table`: tables open and close for the day, and deal from another device (design 7, 61/2004 11(4))."""

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
    deal = add_action(
        actions,
        "deal",
        "deal from another of the table's devices, between two rounds",
        'table deal T01 shoe --why "the shuffler jams"',
        'table deal T01 shuffler --why "the shuffler is mended"',
    )
    deal.add_argument("table", metavar="TABLE")
    deal.add_argument("deal", metavar="DEVICE", help="one that the table's settings name: shoe, shuffler, claims")
    deal.add_argument("--why", required=True, metavar="REASON", help="the reason, for the ledger")
    add_acting(deal)


def call(args: argparse.Namespace) -> int:
    """Ask the daemon."""
    if args.action == "deal":
        return ask(args, "table.deal", show, table=args.table, deal=args.deal, why=args.why)
    return ask(args, f"table.{args.action}", show, table=args.table)


def show(table: dict[str, Any]) -> None:
    """One line of a table."""
    why = f" ({table['why']})" if table["why"] else ""
    deals = f"deals from {table['deal']}"
    print(f"table {table['table']}: {table['phase']}, {deals}, progressive {table['progressive']}{why}")


def round_lines(table: dict[str, Any]) -> list[str]:
    """What is known of the round in play: hands, cards in no hand, claims; and how a round that is held goes on."""
    found = [
        f"{'dealer' if hand == '0' else hand}: {' '.join(cards)}" for hand, cards in sorted(table["hands"].items())
    ]
    if table["noted"]:
        found.append(f"in no hand: {' '.join(table['noted'])}")
    found += [f"seat {made['seat']} claims {made['tier']} of {made['pool']}" for made in table["claims"]]
    if table["claims"]:
        found.append(f"the supervisor's key was {'' if table['key_used'] else 'not yet '}turned")
    if table["phase"] == "held":
        name = table["table"]
        found.append(f"it stays held until `jackpotd round confirm {name}` or `jackpotd round void {name}`")
    return [f"  {line}" for line in found]
