"""What every face of a sign does, and what it says of itself."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Protocol

from jackpotd.sign.views import PoolView, SignView


@dataclass(frozen=True, slots=True)
class Shown:
    """What people see. `screens`: browsers that show it; None where the face is the screen."""

    pools: tuple[PoolView, ...]
    screens: int | None = None


class Face(Protocol):
    """A screen of some kind."""

    def show(self, view: SignView) -> None:
        """Show this from now on; called often, also when nothing changed."""
        ...

    def shown(self) -> Shown:
        """What is to be seen at this moment."""
        ...

    async def run(self, stop: asyncio.Event) -> None:
        """Draw, until the sign stops."""
        ...
