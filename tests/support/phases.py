"""A stud round of one seat in any phase, and what it looks like when it is held."""

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
    Felt,
    Spot,
    stud_table,
)
from tests.support.pools import mop, stud_pool

SEED, SHARE = mop("500000.00"), mop("7.00")
IN_PLAY = (Phase.LOCKING, Phase.LOCKED, Phase.DEALING, Phase.DEALT)
SHOES = pytest.mark.parametrize("shoe", [BARE_SHOE, SEQUENCED_SHOE], ids=["bare", "sequenced"])


def in_phase(phase: Phase, deals: DeviceParams | None = BARE_SHOE) -> Spot:
    """A stud round of seat 3, its hand a flush, in this phase."""
    table = Felt([stud_pool()], [stud_table(deals=deals)]).spot("T01")
    table.bet(3)
    if phase is not Phase.OPEN:
        table.press(f.BetsLocked())
    if phase not in (Phase.OPEN, Phase.LOCKING):
        table.drain()
    if phase is Phase.DEALING:
        table.card("AD")
    if phase is Phase.DEALT:
        table.deal({3: FLUSH, 0: DEALER})
    if phase is Phase.HELD:
        table.fold(7)
    assert table.table.phase is phase
    return table


def assert_held(table: Spot, code: str) -> None:
    assert (table.phase(), table.table.hold_code) == (Phase.HELD, code)
    assert table.table.live == {"stud-main": [3]}
    assert table.felt.meter() == SEED + SHARE
    assert table.felt.state.hits == {}
    assert "held-T01" in table.felt.alarms()
