"""The demo put together: broker, daemon, floor, staff and view in one process, one event loop.

Laws
1. The daemon is the real one, with a configuration file read by the real loader, a ledger on disk, real terminals.
2. Whatever ends it, no process is left, and the folder is gone unless the user named it.
3. It ends well only if the ledger, verified after it was closed, says what the meters said.
"""

from __future__ import annotations

import asyncio
import json
import logging
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from jackpotd.daemon.app import Daemon, finish, serve, start
from jackpotd.daemon.config import load
from jackpotd.daemon.logs import FloodGate, JournalFormatter
from jackpotd.daemon.outside import real_outside
from jackpotd.daemon.service_manager import ServiceManager
from jackpotd.demo.broker import embedded_broker
from jackpotd.demo.desk import Desk, Person
from jackpotd.demo.floor import Floor, Record
from jackpotd.demo.lines import Lines
from jackpotd.demo.screen import keep_picture, say, show_live, top_prize_pending
from jackpotd.demo.show import Show, cards_known
from jackpotd.demo.sign import keep_sign
from jackpotd.demo.site import BACCARAT_TABLE, SHOE_TABLE, SHUFFLER_TABLE, Site
from jackpotd.demo.staff import Staff
from jackpotd.demo.summary import summarise
from jackpotd.demo.view import View
from jackpotd.demo.words import STACKED

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_TITLES = {SHOE_TABLE: "stud, shoe", SHUFFLER_TABLE: "stud, shuffler", BACCARAT_TABLE: "baccarat B"}


@dataclass(frozen=True, slots=True)
class Options:
    """How to run. rounds None: for ever. broker None: the embedded one. folder None: one that goes in the end."""

    speed: int
    seed: int
    rounds: int | None
    broker: str | None
    staff: bool
    folder: Path | None
    picture: Path | None


class Stage:
    """One run of the demo."""

    def __init__(self, options: Options, site: Site, daemon: Daemon) -> None:
        self._options = options
        self._site = site
        self._daemon = daemon
        self._stop = asyncio.Event()
        self._desk = Desk(daemon.config.control_socket)
        self._staff = Staff(self._desk, daemon.board, options.speed) if options.staff else None
        self._picture = options.picture  # None once it is taken
        self._played: Counter[str] = Counter()

    @property
    def _shows_sign(self) -> bool:
        """A script that ends by itself has nobody who looks at a sign."""
        return self._options.rounds is None

    @property
    def rounds(self) -> dict[str, int]:
        """Rounds played to their end, by table."""
        return dict(sorted(self._played.items()))

    async def run(self) -> None:
        """Play until the script is over or somebody ends it, then stop the daemon in order."""
        for number in _ENDING:
            asyncio.get_running_loop().add_signal_handler(number, self._stop.set)
        site, daemon, options, stop = self._site, self._daemon, self._options, asyncio.Event()
        with (
            site.rounds.open("w", encoding="utf-8") as rounds,
            Floor(site, options.seed, options.speed, cards_known(daemon.board)) as floor,
        ):
            async with asyncio.TaskGroup() as group:
                group.create_task(serve(daemon, ServiceManager({}), stop), name="daemon")
                await self._until_over(self._play(floor, rounds))
                stop.set()
        await finish(daemon)

    async def _until_over(self, play: Coroutine[Any, Any, None]) -> None:
        """Play and show, until the play is over or the user has had enough."""
        async with asyncio.TaskGroup() as group:
            over = [group.create_task(play, name="play"), group.create_task(self._stop.wait(), name="stop")]
            others = [group.create_task(part, name=name) for name, part in self._others()]
            await asyncio.wait(over, return_when=asyncio.FIRST_COMPLETED)
            self._take_picture()
            for task in (*over, *others):
                task.cancel()

    def _others(self) -> Iterator[tuple[str, Coroutine[Any, Any, None]]]:
        daemon = self._daemon
        if sys.stdout.isatty():
            yield "view", show_live(View(daemon, _TITLES, self._facts()))
        else:
            for line in ("jackpotd demo. " + STACKED, *self._facts()):
                self._say(line)
            yield "lines", Lines(daemon, self._say).run()
        if self._staff is not None:
            yield "staff", self._staff.run()
        if self._shows_sign:
            yield "sign", keep_sign(self._site)
        if self._picture is not None:
            yield "picture", self._wait_for_picture()

    def _say(self, line: str) -> None:
        if not say(line):
            self._stop.set()  # as `| head` does when it has enough

    async def _wait_for_picture(self) -> None:
        await top_prize_pending(self._daemon.board)
        self._take_picture()

    def _take_picture(self) -> None:
        if self._picture is not None:
            keep_picture(View(self._daemon, _TITLES, self._facts()), self._picture)
            self._picture = None

    def _facts(self) -> list[str]:
        """Where things are, and how the user acts where nobody does it for him."""
        site, desk = self._site, self._desk
        where = f"broker {site.broker_url}"
        if self._shows_sign:
            where += f"   sign http://{site.sign}/ (open it in a browser)"
        facts = [where, f"topics jackpotd/demo/#   metrics http://{site.metrics}/metrics   folder {site.folder}"]
        if self._staff is None:
            facts += _by_hand(site, (desk.ana, desk.bento))
        return facts

    async def _play(self, floor: Floor, rounds: TextIO) -> None:
        def played(record: Record) -> None:
            self._played[record.table] += 1
            rounds.write(json.dumps(asdict(record)) + "\n")

        await self._desk.hire(self._site.password)
        show, tables = Show(self._daemon.board, self._staff, played), tuple(floor.tables.values())
        if self._options.rounds is None:
            await show.for_ever(tables)
        else:
            await show.script(tables, self._options.seed, self._options.rounds)


def _by_hand(site: Site, persons: Sequence[Person]) -> Iterator[str]:
    """Lines to be copied into a shell, each short enough not to be broken by a narrow terminal."""
    yield "in another terminal:"
    yield f"  cd {site.folder}; export JACKPOTD_CONFIG={site.config.name}"
    if shutil.which("jackpotd") is None:
        yield f"  PATH=$PATH:{Path(sys.executable).parent}"
    yield "  jackpotd hit list"
    for person in persons:
        password = site.password(person.name).name
        yield f"  jackpotd hit approve HIT --as {person.name} --password-file {password}  # {person.role}"


def run_demo(options: Options) -> bool:
    """Run it; whether the ledger holds. ConfigError: the broker's address is not usable; LedgerError: the disk."""
    with _folder(options.folder) as folder, _log_in(folder / "jackpotd.log"):
        return asyncio.run(_run(options, folder))


async def _run(options: Options, folder: Path) -> bool:
    async with _broker(options.broker) as url:
        site = Site.make(folder, url)
        site.write_config()
        daemon = await start(load(site.config), {}, real_outside())
        stage = Stage(options, site, daemon)
        await stage.run()
    summary = summarise(site.ledger, daemon.engine.state, daemon.board, stage.rounds)
    for line in summary.lines:
        say(line)
    return summary.ok


@asynccontextmanager
async def _broker(url: str | None) -> AsyncIterator[str]:
    if url is not None:
        yield url
        return
    async with embedded_broker() as ours:
        yield ours


@contextmanager
def _folder(named: Path | None) -> Iterator[Path]:
    """The folder of the run: the user's own, which stays, or one that goes."""
    if named is not None:
        named.mkdir(parents=True, exist_ok=True)
        yield named.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="jackpotd-") as made:
        yield Path(made)


@contextmanager
def _log_in(path: Path) -> Iterator[None]:
    """The daemon's log goes into a file, since it would spoil a terminal view."""
    handler, root = logging.FileHandler(path, encoding="utf-8"), logging.getLogger()
    handler.setFormatter(JournalFormatter())
    handler.addFilter(FloodGate())
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.removeHandler(handler)
        handler.close()
