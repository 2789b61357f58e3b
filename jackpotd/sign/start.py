"""A sign started from its settings: for the command and for the demo.

await run_sign(settings, stop, lambda url: ..., lambda: ...)     # until `stop` is set
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import assert_never

from jackpotd.sign.face import Face
from jackpotd.sign.player import Player
from jackpotd.sign.settings import Settings


async def run_sign(
    settings: Settings, stop: asyncio.Event, started: Callable[[str], None], came_round: Callable[[], None]
) -> None:
    """Play until `stop`; `started` is told where the sign is to be seen, and a sign that lives calls `came_round`.

    SignError: it cannot start.
    """
    face, where = _face(settings)
    player = Player(settings, face, stop, came_round)
    started(where)
    await player.run()


def _face(settings: Settings) -> tuple[Face, str]:
    """The face, and where it is to be seen; the libraries of the other faces are not loaded."""
    if settings.face == "browser":
        from jackpotd.sign.browser import BrowserFace  # noqa: PLC0415  # 5 MiB that an LED sign does not need

        browser = BrowserFace(settings)
        return browser, browser.url
    if settings.face == "led":
        from jackpotd.sign.led import LedFace  # noqa: PLC0415  # serial lines are for LED signs

        return LedFace(settings), settings.port or ""
    if settings.face == "terminal":
        from jackpotd.sign.terminal import TerminalFace  # noqa: PLC0415  # 2 MiB that a page does not need

        return TerminalFace(settings), "this terminal"
    assert_never(settings.face)
