"""`jackpotd pool`: what a pool holds and by what it plays, and what two persons do with it (design 1, law 9)."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from jackpotd.commands.asking import add_acting, add_asking, ask
from jackpotd.commands.common import add_action
from jackpotd.commands.tables import plain

if TYPE_CHECKING:
    from jackpotd.commands.common import Actions

_AMOUNTS = ("meter", "reserve", "overflow")
# The option of an act that says what it is about, besides the pool and the reason.
_ABOUT = {"adjust": "amount", "transfer": "into", "retire": "to"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `pool`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = add_action(
        actions, "show", "amounts, parameters in force and staged, totals", "pool show", "pool show stud-main --json"
    )
    show.add_argument("pool", metavar="POOL", nargs="?", help="one pool; else all of them")
    add_asking(show)
    adjust = _act(actions, "adjust", "correct the meter by the house's money", "--amount +1200.50", "counted twice")
    adjust.add_argument("--amount", required=True, metavar="+/-X", help="by how much, with its sign")
    transfer = _act(actions, "transfer", "move all it holds into another pool", "--into stud-new", "one link of two")
    transfer.add_argument("--into", required=True, metavar="OTHER", help="the pool that gets it")
    retire = _act(actions, "retire", "end a pool, and say where what is left goes", "--to bac-b", "link ends")
    retire.add_argument("--to", required=True, metavar="house|OTHER", help="who gets what is left")
    _act(actions, "apply", "put the file's parameters in force at the next restart, a limit now", "", "new prizes")
    _act(actions, "suspend", "stop a pool at once; one person does it", "", "the sensor counts double")
    _act(actions, "resume", "let a suspended pool go on", "", "the sensor is replaced")


def _act(actions: Actions, name: str, line: str, option: str, why: str) -> argparse.ArgumentParser:
    """An act on a pool: with one exception it takes a second person, who says the same."""
    words = " ".join(word for word in (f"pool {name} stud-main", option, f'--why "{why}"') if word)
    examples = [words]
    if name != "suspend":
        examples.append(f"{words} --as rui    (the second person)")
        line = f"{line}; two persons"
    action = add_action(actions, name, line, *examples)
    if name == "apply":
        action.add_argument("pool", metavar="POOL", nargs="?", help="one pool; else every one whose file differs")
    else:
        action.add_argument("pool", metavar="POOL")
    action.add_argument("--why", required=True, metavar="REASON", help="the reason, for the ledger")
    add_acting(action)
    return action


def call(args: argparse.Namespace) -> int:
    """Ask the daemon."""
    if args.action == "show":
        return ask(args, "pool.show", _show_all, pool=args.pool)
    about = _ABOUT.get(args.action)
    more = {about: getattr(args, about)} if about else {}
    return ask(args, f"pool.{args.action}", _show_act, pool=args.pool, why=args.why, **more)


def _show_all(pools: list[dict[str, Any]]) -> None:
    for pool in pools:
        _show_head(pool)
        for name, value in pool["parameters"].items():
            print(f"  {name}: {plain(value)}")
        for reading in pool["readings"]:
            print(f"  reading {reading['key']} = {reading['value']}: {reading['meaning']} ({reading['article']})")
        _show_waiting(pool)
        totals = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in pool["totals"].items())
        print(f"  in its life: {totals}")


def _show_act(shown: dict[str, Any] | list[dict[str, Any]]) -> None:
    for pool in shown if isinstance(shown, list) else [shown]:
        _show_head(pool)
        _show_waiting(pool)


def _show_head(pool: dict[str, Any]) -> None:
    amounts = ", ".join(f"{name} {pool[name]}" for name in _AMOUNTS)
    print(f"pool {pool['pool']}: {pool['state']}, {pool['currency']}, {amounts}, breaker {pool['breaker']}")
    if pool["suspended"]:
        print(f"  suspended: {plain(pool['suspended'])}")
    if pool["retired"]:
        print(f"  retired {pool['retired']}, what was left went to {pool['retired_to']}")


def _show_waiting(pool: dict[str, Any]) -> None:
    for key, words in (("staged", "at the next restart"), ("file_differs", "in the file, not applied")):
        for change in pool[key]:
            print(f"  {words}: {change['name']} {plain(change['old'])} -> {plain(change['new'])}")
    proposal = pool["proposal"]
    if proposal:
        said = f"{proposal['act']} {proposal['what']}, {proposal['by']}: {proposal['why']}"
        print(f"  waits for a second person of another role: {plain(said)}")
