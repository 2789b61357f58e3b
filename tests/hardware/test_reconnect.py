"""Waits between attempts: jittered, capped, and reset only by a link that lasted."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from hardware.reconnect import Backoff


class Highest(Random):
    """Chance that always draws the upper bound."""

    def uniform(self, a: float, b: float) -> float:
        return max(a, b)


def backoff(rng: Random) -> Backoff:
    return Backoff(rng, first_s=0.5, cap_s=10.0, stable_s=30.0)


def test_the_bound_doubles_up_to_the_cap() -> None:
    waits = backoff(Highest())
    assert [waits.delay_s(0.0) for _ in range(7)] == [0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0]


def test_a_link_that_lived_shortly_does_not_reset_the_wait() -> None:
    waits = backoff(Highest())
    waits.delay_s(0.0)
    assert waits.delay_s(29.9) == 1.0


def test_a_link_that_lived_long_resets_the_wait() -> None:
    waits = backoff(Highest())
    waits.delay_s(0.0)
    assert waits.delay_s(30.0) == 0.5


def test_every_wait_is_drawn_between_nothing_and_its_bound() -> None:
    bounds, drawn = backoff(Highest()), backoff(Random(7))
    waits = [(drawn.delay_s(0.0), bounds.delay_s(0.0)) for _ in range(200)]
    assert all(0.0 <= wait <= bound for wait, bound in waits)
    assert min(wait for wait, _ in waits) < 1.0
    assert any(one != other for one, other in pairwise(wait for wait, _ in waits))


def test_one_seed_gives_one_sequence() -> None:
    one, other = backoff(Random(3)), backoff(Random(3))
    assert [one.delay_s(0.0) for _ in range(9)] == [other.delay_s(0.0) for _ in range(9)]
