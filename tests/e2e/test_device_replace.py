"""A device is replaced in mid-shift: two persons accept it, other tables play on, the daemon runs through."""

from __future__ import annotations

import pytest

from hardware.simulated.angel_eye_shoe import AngelEyeShoe
from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.people import NoError


@pytest.mark.parametrize("pinned", [False, True])
def test_another_panel_serves_once_technician_and_supervisor_have_accepted_it(floor: Floor, pinned: bool) -> None:
    pencil = floor.pool("stud-main")
    table = floor.stud("T01", pinned=pinned, key=bytes(range(16)))
    other = floor.stud("T02")
    floor.start()
    tom, ana = floor.person("tom", "technician"), floor.person("ana", "supervisor")
    floor.bet(table, 2)
    table.lock()
    floor.seen.meter("stud-main", pencil.bets(1))
    table.exchange("panel", "BP-9999")
    floor.seen.alarm("foreign_device-T01.panel")
    floor.seen.table("T01", phase="held", progressive="closed")
    named = {"table": "T01", "device": "panel", "why": "a broken place"}
    assert tom.does("device.replace", **named) == {
        "device": "T01/panel",
        "serial": "BP-9999",
        "replaced": False,
        "by": ["tom (technician)"],
    }
    (listed,) = (one for one in floor.command("device", "list") if one["device"] == "T01/panel")
    assert (listed["serial"], listed["foreign"], listed["accepted_by"]) == ("T01-panel", "BP-9999", "tom (technician)")
    with pytest.raises(NoError, match="tom has spoken already"):
        tom.does("device.replace", **named)
    floor.bet(other, 4)

    assert ana.does("device.replace", **named)["replaced"]
    floor.seen.no_alarm("foreign_device-T01.panel")
    ana.does("round.void", table="T01", why="the panel was exchanged")
    floor.seen.table("T01", phase="open", progressive="open", carried={"2": ["stud-main"]})
    floor.bet(table, 5)
    table.lock()
    floor.seen.meter("stud-main", pencil.bets(1))
    other.lock()
    floor.seen.meter("stud-main", pencil.bets(1))
    (replaced,) = raw_ledger.entries(floor.ledger, "device_replaced")
    assert (replaced["serial"], replaced["was"]) == ("BP-9999", "T01-panel")
    assert [by["name"] for by in replaced["by"]] == ["tom", "ana"]

    floor.kill()
    floor.start()
    floor.seen.table("T01", progressive="closed", phase="held")
    ana.does("round.void", table="T01", why="the controller restarted")
    floor.seen.table("T01", progressive="open", phase="open")


def test_another_shoe_begins_to_count_anew(floor: Floor) -> None:
    """Its first number is taken as it comes; without the replacement it would be a gap, and hold."""
    floor.pool("bac-b")
    table = floor.baccarat("bac-b")
    floor.start()
    tom, ana = floor.person("tom", "technician"), floor.person("ana", "supervisor")
    for number in (1, 2, 3):
        if number == 2:
            table.shoe = AngelEyeShoe()
            for person in (ana, tom):
                person.does("device.replace", table="B01", device="shoe", why="a worn roller")
        floor.bet(table, number)
        table.lock()
        floor.seen.table("B01", phase="locked")
        table.deal_coup("8S 9H 8D 9C")
        table.sweep()
        floor.seen.table("B01", phase="open", round=f"B01-{number + 1}")
    assert raw_ledger.entries(floor.ledger, "round_held") == []
