"""A sign started from its settings: for the command and for the demo.

await run_sign(settings, stop, lambda url: ...)     # until `stop` is set
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from jackpotd.sign.browser import BrowserFace
from jackpotd.sign.face import Face
from jackpotd.sign.player import Player
from jackpotd.sign.settings import Settings


async def run_sign(settings: Settings, stop: asyncio.Event, started: Callable[[str], None]) -> None:
    """Play until `stop`; `started` is told where the sign is to be seen. SignError: it cannot start."""
    face, where = _face(settings)
    player = Player(settings, face, stop)
    started(where)
    await player.run()


def _face(settings: Settings) -> tuple[Face, str]:
    face = BrowserFace(settings)
    return face, face.url
