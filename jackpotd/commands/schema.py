"""`jackpotd schema`: the formats that other programs rely on, printed from the code that reads and writes them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

from jackpotd import __version__
from jackpotd.commands.common import DONE
from jackpotd.daemon.capture_schema import capture_schema
from jackpotd.daemon.config_models import config_schema
from jackpotd.messages.asyncapi import asyncapi
from jackpotd.messages.control import control_schema
from jackpotd.sign.settings import Settings

_DOCUMENTS: dict[str, Callable[[], dict[str, Any]]] = {
    "mqtt": lambda: asyncapi(__version__),
    "config": config_schema,
    "control": control_schema,
    "capture": capture_schema,
    "sign": Settings.model_json_schema,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `schema`."""
    parser.add_argument(
        "what",
        nargs="?",
        choices=tuple(_DOCUMENTS),
        default="mqtt",
        help="mqtt: AsyncAPI (the default); config: the file; control: the socket; capture: its lines; sign: its file",
    )


def call(args: argparse.Namespace) -> int:
    """Print one JSON document."""
    print(json.dumps(_DOCUMENTS[args.what](), ensure_ascii=False, indent=2))
    return DONE
