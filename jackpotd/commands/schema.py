"""`jackpotd schema`: the formats that other programs rely on, printed from the code that reads and writes them."""

from __future__ import annotations

import argparse
import json

from jackpotd import __version__
from jackpotd.commands.common import DONE
from jackpotd.daemon.config_models import config_schema
from jackpotd.messages.asyncapi import asyncapi
from jackpotd.messages.control import control_schema


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `schema`."""
    parser.add_argument(
        "what",
        nargs="?",
        choices=("mqtt", "config", "control"),
        default="mqtt",
        help="mqtt: AsyncAPI (the default); config: the file; control: the socket",
    )


def call(args: argparse.Namespace) -> int:
    """Print one JSON document."""
    if args.what == "mqtt":
        document = asyncapi(__version__)
    else:
        document = config_schema() if args.what == "config" else control_schema()
    print(json.dumps(document, ensure_ascii=False, indent=2))
    return DONE
