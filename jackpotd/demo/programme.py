"""The programme of the show: which prizes the stacked packs bring, and when.

Laws
1. Within the first minute every game shows its top prize; after that prizes come by the seed, far oftener than in life.
2. A table's programme depends on the seed and its own rounds alone, never on time or on other tables.
"""

from __future__ import annotations

from random import Random
from typing import Final

from jackpotd.demo.site import BACCARAT_TABLE, SHOE_TABLE, SHUFFLER_TABLE

# The first rounds of each table, at about twelve seconds a round.
_OPENING: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    SHOE_TABLE: ((), ("flush",), ("straight_flush", "royal_flush")),
    SHUFFLER_TABLE: ((), (), ("four_of_a_kind",), ("full_house",)),
    BACCARAT_TABLE: ((), ("three_of_a_kind",), (), ("six_of_a_kind",)),
}
_STACKED: Final = 0.2  # of all later rounds: what small prizes take, the bets bring in again
_STUD: Final = {"flush": 60, "full_house": 25, "four_of_a_kind": 8, "straight_flush": 4, "royal_flush": 3}
_BACCARAT: Final = {
    "three_of_a_kind": 60,
    "four_of_a_kind": 20,
    "double_three": 8,
    "five_of_a_kind": 5,
    "six_of_a_kind": 7,
}


class Programme:
    """The tiers of one table's rounds, in order."""

    def __init__(self, table: str, seed: int) -> None:
        self.rng = Random(f"{seed} {table}")
        self._opening = iter(_OPENING[table])
        self._weights = _BACCARAT if table == BACCARAT_TABLE else _STUD

    def next(self) -> tuple[str, ...]:
        """The tiers that the next round's pack is stacked for; often none."""
        opening = next(self._opening, None)
        if opening is not None:
            return opening
        if self.rng.random() >= _STACKED:
            return ()
        return tuple(self.rng.choices(tuple(self._weights), tuple(self._weights.values())))
