"""How long to wait before a link is opened again.

Laws
1. Full jitter: each wait is drawn between nothing and its bound, so that links lost together do not return together.
2. The bound doubles from `first_s` to `cap_s`, and starts over only after a link that lived `stable_s`.
3. The draw comes from the caller's generator: the same seed, the same waits.
"""

from __future__ import annotations

from random import Random


class Backoff:
    """The waits of one link."""

    def __init__(self, rng: Random, first_s: float, cap_s: float, stable_s: float) -> None:
        self._rng = rng
        self._first_s = first_s
        self._cap_s = cap_s
        self._stable_s = stable_s
        self._bound_s = first_s

    def delay_s(self, lived_s: float) -> float:
        """The wait after a link that lived `lived_s`; 0 where it could not be opened at all."""
        if lived_s >= self._stable_s:
            self._bound_s = self._first_s
        delay_s = self._rng.uniform(0.0, self._bound_s)
        self._bound_s = min(self._cap_s, self._bound_s * 2)
        return delay_s
