"""Replay: a capture told again to the real drivers, the real intake and engine, and a ledger in memory (design 4).

Laws
1. Times, ids and epoch come from the capture: the same capture and configuration give the same rows, byte for byte.
2. A capture with the watch's words is told as it was heard: what the lines would say beside their bytes is left out.
   In one without them the watch is derived: every device that talks unasked is reached from the start, one of the table
   bus when it has told what its HELLO announced, and waits end by the capture's own time.
3. Rows leave as soon as they are decided; of a capture of any length only the state stays.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, assert_never

from hardware.links import Link, LinkError, SerialSettings
from jackpotd import __version__
from jackpotd.core.facts import Act, ControllerStarted, LimitsComputed, SiteConfigured, TimedOut, WatchWord, What
from jackpotd.core.money import format_amount
from jackpotd.core.state import Phase, State
from jackpotd.daemon.act_ops import act_of
from jackpotd.daemon.board import Board
from jackpotd.daemon.capture_lines import Acted, Bytes, CaptureError, Clocked, Header, Linked, Record, Told, Worded
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.config_settings import Config
from jackpotd.daemon.engine import Committed, decide_all
from jackpotd.daemon.inbox import MAX_BATCH, Inbox, Item
from jackpotd.daemon.metrics import Metrics
from jackpotd.daemon.odds_watch import unarmed
from jackpotd.daemon.ports import Shell
from jackpotd.daemon.recorder import Recorder
from jackpotd.daemon.replay_lines import ReplayLines
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.daemon.timers import Timers
from jackpotd.ledger.memory import MemoryLedger
from jackpotd.ledger.open import read_ledger
from jackpotd.ledger.port import Head, LedgerError
from jackpotd.ledger.restore import restore
from jackpotd.odds.breaker import limits

_NS_PER_MS = 1_000_000


class CaptureClock(Clock):
    """The capture's time: what its lines say."""

    def __init__(self) -> None:
        self._utc_ms = 0
        self._monotonic_ms = 0

    def set(self, utc_ms: int, monotonic_ms: int) -> None:
        """It is now so late; monotonic time never goes back, whatever the lines say."""
        self._utc_ms = utc_ms
        self._monotonic_ms = max(self._monotonic_ms, monotonic_ms)

    def utc_ms(self) -> int:
        """Milliseconds since 1970."""
        return self._utc_ms

    def monotonic_ms(self) -> int:
        """Milliseconds that never go back."""
        return self._monotonic_ms

    def monotonic_ns(self) -> int:
        """The same."""
        return self._monotonic_ms * _NS_PER_MS


class Replay:
    """One replay. `rows` takes the rows, `refused` what a person was refused and why.

    `archives`: the folder of what left the configured ledger.
    """

    def __init__(
        self,
        config: Config,
        keys: Mapping[str, bytes],
        rows: Callable[[list[bytes]], object],
        refused: Callable[[str], object],
        archives: Path | None = None,
    ) -> None:
        self._config = config
        self._keys = keys
        self._rows = rows
        self._refused = refused
        self._archives = archives
        self._header: Header | None = None
        self._heard: deque[Item] = deque()  # what the last read of a line brought, from the first word on

    def hear(self, record: Record) -> None:
        """Tell one record. CaptureError: it does not fit what came before, or the configuration."""
        if isinstance(record, Header):
            self._begin(record)
            return
        if self._header is None:
            self._begin(Header())
        self._pass_time(record)
        if _is_past(record):
            self._recall(record)
            return
        if self._watch:
            self._tell_in_order(record)
            return
        self._tell(record)
        self._decide(self._waiting())
        self._lines.imply(self._clock.now())
        self._decide(self._waiting())

    def end(self) -> dict[str, Any]:
        """The last line of the output: what every pool holds, and the rounds that wait for a supervisor."""
        if self._header is None:
            self._begin(Header())
        self._decide_events(all_of_them=True)
        pools, tables = sorted(self._state.pools.items()), sorted(self._state.tables.items())
        return {
            "meters": {name: format_amount(pool.pool_atoms, pool.params.exponent) for name, pool in pools},
            "held": [f"{name}-{table.round}" for name, table in tables if table.phase is Phase.HELD],
        }

    # ---- where it begins

    def _begin(self, header: Header) -> None:
        self._recalls = self._header is None
        if self._header is None:
            self._found(header)
        else:
            self._decide_events(all_of_them=True)
            self._follow(self._header, header)
        self._header = header
        self._watch = header.watch
        self._clock.set(header.start_ms, header.monotonic_ms)
        if header.part == 1:
            self._lines.forget()
            if not header.watch:
                self._start(header)

    def _found(self, header: Header) -> None:
        """A ledger in memory, empty or behind the rows of the configured one."""
        config = self._config
        self._state = State()
        after: Head | None = None
        if header.part > 1 and not header.after:
            raise CaptureError(f"is part {header.part}, and says not after which row it begins")
        if header.after:
            self._state, after = _state_after(config, header, self._archives)
        self._ledger = MemoryLedger(config.site.site, header.ledger, after)
        self._clock, self._board, self._inbox = CaptureClock(), Board(), Inbox()
        alarms = ShellAlarms(self._clock)
        shell = Shell(
            self._state,
            self._inbox,
            self._board,
            self._clock,
            Metrics(),
            alarms,
            Random(0),  # noqa: S311  # no link is opened here, so none is opened again
            bytes,
            _no_link,
            Recorder(self._clock, alarms),
        )
        self._timers = Timers(self._board, self._inbox, self._clock)
        self._lines = ReplayLines(shell, config.devices, self._keys, is_whole=header.watch)
        self._board.show(self._state, self._ledger.head.seq, 0)

    def _follow(self, before: Header, header: Header) -> None:
        """A capture after the one before it: it must begin at the row at which that one ended."""
        if not (before.watch and header.watch):
            raise CaptureError("only captures that a controller recorded can follow one another")
        head = self._ledger.head
        if (header.ledger, header.after, header.head) != (before.ledger, head.seq, head.hash.hex()):
            raise CaptureError(
                f"begins after row {header.after} of ledger {header.ledger} ({header.head[:16]}), "
                f"and what came before it ends at row {head.seq} of {before.ledger} ({head.hash.hex()[:16]})"
            )

    def _start(self, header: Header) -> None:
        """The start of a controller that the capture does not tell."""
        config = self._config
        self._put("", ControllerStarted(__version__, config.sha256, "", header.epoch))
        self._put("", SiteConfigured(config.pools, config.tables))
        self._decide(self._waiting())
        for params in unarmed(self._state):
            self._put("", LimitsComputed(limits(params)))
        self._decide(self._waiting())
        self._lines.open_streams(self._clock.now())
        self._decide(self._waiting())

    # ---- what is said

    def _pass_time(self, record: Told) -> None:
        """It becomes as late as the record says; on the way the waits of the tables end, where they are derived."""
        assert self._header is not None
        skew_ms = record.skew_ms if isinstance(record, Bytes) else 0
        utc_ms = self._header.start_ms + record.t_ms
        monotonic_ms = self._header.monotonic_ms + record.t_ms + skew_ms
        if not self._watch:
            self._timers.tick()
            while (due_ms := self._timers.due_ms()) is not None and due_ms <= monotonic_ms:
                self._clock.set(utc_ms - (monotonic_ms - due_ms), due_ms)
                self._timers.tick()
                self._decide(self._waiting())
        self._clock.set(utc_ms, monotonic_ms)

    def _recall(self, record: Told) -> None:
        """Where a line stands as a part begins; known already if the part before it was told."""
        if self._recalls:
            self._tell(record)
            self._waiting()  # it was decided before

    def _tell(self, record: Told) -> None:
        match record:
            case Bytes():
                self._lines.bytes(record, self._clock.now())
            case Linked():
                self._lines.link(record, self._clock.now())
            case Worded():
                self._put(record.about, record.word)
            case Acted():
                self._act(record)
            case Clocked():
                self._lines.clock(record)
            case _:
                assert_never(record)

    def _act(self, record: Acted) -> None:
        try:
            act = act_of(self._state, record.operator, record.role, record.op, record.args)
        except LedgerError as error:
            raise CaptureError(f"{record.op}: {error}") from None
        self._put("", act)

    def _put(self, about: str, word: What) -> None:
        now = self._clock.now()
        table, _, device = about.partition("/")
        operator = word.by.name if isinstance(word, Act) else ""
        item = Item(table, device, word, now.utc_ms, now.utc_ms, now.monotonic_ns, operator=operator)
        _check_about(table, device, word)
        if table and (table not in self._state.tables or (device and device not in self._state.tables[table].devices)):
            raise CaptureError(f"there is no {about} in the ledger yet")
        self._inbox.put_now(item)

    # ---- what it means

    def _tell_in_order(self, record: Told) -> None:
        """Tell a record of a capture with the watch's words: those of the lines say only where theirs belong (law 2).

        What one read of a line brought was told in one go: events, and words between them, which follow in the capture.
        """
        if not isinstance(record, Worded):
            self._decide_events(all_of_them=True)
        elif self._heard and (self._heard[0].what, _about(self._heard[0])) == (record.word, record.about):
            self._heard.popleft()
        self._tell(record)
        told = self._waiting()
        if isinstance(record, Bytes | Linked):
            self._heard.extend(told)
        else:
            self._decide(told)
        self._decide_events(all_of_them=False)

    def _decide_events(self, *, all_of_them: bool) -> None:
        """Decide the events that a line brought, up to a word whose turn has not come; or all, without such words."""
        events = []
        while self._heard and (all_of_them or self._heard[0].raw):
            item = self._heard.popleft()
            if item.raw:
                events.append(item)
        self._decide(events)

    def _waiting(self) -> list[Item]:
        """All that has come in."""
        waiting: list[Item] = []
        while items := self._inbox.taken():
            waiting += items
        return waiting

    def _decide(self, items: list[Item]) -> None:
        """Decide, give the rows away, and tell those who wait for it or show it."""
        for first in range(0, len(items), MAX_BATCH):
            decided = decide_all(self._state, items[first : first + MAX_BATCH])
            if decided.bodies:
                self._ledger.append(decided.bodies, decided.marks)
                self._rows([row.body for row in self._ledger.given_away()])
            decided.answer()
            for item, error in decided.answers:
                if error is not None:
                    self._refused(f"{item.operator}: {error}")
            if decided.bodies:
                self._board.committed(self._state, Committed(self._ledger.head, decided.facts, 0, 0))


def _check_about(table: str, device: str, word: What) -> None:
    """CaptureError unless the word is about what such a word is about: a table's device, a table, or neither."""
    wanted = (True, not isinstance(word, TimedOut)) if isinstance(word, WatchWord) else (False, False)
    if (bool(table), bool(device)) != wanted:
        about = {(True, True): "a table's device", (True, False): "a table", (False, False): "no table"}[wanted]
        raise CaptureError(f"{type(word).__name__} is about {about}")


def _about(item: Item) -> str:
    return f"{item.table}/{item.device}" if item.device else item.table


async def _no_link(port: str, _: SerialSettings) -> Link:
    raise LinkError("closed", f"{port}: a replay opens nothing")


def _is_past(record: Told) -> bool:
    """Whether a record says only where a line stood before."""
    return isinstance(record, Clocked) or (isinstance(record, Bytes) and record.past)


def _state_after(config: Config, header: Header, archives: Path | None) -> tuple[State, Head]:
    """The state of the configured ledger after the row at which a capture begins."""
    try:
        reader = read_ledger(f"sqlite:///{config.ledger_path}", archives)
        try:
            row = next(reader.rows(header.after - 1, header.after), None)
            if reader.uuid != header.ledger or row is None or row.hash.hex() != header.head:
                raise CaptureError(f"begins after row {header.after}, which is not in the ledger {config.ledger_path}")
            return restore(reader, __version__, to=header.after).state, Head(row.seq, row.hash)
        finally:
            reader.close()
    except LedgerError as error:
        raise CaptureError(f"begins after row {header.after}, and the ledger before it is missing: {error}") from None
