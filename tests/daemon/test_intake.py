"""Names of facts: whatever serial number a board has, its events are named as nobody else's."""

from __future__ import annotations

import pytest

from jackpotd.core.facts import BetsLocked, By, CardRead, CloseDay, Drained, What
from jackpotd.core.state import State
from jackpotd.daemon.inbox import Item
from jackpotd.daemon.intake import bind
from tests.support.felt import BARE_SHOE, KEYPAD, Felt, stud_table
from tests.support.pools import stud_pool

BOSS = By("boss", "supervisor")


def house(serial: str) -> State:
    """A table whose keypad has this serial number."""
    felt = Felt([stud_pool()], [stud_table(devices=(BARE_SHOE,))])
    felt.tables = [stud_table(devices=(BARE_SHOE, KEYPAD))]
    felt.configure()
    felt.spot("T01").hello("keypad", serial, oldest=1, newest=0)
    felt.state.epoch = 1_700_000_000
    return felt.state


def name(state: State, what: What, device: str = "", operator: str = "", seq: int | None = None) -> tuple[str, int]:
    """Source and journal of what is said."""
    raw = b"\x00" if device else b""
    fact = bind(state, Item("T01", device, what, 1, 1, 1, seq, raw, operator=operator))
    return fact.source, fact.journal


@pytest.mark.parametrize("serial", ["T01/shoe", "operator/boss", "controller"])
def test_a_board_that_calls_itself_as_somebody_else_takes_nobodys_name(serial: str) -> None:
    state = house(serial)
    board = name(state, BetsLocked(), "keypad", seq=1)
    assert board[0] == serial
    others = {
        name(state, CardRead("AS"), "shoe"),
        name(state, CloseDay(BOSS), operator="boss"),
        name(state, Drained()),
    }
    assert {source for source, _ in others} == {"T01/shoe", "operator/boss", "controller"}
    assert board not in others
