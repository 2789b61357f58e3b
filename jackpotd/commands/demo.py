"""`jackpotd demo`: the whole product on this machine, played by simulated tables."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from jackpotd.commands.common import DONE, NO, USAGE
from jackpotd.daemon.config_faults import ConfigError
from jackpotd.demo.stage import Options, run_demo
from jackpotd.ledger.port import LedgerError

# Beyond this the bus itself, not the hands, sets the pace.
_FASTEST = 1_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `demo`."""
    parser.add_argument("--speed", type=_positive, default=1, metavar="X", help="times a real dealer's speed (now 1)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="same seed, same rounds (now 1)")
    parser.add_argument("--rounds", type=_positive, metavar="N", help="stop after N rounds, in the seed's order")
    parser.add_argument("--broker", metavar="URL", help="use this broker instead of the embedded one")
    parser.add_argument("--no-supervisor", action="store_true", help="leave the approval of hits to you")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="keep ledger, configuration and log in DIR")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="an SVG image of the view at the first top prize")


def call(args: argparse.Namespace) -> int:
    """Run until Ctrl-C or the last round. 1: the ledger does not hold; 2: an option is no good."""
    if args.folder is not None and args.folder.exists() and any(args.folder.iterdir()):
        print(f"jackpotd: {args.folder} is not empty; the demo begins with a new ledger", file=sys.stderr)
        return USAGE
    if args.picture is not None and not args.picture.parent.is_dir():
        print(f"jackpotd: there is no folder {args.picture.parent} for the picture", file=sys.stderr)
        return USAGE
    options = Options(
        min(args.speed, _FASTEST),
        args.seed,
        args.rounds,
        args.broker,
        not args.no_supervisor,
        args.folder,
        args.picture,
    )
    try:
        return DONE if run_demo(options) else NO
    except ConfigError as error:
        print(error, file=sys.stderr)
        return USAGE
    except LedgerError as error:
        print(f"jackpotd: {error}", file=sys.stderr)
        return NO


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number
