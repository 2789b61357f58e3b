"""One seed, one run: the same to the byte, whatever the machine.

report = run(seed, events=2_000)        # Failure when a promise is broken; it says the seed
"""

from __future__ import annotations

import asyncio
import gc
import logging
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from jackpotd.core.state import State
from jackpotd.ledger.restore import encode_state, fold_row
from tests.simulation.auditor import Violation
from tests.simulation.clock_loop import ClockLoop, run_on_clock
from tests.simulation.faults import Faults
from tests.simulation.world import RIGHT_AGAIN_S, World

EVENTS = 2_000
# How many the tests run; `make simulate SEEDS=n` runs any number.
TESTED_SEEDS = 200
LOOK_S = 0.25
# After the last round: devices reached again and heard out, hits decided and paid.
SETTLE_S = 120.0
LONGEST_S = 4_000.0
_MEMORY = Path("/dev/shm")


class Failure(AssertionError):  # noqa: N818  # a run that failed
    """A broken promise; `check` names it."""

    def __init__(self, seed: int, check: str, text: str) -> None:
        super().__init__(text)
        self.seed = seed
        self.check = check


@dataclass(frozen=True, slots=True)
class Report:
    """What a run was."""

    seed: int
    digest: str
    events: int
    rows: int
    virtual_s: float
    lives: int
    faults: tuple[str, ...]
    rounds: dict[str, int]


def run(seed: int, events: int = EVENTS) -> Report:
    """Run a seed. Failure: a promise is broken, with all that is needed to see it again."""
    reports: list[Report] = []
    with quiet(), folder() as place:
        world: list[World] = []

        async def main(loop: ClockLoop) -> None:
            world.append(World(seed, loop, place))
            reports.append(await _play(seed, world[0], events))

        try:
            run_on_clock(main)
        except BaseException as error:
            check, text = _told(error)
            if isinstance(error, KeyboardInterrupt):
                raise
            last = "\n".join(world[0].trace.last) if world else ""
            again = f"python -m tests.simulation --first {seed} --seeds 1 --events {events}"
            raise Failure(seed, check, f"seed {seed}: {text}\n{last}\nagain: {again}") from error
    return reports[0]


def attempt(seed: int, events: int) -> Report | tuple[int, str, str]:
    """Run a seed in a process of its own: what passed, or what a `Failure` is made of."""
    try:
        return run(seed, events)
    except Failure as failure:
        return failure.seed, failure.check, str(failure)


async def _play(seed: int, world: World, events: int) -> Report:
    """Play until enough has been said, mend everything, hear everybody out, and end in order."""
    faults = Faults(world)
    async with living(world) as life:
        breaking = life.create_task(faults.run())
        plays = [life.create_task(dealer.play(lambda: world.auditor.facts < events)) for dealer in world.dealers]
        await _all(plays, LONGEST_S, lambda: ", ".join(f"{d.stand.name} {d.step}" for d in world.dealers))
        breaking.cancel()
        await faults.mend()
        await settle(world)
    return Report(
        seed,
        world.trace.digest,
        world.auditor.facts,
        world.disk.known,
        world.loop.time(),
        world.lives,
        tuple(faults.made),
        world.auditor.rounds,
    )


@asynccontextmanager
async def living(world: World) -> AsyncIterator[asyncio.TaskGroup]:
    """Daemon, floor, people and sign live meanwhile, and are looked at; then it ends in order, and is audited."""
    async with asyncio.TaskGroup() as life:
        keeper = life.create_task(world.keep_running())
        others = [
            life.create_task(world.floor.run()),
            life.create_task(world.people.run()),
            life.create_task(world.sign.run()),
            life.create_task(_look(world)),
            life.create_task(_until_broken(world)),
        ]
        yield life
        for task in others:
            task.cancel()
        state = folded(world)
        world.over.set()
        world.process.stop.set()
        await keeper
    daemon = world.process.daemon
    assert daemon is not None
    if encode_state(daemon.engine.state) != state:
        raise Violation("fold", "the state is not the fold of the ledger")
    world.auditor.finish()


async def _all(tasks: list[asyncio.Task[None]], within_s: float, say: object) -> None:
    _, late = await asyncio.wait(tasks, timeout=within_s)
    if late:
        assert callable(say)
        raise Violation("rest", f"not over after {within_s} s: {say()}")


async def settle(world: World) -> None:
    """Until every device is heard out and every hit is paid."""
    boards = world.truth.boards.values()
    for _ in range(int(SETTLE_S / LOOK_S)):
        await asyncio.sleep(LOOK_S)
        if not any(board.held for board in boards) and not world.people.waiting and world.trouble.well_since_s:
            break
    else:
        held = {board.serial: board.held for board in boards if board.held}
        raise Violation("rest", f"{held} events unheard, {world.people.waiting} hits open")
    await asyncio.sleep(RIGHT_AGAIN_S + 2.0)
    world.look_at_time()


def folded(world: World) -> bytes:
    """The fold of all rows there are."""
    state = State()
    daemon = world.process.daemon
    assert daemon is not None
    for row in daemon.engine.writer._ledger.rows():
        fold_row(state, row.body)
    return encode_state(state)


async def _until_broken(world: World) -> None:
    await asyncio.shield(world.loop.broken)


async def _look(world: World) -> None:
    while True:
        await asyncio.sleep(LOOK_S)
        world.look_at_time()


def _told(error: BaseException) -> tuple[str, str]:
    """The first cause: which check, and its text."""
    while isinstance(error, BaseExceptionGroup):
        violations = [one for one in error.exceptions if isinstance(one, Violation)]
        error = (violations or error.exceptions)[0]
    check = error.check if isinstance(error, Violation) else type(error).__name__
    return check, f"{type(error).__name__} {error}"


@contextmanager
def quiet() -> Iterator[None]:
    """The daemon's log is not what is looked at; and the collector of cycles costs a fifth of the time."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        logging.disable(before)
        if was_enabled:
            gc.enable()


@contextmanager
def folder() -> Iterator[Path]:
    """A folder in memory where there is one; a disk's time is simulated."""
    made = Path(tempfile.mkdtemp(prefix="jackpotd-sim-", dir=_MEMORY if _MEMORY.is_dir() else None))
    try:
        yield made
    finally:
        shutil.rmtree(made)
