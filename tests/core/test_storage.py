"""A ledger's disk that fills up: the progressive closes while there is still room for what is in play (law 8)."""

from __future__ import annotations

from jackpotd.core import facts as f
from jackpotd.core.closing import why_closed
from jackpotd.core.state import Phase
from tests.support.felt import Felt, stud_table
from tests.support.pools import stud_pool

MIB = 1 << 20
LOW = f.StorageSaid(low=True, free_bytes=900 * MIB, bound_bytes=1_024 * MIB)
ENOUGH = f.StorageSaid(low=False, free_bytes=2_000 * MIB, bound_bytes=1_024 * MIB)


def test_a_disk_that_is_nearly_full_closes_every_progressive_until_it_has_room_again() -> None:
    felt = Felt([stud_pool()], [stud_table("T01"), stud_table("T02")])
    felt.control(LOW)
    assert felt.alarms() == ["storage-ledger"]
    assert felt.state.alarms["storage-ledger"].text.endswith("has 900 MiB left, less than the 1024 MiB it must have")
    for table in felt.state.tables.values():
        assert why_closed(felt.state, table) == "the ledger's disk is nearly full"
    felt.control(ENOUGH)
    assert felt.alarms() == []
    for table in felt.state.tables.values():
        assert why_closed(felt.state, table) == ""


def test_a_bet_made_on_a_nearly_full_disk_does_not_count_and_one_made_before_does() -> None:
    felt = Felt([stud_pool()], [stud_table("T01")])
    table = felt.spot("T01")
    table.bet(1)
    felt.control(LOW)
    table.bet(2)
    table.lock()
    assert table.phase() is Phase.LOCKED
    assert table.table.live == {"stud-main": [1]}


def test_the_same_word_again_changes_nothing() -> None:
    felt = Felt([stud_pool()], [stud_table("T01")])
    felt.control(LOW)
    assert felt.control(LOW) == []
    felt.control(ENOUGH)
    assert felt.control(ENOUGH) == []
