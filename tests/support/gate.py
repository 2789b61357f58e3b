"""A line that a test can shut: what comes while it is shut is lost."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hardware.simulated.line import Faults, FaultyLine


class Gate(FaultyLine):
    """One direction. `noticed` is told of every chunk that passes, before it arrives."""

    def __init__(self, faults: Faults | None = None, seed: int = 0) -> None:
        super().__init__(Random(seed), faults or Faults())
        self.shut = False
        self.noticed: Callable[[bytes], None] | None = None

    def carry(self, chunk: bytes) -> list[tuple[int, bytes]]:
        if self.shut:
            return []
        if self.noticed is not None:
            self.noticed(chunk)
        return super().carry(chunk)
