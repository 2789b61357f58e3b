"""`jackpotd odds` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jackpotd.cli import main
from tests.support.configs import EXAMPLE, OPTION_C, edited


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["odds", "--config", str(EXAMPLE), *words]) == 0
    return capsys.readouterr().out


def test_every_pool_is_told_with_exact_chances(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys)
    assert "pool stud-main at a meter of 500000.00 MOP\n  stud, T01, T02: of one bet\n" in out
    assert ["royal_flush", "1/649740", "649740.00", "500000.00", "0.7695"] in [
        line.split() for line in out.splitlines()
    ]
    assert "baccarat-b, B01, 8 packs: of one round" in out
    assert "a bet gets back 50.86% of it on average; at least all of it from a meter of 2180473.68" in out
    assert "one bettor alone gets back 433.02% of it on average; more than it costs, whatever the meter" in out
    assert "more hits in 24 h than here happen once in 10,000,000 at most" in out


def test_one_pool_at_a_meter_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(said(capsys, "--pool", "stud-main", "--meter", "1000000.01", "--json"))
    (pool,) = found
    (game,) = pool["games"]
    assert pool["meter"] == "1000000.01"
    assert game["tiers"][0] == {
        "tier": "royal_flush",
        "prize": "royal_flush",
        "chance": "1/649740",
        "one_in": "649740.00",
        "amount": "1000000.01",
        "average": "1.5391",
    }
    assert game["to_pool"] == "7.00"
    assert pool["breaker"]["credible_hits"][0]["at_most"] == {"1000": 2, "100000": 6, "1000000": 12}


def test_a_breaker_that_is_off_and_a_tier_that_is_not_paid_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "c.toml"
    unpaid = ('five_of_a_kind = { fixed = "8000.00" }', 'five_of_a_kind = "not paid"')
    off = ('void_round = "carry"', 'void_round = "carry"\nbreaker = "off"')
    path.write_text(edited(*OPTION_C, unpaid, off), encoding="utf-8")
    assert main(["odds", "--config", str(path), "--pool", "bac-b"]) == 0
    out = capsys.readouterr().out
    assert "not paid" in out
    assert out.endswith("  breaker off\n")


def test_one_pack_has_tiers_that_never_come(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.toml"
    path.write_text(edited(("decks = 8", "decks = 1")), encoding="utf-8")
    assert main(["odds", "--config", str(path), "--pool", "bac-b"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["six_of_a_kind", "0/1", "never", "100000.00", "0.0000"] in rows


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--pool", "none"], "there is no pool none; there are stud-main, bac-b"),
        (["--meter", "much"], "'much' is not an amount"),
        (["--meter", "-1.00"], "is no meter"),
        (["--meter", "1.001"], "is no meter"),
        (["--config", "/nowhere.toml"], "cannot be read"),
    ],
)
def test_what_cannot_be_told_exits_2_with_the_reason(
    capsys: pytest.CaptureFixture[str], words: list[str], why: str
) -> None:
    assert main(["odds", "--config", str(EXAMPLE), *words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert why in captured.err
