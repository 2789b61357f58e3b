"""The composition root: what the daemon is made of, and the order in which it comes and goes.

Laws
1. Ready means: the ledger is open and read, the start is recorded, and every part runs.
2. A part that fails with anything but its own boundary's error ends the process; systemd starts it again.
3. At the end: tables closed by silence, `offline` said, the state kept as a snapshot, the ledger closed.
4. A ledger that fails ends the process after its last words: lockout on every bus, meters suspended, `offline`.
   Nothing is written any more and nothing acknowledged.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
from collections.abc import Coroutine, Mapping
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import aiomqtt

from jackpotd import __version__
from jackpotd.core.facts import SiteConfigured, What
from jackpotd.daemon.board import Board
from jackpotd.daemon.books import Books
from jackpotd.daemon.bulletin import Bulletin
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.clock_watch import ClockWatch
from jackpotd.daemon.config_settings import Config
from jackpotd.daemon.control_ops import Desk, answer
from jackpotd.daemon.cpu_latency import CpuLatency
from jackpotd.daemon.credentials import Credentials, read_credentials
from jackpotd.daemon.engine import Engine, settled_future
from jackpotd.daemon.fleet import Fleet
from jackpotd.daemon.health import LedgerWatch, LogWatch, Watchdog
from jackpotd.daemon.identity import Identity
from jackpotd.daemon.inbox import Inbox, Item
from jackpotd.daemon.journal import write_down
from jackpotd.daemon.metrics import Metrics
from jackpotd.daemon.metrics_page import Build, Page
from jackpotd.daemon.metrics_server import MetricsServer
from jackpotd.daemon.notices import utc_text
from jackpotd.daemon.odds_watch import OddsWatch
from jackpotd.daemon.operators import Operators
from jackpotd.daemon.outside import Listener, Outside, ledger_url, operators_path, real_outside
from jackpotd.daemon.package_hash import package_hash
from jackpotd.daemon.ports import Shell
from jackpotd.daemon.publisher import Publisher
from jackpotd.daemon.recorder import Recorder
from jackpotd.daemon.reloading import Reloader, reload_when
from jackpotd.daemon.sealing import Sealing
from jackpotd.daemon.service_manager import ServiceManager
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.daemon.sign_watch import SignWatch
from jackpotd.daemon.starting import begin_capture, first_words, keep_awake, watch_clock
from jackpotd.daemon.tasks import cancel_all
from jackpotd.daemon.timers import Timers
from jackpotd.daemon.writer import LedgerWriter
from jackpotd.ledger.owners import unix_user
from jackpotd.ledger.port import Head, LedgerError
from jackpotd.ledger.restore import Restored, last_ms, restore

log = logging.getLogger(__name__)

# A broker that is away must not keep a stopping service from stopping.
GOODBYE_S = 2.0
# After the ledger failed: a poll of every device of a full bus, so that each has its lockout.
LAST_WORDS_S = 0.5


@dataclass(slots=True)
class Daemon:
    """A started daemon: its parts, for whoever drives or watches it (the control socket, the demo, tests)."""

    config: Config
    environ: Mapping[str, str]
    outside: Outside
    engine: Engine
    board: Board
    books: Books
    inbox: Inbox
    clock: Clock
    clock_watch: ClockWatch
    alarms: ShellAlarms
    metrics: Metrics
    page: Page
    bulletin: Bulletin
    publisher: Publisher
    fleet: Fleet
    operators: Operators
    sealing: Sealing | None
    recorder: Recorder
    cpu_latency: CpuLatency | None
    hangups: asyncio.Event = field(default_factory=asyncio.Event)  # set: somebody wants the configuration read anew

    def at_rest(self) -> Head | None:
        """The ledger's last row, if nothing waits for the engine and it for nothing: the state is the ledger's."""
        return None if len(self.inbox) or self.engine.writing_since_ms is not None else self.engine.writer.head

    async def reload(self, config: Config) -> None:
        """Take a configuration read anew: pools and tables by the ledger, then the ports that it names.

        ConfigError: a secret is not there; nothing has changed.
        """
        credentials = read_credentials(config, self.environ)
        await self.engine_word(SiteConfigured(config.pools, config.tables))
        self.config = config
        self.bulletin.set_tables({name: table.params for name, table in self.engine.state.tables.items()})
        self.fleet.follow(config, credentials.bus_keys)

    def desk(self) -> Desk:
        """What the control socket's operations work with."""
        engine, clock = self.engine, self.clock
        identity = Identity(self.operators, lambda: engine.state.operators, clock.monotonic_ms)
        reloader = Reloader(self.config, self.reload, lambda: engine.state)
        return Desk(
            engine=engine,
            inbox=self.inbox,
            board=self.board,
            books=self.books,
            clock=clock,
            alarms=self.alarms,
            operators=self.operators,
            identity=identity,
            about=self.about,
            reload=reloader.reload,
        )

    def about(self) -> dict[str, Any]:
        """The controller itself, for `status`."""
        return {
            "site": self.config.site.site,
            "node": self.config.site.node,
            "version": __version__,
            "started": utc_text(self.engine.state.started_ms),
            "broker": "connected" if self.publisher.connected else "away",
        }

    def own_word(self, word: What) -> None:
        """The controller's own word, that nobody waits for."""
        now = self.clock.utc_ms()
        self.inbox.put_now(Item("", "", word, now, now, self.clock.monotonic_ns()))

    async def engine_word(self, word: What) -> None:
        """Have the controller's own word recorded."""
        future, settled = settled_future(asyncio.get_running_loop())
        now = self.clock.utc_ms()
        self.inbox.put_now(Item("", "", word, now, now, self.clock.monotonic_ns(), settled=settled))
        await future


async def start(config: Config, environ: Mapping[str, str], outside: Outside) -> Daemon:
    """Open the ledger, read it, record the start.

    LedgerError, OperatorsError: no start, the reason in one sentence. ConfigError: a secret that the configuration
    names is not there.
    """
    credentials = read_credentials(config, environ)
    async with AsyncExitStack() as undo:
        writer = await LedgerWriter.opened(lambda: outside.open_ledger(config), outside.own_thread("ledger"))
        undo.push_async_callback(writer.close)
        operators = await Operators.opened(operators_path(config))
        undo.push_async_callback(operators.close)
        daemon = await _started(config, environ, outside, credentials, writer, operators)
        undo.pop_all()
    return daemon


async def _started(
    config: Config,
    environ: Mapping[str, str],
    outside: Outside,
    credentials: Credentials,
    writer: LedgerWriter,
    operators: Operators,
) -> Daemon:
    clock, board, books, inbox, metrics = outside.clock, Board(), Books(), Inbox(), Metrics()
    progress = ServiceManager(environ).reading
    restored: Restored = await writer.run(lambda ledger: restore(ledger, __version__, progress))
    log.info(
        "ledger read",
        extra={"seq": writer.head.seq, "replayed": restored.replayed, "snapshot": restored.snapshot_seq},
    )
    alarms = ShellAlarms(clock)
    engine = Engine(restored.state, writer, inbox, clock, __version__, restored.snapshot_seq)
    engine.observers.append(board.committed)
    engine.observers.append(books.committed)
    engine.observers.append(lambda _, done: metrics.committed(len(done.facts), done.took_ns))
    engine.observers.append(write_down)
    build = Build(__version__, config.sha256, package_hash())
    log.info("start", extra={"version": build.version, "config": build.config_hash, "package": build.package_hash})
    clock_watch = watch_clock(config, outside)
    clock_word = clock_watch.begin(restored.state, await writer.run(last_ms))
    before, words = writer.head, first_words(config, build, clock, clock_word)
    await engine.commit(words)
    recorder = Recorder(clock, alarms)
    inbox.overheard = recorder.item
    if config.capture is not None:
        begin_capture(config.capture, recorder, engine, before, words)
    board.show(engine.state, writer.head.seq, clock.monotonic_ns())
    books.show(engine.state)
    page = Page(metrics.registry, build, board, books, engine, inbox, alarms, clock)
    site, node = config.site.site, config.site.node
    bulletin = Bulletin(site, node, __version__, board, alarms, clock)
    bulletin.set_tables({name: table.params for name, table in engine.state.tables.items()})
    password, client_id = credentials.mqtt_password, f"jackpotd-{site}-{node}"
    signs = SignWatch(site, board, alarms, clock)
    rng, connect = outside.rng, outside.connect
    publisher = Publisher(
        config.mqtt, password, client_id, bulletin, board, alarms, clock, metrics, signs, rng, connect
    )
    shell = Shell(
        engine.state, inbox, board, clock, metrics, alarms, rng, outside.random_bytes, outside.open_link, recorder
    )
    fleet = Fleet(shell)
    fleet.follow(config, credentials.bus_keys)
    return Daemon(
        config=config,
        environ=environ,
        outside=outside,
        engine=engine,
        board=board,
        books=books,
        inbox=inbox,
        clock=clock,
        clock_watch=clock_watch,
        alarms=alarms,
        metrics=metrics,
        page=page,
        bulletin=bulletin,
        publisher=publisher,
        fleet=fleet,
        operators=operators,
        sealing=_sealing(config, credentials.seal_seed, engine, alarms),
        recorder=recorder,
        cpu_latency=keep_awake(config, outside, alarms, inbox),
    )


def _sealing(config: Config, seed: bytes | None, engine: Engine, alarms: ShellAlarms) -> Sealing | None:
    if seed is None:
        return None
    identity = (engine.writer.site, engine.writer.uuid)
    return Sealing(config.ledger_path, identity, seed, engine.clock, alarms, engine.committed_day)


async def serve(daemon: Daemon, manager: ServiceManager, stop: asyncio.Event) -> None:
    """Run every part until `stop` is set or one of them fails; the engine ends after its last commit.

    ControlError: the control socket cannot be opened.
    """
    operators, desk = daemon.operators, daemon.desk()
    control = daemon.outside.listen(
        daemon.config.control_socket,
        partial(answer, desk),
        lambda uid: operators.run(lambda: unix_user(uid)),
    )
    with closing(control):
        await _serve_all(daemon, control, manager, stop, reload_when(daemon.hangups, desk.reload))


async def _serve_all(
    daemon: Daemon,
    control: Listener,
    manager: ServiceManager,
    stop: asyncio.Event,
    reloading: Coroutine[Any, Any, None],
) -> None:
    async with asyncio.TaskGroup() as parts:
        parts.create_task(_decide(daemon), name="engine")
        others = [
            parts.create_task(control.run(), name="control"),
            parts.create_task(reloading, name="hangups"),
            parts.create_task(daemon.publisher.run(), name="publisher"),
            parts.create_task(daemon.recorder.run(daemon.at_rest, daemon.fleet.past), name="recorder"),
            parts.create_task(Timers(daemon.board, daemon.inbox, daemon.clock).run(), name="timers"),
            parts.create_task(Watchdog(manager, daemon.engine).run(), name="watchdog"),
            parts.create_task(
                LedgerWatch(daemon.engine, daemon.board, daemon.clock, daemon.fleet.pause, daemon.fleet.resume).run(),
                name="ledger watch",
            ),
            parts.create_task(daemon.fleet.run(), name="ports"),
            parts.create_task(LogWatch(daemon.engine.writer, daemon.alarms).run(), name="log watch"),
            parts.create_task(_watch_storage(daemon), name="storage watch"),
            parts.create_task(daemon.clock_watch.run(daemon.own_word), name="clock watch"),
            parts.create_task(_watch_chain(daemon, daemon.engine.snapshot_seq), name="chain watch"),
            parts.create_task(_watch_odds(daemon).run(), name="odds watch"),
        ]
        if daemon.sealing is not None:
            others.append(parts.create_task(daemon.sealing.run(), name="sealing"))
        if daemon.config.metrics is not None:
            server = MetricsServer(daemon.config.metrics, daemon.page.text, daemon.alarms)
            others.append(parts.create_task(server.run(), name="metrics page"))
        manager.say("READY=1", f"STATUS=site {daemon.config.site.site}, {len(daemon.config.tables)} tables")
        await stop.wait()
        log.info("stop", extra={"seq": daemon.engine.writer.head.seq})
        manager.say("STOPPING=1")
        await cancel_all(others)
        daemon.engine.end()


async def _decide(daemon: Daemon) -> None:
    """The engine; when the ledger fails, everything closes before the process ends (law 4)."""
    try:
        await daemon.engine.run()
    except LedgerError as error:
        log.critical("the ledger failed, everything closes", extra={"kind": error.kind})
        daemon.board.suspend("the ledger cannot be written")
        daemon.fleet.pause()
        await asyncio.sleep(LAST_WORDS_S)
        raise


async def _watch_chain(daemon: Daemon, last_row: int) -> None:
    """Verify the rows that the start took from a snapshot; a break is the controller's own word."""
    url = ledger_url(daemon.config)
    await daemon.outside.watch_chain(url, last_row, daemon.alarms, daemon.metrics, daemon.own_word)


def _watch_odds(daemon: Daemon) -> OddsWatch:
    """Arms the breakers of new pools, and of pools with new parameters."""
    watch = OddsWatch(lambda: daemon.engine.state, daemon.outside.compute_limits, daemon.alarms, daemon.own_word)
    daemon.engine.observers.append(watch.committed)
    return watch


async def _watch_storage(daemon: Daemon) -> None:
    """Watch the ledger's disk; what it says is the controller's own word."""
    config, was_low = daemon.config, daemon.engine.state.storage_low
    await daemon.outside.watch_storage(config.ledger_path, config.min_free_bytes, was_low, daemon.own_word)


async def finish(daemon: Daemon) -> None:
    """Say goodbye, keep the state, close the ledger."""
    await _say_goodbye(daemon)
    if daemon.cpu_latency is not None:
        daemon.cpu_latency.close()
    await daemon.recorder.close()
    await daemon.engine.snapshot()
    await daemon.engine.writer.close()
    await daemon.operators.close()


async def _say_goodbye(daemon: Daemon) -> None:
    try:
        async with asyncio.timeout(GOODBYE_S):
            await daemon.publisher.say_offline()
    except (TimeoutError, aiomqtt.MqttError, OSError) as error:
        log.warning("goodbye not said", extra={"why": str(error)})


async def run(config: Config, *, existing_ledger: bool) -> None:
    """The daemon proper: from start to SIGTERM; SIGHUP has the configuration read anew, as `reload` does.

    `existing_ledger`: without one it does not start.
    """
    manager = ServiceManager(os.environ)
    daemon = await start(config, os.environ, real_outside(existing_ledger=existing_ledger))
    gc.freeze()  # what the start has made lives as long as the process: looking at it again is a fifth of all work
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    loop.add_signal_handler(signal.SIGHUP, daemon.hangups.set)
    await live(daemon, manager, stop)


async def live(daemon: Daemon, manager: ServiceManager, stop: asyncio.Event) -> None:
    """A started daemon until `stop`, and its end in order; or until a part fails, and its goodbye."""
    try:
        await serve(daemon, manager, stop)
    except BaseException:
        # Closed in order, the connection takes the will with it: the goodbye has to be said.
        await _say_goodbye(daemon)
        await daemon.recorder.close()
        raise
    await finish(daemon)
