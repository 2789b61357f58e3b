"""A whole site whose clock is not synchronised or is set a day either way: it plays, and tells."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from jackpotd.core.entries import ClockJumped
from jackpotd.ledger.restore import encode_state
from jackpotd.ledger.rows import decode_row
from tests.simulation.clock_loop import ClockLoop, run_on_clock
from tests.simulation.people import ROOT, SUPERVISOR
from tests.simulation.run import folded
from tests.simulation.world import World

DAY_MS = 86_400_000
LOOKS_S = 5.0


def site(folder: Path, story: Callable[[World], Awaitable[None]]) -> None:
    """A site that plays nothing, whose controller is started again whenever it dies."""

    async def live(loop: ClockLoop) -> None:
        world = World(1, loop, folder)
        async with asyncio.TaskGroup() as life:
            keeper = life.create_task(world.keep_running())
            others = [life.create_task(world.floor.run()), life.create_task(world.people.run())]
            await asyncio.sleep(LOOKS_S)
            await story(world)
            state = folded(world)
            world.over.set()
            world.process.stop.set()
            await keeper
            for other in others:
                other.cancel()
        assert world.process.daemon is not None
        assert encode_state(world.process.daemon.engine.state) == state

    run_on_clock(live)


async def status(world: World) -> dict[str, Any]:
    found: dict[str, Any] = await world.people.ask(ROOT, "status")
    return found


async def doubts(world: World) -> list[tuple[str, int]]:
    return [(doubt["why"], doubt["by_ms"]) for doubt in (await status(world))["provisional"]]


async def alarms(world: World) -> list[str]:
    return [alarm["code"] for alarm in (await status(world))["alarms"] if alarm["code"].startswith("clock")]


async def close_day(world: World, day: int) -> list[tuple[str, int]]:
    closed = await world.people.ask(SUPERVISOR, "day.close", day=day)
    return [(doubt["why"], doubt["by_ms"]) for doubt in closed["provisional"]]


def test_tables_play_on_a_clock_that_nothing_vouches_for_and_the_day_is_provisional(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        open_tables = [table["progressive"] for table in (await status(world))["tables"]]
        assert set(open_tables) == {"open"}
        world.synchronised = False
        await asyncio.sleep(LOOKS_S)
        assert await doubts(world) == [("unsynchronised", 0)]
        assert await alarms(world) == ["clock_unsynchronised"]
        assert [table["progressive"] for table in (await status(world))["tables"]] == open_tables
        world.kill(power=False, noticed_s=0.0)
        await asyncio.sleep(LOOKS_S)
        assert await doubts(world) == [("unsynchronised", 0)], "once, not at every start"
        world.synchronised = True
        await asyncio.sleep(LOOKS_S)
        assert await alarms(world) == []
        assert await close_day(world, 1) == [("unsynchronised", 0)]
        assert await close_day(world, 2) == []

    site(tmp_path, story)


def test_a_clock_that_is_set_while_the_site_plays_is_told_within_seconds(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        for by_ms in (DAY_MS, -DAY_MS):
            world.set_clock(by_ms)
            await asyncio.sleep(LOOKS_S)
        assert await doubts(world) == [("jumped", DAY_MS), ("jumped", -DAY_MS)]
        assert await alarms(world) == ["clock_jumped"]
        assert await close_day(world, 1) == [("jumped", DAY_MS), ("jumped", -DAY_MS)]
        await asyncio.sleep(900.0)
        assert await alarms(world) == []
        assert await doubts(world) == []

    site(tmp_path, story)


def test_a_clock_that_went_back_while_the_controller_was_away_is_told_before_anything_is_dated(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        world.kill(power=True, noticed_s=0.0)
        world.set_clock(-DAY_MS)
        await asyncio.sleep(LOOKS_S)
        ((why, by_ms),) = await doubts(world)
        assert why == "jumped"
        assert -DAY_MS <= by_ms < -DAY_MS + int(4 * LOOKS_S * 1_000)
        daemon = world.process.daemon
        assert daemon is not None
        rows = [decode_row(row.body) for row in daemon.engine.writer._ledger.rows()]
        (jumped,) = (at for at, row in enumerate(rows) if isinstance(row, ClockJumped))
        before, after = ([row.at_ms for row in part] for part in (rows[: jumped - 1], rows[jumped - 1 :]))
        assert before == sorted(before)
        assert after == sorted(after)
        assert after[0] < before[-1], "the rows keep their order, whatever their times say"

    site(tmp_path, story)
