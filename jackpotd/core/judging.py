"""What judging a round of either game shares: what the pool holds, what went wrong, what a stake is.

Laws
1. A judged round changes nothing: the same round with the same parameters has the same answer, always.
2. A void round pays nothing, returns every stake and leaves the pool alone (61/2004 11(1), 11(4)).
3. A round that cannot be judged is refused in words; nothing about it is guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from jackpotd.core.errors import RuleError
from jackpotd.core.money import ATOMS_PER_MINOR, ZERO, Atoms
from jackpotd.core.settlement import Settlement


class Irregularity(StrEnum):
    """What went wrong in the deal (61/2004 11)."""

    MISDEAL = "misdeal"  # 11(1): a wrong order or number of cards
    EXPOSED_ONE = "exposed_one"  # 11(2)
    EXPOSED_TWO = "exposed_two"  # 11(1): two or more
    SHUFFLER = "shuffler"  # 11(4)


@dataclass(frozen=True, slots=True)
class Funds:
    """What a pool holds when the prizes of a round begin; the round's contributions are in it."""

    pool_atoms: Atoms
    reserve_atoms: Atoms = ZERO
    overflow_atoms: Atoms = ZERO

    def untouched(self) -> Settlement:
        """The settlement of a round that pays nothing."""
        return Settlement((), None, self.pool_atoms, self.reserve_atoms, self.overflow_atoms)


def voids(irregularity: Irregularity | None) -> bool:
    """Whether the whole round is void; one exposed card leaves it standing (61/2004 11(2))."""
    return irregularity not in {None, Irregularity.EXPOSED_ONE}


def check_seat(seat: int, seats: int) -> None:
    """RuleError unless the table has this seat."""
    if not 1 <= seat <= seats:
        raise RuleError(f"seat {seat} is unknown: the table has seats 1 to {seats}")


def check_stake(amount_atoms: Atoms) -> None:
    """RuleError unless this can be bet: whole minor units, and more than nothing."""
    if amount_atoms <= 0 or amount_atoms % ATOMS_PER_MINOR:
        raise RuleError("a bet is whole minor units, and more than nothing")
