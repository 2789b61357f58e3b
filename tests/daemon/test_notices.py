"""What the controller says over MQTT fits the messages that the AsyncAPI document describes, key by key."""

from __future__ import annotations

import json

import pytest

from jackpotd.core.state import Alarm
from jackpotd.daemon import notices
from jackpotd.daemon.board import HitView, MeterView, TableView, WinnerView
from jackpotd.daemon.outputs import closed_outputs
from jackpotd.messages.asyncapi import MODELS
from jackpotd.messages.base import from_json, to_json

NOW_MS = 1_764_489_600_123


def test_a_meter_is_the_designs_message() -> None:
    said = notices.meter(MeterView("p", 5, "pending", "MOP", 2, 7, 0), 1, 2, NOW_MS, suspended=False)
    assert_fits("Meter", said)
    assert (said["amount"], said["amount_minor"], said["state"]) == ("0.05", "5", "pending")
    assert said["at"] == "2025-11-30T08:00:00.123Z"


def test_a_meter_of_a_suspended_ledger_is_suspended() -> None:
    said = notices.meter(MeterView("p", 5, "live", "JPY", 0, 7, 0), 1, 2, NOW_MS, suspended=True)
    assert_fits("Meter", said)
    assert (said["amount"], said["state"]) == ("5", "suspended")


@pytest.mark.parametrize("state", ["online", "standby", "offline"])
def test_a_status_is_the_designs_message(state: str) -> None:
    assert_fits("Status", notices.status(state, 1, 2, "0.1.0"))


@pytest.mark.parametrize("prize", ["royal_flush", "grand"])
def test_a_hit_is_the_designs_message_and_names_the_prize_where_the_pool_has_names(prize: str) -> None:
    view = HitView(
        hit="T01-17-p-royal_flush",
        pool="p",
        tier="royal_flush",
        prize=prize,
        table="T01",
        round=17,
        at_ms=NOW_MS,
        amount_minor=100,
        exponent=2,
        winners=(WinnerView("T01", 6, 100),),
        status="pending",
        late=False,
        decided_ms=0,
        approvals=(),
        rejections=(),
        slip="",
        why="",
        show_for_ms=600_000,
        seq=7,
    )
    said = notices.hit(view, 1, 2)
    assert_fits("Hit", said)
    assert said.get("prize") == (None if prize == "royal_flush" else "grand")


@pytest.mark.parametrize(("closed", "progressive"), [("", "open"), ("the ledger cannot be written", "closed")])
def test_a_table_is_the_designs_message(closed: str, progressive: str) -> None:
    view = TableView(
        table="T01",
        game="stud",
        phase="open",
        why="",
        seats={10: ("ante",), 3: ("ante", "progressive:p")},
        carried={4: ("p",)},
        deals="shoe",
        devices={"shoe": "online"},
        round="T01-17",
        hands={},
        noted=(),
        claims=(),
        key_used=False,
        last_outcome="",
        last_hands={},
        outputs=closed_outputs(7),
        waiting=(),
        changed_ms=NOW_MS,
        deal_timeout_ms=180_000,
        seq=7,
    )
    said = notices.table(view, "p", 1, 2, closed)
    assert_fits("TableState", said)
    assert (said["progressive"], said["why"]) == (progressive, closed)
    assert said["seats"] == {"10": ["ante"], "3": ["ante", "progressive"]}


def test_an_alarm_is_the_designs_message() -> None:
    assert_fits("Alarm", notices.alarm(Alarm("offline-T01", "offline", "gone", "T01", "", NOW_MS, "look"), 1, 2))


def assert_fits(name: str, said: notices.Message) -> None:
    """What is said is read by the model, and the model says the same, with the keys in the same order."""
    again = json.loads(to_json(from_json(MODELS[name], json.dumps(said).encode())))
    assert again == said
    assert list(again) == list(said)
