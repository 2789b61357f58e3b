"""`jackpotd operator`: who may act, and by what he is known (design 4). Root and the service's user only."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

from jackpotd.commands.asking import add_asking, answer, attempt, read_secret
from jackpotd.commands.client import UsageError
from jackpotd.commands.common import add_action
from jackpotd.commands.tables import lines
from jackpotd.messages.control import Role

_HEAD = ("NAME", "ROLE", "UNIX USER", "PASSWORD", "ACTIVE")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `operator`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = add_action(
        actions,
        "add",
        "add an operator; without --unix-user a password is asked for",
        "operator add ana --role supervisor",
        "operator add rui --role surveillance --unix-user rui",
    )
    add.add_argument("--role", required=True, choices=get_args(Role))
    add.add_argument("--unix-user", metavar="USER", help="whoever calls as this Unix user is the operator")
    add.add_argument("--password", action="store_true", help="ask for a password although there is a Unix user")
    passwd = add_action(actions, "passwd", "give an operator another password", "operator passwd ana")
    disable = add_action(actions, "disable", "let an operator act no more", "operator disable ana")
    for action in (add, passwd):
        action.add_argument("--password-file", metavar="F", type=Path, help="take the password from this file")
    for action in (add, passwd, disable):
        action.add_argument("name", metavar="NAME")
        add_asking(action)
    add_asking(add_action(actions, "list", "the operators", "operator list", "operator list --json"))


def call(args: argparse.Namespace) -> int:
    """Ask the daemon."""
    return attempt(args, lambda: answer(args, f"operator.{args.action}", _given(args)), _SHOWS[args.action])


def _given(args: argparse.Namespace) -> dict[str, Any]:
    match args.action:
        case "add":
            asked = args.password or args.password_file is not None or args.unix_user is None
            secret = _new_secret(args) if asked else None
            return {"name": args.name, "role": args.role, "unix_user": args.unix_user, "password": secret}
        case "passwd":
            return {"name": args.name, "password": _new_secret(args)}
        case "disable":
            return {"name": args.name}
        case _:
            return {}


def _new_secret(args: argparse.Namespace) -> str:
    secret = read_secret(args.password_file, f"New password of {args.name}: ")
    if args.password_file is None and sys.stdin.isatty() and read_secret(None, "The same again: ") != secret:
        raise UsageError("the two passwords are not the same")
    return secret


def _show_list(operators: list[dict[str, Any]]) -> None:
    rows = [
        (
            one["name"],
            one["role"],
            one["unix_user"] or "-",
            "yes" if one["password"] else "no",
            "yes" if one["active"] else "no",
        )
        for one in operators
    ]
    print("\n".join(lines(_HEAD, rows)) if rows else "no operators")


_SHOWS: dict[str, Callable[[Any], None]] = {
    "add": lambda one: print(f"operator {one['name']} is added as {one['role']}"),
    "passwd": lambda one: print(f"operator {one['name']} has another password"),
    "disable": lambda one: print(f"operator {one['name']} is disabled"),
    "list": _show_list,
}
