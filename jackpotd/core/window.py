"""What a pool has lately seen, for its breaker: a ring of buckets over the window, kept by recorded times.

Laws
1. Rounds and their hits are counted together, when a round is settled; a void round is no round. A rejected hit stays:
   that it was locked is what happened.
2. Nothing is counted for a pool without a breaker. At most BUCKETS buckets are kept, in order of time; a clock that
   jumps back counts into the newest.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from jackpotd.core.money import ZERO, Atoms
from jackpotd.core.parameters import BreakerParams

# The window moves in twenty-fourths: an hour of a day. What is compared is never more than the window.
BUCKETS = 24


@dataclass(slots=True)
class Bucket:
    """Trials and hits of one part of the window. `meter_atoms`: the highest meter that a prize was paid from."""

    number: int
    trials: dict[str, int] = field(default_factory=dict)  # game -> bets (stud) or rounds with a bettor (baccarat)
    hits: dict[str, int] = field(default_factory=dict)  # game.tier -> seats (stud) or rounds (baccarat)
    cost_atoms: Atoms = ZERO  # whoever paid it
    meter_atoms: Atoms = ZERO


def count_of(game: str, seats: int) -> int:
    """How many trials or hits these seats of one round are: at baccarat they share one."""
    return seats if game == "stud" else 1


def hit_key(game: str, tier: str) -> str:
    """The key of a tier of a game; neither has a dot."""
    return f"{game}.{tier}"


def note_round(window: list[Bucket], breaker: BreakerParams, at_ms: int, game: str, seats: int) -> None:
    """A round was settled in which these seats played for the pool."""
    bucket = _bucket(window, breaker, at_ms)
    bucket.trials[game] = bucket.trials.get(game, 0) + count_of(game, seats)


def note_hit(
    window: list[Bucket], breaker: BreakerParams, at_ms: int, key: str, hits: int, cost: Atoms, meter: Atoms
) -> None:
    """Prizes were locked that cost so much, from a pool of this meter."""
    bucket = _bucket(window, breaker, at_ms)
    bucket.hits[key] = bucket.hits.get(key, 0) + hits
    bucket.cost_atoms = Atoms(bucket.cost_atoms + cost)
    bucket.meter_atoms = max(bucket.meter_atoms, meter)


def move(window: list[Bucket], breaker: BreakerParams, by_ms: int) -> None:
    """The clock was set: the window keeps its length by the new one, to a bucket."""
    for bucket in window:
        bucket.number += by_ms * BUCKETS // breaker.window_ms


def _bucket(window: list[Bucket], breaker: BreakerParams, at_ms: int) -> Bucket:
    """The bucket of this time; what is older than the window is forgotten."""
    number = at_ms * BUCKETS // breaker.window_ms
    if not window or number > window[-1].number:
        window[:] = [bucket for bucket in window if bucket.number > number - BUCKETS]
        window.append(Bucket(number))
    return window[-1]
