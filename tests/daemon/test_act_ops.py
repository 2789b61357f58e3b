"""People's acts by the names of the control socket's operations, as captures hold them."""

from __future__ import annotations

import json
from typing import get_args

import pytest

from jackpotd.core import facts as f
from jackpotd.core.roles import ADMIN
from jackpotd.core.state import Operator, State
from jackpotd.daemon.act_ops import OPS, act_of, op_of
from jackpotd.ledger.port import LedgerError
from jackpotd.messages.control import OPERATIONS

ANA = f.By("ana", "supervisor")
ROOT = f.By("root", ADMIN)
ACTS: list[f.Act] = [
    f.ApproveHit(ANA, "T01.1.stud-main.flush"),
    f.RejectHit(ANA, "T01.1.stud-main.flush", "no flush"),
    f.PayHit(ANA, "T01.1.stud-main.flush", "4711"),
    f.EnterCard(ANA, "T01", "3", 2, "9S"),
    f.NameDealtSeats(ANA, "T01", (2, 5), 5, "seat 5 had no bet"),
    f.ReplaceDevice(ANA, "T01", "panel", "a broken place"),
    f.CloseDay(ANA),
    f.CloseDay(ANA, 2),
    f.AdjustPool(ANA, "stud-main", "-1200.50", "counted twice"),
    f.RetirePool(ANA, "stud-main", "house", "the link ends"),
    f.AcknowledgeAlarm(ANA, "broker-mqtt", "the broker is not reached"),
    f.ChangeOperator(ROOT, "ana", "supervisor", "ana", "added"),
    f.ChangeOperator(ROOT, "ana", "supervisor", "", "password"),
]


def test_every_act_has_an_operation_and_every_operation_is_the_control_sockets() -> None:
    assert set(OPS.values()) == set(get_args(f.Act))
    assert OPS.keys() <= OPERATIONS.keys()


@pytest.mark.parametrize("act", ACTS)
def test_an_act_comes_back_from_its_operation(act: f.Act) -> None:
    op, args = op_of(act)
    assert act_of(State(), act.by.name, act.by.role, op, json.loads(json.dumps(args))) == act


def test_what_an_operation_may_leave_out_is_filled_in_as_by_the_control_socket() -> None:
    act = act_of(State(), "ana", None, "round.dealt", {"table": "T01", "seats": [2], "why": "no bet"})
    assert act == f.NameDealtSeats(ANA, "T01", (2,), 5, "no bet")


def test_an_alarm_acknowledged_by_hand_in_a_capture_is_the_ledgers_own() -> None:
    act = act_of(State(), "ana", None, "alarm.ack", {"alarm": "held-T01"})
    assert act == f.AcknowledgeAlarm(ANA, "held-T01", "")


def test_without_a_role_the_operator_has_that_of_the_ledger_or_the_one_that_the_act_takes() -> None:
    state = State()
    state.operators["bento"] = Operator("bento", "surveillance", "bento")
    assert act_of(state, "bento", None, "day.close", {}).by == f.By("bento", "surveillance")
    assert act_of(state, "carla", None, "day.close", {}).by == f.By("carla", "supervisor")
    disabled = act_of(state, "root", None, "operator.disable", {"name": "bento"})
    assert disabled == f.ChangeOperator(ROOT, "bento", "surveillance", "bento", "disabled")


@pytest.mark.parametrize(
    ("op", "args", "why"),
    [
        ("hit.list", {}, "there is no act 'hit.list'"),
        ("hit.pay", {"hit": "x"}, "misses slip"),
        ("day.close", {"token": "x"}, "unknown token"),
        ("operator.passwd", {"name": "ana", "password": "secret"}, "unknown password"),
        ("operator.disable", {"name": "nobody"}, "misses role"),
        ("operator.disable", {"name": ["nobody"]}, "misses role"),
    ],
)
def test_what_is_no_act_is_refused_with_its_reason(op: str, args: dict[str, object], why: str) -> None:
    with pytest.raises(LedgerError, match=why):
        act_of(State(), "root", None, op, args)
