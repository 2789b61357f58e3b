"""The log's lines about what happened in the house."""

from __future__ import annotations

import logging

import pytest

from jackpotd.core.entries_site import OperatorChanged
from jackpotd.core.facts import By, ChangeOperator, Fact
from jackpotd.core.state import State
from jackpotd.daemon.engine import Committed
from jackpotd.daemon.journal import write_down
from jackpotd.ledger.port import Head


def test_an_operator_who_is_added_makes_a_line_that_names_him(caplog: pytest.LogCaptureFixture) -> None:
    by = By("root", "admin")
    word = ChangeOperator(by, "ana", "supervisor", "ana", "added")
    fact = Fact("operator/root", 1, 1, 0, 0, "", "", "", "", stale=False, what=word)
    entry = OperatorChanged(0, by, "ana", "supervisor", "ana", "added")
    with caplog.at_level(logging.INFO):
        write_down(State(), Committed(Head(1, bytes(32)), [(fact, [entry])], 0, 0))
    said = [vars(record) for record in caplog.records if record.message == "operator changed"]
    assert [(one["operator"], one["by"]) for one in said] == [("ana", "root (admin)")]
