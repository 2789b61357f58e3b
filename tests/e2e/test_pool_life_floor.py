"""What two persons do with a whole pool, at the control socket and the terminal, and what the meter's topic says of it.

Every floor ends with `ledger verify`: each pool's accounts add up, whatever was moved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.people import PASSWORD, NoError, Person
from tests.support.sim_tables import BeeTekTable
from tests.support.terminal import Terminal

NOTHING = {1: "2S 4S 6S 8S TH", 0: "2D 3D 4D 5S 7S"}
ROYAL = {1: "TS JS QS KS AS", 0: "2D 3D 4S 5S 7S"}
WHY = "the accountant's paper 12"
Pair = tuple[Person, Person]


@pytest.fixture
def table(floor: Floor) -> BeeTekTable:
    """A table of the one pool; another pool stands beside it."""
    floor.pool("stud-main", reserve="5%", show_hit_for="1s")
    floor.pool("bac-b")
    floor.baccarat("bac-b")
    return floor.stud()


def people(floor: Floor) -> Pair:
    return floor.person("ana", "supervisor"), floor.person("rui", "accounting")


def both(pair: Pair, op: str, **args: object) -> Any:
    """The first person's word changes nothing but the proposal; the second's does it."""
    (first,) = _pools(pair[0].does(op, why=WHY, **args))
    assert first["proposal"]["by"] == "ana (supervisor)"
    (done,) = _pools(pair[1].does(op, why=WHY, **args))
    assert done["proposal"] is None
    return done


def _pools(answer: Any) -> list[dict[str, Any]]:
    """`pool.apply` may be about several pools."""
    return answer if isinstance(answer, list) else [answer]


def play(floor: Floor, table: BeeTekTable, hands: dict[int, str], at_the_end: Callable[[], object]) -> None:
    floor.bet(table, 1)
    table.deal_hands(hands)
    floor.seen.table(table.name, phase="dealt")
    table.end_round()
    at_the_end()
    floor.seen.table(table.name, phase="open")


def shown(floor: Floor, pool: str) -> dict[str, Any]:
    (sheet,) = Terminal(floor.config).done("pool", "show", pool)
    found: dict[str, Any] = sheet
    return found


def test_an_adjustment_is_seen_on_the_meter_once_the_second_person_has_spoken(floor: Floor, table: BeeTekTable) -> None:
    floor.start()
    terminal, typed = Terminal(floor.config), f"{PASSWORD}\n"
    terminal.add("ana", "supervisor")
    terminal.add("rui", "accounting")
    floor.seen.meter("stud-main", "500000.00", "live")
    words = ("pool", "adjust", "stud-main", "--amount", "-1200.50", "--why", WHY)
    waits = terminal.run(*words, "--as", "ana", typed=typed)
    assert "waits for a second person of another role: adjust by -1200.50, ana (supervisor)" in waits.stdout
    assert "has spoken already" in terminal.no(*words, "--as", "ana", typed=typed)
    assert terminal.done(*words, "--as", "rui", typed=typed)["meter"] == "498799.50"
    floor.seen.meter("stud-main", "498799.50", "live")
    assert floor.seen.amounts("stud-main") == ["500000.00", "498799.50"]
    assert "cannot fall by more" in terminal.no(
        "pool", "adjust", "stud-main", "--amount", "-498799.51", "--why", WHY, "--as", "ana", typed=typed
    )
    assert raw_ledger.balances(floor.ledger)["house:stud-main"] == -49879950 * 10**6


def test_new_parameters_wait_for_the_restart_and_the_new_seed_is_what_the_sign_shows(
    floor: Floor, table: BeeTekTable
) -> None:
    floor.start()
    pair = people(floor)
    floor.pool("stud-main", reserve="5%", show_hit_for="1s", seed="300000.00", limit="900000.00")
    floor.write_config()
    Terminal(floor.config).done("reload")
    floor.seen.alarm("parameters-stud-main")
    done = both(pair, "pool.apply")
    assert done["staged"] == [{"name": "seed", "old": "500000.00", "new": "300000.00"}]
    assert (done["parameters"]["limit"], done["parameters"]["seed"]) == ("900000.00", "500000.00")
    floor.seen.no_alarm("parameters-stud-main")
    floor.seen.alarm("staged-stud-main")
    floor.kill()
    floor.start()
    floor.seen.alarm("staged-stud-main")
    play(floor, table, ROYAL, lambda: floor.seen.meter("stud-main", "300000.00", "pending"))
    floor.seen.no_alarm("staged-stud-main")
    assert (shown(floor, "stud-main")["staged"], shown(floor, "stud-main")["file_differs"]) == ([], [])


def test_a_pool_goes_into_another_at_rest_and_both_meters_say_so(floor: Floor, table: BeeTekTable) -> None:
    floor.start()
    pair = people(floor)
    play(floor, table, NOTHING, lambda: floor.seen.meter("stud-main", "500007.00"))
    with pytest.raises(NoError, match="table T01 still offers pool stud-main: close the table first"):
        pair[0].does("pool.transfer", pool="stud-main", into="bac-b", why=WHY)
    pair[0].does("table.close", table="T01")
    both(pair, "pool.transfer", pool="stud-main", into="bac-b")
    floor.seen.meter("stud-main", "500000.00", "live")
    floor.seen.meter("bac-b", "600007.00", "live")
    accounts = raw_ledger.balances(floor.ledger)
    for pool in ("stud-main", "bac-b"):
        assert sum(atoms for account, atoms in accounts.items() if account.endswith(f":{pool}")) == 0


def test_a_retired_pool_shows_its_fall_then_leaves_the_broker_and_stays_retired(
    floor: Floor, table: BeeTekTable
) -> None:
    floor.start()
    pair = people(floor)
    play(floor, table, NOTHING, lambda: floor.seen.meter("stud-main", "500007.00"))
    pair[0].does("table.close", table="T01")
    retired = both(pair, "pool.retire", pool="stud-main", to="bac-b")
    assert (retired["state"], retired["retired_to"], retired["meter"]) == ("retired", "bac-b", "0.00")
    floor.seen.wait(lambda: floor.seen.amounts("stud-main")[-1] == "0.00", "the fall on the meter's topic")
    floor.seen.meter("bac-b", "600007.00", "live")
    floor.seen.wait(lambda: "pool/stud-main/meter" not in floor.seen.latest, "the end of the meter's topic")
    with pytest.raises(NoError, match="is retired: take it off table T01"):
        pair[0].does("table.open", table="T01")
    assert shown(floor, "bac-b")["reserve"] == "0.50"
    states = {pool["pool"]: pool["state"] for pool in Terminal(floor.config).done("status")["pools"]}
    assert states == {"stud-main": "retired", "bac-b": "live"}

    floor.take_away("stud-main", table)
    floor.write_config()
    Terminal(floor.config).done("reload")
    floor.seen.alarm("table_missing-T01")
    assert not floor.seen.alarms().keys() & {"pool_missing-stud-main", "pool_retired-stud-main"}


def test_a_suspended_pool_says_so_on_its_meter_until_two_persons_let_it_go_on(floor: Floor, table: BeeTekTable) -> None:
    floor.start()
    pair = people(floor)
    pair[1].does("pool.suspend", pool="stud-main", why="the sensor counts twice")
    floor.seen.meter("stud-main", "500000.00", "suspended")
    floor.seen.table("T01", progressive="closed")
    floor.seen.alarm("suspended-stud-main")
    pair[0].does("alarm.ack", alarm="suspended-stud-main")
    (alarm,) = (one for one in Terminal(floor.config).done("alarm", "list") if one["code"] == "suspended")
    assert alarm["acknowledged"]["by"] == "ana (supervisor)"
    both(pair, "pool.resume", pool="stud-main")
    floor.seen.meter("stud-main", "500000.00", "live")
    floor.seen.no_alarm("suspended-stud-main")
    play(floor, table, NOTHING, lambda: floor.seen.meter("stud-main", "500007.00", "live"))


def test_a_gaming_day_is_not_closed_twice_by_mistake(floor: Floor, table: BeeTekTable) -> None:
    floor.start()
    ana = floor.person("ana", "supervisor")
    assert ana.does("day.close")["day"] == 1
    with pytest.raises(NoError, match=r"gaming day 2 began only [0-9]+ minutes ago: .* say --day 2"):
        ana.does("day.close")
    assert ana.does("day.close", day=2)["day"] == 2


def test_pool_show_tells_amounts_parameters_readings_and_life(floor: Floor, table: BeeTekTable) -> None:
    floor.start()
    play(floor, table, NOTHING, lambda: floor.seen.meter("stud-main", "500007.00"))
    told = Terminal(floor.config).run("pool", "show").stdout
    for line in (
        "pool stud-main: live, MOP, meter 500007.00, reserve 0.50, overflow 0.00",
        "  seed: 500000.00",
        "  prizes.flush: 500.00",
        "  in its life: wagered 10.00, contributed 7.50, prizes 0.00",
    ):
        assert any(one.startswith(line) for one in told.splitlines()), told
    assert "reading several_royals = split_greater" in told
    assert "there is no pool nowhere" in Terminal(floor.config).no("pool", "show", "nowhere")
