"""Boards that are not who they should be: told, not served, and no bet of another is lost by them."""

from __future__ import annotations

from tests.support import raw_ledger
from tests.support.floor import Floor


def test_two_boards_of_one_serial_number_never_share_a_journal(floor: Floor) -> None:
    floor.pool("stud-main")
    tables = {"T01": floor.stud("T01"), "T02": floor.stud("T02")}
    for table in tables.values():
        table.boards["panel"].serial = "BP-0001"
    tables["T02"].power_cut()
    floor.start()
    floor.seen.wait(lambda: any(alarm.startswith("foreign_device") for alarm in floor.seen.alarms()), "an alarm")
    (taken,) = [taken for taken in raw_ledger.entries(floor.ledger, "device_taken") if taken["serial"] == "BP-0001"]
    mine = taken["table"]
    (other,) = tables.keys() - {mine}
    text = floor.seen.alarm(f"foreign_device-{other}.panel")["text"]
    assert text == f"panel of table {other} answers as BP-0001, which is panel of table {mine}"
    floor.seen.table(mine, progressive="open")
    floor.seen.table(other, progressive="closed")
    assert tables[other].shows()[0]
    floor.bet(tables[mine], 1, 2)

    tables[other].boards["panel"].serial = "BP-0002"
    tables[other].power_cut()
    floor.seen.no_alarm(f"foreign_device-{other}.panel")
    floor.bet(tables[other], 3)
