"""`jackpotd device`: the devices at their places, and another one in mid-shift (devices.md section 3)."""

from __future__ import annotations

import argparse
from typing import Any

from jackpotd.commands.asking import add_acting, add_asking, ask
from jackpotd.commands.common import add_action
from jackpotd.commands.tables import lines

_HEAD = ("DEVICE", "DRIVER", "SERIAL", "STATE", "WHY", "ANOTHER BOARD", "ACCEPTED BY")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `device`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add_asking(add_action(actions, "list", "the devices at their places", "device list", "device list --json"))
    replace = add_action(
        actions,
        "replace",
        "accept the device that stands at a place now; it takes a technician and a supervisor",
        'device replace T01/panel --why "a broken place"',
        'device replace T01/panel --why "a broken place" --as ana    (the second person)',
    )
    replace.add_argument("place", metavar="TABLE/DEVICE", type=_place)
    replace.add_argument("--why", required=True, metavar="REASON", help="the reason, for the ledger")
    add_acting(replace)


def call(args: argparse.Namespace) -> int:
    """Ask the daemon."""
    if args.action == "list":
        return ask(args, "device.list", _show_list)
    table, device = args.place
    return ask(args, "device.replace", _show, table=table, device=device, why=args.why)


def _place(text: str) -> tuple[str, str]:
    """Table and device of `T01/shoe`."""
    table, _, device = text.partition("/")
    if not (table and device):
        raise argparse.ArgumentTypeError(f"{text!r} is no place: say table and device, such as T01/shoe")
    return table, device


def _show_list(devices: list[dict[str, Any]]) -> None:
    rows = [(each["device"], each["driver"], each["serial"], each["state"], *_of_people(each)) for each in devices]
    print("\n".join(lines(_HEAD, rows)) if rows else "no devices")


def _of_people(device: dict[str, Any]) -> tuple[str, str, str]:
    return device["why"], device["foreign"], device["accepted_by"]


def _show(said: dict[str, Any]) -> None:
    board = f" by {said['serial']}" if said["serial"] else ""
    people = ", ".join(said["by"])
    if said["replaced"]:
        print(f"{said['device']} is replaced{board}: {people}")
    else:
        print(f"{people} accepts that {said['device']} is replaced{board}: it takes the technician and the supervisor")
