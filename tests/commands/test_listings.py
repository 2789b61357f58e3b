"""What people read in listings: short, and never an empty place where a word is due."""

from __future__ import annotations

from typing import Any

import pytest

from jackpotd.commands.hit import show_list
from jackpotd.commands.status import status_text


def hit(**changes: Any) -> dict[str, Any]:
    shown = {
        "hit": "T01.1.stud-main.flush",
        "at": "2026-11-30T08:00:00.000Z",
        "tier": "flush",
        "prize": "flush",
        "amount": "500.00",
        "winners": [{"seat": 3, "amount": "500.00"}],
        "status": "approved",
        "late": False,
        "approvals": [],
        "rejections": [],
    }
    return shown | changes


@pytest.mark.parametrize(
    ("changes", "decided"),
    [
        ({}, "automatic"),
        ({"status": "paid"}, "automatic"),
        ({"status": "pending"}, "pending"),
        ({"approvals": ["ana (supervisor)"]}, "ana (supervisor)"),
        ({"status": "rejected", "rejections": ["ana (supervisor)"]}, "ana (supervisor)"),
    ],
)
def test_the_list_of_hits_says_who_decided_and_automatic_when_nobody_had_to(
    changes: dict[str, Any], decided: str, capsys: pytest.CaptureFixture[str]
) -> None:
    show_list([hit(**changes)])
    assert capsys.readouterr().out.splitlines()[1].rstrip().endswith(decided)


def test_a_prize_with_a_name_of_its_own_is_listed_by_it(capsys: pytest.CaptureFixture[str]) -> None:
    show_list([hit(prize="small"), hit()])
    lines = capsys.readouterr().out.splitlines()
    assert "  small (flush)  " in lines[1]
    assert "  flush  " in lines[2]


def test_the_status_names_a_pool_once_for_all_seats_that_bet_alike_and_the_carried_bets() -> None:
    alike = ["ante", "progressive:stud-main"]
    table = {
        "table": "T01",
        "round": "T01-1",
        "phase": "open",
        "progressive": "open",
        "why": "",
        "seats": {"1": alike, "2": ["ante"], "7": alike},
        "carried": {"4": ["stud-main"]},
        "deal": "shoe",
        "devices": {"shoe": "online"},
    }
    head: dict[str, Any] = dict.fromkeys(("site", "node", "version", "started", "day", "epoch", "seq", "broker"), "x")
    found = {"hits": {"pending": 0, "approved": 0}, "suspended": "", "pools": [], "tables": [table], "alarms": []}
    assert "  1,7:ante+progressive:stud-main 2:ante 4:carried:stud-main  " in status_text(head | found)
