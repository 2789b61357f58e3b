"""A bad serial line: what goes in comes out late, cut, doubled, spoilt or not at all.

Laws
1. Chance comes from the caller's generator: the same seed and the same chunks give the same faults.
2. Order is kept. A piece's delay counts from the piece before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Faults:
    """Chances between 0 and 1, and the most that a piece may be late."""

    drop: float = 0.0  # a byte lost
    corrupt: float = 0.0  # a byte with one wrong bit
    repeat: float = 0.0  # a chunk sent twice
    split: float = 0.0  # a cut after a byte
    delay_ms: int = 0


class FaultyLine:
    """One direction of a line."""

    def __init__(self, rng: Random, faults: Faults) -> None:
        self._rng = rng
        self._faults = faults

    def carry(self, chunk: bytes) -> list[tuple[int, bytes]]:
        """What comes out of `chunk`: pieces, each with its milliseconds after the one before."""
        times = 2 if self._happens(self._faults.repeat) else 1
        pieces = [piece for _ in range(times) for piece in self._cut(self._spoil(chunk))]
        return [(self._rng.randint(0, self._faults.delay_ms), piece) for piece in pieces]

    def _spoil(self, chunk: bytes) -> bytes:
        kept = (byte for byte in chunk if not self._happens(self._faults.drop))
        flipped = (byte ^ 1 << self._rng.randrange(8) if self._happens(self._faults.corrupt) else byte for byte in kept)
        return bytes(flipped)

    def _cut(self, chunk: bytes) -> list[bytes]:
        ends = [at for at in range(1, len(chunk)) if self._happens(self._faults.split)]
        pieces = [chunk[start:end] for start, end in zip([0, *ends], [*ends, len(chunk)], strict=True)]
        return [piece for piece in pieces if piece]

    def _happens(self, chance: float) -> bool:
        return chance > 0 and self._rng.random() < chance
