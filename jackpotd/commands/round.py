"""`jackpotd round`: what a supervisor does with a round, and with bets that a void one carries (design 1, law 7)."""

from __future__ import annotations

import argparse
from typing import Any

from jackpotd.commands.asking import add_acting, ask
from jackpotd.commands.common import add_action
from jackpotd.commands.table import round_lines, show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `round`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    void = add_action(
        actions, "void", "void the round; its progressive bets carry", 'round void T01 --why "wrong dealing order"'
    )
    confirm = add_action(
        actions,
        "confirm",
        "the held round is in order as its cards now stand",
        'round confirm T01 --why "seen on camera 4"',
    )
    card = add_action(
        actions,
        "card",
        "say which card lies in a hand",
        "round card T01 3 5 TS    (seat 3, the fifth card)",
        "round card B01 banker 3 8H",
    )
    refuse = add_action(
        actions,
        "refuse",
        "refuse what a seat claims of a pool, at a table without card reading; its other claims stand",
        'round refuse T03 2 stud-main --why "the hand is four cards of a flush"',
    )
    refund = add_action(
        actions,
        "refund",
        "give a carried bet back to a player who leaves; the house pays, the pool keeps its part",
        'round refund T01 4 stud-main --why "the player leaves"',
    )
    dealt = add_action(
        actions,
        "dealt",
        "name the seats that were dealt without a bet: their hands are void, the others are assigned anew",
        'round dealt T01 5 --why "seen on camera 4"',
        'round dealt T01 5 --cards 2 --why "stopped in the third turn"',
    )
    for action in (void, confirm, card, dealt, refuse, refund):
        action.add_argument("table", metavar="TABLE")
        add_acting(action)
    for action in (void, confirm, dealt, refuse, refund):
        action.add_argument("--why", required=True, metavar="REASON", help="the reason, for the ledger")
    dealt.add_argument("seats", metavar="SEAT", type=int, nargs="+")
    dealt.add_argument("--cards", metavar="N", type=int, default=5, help="how many cards each of them got (5)")
    for action in (refuse, refund):
        action.add_argument("seat", metavar="SEAT", type=int)
        action.add_argument("pool", metavar="POOL")
    card.add_argument("hand", metavar="HAND", help="0 for the dealer, a seat's number, player or banker")
    card.add_argument("index", metavar="N", type=int, help="which card of the hand, from 1")
    card.add_argument("card", metavar="CARD", help="rank and suit: TS, 10S, 8H")


def call(args: argparse.Namespace) -> int:
    """Ask the daemon."""
    match args.action:
        case "card":
            return ask(args, "round.card", _show, table=args.table, hand=args.hand, index=args.index, card=args.card)
        case "dealt":
            told = {"seats": args.seats, "cards": args.cards, "why": args.why}
            return ask(args, "round.dealt", _show, table=args.table, **told)
        case "refuse" | "refund":
            return ask(
                args, f"round.{args.action}", _show, table=args.table, seat=args.seat, pool=args.pool, why=args.why
            )
        case _:
            return ask(args, f"round.{args.action}", _show, table=args.table, why=args.why)


def _show(table: dict[str, Any]) -> None:
    """The table, and the hands of a round in play as they now stand."""
    show(table)
    for line in round_lines(table):
        print(line)
