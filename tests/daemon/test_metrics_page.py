"""The figures of /metrics: exact, complete, and in Prometheus's own opinion well formed."""

from __future__ import annotations

import subprocess

import pytest

from jackpotd.core import entries as e
from jackpotd.core.apply import apply
from jackpotd.core.facts import By, Fact, RoundEnded
from jackpotd.core.money import Atoms
from jackpotd.core.parameters import DeviceParams, TableParams
from jackpotd.core.postings import Posting
from jackpotd.core.state import State
from jackpotd.daemon.board import Board
from jackpotd.daemon.books import Books
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.engine import Committed
from jackpotd.daemon.inbox import Inbox, Item
from jackpotd.daemon.metrics import Metrics
from jackpotd.daemon.metrics_page import Build, Page
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.ledger.port import Head
from tests.support.broker import program
from tests.support.pools import mop, stud_pool

POOL = "stud-main"
BY = By("lei", "supervisor")
# With the bets in play 2^53 - 1 avos: the last integer up to which a float holds every one.
FORTUNE = "90071992547379.91"


class StillClock(Clock):
    """Five seconds after the last commit."""

    def monotonic_ns(self) -> int:
        return 6_000_000_000


class House:
    """A committed state and the page that reads it."""

    repeats = 3
    committed_ns = 1_000_000_000

    def __init__(self) -> None:
        self.state = State(epoch=1_764_489_600)
        self.board, self.books, self.metrics, self.inbox = Board(), Books(), Metrics(), Inbox()
        self.alarms = ShellAlarms(StillClock())
        self.page = Page(
            self.metrics.registry,
            Build("0.1.0", "c" * 64, "p" * 64),
            self.board,
            self.books,
            self,
            self.inbox,
            self.alarms,
            StillClock(),
        )

    def commit(self, *entries: e.Entry) -> None:
        for entry in entries:
            apply(self.state, entry)
        fact = Fact("T01/keypad", 1, 1, 1, 1, "T01", "keypad", "bare", "", False, RoundEnded())
        committed = Committed(Head(77, b"h" * 32), [(fact, list(entries))], 0, 0)
        self.board.committed(self.state, committed)
        self.books.committed(self.state, committed)

    def value(self, name: str, **labels: str) -> float | None:
        return self.metrics.registry.get_sample_value(f"jackpotd_{name}", labels)

    def text(self) -> str:
        return self.page.text().decode()


def moved(**amounts: str) -> tuple[Posting, ...]:
    return tuple(Posting(f"{account}:{POOL}", mop(text)) for account, text in amounts.items())


def prize(hit: str, amount: str) -> e.PrizeLocked:
    return e.PrizeLocked(
        at_ms=3,
        hit=hit,
        pool=POOL,
        tier="flush",
        prize="flush",
        table="T01",
        round=1,
        awards=(e.Award(3, mop(amount)),),
        from_pool_atoms=mop(amount),
        from_house_atoms=Atoms(0),
        whole_pool=False,
        late=False,
        grade="bare",
        postings=moved(pool=f"-{amount}", prizes=amount),
    )


@pytest.fixture
def house() -> House:
    """One pool, one table, three bets in play."""
    made = House()
    devices = (DeviceParams("shoe", "bee-tek", "bare", None, keyed=False),)
    table = TableParams(
        table="T01",
        game="stud",
        pools=(POOL,),
        seats=7,
        deal=("shoe",),
        devices=devices,
        decks=1,
        commission=None,
        royal_raise_odds=100,
        max_payout_atoms=None,
        advisory_lock=False,
        deal_timeout_ms=180_000,
    )
    made.commit(
        e.PoolOpened(1, stud_pool(), moved(house="-500000.00", pool="500000.00")),
        e.TableSet(1, table),
        e.RoundLocked(
            2, "T01", 1, {}, (), {}, moved(wagers="-30.00", pool="21.00", reserve="1.50", overflow="0.50", house="7.00")
        ),
    )
    return made


def test_prometheus_finds_no_fault_in_the_page(house: House) -> None:
    house.metrics.frames_good("T01/shoe", 20)
    house.metrics.frames_bad("T01/shoe", "checksum", 1)
    house.metrics.link("T01/shoe", up=True)
    house.metrics.committed(3, 1_500_000)
    house.metrics.published(4_000_000)
    house.metrics.chain("verified")
    house.alarms.raise_alarm("broker", "mqtt", 'not "reached"\n', "look")
    house.commit(prize("h", "500.00"))
    checked = subprocess.run(
        [program("promtool"), "check", "metrics"], input=house.text(), check=False, capture_output=True, text=True
    )
    assert (checked.returncode, checked.stdout, checked.stderr.strip()) == (0, "", "")


def test_prometheus_would_find_a_fault() -> None:
    page = "# HELP jackpotd_rounds Rounds\n# TYPE jackpotd_rounds counter\njackpotd_rounds 1\n"
    checked = subprocess.run(
        [program("promtool"), "check", "metrics"], input=page, check=False, capture_output=True, text=True
    )
    assert checked.returncode != 0


def test_money_is_read_from_what_is_committed(house: House) -> None:
    assert house.value("pool_meter_minor", pool=POOL) == 50_002_100
    assert house.value("pool_reserve_minor", pool=POOL) == 150
    assert house.value("pool_overflow_minor", pool=POOL) == 50
    assert house.value("wagered_minor_total", pool=POOL) == 3_000
    assert house.value("contributions_minor_total", pool=POOL) == 2_300
    assert house.value("pool_info", pool=POOL, rules="stud", currency="MOP", exponent="2") == 1


def test_an_amount_is_exact_where_a_fraction_would_not_be(house: House) -> None:
    house.commit(e.RoundLocked(2, "T01", 1, {}, (), {}, moved(wagers=f"-{FORTUNE}", house=FORTUNE)))
    line = next(line for line in house.text().splitlines() if line.startswith("jackpotd_wagered_minor_total"))
    assert int(float(line.split()[1])) == 9_007_199_254_740_991


def test_a_hit_is_counted_through_its_life_and_no_counter_falls(house: House) -> None:
    house.commit(prize("h", "500.00"), prize("g", "100.00"))
    assert house.value("hits_open", pool=POOL, state="pending") == 2
    assert house.value("pool_state", pool=POOL, state="pending") == 1
    house.commit(e.HitApproved(4, "h", (BY,)))
    assert house.value("hits_open", pool=POOL, state="approved") == 1
    house.commit(e.HitPaid(5, "h", BY, "slip 1"))
    house.commit(e.HitRejected(6, "g", (BY,), "misread", (), moved(pool="100.00", prizes="-100.00")))
    assert house.value("hits_total", pool=POOL) == 2
    assert house.value("hits_paid_total", pool=POOL) == 1
    assert house.value("hits_rejected_total", pool=POOL) == 1
    assert house.value("prizes_minor_total", pool=POOL) == 60_000
    assert house.value("prizes_rejected_minor_total", pool=POOL) == 10_000
    assert house.value("hits_open", pool=POOL, state="pending") == 0


def test_rounds_tables_and_devices_are_told(house: House) -> None:
    assert house.value("rounds_total", table="T01") == 0
    assert house.value("table_phase", table="T01", phase="locked") == 1
    assert house.value("device_online", device="T01/shoe") == 0
    assert house.value("table_progressive_open", table="T01") == 0
    house.commit(e.RoundSettled(7, "T01", 1, {}, "", (), (), ()), e.DeviceOnline(7, "T01", "shoe"))
    assert house.value("rounds_total", table="T01") == 1
    assert house.value("table_phase", table="T01", phase="open") == 1
    assert house.value("table_phase", table="T01", phase="locked") is None
    assert house.value("device_online", device="T01/shoe") == 1
    assert house.value("table_progressive_open", table="T01") == 1


def test_a_ledger_that_does_not_answer_shows(house: House) -> None:
    house.commit(e.RoundSettled(7, "T01", 1, {}, "", (), (), ()), e.DeviceOnline(7, "T01", "shoe"))
    house.board.suspend("the ledger does not answer")
    assert house.value("ledger_stalled") == 1
    assert house.value("pool_state", pool=POOL, state="suspended") == 1
    assert house.value("pool_state", pool=POOL, state="live") == 0
    assert house.value("table_progressive_open", table="T01") == 0


def test_the_controller_tells_of_itself(house: House) -> None:
    house.inbox.put_now(Item("", "", RoundEnded(), 0, 0, 0))
    house.alarms.raise_alarm("broker", "mqtt", "not reached", "look")
    house.commit(e.AlarmRaised(1, "held-T01", "held", "held", "T01", "", "look"))
    assert house.value("epoch") == 1_764_489_600
    assert house.value("ledger_seq") == 77
    assert house.value("ledger_commit_age_seconds") == 5
    assert house.value("inbox_items") == 1
    assert house.value("facts_repeated_total") == 3
    assert house.value("alarms_active", code="broker") == 1
    assert house.value("alarms_active", code="held") == 1
    assert house.value("build_info", version="0.1.0", config_sha256="c" * 64, package_sha256="p" * 64) == 1
    assert house.metrics.registry.get_sample_value("process_resident_memory_bytes")
