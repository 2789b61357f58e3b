"""The limits of breakers are computed by a child process, for pools that lack them: the controller's own word."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from jackpotd.core import entries as e
from jackpotd.core.facts import ApplyPool, CloseTable, LimitsComputed, RetirePool, TransferPool
from jackpotd.core.parameters import BreakerParams, PoolParams, Rules
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.engine import Committed
from jackpotd.daemon.odds_watch import OddsWatch, compute_limits, unarmed
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.daemon.tasks import cancel_all
from jackpotd.ledger.port import Head
from jackpotd.odds.breaker import limits
from tests.support.felt import ACCOUNTANT, SUPERVISOR, Felt, stud_table
from tests.support.pools import option_pool, stud_pool
from tests.support.until import until

DAILY = BreakerParams(10_000_000, 86_400_000)
STUD, OPTION = stud_pool(breaker=DAILY), option_pool(Rules.BACCARAT_B, breaker=DAILY)
# A configuration cannot have it.
IMPOSSIBLE = stud_pool(pool="void", breaker=BreakerParams(0, 1))


class House:
    """A felt house and its watch."""

    def __init__(self, *pools: PoolParams) -> None:
        self.felt = Felt(list(pools), [stud_table(pools=(pools[0].pool,))])
        self.alarms = ShellAlarms(Clock())
        self.words: list[LimitsComputed] = []

    def watch(self, *steps: Callable[[OddsWatch], None], done: Callable[[], bool]) -> None:
        """Let the watch run, take each step once `done`, and end it when `done` after the last."""

        async def run() -> None:
            watch = OddsWatch(lambda: self.felt.state, compute_limits, self.alarms, self._take)
            task = asyncio.get_running_loop().create_task(watch.run())
            for step in (*steps, None):
                await asyncio.to_thread(until, done, "the watch's word")
                if step is not None:
                    step(watch)
            await cancel_all([task])

        asyncio.run(run())

    def _take(self, word: LimitsComputed) -> None:
        self.words.append(word)
        self.felt.control(word)


def test_every_pool_with_a_breaker_is_armed_at_the_start_and_no_other() -> None:
    house = House(STUD, OPTION, stud_pool(pool="without"))
    assert unarmed(house.felt.state) == [OPTION, STUD]
    house.watch(done=lambda: not unarmed(house.felt.state))
    assert [word.limits for word in house.words] == [limits(OPTION), limits(STUD)]
    assert house.felt.pool().limits == limits(STUD)
    assert house.alarms.active == {}


def test_a_pool_that_is_added_while_the_tables_play_is_armed_then() -> None:
    house = House(STUD)

    def add(watch: OddsWatch) -> None:
        house.felt.pools.append(OPTION)
        entries = house.felt.configure()
        assert any(isinstance(entry, e.PoolOpened) for entry in entries)
        watch.committed(house.felt.state, Committed(Head(1, b""), [(house.felt.facts[-1], entries)], 0, 0))

    house.watch(add, done=lambda: not unarmed(house.felt.state))
    assert [word.limits.params.pool for word in house.words] == ["stud-main", "baccarat-b"]


def test_a_pool_whose_parameters_take_force_is_armed_for_them() -> None:
    house = House(STUD, stud_pool(pool="second"))
    other = replace(STUD, contribution_ppm=600_000)

    def apply(watch: OddsWatch) -> None:
        house.felt.pools = [other, stud_pool(pool="second")]
        house.felt.configure()
        house.felt.act(CloseTable(SUPERVISOR, "T01"))
        for by in (SUPERVISOR, ACCOUNTANT):
            house.felt.act(ApplyPool(by, STUD.pool, "agreed"))
        assert unarmed(house.felt.state) == [], "what is staged is not in force"
        house.felt.act(TransferPool(SUPERVISOR, STUD.pool, "second", "the pool begins again"))
        entries = house.felt.act(TransferPool(ACCOUNTANT, STUD.pool, "second", "the pool begins again"))
        assert unarmed(house.felt.state) == [other]
        watch.committed(house.felt.state, Committed(Head(1, b""), [(house.felt.facts[-1], entries)], 0, 0))

    house.watch(apply, done=lambda: not unarmed(house.felt.state))
    assert [word.limits.params for word in house.words] == [STUD, other]


def test_a_retired_pool_needs_no_breaker() -> None:
    felt = Felt([STUD], [])
    for by in (SUPERVISOR, ACCOUNTANT):
        felt.act(RetirePool(by, STUD.pool, "house", "the link ends"))
    assert unarmed(felt.state) == []


def test_odds_that_cannot_be_computed_alarm_and_those_before_them_count() -> None:
    house = House(STUD, IMPOSSIBLE)
    house.watch(done=lambda: "odds-void" in house.alarms.active)
    assert [word.limits.params.pool for word in house.words] == ["stud-main"]
    assert "not armed" in house.alarms.active["odds-void"].text


def test_a_child_that_cannot_be_started_is_an_alarm_and_the_daemon_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "gone"))
    house = House(STUD)
    house.watch(done=lambda: bool(house.alarms.active))
    assert "exit 127" in house.alarms.active["odds-stud-main"].text
