"""What the user sees of the demo: a live view on a terminal, plain lines anywhere else, and a picture of the view.

Laws
1. Drawing never holds up the tables: the event loop makes pictures, a thread of its own puts them on the terminal.
2. However it ends, the terminal is left as it was.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from rich.console import RenderableType
from rich.live import Live

from jackpotd.daemon.board import Board, Wake
from jackpotd.demo.view import FRAMES_A_SECOND, View, export

# The top prize of each game: the moment worth a picture.
_TOP_TIERS = frozenset({"royal_flush", "six_of_a_kind"})
_WAIT_S = 1.0
_PICTURE_COLUMNS = 118


def say(line: str) -> bool:
    """A line to the user, at once; whether anybody still listens. Once nobody does, nothing is said any more."""
    try:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
        return False
    return True


async def show_live(view: View) -> None:
    """The live view, for ever."""
    frame = view.picture()

    def newest() -> RenderableType:
        return frame

    with Live(get_renderable=newest, screen=True, refresh_per_second=FRAMES_A_SECOND):
        while True:
            await asyncio.sleep(1 / FRAMES_A_SECOND)
            frame = view.picture()


async def top_prize_pending(board: Board) -> None:
    """Wait until a top prize is seen pending."""
    wake = Wake(board)
    while not any(hit.tier in _TOP_TIERS and hit.status == "pending" for hit in board.hits.values()):
        await wake.wait(_WAIT_S)


def keep_picture(view: View, path: Path) -> None:
    """Keep the view as an SVG image."""
    path.write_text(export(view, _PICTURE_COLUMNS), encoding="utf-8")
