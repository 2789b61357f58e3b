"""A restart of the controller in every phase of a round, at tables of every grade (design 7)."""

from __future__ import annotations

import pytest

from jackpotd.core import facts as f
from jackpotd.core.parameters import DeviceParams
from jackpotd.core.state import Phase
from tests.support.felt import (
    BARE_SHOE,
    DEALER,
    FLUSH,
    SEQUENCED_SHOE,
    SHUFFLER,
    Spot,
)
from tests.support.phases import SHOES, assert_held, in_phase

# ---- restarts, phase by phase


def restart(table: Spot) -> None:
    table.felt.start()
    assert not any(device.online for device in table.table.devices.values())
    assert {device.why for device in table.table.devices.values()} == {"not yet reached since the start"}
    table.connect()


@pytest.mark.parametrize("deals", [BARE_SHOE, SEQUENCED_SHOE, SHUFFLER], ids=["bare", "sequenced", "journaled"])
@pytest.mark.parametrize("phase", [Phase.OPEN, Phase.DEALT])
def test_after_a_restart_open_goes_on_and_dealt_resumes(phase: Phase, deals: DeviceParams) -> None:
    table = in_phase(phase, deals)
    restart(table)
    assert table.phase() is phase
    if phase is Phase.OPEN:
        table.lock()
        assert table.phase() is Phase.LOCKED
        table.deal({3: FLUSH, 0: DEALER})
    table.end()
    assert "T01.1.stud-main.flush" in table.felt.state.hits


@SHOES
@pytest.mark.parametrize("phase", [Phase.LOCKING, Phase.LOCKED, Phase.DEALING])
def test_after_a_restart_what_a_shoe_without_a_journal_may_have_dealt_holds(phase: Phase, shoe: DeviceParams) -> None:
    table = in_phase(phase, shoe)
    restart(table)
    table.drain()
    assert_held(table, "controller_restarted")
    assert table.felt.alarms() == ["held-T01"]


@pytest.mark.parametrize("phase", [Phase.LOCKING, Phase.LOCKED, Phase.DEALING])
@pytest.mark.parametrize("deals", [SHUFFLER, None], ids=["journaled", "claims"])
def test_after_a_restart_a_table_with_journals_resumes_in_every_phase(phase: Phase, deals: DeviceParams | None) -> None:
    if deals is None and phase is Phase.DEALING:
        return
    table = in_phase(phase, deals)
    restart(table)
    table.drain()
    assert table.phase() is (Phase.DEALING if phase is Phase.DEALING else Phase.LOCKED)
    assert table.table.live == {"stud-main": [3]}


def test_after_a_restart_while_locking_a_device_with_a_journal_may_be_reached_last() -> None:
    table = in_phase(Phase.LOCKING, SHUFFLER)
    table.felt.start()
    for name in ("panel", "keypad"):
        table.hello(name)
        table.back(name)
    table.drain()
    assert table.phase() is Phase.LOCKED


def test_after_a_restart_a_panel_that_was_in_step_is_waited_for_and_one_that_was_lost_is_not() -> None:
    for was_lost in (False, True):
        table = in_phase(Phase.OPEN, SHUFFLER)
        if was_lost:
            table.lose("panel")
        table.felt.start()
        table.felt.start()
        for name in ("keypad", "shuffler"):
            table.hello(name)
            table.back(name)
        table.press(f.BetsLocked())
        assert table.table.waiting == ([] if was_lost else ["panel"])
        if not was_lost:
            table.lose("panel")
        assert_held(table, "device_lost")


def test_after_a_restart_a_shoe_that_is_not_reached_yet_holds_a_lock() -> None:
    table = in_phase(Phase.OPEN)
    table.felt.start()
    for name in ("panel", "keypad"):
        table.hello(name)
        table.back(name)
    table.lock()
    assert_held(table, "deal_lost")


def test_after_a_restart_a_lock_out_of_the_keypads_journal_holds_an_open_table_of_a_bare_shoe() -> None:
    table = in_phase(Phase.OPEN)
    table.felt.start()
    table.hello("keypad", newest=1)
    table.press(f.BetsLocked(), stale=True)
    table.connect()
    table.drain()
    assert_held(table, "cards_missed")


@SHOES
def test_a_held_round_stays_held_over_a_restart_and_its_cards_are_not_certain_any_more(shoe: DeviceParams) -> None:
    table = in_phase(Phase.DEALING, shoe)
    table.unread()
    restart(table)
    assert_held(table, "controller_restarted")
    table.card("KD")
    assert table.table.noted == ["KD"]


def test_a_held_round_of_a_journaled_table_is_the_same_after_a_restart() -> None:
    table = in_phase(Phase.HELD, SHUFFLER)
    restart(table)
    assert_held(table, "fold_unknown")


def test_every_start_has_a_greater_epoch_even_when_the_clock_has_gone_back() -> None:
    table = in_phase(Phase.OPEN)
    epoch = table.felt.state.epoch
    assert epoch == table.felt.facts[0].at_ms // 1_000
    table.felt.now_ms -= 500_000
    table.felt.start()
    assert table.felt.state.epoch == epoch + 1
    assert table.felt.state.started_ms == table.felt.facts[-2].at_ms
