"""What people read in listings: short, and never an empty place where a word is due."""

from __future__ import annotations

from typing import Any

import pytest

from jackpotd.commands.day import show_closed
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


def shown_table(**changes: Any) -> dict[str, Any]:
    shown = {
        "table": "T01",
        "round": "T01-1",
        "phase": "open",
        "progressive": "open",
        "why": "",
        "seats": {},
        "carried": {},
        "hands": {},
        "noted": [],
        "claims": [],
        "key_used": False,
        "deal": "shoe",
        "devices": {"shoe": "online"},
    }
    return shown | changes


def status_of(table: dict[str, Any], **more: Any) -> str:
    head: dict[str, Any] = dict.fromkeys(("site", "node", "version", "started", "day", "epoch", "seq", "broker"), "x")
    found = {"hits": {"pending": 0, "approved": 0}, "suspended": "", "pools": [], "tables": [table], "alarms": []}
    return status_text({"provisional": []} | head | found | more)


AT = "2026-11-30T08:00:00.000Z"
DOUBTS = [
    {"at": AT, "why": "unsynchronised", "by_ms": 0},
    {"at": AT, "why": "jumped", "by_ms": -86_400_999},
    {"at": AT, "why": "jumped", "by_ms": 3_000},
]
WORDS = [
    f"from {AT} on nothing said that the clock was synchronised",
    f"at {AT} the clock had been set back by 86400 s",
    f"at {AT} the clock had been set forward by 3 s",
]


def test_the_status_says_that_the_day_is_provisional_and_why() -> None:
    lines = status_of(shown_table(), provisional=DOUBTS).splitlines()
    assert lines[3:6] == [f"gaming day x is PROVISIONAL: {words}" for words in WORDS]
    assert "PROVISIONAL" not in status_of(shown_table())


def test_a_day_that_closes_as_provisional_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    closed = {"day": 4, "meters": [], "held_rounds": [], "pending_hits": [], "carried_bets": []}
    show_closed(closed | {"provisional": DOUBTS})
    said = ["gaming day 4 is closed, provisional", *(f"  provisional: {words}" for words in WORDS)]
    assert capsys.readouterr().out.splitlines() == said
    show_closed(closed | {"provisional": []})
    assert capsys.readouterr().out.splitlines() == ["gaming day 4 is closed"]


def test_the_status_names_a_pool_once_for_all_seats_that_bet_alike_and_the_carried_bets() -> None:
    alike = ["ante", "progressive:stud-main"]
    table = shown_table(seats={"1": alike, "2": ["ante"], "7": alike}, carried={"4": ["stud-main"]})
    assert "  1,7:ante+progressive:stud-main 2:ante 4:carried:stud-main  " in status_of(table)


def test_the_status_shows_the_cards_of_a_round_that_is_held_and_of_no_other() -> None:
    hands = {"0": ["AS", "??"], "3": ["9H"]}
    held = status_of(shown_table(phase="held", hands=hands, noted=["2C"])).splitlines()
    at = held.index("HELD T01-1:")
    assert held[at + 1 : at + 5] == [
        "  dealer: AS ??",
        "  3: 9H",
        "  in no hand: 2C",
        "  it stays held until `jackpotd round confirm T01` or `jackpotd round void T01`",
    ]
    assert "9H" not in status_of(shown_table(phase="dealing", hands=hands))


@pytest.mark.parametrize(("turned", "said"), [(False, "not yet turned"), (True, "turned")])
def test_the_status_shows_every_claim_of_a_held_round_and_whether_the_key_was_turned(turned: bool, said: str) -> None:
    claims = [
        {"seat": 2, "tier": "royal_flush", "pool": "stud-main"},
        {"seat": 5, "tier": "flush", "pool": "stud-main"},
    ]
    found = status_of(shown_table(phase="held", claims=claims, key_used=turned))
    assert "  seat 2 claims royal_flush of stud-main\n  seat 5 claims flush of stud-main\n" in found
    assert f"  the supervisor's key was {said}\n" in found
