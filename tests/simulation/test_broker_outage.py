"""An hour of virtual time without the broker: tables play on, commits keep their time, memory is flat, signs return."""

from __future__ import annotations

import asyncio
import gc
from collections import deque
from random import Random
from typing import Any

import pytest

from jackpotd.daemon.publisher import MAX_IN_FLIGHT
from tests.simulation.clock_loop import ClockLoop, run_on_clock
from tests.simulation.run import folder, living, quiet, settle
from tests.simulation.sites import CLAIMS, site_of
from tests.simulation.world import DAEMON_ID, FRESH_S, RIGHT_AGAIN_S, World

SEED = 3  # one of those that keep their rows in a file
MINUTE_S = 60.0
FIRST_S, HOUR_S = 10 * MINUTE_S, 60 * MINUTE_S
LOOK_S = 0.5
BETWEEN_LOOKS_S = 0.1
REST_S = (15.0, 25.0)
# A commit's own time, and that of the frames which came while the one before was written.
COMMIT_S = 0.02
# What an outage would leave behind it leaves for each message, and an hour has thousands; a day's few hits are kept.
GROWN_OBJECTS, GROWN_ELEMENTS = 150, 400
TRUTH = "tests.simulation.truth"


class Hour:
    """One run, and what was seen of it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.slowest_s = 0.0
        self.most_under_way = 0
        self.grown_objects = self.grown_elements = 0

    async def play(self, outage: str) -> None:
        """Ten minutes as usual, an hour without the broker, and back."""
        world = self.world
        (dealer,) = world.dealers
        dealer.rest_s, dealer.lucky = REST_S, 0.0  # the hits of a day are kept, with a broker or without
        over = False
        async with living(world) as life:
            playing = life.create_task(dealer.play(lambda: not over))
            await asyncio.sleep(MINUTE_S + BETWEEN_LOOKS_S)
            assert world.process.daemon is not None
            world.process.daemon.engine.observers.append(self._committed)
            settled = world.auditor.rounds["settled"]
            world.trouble.begin("outage")
            _break(world, outage)
            await self._watch(FIRST_S)
            objects, elements = self._live()
            await self._watch(HOUR_S - FIRST_S)
            self.grown_objects, self.grown_elements = (
                late - early for late, early in zip(self._live(), (objects, elements), strict=True)
            )
            assert world.auditor.rounds["settled"] - settled > HOUR_S / REST_S[1] * 0.8
            assert set(world.sign.shown().values()) == {None}
            _mend(world, outage)
            world.trouble.end("outage", world.loop.time())
            await asyncio.sleep(RIGHT_AGAIN_S)
            world.auditor.shown_is_right(world.sign.shown(), FRESH_S)
            over = True
            await playing
            await settle(world)

    def _committed(self, _state: Any, committed: Any) -> None:
        self.slowest_s = max(self.slowest_s, (self.world.clock.monotonic_ns() - committed.heard_ns) / 1e9)

    def _live(self) -> tuple[int, int]:
        """How much is alive: objects, and elements of collections, without what the felt and its auditor keep."""
        auditor, truth = self.world.auditor, self.world.truth
        kept = [*vars(auditor).values(), *(book.history for book in auditor.pools.values())]
        ours = {id(one) for one in (*kept, *(board.noted for board in truth.boards.values()))}
        gc.collect()
        alive = [one for one in gc.get_objects() if type(one).__module__ != TRUTH and id(one) not in ours]
        return len(alive), sum(len(one) for one in alive if isinstance(one, list | dict | set | deque))

    async def _watch(self, for_s: float) -> None:
        world = self.world
        until_s = world.loop.time() + for_s
        while world.loop.time() < until_s:
            del world.truth.coups[CLAIMS][:-1]
            session = world.broker.sessions.get(DAEMON_ID)
            if session is not None:
                self.most_under_way = max(self.most_under_way, session.client.under_way)
            await asyncio.sleep(LOOK_S)


def _break(world: World, outage: str) -> None:
    if outage == "refused":
        world.broker.stop()
    elif outage == "silent":
        world.broker.silence()
    else:
        world.broker.weather.no_puback = 1.0


def _mend(world: World, outage: str) -> None:
    if outage == "refused":
        world.broker.start({})
    elif outage == "silent":
        world.broker.speak()
    else:
        world.broker.weather.no_puback = 0.0


@pytest.mark.parametrize("outage", ["refused", "silent"])
def test_an_hour_without_the_broker_costs_the_tables_nothing_and_memory_nothing(outage: str) -> None:
    hours: list[Hour] = []
    with quiet(), folder() as place:

        async def main(loop: ClockLoop) -> None:
            world = World(SEED, loop, place, site_of(Random(SEED), {CLAIMS: ("stud-levels",)}))
            hours.append(Hour(world))
            await hours[0].play(outage)

        run_on_clock(main)
    (hour,) = hours
    assert hour.slowest_s <= COMMIT_S
    assert hour.most_under_way <= MAX_IN_FLIGHT
    assert hour.grown_objects <= GROWN_OBJECTS
    assert hour.grown_elements <= GROWN_ELEMENTS
