"""An hour of virtual time without the broker: tables play on, commits keep their time, memory is flat, signs return."""

from __future__ import annotations

import asyncio
import gc
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any

from jackpotd.daemon.publisher import MAX_IN_FLIGHT
from tests.simulation.clock_loop import ClockLoop, run_on_clock
from tests.simulation.run import folder, living, quiet, settle
from tests.simulation.sites import CLAIMS, site_of
from tests.simulation.world import DAEMON_ID, FRESH_S, RIGHT_AGAIN_S, World

SEED = 3  # one of those that keep their rows in a file
MINUTE_S = 60.0
TURN_S, HOUR_S = 5 * MINUTE_S, 60 * MINUTE_S
LOOK_S = 0.5
BETWEEN_LOOKS_S = 0.1
REST_S = (15.0, 25.0)
# A commit's own time, and that of the frames which came while the one before was written.
COMMIT_S = 0.02
# What an outage would leave behind it leaves for each message, and an hour has thousands; a day's few hits are kept.
GROWN_OBJECTS, GROWN_ELEMENTS = 300, 800
TRUTH = "tests.simulation.truth"


class Hour:
    """One run, and what was seen of it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.slowest_s = 0.0
        self.most_under_way = 0
        self.grown_objects = self.grown_elements = 0

    async def play(self) -> None:
        """As usual, then an hour without the broker, and back; then once more, for minutes."""
        world = self.world
        (dealer,) = world.dealers
        dealer.rest_s, dealer.lucky = REST_S, 0.0  # the hits of a day are kept, with a broker or without
        world.people.look_s = REST_S[0]
        over = False
        async with living(world) as life:
            playing = life.create_task(dealer.play(lambda: not over))
            await asyncio.sleep(MINUTE_S + BETWEEN_LOOKS_S)
            assert world.process.daemon is not None
            world.process.daemon.engine.observers.append(self._committed)
            settled = world.auditor.rounds["settled"]
            await self._hour()
            assert world.auditor.rounds["settled"] - settled > HOUR_S / REST_S[1] * 0.8
            await self._is_right_in_time()
            await self._until_away(self._silent, MINUTE_S)
            await self._is_right_in_time()
            over = True
            await playing
            await settle(world)

    async def _hour(self) -> None:
        """Silent and refused by turns; what is alive is counted after ten minutes and in the end."""
        alive: list[tuple[int, int]] = []
        for _ in range(int(HOUR_S / (2 * TURN_S))):
            await self._until_away(self._silent, TURN_S)
            await self._until_away(self._refused, TURN_S)
            alive.append(self._live())
        self.grown_objects, self.grown_elements = (
            late - early for late, early in zip(alive[-1], alive[0], strict=True)
        )

    def _silent(self) -> None:
        self.world.broker.start({})
        self.world.broker.silence()

    def _refused(self) -> None:
        self.world.broker.speak()
        self.world.broker.stop()

    async def _until_away(self, outage: Callable[[], None], for_s: float) -> None:
        """The broker is away in one of the two ways, from one moment to the next."""
        self.world.trouble.begin("outage")
        outage()
        await self._watch(for_s)
        assert set(self.world.sign.shown().values()) == {None}

    async def _is_right_in_time(self) -> None:
        """The broker is back; what it kept is lost."""
        world = self.world
        world.broker.start({})
        world.broker.speak()
        world.trouble.end("outage", world.loop.time())
        await asyncio.sleep(RIGHT_AGAIN_S)
        world.auditor.shown_is_right(world.sign.shown(), FRESH_S)

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


def test_an_hour_of_outage_costs_the_tables_nothing_and_memory_nothing_and_the_sign_is_right_5_s_after_it() -> None:
    hours: list[Hour] = []
    with quiet(), folder() as place:

        async def main(loop: ClockLoop) -> None:
            hours.append(Hour(World(SEED, loop, place, site_of(Random(SEED), {CLAIMS: ("stud-levels",)}))))
            await hours[0].play()

        run_on_clock(main)
    (hour,) = hours
    assert hour.slowest_s <= COMMIT_S
    assert 0 < hour.most_under_way <= MAX_IN_FLIGHT
    assert hour.grown_objects <= GROWN_OBJECTS
    assert hour.grown_elements <= GROWN_ELEMENTS
