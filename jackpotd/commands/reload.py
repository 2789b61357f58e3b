"""`jackpotd reload`: the daemon reads its configuration anew; tables that did not change play on."""

from __future__ import annotations

import argparse
from typing import Any

from jackpotd.commands.asking import add_asking, ask


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `reload`."""
    add_asking(parser)


def call(args: argparse.Namespace) -> int:
    """Ask the daemon. 2: the file has faults, all of them are told and nothing has changed."""
    return ask(args, "reload", _show)


def _show(done: dict[str, Any]) -> None:
    print(f"{done['file']} is read (sha256 {done['sha256']})")
    for kind in ("pools", "tables", "devices"):
        for change, names in done[kind].items():
            if names:
                print(f"{kind} {change}: {', '.join(names)}")
    if done["waiting"]["pools"]:
        print(f"live pools keep their parameters: {', '.join(done['waiting']['pools'])}")
    if done["waiting"]["tables"]:
        print(f"a round is in play, so reload again after it: {', '.join(done['waiting']['tables'])}")
    if done["restart"]:
        print(f"only a restart changes: {', '.join(done['restart'])}")
