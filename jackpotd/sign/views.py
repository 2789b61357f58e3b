"""What a sign shows: frozen pictures that the model makes and every face draws.

Law: a neutral pool has no amount, so that no face can draw a stale one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

State = Literal["live", "pending", "suspended", "neutral"]


@dataclass(frozen=True, slots=True)
class Amount:
    """Whole minor units of a currency, as the controller committed them."""

    minor: int
    currency: str
    exponent: int


@dataclass(frozen=True, slots=True)
class PoolView:
    """One pool. `amount`, `epoch` and `seq` are None when, and only when, it is neutral."""

    pool: str
    state: State
    amount: Amount | None = None
    epoch: int | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a winner sits."""

    table: str
    seat: int


@dataclass(frozen=True, slots=True)
class HitView:
    """A hit to be celebrated. `on_stage`: over the whole face now; else in the ribbon."""

    hit: str
    pool: str
    tier: str
    amount: Amount
    places: tuple[Place, ...]
    state: Literal["pending", "approved", "paid"]
    on_stage: bool


@dataclass(frozen=True, slots=True)
class SignView:
    """The whole sign: pools as configured, hits greatest first after that on the stage. `falls`: unexplained ones."""

    pools: tuple[PoolView, ...]
    hits: tuple[HitView, ...]
    falls: int


def neutral_view(pools: Sequence[str]) -> SignView:
    """What a sign shows before it has heard anything, and when it ends."""
    return SignView(tuple(PoolView(pool, "neutral") for pool in pools), (), 0)
