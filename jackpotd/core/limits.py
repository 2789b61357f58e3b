"""What of a pool's luck is credible, as recorded when its parameters take force; computed by `odds`, compared here.

Laws
1. The core knows no chance: it multiplies and compares whole numbers that the ledger holds.
2. A trial is what can win: a bet at stud, a round with a bettor at baccarat (there all seats share one round).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NewType

from jackpotd.core.money import Atoms
from jackpotd.core.parameters import PoolParams

# Of a hit or of an amount; it passes 64 bits, so the ledger holds it as text.
Parts = NewType("Parts", int)
# A hit in the lines of `TierLimit`: a millionth of a millionth is far below what one bet brings.
HIT = Parts(10**12)


@dataclass(frozen=True, slots=True)
class Line:
    """Less than `start` + the trials of each game times `per_trial`, in the games' order, is credible."""

    start: Parts
    per_trial: tuple[Parts, ...]

    def at(self, trials: Sequence[int]) -> int:
        """Where it stands after these trials of each game."""
        return self.start + sum(count * each for count, each in zip(trials, self.per_trial, strict=True))


@dataclass(frozen=True, slots=True)
class TierLimit:
    """Hits of one tier of one game, in units of HIT."""

    game: str
    tier: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class MoneyLimit:
    """What all prizes together cost, in atoms, while the meter was never above `meter_atoms`."""

    meter_atoms: Atoms
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """What is credible of a pool with these parameters. `money` by rising meter; `games`: whose trials count."""

    params: PoolParams
    games: tuple[str, ...]
    tiers: tuple[TierLimit, ...]
    money: tuple[MoneyLimit, ...]


def least(lines: Sequence[Line], trials: Sequence[int]) -> int:
    """The least of the lines: as much or more is not credible."""
    return min(line.at(trials) for line in lines)
