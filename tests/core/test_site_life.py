"""The site's configuration, days, people and suspension (design 5 and 7)."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.closing import why_closed
from jackpotd.core.errors import RuleError
from jackpotd.core.money import Atoms
from jackpotd.core.postings import Posting
from jackpotd.core.site import SHORTEST_DAY_MS
from jackpotd.core.state import Phase
from tests.support.felt import (
    ACCOUNTANT,
    BARE_SHOE,
    DEALER,
    FLUSH,
    KEYPAD,
    PANEL,
    ROOT,
    SEQUENCED_SHOE,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    Felt,
    Spot,
    archive_of,
    device,
    stud_table,
)
from tests.support.pools import mop, stud_pool

SEED = mop("500000.00")


def house() -> Felt:
    return Felt([stud_pool()], [stud_table("T01"), stud_table("T02")])


def in_play(felt: Felt, table: str = "T01") -> Spot:
    spot = felt.spot(table)
    spot.bet(3)
    spot.lock()
    return spot


# ---- pools


def test_a_new_pool_starts_at_its_seed_and_the_house_pays_it() -> None:
    felt = Felt([], [])
    felt.pools = [stud_pool()]
    felt.configure()
    opened = felt.said(e.PoolOpened)
    assert opened.postings == (Posting("house:stud-main", Atoms(-SEED)), Posting("pool:stud-main", SEED))
    assert felt.pool().opening_atoms == SEED


def test_the_same_configuration_again_changes_nothing() -> None:
    assert house().configure() == []


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"seed_atoms": mop("1.00")}, "seed 500000.00 -> 1.00"),
        (
            {"contribution_ppm": 1, "reserve_ppm": 20_000},
            "contribution 70% -> 0.0001%, reserve 0% -> 2%",
        ),
        ({"limit_atoms": mop("900000.00")}, "limit none -> 900000.00"),
    ],
)
def test_a_file_that_differs_on_a_live_pool_alarms_and_changes_nothing(change: dict[str, int], named: str) -> None:
    felt = house()
    felt.pools = [stud_pool(**change)]
    felt.configure()
    alarm = felt.said(e.AlarmRaised)
    assert alarm.text == f"the file differs from what is in force at live pool stud-main: {named}; nothing is changed"
    assert felt.pool().params == stud_pool()
    felt.pools = [stud_pool()]
    felt.configure()
    assert felt.alarms() == []


def test_a_live_pool_and_a_table_that_the_file_has_lost_alarm_until_they_are_back() -> None:
    felt = house()
    pools, tables = felt.pools, felt.tables
    felt.pools, felt.tables = [], []
    felt.configure()
    assert felt.alarms() == ["pool_missing-stud-main", "table_missing-T01", "table_missing-T02"]
    assert felt.configure() == []
    felt.pools, felt.tables = pools, tables
    felt.configure()
    assert felt.alarms() == []


# ---- tables


def test_a_configured_table_is_open_from_the_first_start() -> None:
    table = house().spot("T01").table
    assert (table.open, table.phase, table.round) == (True, Phase.OPEN, 1)


def test_a_table_is_added_without_touching_the_others() -> None:
    felt = house()
    spot = in_play(felt)
    felt.tables.append(stud_table("T03"))
    felt.configure()
    assert [entry.params.table for entry in felt.all_said(e.TableSet)] == ["T03"]
    assert spot.phase() is Phase.LOCKED


@pytest.mark.parametrize("busy", ["bets", "round"])
def test_a_tables_settings_change_only_between_rounds(busy: str) -> None:
    felt = house()
    if busy == "bets":
        felt.spot("T01").bet(3)
    else:
        in_play(felt)
    felt.tables = [stud_table("T01", seats=5), stud_table("T02")]
    felt.configure()
    assert felt.alarms() == ["table_busy-T01"]
    assert felt.state.tables["T01"].params.seats == 7
    if busy == "bets":
        felt.spot("T01").unbet(3)
    else:
        felt.spot("T01").void()
    felt.configure()
    assert felt.alarms() == []
    assert felt.state.tables["T01"].params.seats == 5


def test_a_table_whose_file_is_as_before_is_busy_no_more() -> None:
    felt = house()
    in_play(felt)
    felt.tables[0] = stud_table("T01", seats=5)
    felt.configure()
    felt.tables[0] = stud_table("T01")
    felt.configure()
    assert felt.alarms() == []


def test_a_device_that_is_kept_keeps_what_is_known_of_it_and_one_that_is_gone_alarms_nobody() -> None:
    felt = house()
    spot = felt.spot("T01")
    spot.lose("panel")
    spot.lose("shoe")
    other, pinned = device("other", "bee-tek", "bare"), device("panel", serial="T01-panel")
    felt.tables[0] = stud_table("T01", other, devices=(pinned, KEYPAD, other))
    felt.configure()
    devices = felt.state.tables["T01"].devices
    assert [one.params for one in devices.values()] == [pinned, KEYPAD, other]
    assert list(devices) == ["panel", "keypad", "other"]
    assert (devices["panel"].serial, devices["panel"].why) == ("T01-panel", "no answer")
    assert felt.alarms() == ["offline-T01.panel"]
    assert why_closed(felt.state, spot.table) == "panel offline: no answer"


def test_tables_open_and_close_between_rounds_only() -> None:
    felt = house()
    with pytest.raises(RuleError, match="open already"):
        felt.act(f.OpenTable(SUPERVISOR, "T01"))
    in_play(felt)
    with pytest.raises(RuleError, match="has a round in play"):
        felt.act(f.CloseTable(SUPERVISOR, "T01"))
    felt.spot("T01").void()
    felt.act(f.CloseTable(SUPERVISOR, "T01"))
    with pytest.raises(RuleError, match="closed already"):
        felt.act(f.CloseTable(SUPERVISOR, "T01"))
    assert why_closed(felt.state, felt.state.tables["T01"]) == "table closed"
    felt.act(f.OpenTable(SUPERVISOR, "T01"))
    assert why_closed(felt.state, felt.state.tables["T01"]) == ""


def test_closing_a_table_takes_the_chips_off_its_places() -> None:
    felt = house()
    felt.spot("T01").bet(3)
    felt.act(f.CloseTable(SUPERVISOR, "T01"))
    assert felt.state.tables["T01"].bets == {}


def test_a_held_table_says_why_it_is_closed() -> None:
    spot = in_play(house())
    spot.fold(5)
    assert why_closed(spot.felt.state, spot.table) == "a seat without a bet folded: seat 5"


# ---- days


def test_a_day_closes_with_its_meters_and_names_what_it_leaves_open() -> None:
    felt = house()
    first = in_play(felt)
    first.press(f.VoidPressed("misdeal"))
    first.bet(5)
    first.lock()
    first.deal({5: FLUSH, 0: DEALER})
    first.end()
    in_play(felt, "T02").fold(1)
    closing = felt.meter()
    felt.act(f.CloseDay(ACCOUNTANT))
    closed = felt.said(e.DayClosed)
    assert closed.meters == (e.DayMeter("stud-main", SEED, closing),)
    assert closed.held_rounds == ("T02 round 1",)
    assert closed.pending_hits == ("T01.2.stud-main.flush",)
    assert closed.carried_bets == ("T01 seat 3 stud-main",)
    assert (closed.day, felt.state.day) == (1, 2)
    assert felt.pool().opening_atoms == closing
    felt.act(f.CloseDay(SUPERVISOR, 2))
    assert felt.said(e.DayClosed).meters == (e.DayMeter("stud-main", closing, closing),)


def test_a_day_that_has_just_begun_closes_only_when_its_number_is_said() -> None:
    felt = house()
    with pytest.raises(RuleError, match="gaming day 1 runs, not day 2"):
        felt.act(f.CloseDay(SUPERVISOR, 2))
    felt.act(f.CloseDay(SUPERVISOR))
    felt.now_ms += 3 * 60_000
    with pytest.raises(RuleError, match=r"day 2 began only 3 minutes ago: .* say --day 2"):
        felt.act(f.CloseDay(SUPERVISOR))
    with pytest.raises(RuleError, match="gaming day 2 runs, not day 1"):
        felt.act(f.CloseDay(SUPERVISOR, 1))
    felt.now_ms += SHORTEST_DAY_MS
    felt.act(f.CloseDay(SUPERVISOR))
    assert felt.state.day == 3


def test_only_facts_of_a_closed_day_are_archived_and_nothing_else_changes() -> None:
    felt = house()
    with pytest.raises(RuleError, match="gaming day 1 is not closed yet"):
        felt.act(archive_of(1))
    with pytest.raises(RuleError, match="this takes admin"):
        felt.act(replace(archive_of(1), by=SUPERVISOR))
    felt.act(f.CloseDay(SUPERVISOR))
    before = deepcopy(felt.state)
    felt.act(archive_of(1))
    archived = felt.said(e.FactsArchived)
    assert (archived.by, archived.day, archived.first, archived.last, archived.facts) == (ROOT, 1, 1, 9, 4)
    before.marks["operator/root#1"] = 1
    assert felt.state == before


# ---- alarms


def test_whoever_has_seen_an_alarm_says_so_and_it_stays_until_its_cause_is_gone() -> None:
    felt = house()
    felt.spot("T01").lose("shoe")
    with pytest.raises(RuleError, match="there is no alarm offline-T09"):
        felt.act(f.AcknowledgeAlarm(SUPERVISOR, "offline-T09", ""))
    felt.act(f.AcknowledgeAlarm(SUPERVISOR, "offline-T01.shoe", ""))
    alarm = felt.state.alarms["offline-T01.shoe"]
    assert (alarm.seen_by, alarm.seen_ms) == (SUPERVISOR, felt.now_ms)
    with pytest.raises(RuleError, match="sam has acknowledged alarm"):
        felt.act(f.AcknowledgeAlarm(TECHNICIAN, "offline-T01.shoe", ""))
    felt.spot("T01").back("shoe")
    felt.spot("T01").lose("shoe")
    assert felt.state.alarms["offline-T01.shoe"].seen_by is None


def test_an_alarm_that_only_the_shell_knows_is_acknowledged_with_what_it_said() -> None:
    felt = house()
    felt.act(f.AcknowledgeAlarm(TECHNICIAN, "broker-mqtt", "the broker is not reached"))
    assert felt.said(e.AlarmAcknowledged).seen == "the broker is not reached"
    assert felt.state.alarms == {}


def test_surveillance_closes_no_day() -> None:
    with pytest.raises(RuleError, match="this takes"):
        house().act(f.CloseDay(SURVEILLANCE))


# ---- people


def operator(felt: Felt, change: str, by: f.By = ROOT, name: str = "sam") -> None:
    felt.act(f.ChangeOperator(by, name, "supervisor", "sam.unix", change))


def test_operators_are_added_and_disabled_by_the_administrator_alone() -> None:
    felt = house()
    with pytest.raises(RuleError, match="this takes admin"):
        operator(felt, "added", SUPERVISOR)
    operator(felt, "added")
    with pytest.raises(RuleError, match="exists already"):
        operator(felt, "added")
    operator(felt, "disabled")
    assert felt.state.operators["sam"].disabled
    operator(felt, "added")
    assert not felt.state.operators["sam"].disabled


@pytest.mark.parametrize("role", ["admin", "owner", ""])
def test_nobody_is_given_a_role_that_operators_do_not_have(role: str) -> None:
    with pytest.raises(RuleError, match="there is no role"):
        house().act(f.ChangeOperator(ROOT, "sam", role, "sam.unix", "added"))


def test_an_operator_who_does_not_exist_cannot_be_disabled() -> None:
    with pytest.raises(RuleError, match="no operator"):
        operator(house(), "disabled", name="nobody")


def test_a_password_changes_only_for_an_operator_in_service() -> None:
    felt = house()
    for before in ((), ("added", "disabled")):
        for change in before:
            operator(felt, change)
        with pytest.raises(RuleError, match="no operator sam"):
            operator(felt, "password")
    operator(felt, "added")
    operator(felt, "password")
    assert felt.said(e.OperatorChanged).change == "password"


# ---- suspension


def test_a_broken_chain_suspends_every_pool_holds_every_round_and_says_so_once() -> None:
    felt = Felt([stud_pool(), stud_pool(pool="other")], [stud_table("T01"), stud_table("T02", pools=("other",))])
    first, second = in_play(felt), felt.spot("T02")
    second.say("panel", f.BetMoved(1, "ante", on=True))
    felt.control(f.ChainBroken(7, "a bit is wrong"))
    assert felt.alarms() == ["held-T01", "suspended-other", "suspended-stud-main"]
    assert first.table.hold_code == "pool_suspended"
    assert second.phase() is Phase.OPEN
    assert why_closed(felt.state, second.table) == "pool other suspended: the ledger's chain breaks at row 7"
    assert felt.control(f.ChainBroken(9, "another bit is wrong")) == []


def test_a_round_that_is_locking_when_the_chain_breaks_locks_without_contributions_and_is_held() -> None:
    felt = house()
    spot = felt.spot("T01")
    spot.bet(3)
    spot.say("shoe", f.CardRead("AS"))
    felt.control(f.ChainBroken(7, "a bit is wrong"))
    assert (spot.table.hold_code, spot.table.live) == ("pool_suspended", {"stud-main": []})
    assert spot.table.hands == {"3": ["AS"]}
    assert felt.meter() == SEED


# ---- repeats


def test_a_repeat_is_nothing_new_whoever_says_it_again() -> None:
    felt = house()
    spot = in_play(felt)
    spot.card("AS")
    spot.fold(5)
    felt.act(f.VoidRound(SUPERVISOR, "T01", "why"))
    for fact in tuple(felt.facts):
        state = felt.state
        felt.hear(fact)
        assert felt.last is None
        assert felt.state is state


def test_a_sequenced_devices_last_frame_is_kept_so_that_its_repeat_is_known_after_a_restart() -> None:
    felt = Felt([stud_pool()], [stud_table(deals=SEQUENCED_SHOE)])
    felt.spot("T01").say("shoe", f.DeviceNotice("standby", ""), raw="0531")
    felt.spot("T01").watch("shoe", f.DeviceBack())
    assert felt.state.last_frames == {"T01/shoe": "0531"}


def test_parameters_are_values() -> None:
    assert replace(BARE_SHOE) == BARE_SHOE != PANEL
    with pytest.raises(KeyError):
        stud_pool().prize("no such tier")
