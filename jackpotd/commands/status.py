"""`jackpotd status`: pools, tables, hits and alarms at a glance."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from jackpotd.commands.asking import add_asking, answer, ask, attempt
from jackpotd.commands.common import DONE
from jackpotd.commands.doubts import doubt_text
from jackpotd.commands.table import round_lines
from jackpotd.commands.tables import lines, plain

# A person sees no more; the signs have the rest.
WATCH_S = 1.0
_CLEAR = "\x1b[H\x1b[J"
_POOLS = ("POOL", "METER", "", "STATE")
_TABLES = ("TABLE", "ROUND", "PHASE", "PROGRESSIVE", "BETS", "DEALS FROM", "DEVICES", "WHY CLOSED")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `status`."""
    add_asking(parser)
    parser.add_argument("--watch", action="store_true", help="say it again every second, until Ctrl-C")


def call(args: argparse.Namespace) -> int:
    """Ask the daemon, once or until interrupted."""
    if not args.watch:
        return ask(args, "status", lambda found: print(status_text(found)))
    try:
        while (code := attempt(args, lambda: answer(args, "status", {}), _show)) == DONE:
            time.sleep(WATCH_S)
    except KeyboardInterrupt:
        return DONE
    return code


def _show(found: dict[str, Any]) -> None:
    print(f"{_CLEAR if sys.stdout.isatty() else ''}{status_text(found)}", flush=True)


def status_text(found: dict[str, Any]) -> str:
    """All of it as text."""
    head = [
        f"site {found['site']}, node {found['node']}, version {found['version']}, since {found['started']}",
        f"gaming day {found['day']}, epoch {found['epoch']}, ledger row {found['seq']}, broker {found['broker']}",
        f"hits: {found['hits']['pending']} pending, {found['hits']['approved']} approved and not paid",
    ]
    head += [f"gaming day {found['day']} is PROVISIONAL: {doubt_text(doubt)}" for doubt in found["provisional"]]
    if found["suspended"]:
        head.append(f"SUSPENDED: {found['suspended']}")
    pools = [(pool["pool"], pool["amount"], pool["currency"], pool["state"]) for pool in found["pools"]]
    blocks = [head, lines(_POOLS, pools, right=("METER",)), lines(_TABLES, map(_table, found["tables"]))]
    blocks += [
        [f"HELD {table['round']}:", *round_lines(table)] for table in found["tables"] if table["phase"] == "held"
    ]
    if found["alarms"]:
        blocks.append([f"ALARM since {alarm['since']}: {alarm['text']}. {alarm['todo']}" for alarm in found["alarms"]])
    return "\n\n".join("\n".join(map(plain, block)) for block in blocks)


def _table(table: dict[str, Any]) -> tuple[str, ...]:
    away = " ".join(name for name, state in table["devices"].items() if state != "online")
    devices = f"offline: {away}" if away else "online"
    played = (table["table"], table["round"], table["phase"], table["progressive"], _bets(table))
    return (*played, table["deal"], devices, table["why"])


def _bets(table: dict[str, Any]) -> str:
    """Seats that bet alike in one word, so that a pool's name stands there once; carried bets wait for an ante."""
    alike: dict[str, list[str]] = {}
    for seat, bets in table["seats"].items():
        alike.setdefault("+".join(bets), []).append(seat)
    for seat, pools in table["carried"].items():
        alike.setdefault(f"carried:{'+'.join(pools)}", []).append(seat)
    return " ".join(f"{','.join(seats)}:{bets}" for bets, seats in alike.items())
