"""One simulated site in one process: the whole daemon on a virtual clock, its floor, its broker, its people.

Laws
1. Everything comes from the seed: what stands on the floor, what is played, what breaks and when.
2. A dead process is cut off first and ended afterwards: nothing that its end would still do reaches the world.
3. Only a fault of the disk may end the daemon; anything else that ends it is a bug and fails the run.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import aiomqtt

from jackpotd.core.limits import Limits
from jackpotd.daemon import app
from jackpotd.daemon.config import Config, parse
from jackpotd.daemon.cpu_latency import open_bound
from jackpotd.daemon.outside import Outside
from jackpotd.daemon.service_manager import ServiceManager
from jackpotd.ledger.port import LedgerError
from tests.simulation.auditor import Auditor
from tests.simulation.broker import SimBroker, SimClient
from tests.simulation.claims_dealer import ClaimsDealer
from tests.simulation.clock_loop import ClockLoop, SimClock, SimOwner
from tests.simulation.dealers import Dealer
from tests.simulation.disk import SimDisk, SqliteDisk
from tests.simulation.floor import Floor, Stand, config_text
from tests.simulation.people import People, SimControl
from tests.simulation.sign import SimSign
from tests.simulation.sites import Site, draw_site
from tests.simulation.terms import pool_books
from tests.simulation.trace import Trace
from tests.simulation.truth import Event, Truth

SITE, DAEMON_ID = "sim", "jackpotd-sim-main"
UTC_MS = 1_795_996_800_000  # 2026-11-30T00:00:00Z
# devices.md and design 1: a card's way through commit and board, the rate of 5 a second, a slow disk's commit.
FRESH_S = 1.0
RIGHT_AGAIN_S = 5.0
NEUTRAL_S = 16.0  # ttl_ms, and a look


@dataclass(slots=True)
class Trouble:
    """Since when nothing is wrong between the controller and the sign; None: something is."""

    well_since_s: float | None = None
    reasons: set[str] = field(default_factory=set)

    def begin(self, reason: str) -> None:
        """Something breaks."""
        self.reasons.add(reason)
        self.well_since_s = None

    def end(self, reason: str, now_s: float) -> None:
        """It is mended."""
        self.reasons.discard(reason)
        if not self.reasons:
            self.well_since_s = now_s


class Process:
    """One life of the daemon."""

    def __init__(self) -> None:
        self.alive = True
        self.stop = asyncio.Event()
        self.task: asyncio.Task[None] | None = None
        self.daemon: app.Daemon | None = None


class World:
    """Everything of one run."""

    def __init__(self, seed: int, loop: ClockLoop, folder: Path, site: Site | None = None) -> None:
        self.rng = Random(f"jackpotd {seed}")
        self.loop = loop
        self.trace = Trace(loop.time)
        self.clock = SimClock(loop, UTC_MS + self.rng.randrange(86_400_000))
        self.synchronised = True
        self.truth = Truth()
        self.trouble = Trouble(reasons={"daemon"})
        self.dead_since_s: float | None = loop.time()
        self.floor = Floor(self.part(), self.trace, self.truth, self.clock.monotonic_ms, self._acknowledged)
        site = site or draw_site(self.rng)
        self.floor.stand(site)
        for name, cable in list(self.floor.cables.by_name.items()):
            self.floor.cables.by_name[f"/sim/{name}"] = cable
        self.config = self._config(folder, site)
        pools = pool_books(self.config.path.read_text(encoding="utf-8"))
        self.auditor = Auditor(self.truth, pools, site.tables, loop.time)
        self.uses_sqlite = seed % 3 == 0
        self.disk: SimDisk | SqliteDisk
        if self.uses_sqlite:
            self.disk = SqliteDisk(self.part(), self._committed, self.config.ledger_path)
        else:
            self.disk = SimDisk(self.part(), self._committed)
        self.disk.failing = self.is_ending
        self.disk.stalling = self.is_waiting
        loop.work = self.disk.work
        self.broker = SimBroker(self.part(), self.trace)
        self.people = People(self.part(), self.truth, self.trace, self.auditor.may_be_rejected)
        now_ms = self.clock.monotonic_ms
        self.sign = SimSign(SITE, sorted(pools), self.broker, self.part(), now_ms, self.look_at_sign)
        self.dealers = [self._dealer(stand) for stand in self.floor.stands.values()]
        self.process = Process()
        self.lives = 0
        self.over = asyncio.Event()

    def part(self) -> Random:
        """A generator of its own for a part of the world, so that one part's draws do not move another's."""
        return Random(self.rng.random())

    def _config(self, folder: Path, site: Site) -> Config:
        """The text, whose hash is in the ledger, names no folder of this machine."""
        text = config_text(self.floor.stands, site.pools)
        path = folder / "jackpotd.toml"
        path.write_text(text, encoding="utf-8")
        return replace(parse(text.encode(), path), ledger_path=folder / "ledger.db")

    def _dealer(self, stand: Stand) -> Dealer:
        kind = Dealer if stand.is_read else ClaimsDealer
        return kind(stand, self.floor, self.people, self.part())

    # ---- the daemon's lives

    async def keep_running(self) -> None:
        """Start the daemon whenever it is dead, until the run is over."""
        rng = self.part()
        while not self.over.is_set():
            process = self.process = Process()
            self.lives += 1
            process.task = asyncio.get_running_loop().create_task(self._live(process), name="daemon")
            try:
                await asyncio.wait([process.task])
            finally:
                self._cut_with_the_run(process)
            self._buried(process)
            if not self.over.is_set():
                await asyncio.sleep(rng.choice((0.1, 0.5, 1.0, 3.0)))

    def _cut_with_the_run(self, process: Process) -> None:
        """The run itself ends before its daemon: a promise was broken."""
        if process.task is not None and not process.task.done():
            self.cut_off(process, power=False, noticed_s=0.0)
            process.task.cancel()

    async def _live(self, process: Process) -> None:
        def connect(_settings: Any, _password: Any, client_id: str, will: aiomqtt.Will) -> aiomqtt.Client:
            return SimClient(self.broker, client_id, will, lambda: process.alive)

        def listen(*args: Any) -> SimControl:
            control = SimControl(*args)
            self.people.control = control
            self.dead_since_s = None
            self.trouble.end("daemon", self.loop.time())
            return control

        rng = self.part()
        outside = Outside(
            clock=self.clock,
            is_synchronised=lambda: self.synchronised,
            rng=rng,
            random_bytes=rng.randbytes,
            open_link=self.floor.cables.open,
            connect=connect,
            listen=listen,
            own_thread=lambda _: SimOwner(self.loop),
            open_bound=open_bound,  # never asked: no site of these keeps its cores awake
            open_ledger=lambda config: self.disk.open(config.site.site),
            watch_chain=_nothing_to_watch,
            watch_storage=_nothing_to_watch,
            compute_limits=_no_limits,
        )
        process.daemon = await app.start(self.config, {}, outside)
        await app.live(process.daemon, ServiceManager({}), process.stop)

    def _buried(self, process: Process) -> None:
        """A life is over: what ended it is looked at, and the kernel closes what it had open."""
        died = process.alive
        self.cut_off(process, power=self.rng.random() < 0.5, noticed_s=0.0)
        task = process.task
        assert task is not None
        error = None if task.cancelled() else task.exception()
        if error is None:
            return
        expected = _ledger_errors(error) if died else True
        if not expected or (died and not self.disk.met):
            raise error

    def cut_off(self, process: Process, *, power: bool, noticed_s: float) -> None:
        """The process can do nothing any more (law 2)."""
        if not process.alive:
            return
        process.alive = False
        self.people.control = None
        self.trouble.begin("daemon")
        self.dead_since_s = self.loop.time()
        self.floor.cables.cut()
        self.broker.broken(DAEMON_ID, noticed_s)
        if power:
            self.disk.power_cut()
        else:
            self.disk.killed()

    def is_ending(self) -> None:
        """The controller ends by itself, or is about to: it says so to the signs first."""
        self.trouble.begin("daemon")

    def is_waiting(self, for_s: float) -> None:
        """A commit takes its time: nobody can be told of it before it is over."""
        reason = f"stall {self.loop.time()}"
        self.trouble.begin(reason)
        self.loop.call_later(for_s, lambda: self.trouble.end(reason, self.loop.time()))

    def stop(self) -> None:
        """SIGTERM."""
        self.is_ending()
        self.process.stop.set()

    def kill(self, *, power: bool, noticed_s: float) -> None:
        """Kill -9, or a power cut."""
        process = self.process
        assert process.task is not None
        self.trace.say(f"killed, power {power}")
        self.cut_off(process, power=power, noticed_s=noticed_s)
        process.task.cancel()

    def set_clock(self, by_ms: int) -> int:
        """Somebody sets the wall clock; how often that was done."""
        self.clock.jump(by_ms)
        return self.auditor.clock_was_set()

    # ---- the auditor looks

    def _committed(self, first: int, rows: Any) -> None:
        self.trace.note("rows", *rows)
        self.auditor.committed(first, rows)

    def _acknowledged(self, event: Event) -> None:
        self.auditor.acknowledged(event)

    def look_at_sign(self) -> None:
        """Whenever the sign may show something else."""
        self.auditor.shown(self.sign.shown())

    def look_at_time(self) -> None:
        """What must be true by now."""
        shown, now_s, well_s = self.sign.shown(), self.loop.time(), self.trouble.well_since_s
        self.auditor.shown(shown)
        if well_s is not None and now_s - well_s > RIGHT_AGAIN_S + FRESH_S:
            self.auditor.shown_is_right(shown, FRESH_S)
        if self.dead_since_s is not None and now_s - self.dead_since_s > NEUTRAL_S:
            self.auditor.shown_is_neutral(shown, "the controller is dead")
        if not self.broker.weather.up:
            self.auditor.shown_is_neutral(shown, "the broker is gone")


async def _nothing_to_watch(*_: Any) -> None:
    """Older rows and free space are watched by child processes and threads, which are tested with real ones."""


async def _no_limits(_: Any) -> tuple[list[Limits], int]:
    """Packs are stacked here, so that no odds would find the hits credible."""
    return [], 0


def _ledger_errors(error: BaseException) -> bool:
    if isinstance(error, BaseExceptionGroup):
        return all(map(_ledger_errors, error.exceptions))
    return isinstance(error, LedgerError)
