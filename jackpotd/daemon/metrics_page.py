"""The figures of /metrics that are read when somebody asks: money, hits, rounds, tables, devices, the ledger's head.

Laws
1. They are what is committed, from board and books: a restart loses none, and a counter never falls.
2. Money is in whole minor units (for MOP avos): an integer stays exact where a fraction of a pataca would not.
3. Labels are ids of the configuration and words of ours, so that their number is bounded.
"""

from __future__ import annotations

from collections import Counter as Counted
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from jackpotd.daemon.board import Board
from jackpotd.daemon.books import Books, BookView
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.inbox import Inbox
from jackpotd.daemon.shell_alarms import ShellAlarms

_NS_PER_S = 1_000_000_000
_METER_STATES = ("live", "pending", "suspended")
_OPEN_HITS = ("pending", "approved")

# Series of one labelled family: the label's values, then the figure.
Series = Iterable[tuple[tuple[str, ...], int]]
# Makes a family from its name, what it is about, its labels' names and its series.
Family = Callable[[str, str, tuple[str, ...], Series], Metric]


@dataclass(frozen=True, slots=True)
class Build:
    """What runs, as recorded at the start."""

    version: str
    config_hash: str
    package_hash: str


class EngineCounts(Protocol):
    """What the engine counts itself."""

    repeats: int
    committed_ns: int


class Page(Collector):
    """Reads the committed picture; `text` is the whole page with the shell's own counters."""

    def __init__(
        self,
        registry: CollectorRegistry,
        build: Build,
        board: Board,
        books: Books,
        engine: EngineCounts,
        inbox: Inbox,
        alarms: ShellAlarms,
        clock: Clock,
    ) -> None:
        self._registry = registry
        self._build = build
        self._board = board
        self._books = books
        self._engine = engine
        self._inbox = inbox
        self._alarms = alarms
        self._clock = clock
        registry.register(self)
        ProcessCollector(registry=registry)

    def text(self) -> bytes:
        """The page in Prometheus's text format."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """Every family, anew."""
        yield self._build_info()
        yield from self._pools()
        yield from self._hits()
        yield from self._tables()
        yield from self._controller()

    def _build_info(self) -> Metric:
        build = self._build
        labels = ("version", "config_sha256", "package_sha256")
        values = (build.version, build.config_hash, build.package_hash)
        return _gauge("build_info", "What runs", labels, [(values, 1)])

    def _pools(self) -> Iterator[Metric]:
        meters, books = self._board.meters.values(), self._books.views.values()
        yield _gauge(
            "pool_info",
            "A pool, its rules, and how many decimals its minor unit is",
            ("pool", "rules", "currency", "exponent"),
            [((book.pool, book.rules, book.currency, str(book.exponent)), 1) for book in books],
        )
        yield _gauge(
            "pool_meter_minor",
            "What the pool holds, in minor units",
            ("pool",),
            [((meter.pool,), meter.amount_minor) for meter in meters],
        )
        suspended = bool(self._board.suspended)
        yield _gauge(
            "pool_state",
            "1 for the state that the pool's meter shows",
            ("pool", "state"),
            [
                ((meter.pool, state), int(state == ("suspended" if suspended else meter.state)))
                for meter in meters
                for state in _METER_STATES
            ],
        )
        yield _by_pool(_gauge, "pool_reserve_minor", "Kept for the next seed", books, "reserve_minor")
        yield _by_pool(_gauge, "pool_overflow_minor", "Above the limit, waiting", books, "overflow_minor")
        yield _by_pool(
            _counter,
            "wagered_minor",
            "Progressive bets accepted; of a bet with levels, the part of each pool",
            books,
            "wagered_minor",
        )
        contributed = "What pool, reserve and overflow took of them"
        yield _by_pool(_counter, "contributions_minor", contributed, books, "contributed_minor")
        yield _by_pool(_counter, "prizes_minor", "Prizes locked", books, "locked_minor")
        yield _by_pool(_counter, "prizes_rejected_minor", "Prizes taken back", books, "rejected_minor")

    def _hits(self) -> Iterator[Metric]:
        books = self._books.views.values()
        yield _by_pool(_counter, "hits", "Hits locked", books, "hits_locked")
        yield _by_pool(_counter, "hits_paid", "Hits paid", books, "hits_paid")
        yield _by_pool(_counter, "hits_rejected", "Hits rejected", books, "hits_rejected")
        counted = Counted((hit.pool, hit.status) for hit in self._board.hits.values())
        yield _gauge(
            "hits_open",
            "Hits that wait for approval or payment",
            ("pool", "state"),
            [((pool, state), counted[pool, state]) for pool in self._board.meters for state in _OPEN_HITS],
        )

    def _tables(self) -> Iterator[Metric]:
        tables = self._board.tables.values()
        rounds = [((table.table,), int(table.round.rpartition("-")[2]) - 1) for table in tables]
        yield _counter("rounds", "Rounds settled or void", ("table",), rounds)
        closed = bool(self._board.suspended)
        yield _gauge(
            "table_progressive_open",
            "Whether progressive bets are taken",
            ("table",),
            [((table.table,), int(not closed and not table.why)) for table in tables],
        )
        yield _gauge(
            "table_phase",
            "1 for the phase of the table's round",
            ("table", "phase"),
            [((table.table, table.phase), 1) for table in tables],
        )
        yield _gauge(
            "device_online",
            "Whether the device is reached and in step",
            ("device",),
            [
                ((f"{table.table}/{name}",), int(state == "online"))
                for table in tables
                for name, state in table.devices.items()
            ],
        )

    def _controller(self) -> Iterator[Metric]:
        board, engine = self._board, self._engine
        active = Counted(alarm.code for alarm in (*board.alarms.values(), *self._alarms.active.values()))
        by_code = [((code,), count) for code, count in sorted(active.items())]
        yield _gauge("alarms_active", "Alarms that are raised and not cleared", ("code",), by_code)
        yield _gauge("epoch", "When this controller began to lead", (), [((), board.epoch)])
        yield _gauge("gaming_day", "The number of the gaming day", (), [((), board.day)])
        yield _gauge("ledger_seq", "The newest committed row", (), [((), board.seq)])
        yield _gauge("ledger_stalled", "Whether the ledger does not answer", (), [((), int(bool(board.suspended)))])
        yield _gauge("inbox_items", "What waits for the engine", (), [((), len(self._inbox))])
        yield _counter("facts_repeated", "Facts that the ledger had already", (), [((), engine.repeats)])
        age = GaugeMetricFamily("jackpotd_ledger_commit_age_seconds", "Since the last commit")
        age.add_metric((), (self._clock.monotonic_ns() - engine.committed_ns) / _NS_PER_S)
        yield age


def _gauge(name: str, about: str, labels: tuple[str, ...], series: Series) -> Metric:
    family = GaugeMetricFamily(f"jackpotd_{name}", about, labels=labels)
    for values, figure in series:
        family.add_metric(values, figure)
    return family


def _counter(name: str, about: str, labels: tuple[str, ...], series: Series) -> Metric:
    family = CounterMetricFamily(f"jackpotd_{name}", about, labels=labels)
    for values, figure in series:
        family.add_metric(values, figure)
    return family


def _by_pool(make: Family, name: str, about: str, books: Iterable[BookView], field: str) -> Metric:
    return make(name, about, ("pool",), [((book.pool,), getattr(book, field)) for book in books])
