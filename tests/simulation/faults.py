"""What breaks, and when: drawn from the seed."""

from __future__ import annotations

import asyncio

from tests.simulation.world import World


class Faults:
    """The faults of one run."""

    def __init__(self, world: World) -> None:
        self.made: list[str] = []
        self._world = world

    async def run(self) -> None:
        """Break things, for ever."""
        await asyncio.get_running_loop().create_future()

    async def mend(self) -> None:
        """Everything is whole again."""
