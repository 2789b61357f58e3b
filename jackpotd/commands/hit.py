"""`jackpotd hit`: what has been won, and the decisions about it (design 7)."""

from __future__ import annotations

import argparse
from typing import Any

from jackpotd.commands.asking import add_acting, add_asking, ask
from jackpotd.commands.common import add_action
from jackpotd.commands.tables import lines

_HEAD = ("HIT", "AT", "TIER", "AMOUNT", "SEATS", "STATUS", "DECIDED BY")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `hit`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add_asking(add_action(actions, "list", "the hits, oldest first", "hit list", "hit list --json"))
    approve = add_action(
        actions,
        "approve",
        "approve a pending hit; a large one takes a second person of another role",
        "hit approve HIT",
        "hit approve HIT --as rui    (the second person, at the same terminal)",
    )
    reject = add_action(
        actions,
        "reject",
        "reject a hit that is not yet paid; its money goes back",
        'hit reject HIT --why "the pack was not complete"',
    )
    pay = add_action(actions, "pay", "note that the player has the money", "hit pay HIT --slip 004711")
    for action in (approve, reject, pay):
        action.add_argument("hit", metavar="HIT", help="its id, as `jackpotd hit list` shows it")
        add_acting(action)
    reject.add_argument("--why", required=True, metavar="REASON", help="the reason, for the ledger")
    pay.add_argument("--slip", required=True, metavar="NUMBER", help="the number of the hand-pay slip")


def call(args: argparse.Namespace) -> int:
    """Ask the daemon."""
    match args.action:
        case "list":
            return ask(args, "hit.list", show_list)
        case "reject":
            return ask(args, "hit.reject", _show, hit=args.hit, why=args.why)
        case "pay":
            return ask(args, "hit.pay", _show, hit=args.hit, slip=args.slip)
        case _:
            return ask(args, "hit.approve", _show, hit=args.hit)


def show_list(hits: list[dict[str, Any]]) -> None:
    """The hits as a table."""
    print("\n".join(lines(_HEAD, map(_row, hits), right=("AMOUNT",))) if hits else "no hits")


def _row(hit: dict[str, Any]) -> tuple[str, ...]:
    seats = " ".join(f"{winner['seat']}:{winner['amount']}" for winner in hit["winners"])
    late = ", late" if hit["late"] else ""
    decided = ", ".join(hit["rejections"] or hit["approvals"])
    if not decided and hit["status"] != "pending":
        decided = "automatic"  # small enough for the pool's auto_pay_below
    won = hit["tier"] if hit["prize"] == hit["tier"] else f"{hit['prize']} ({hit['tier']})"
    return (hit["hit"], hit["at"], won, hit["amount"], seats, hit["status"] + late, decided)


def _show(hit: dict[str, Any]) -> None:
    print(f"hit {hit['hit']} of {hit['amount']} is {hit['status']}")
    waits = hit["status"] in ("pending", "approved")
    if waits and hit["rejections"]:
        print(f"{', '.join(hit['rejections'])} rejects it: it takes a second person of another role")
    elif hit["status"] == "pending":
        print(f"approved by {', '.join(hit['approvals'])}: it takes a second person of another role")
