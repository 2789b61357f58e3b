"""Configurations for tests: the shipped example, edited, and what is said of the result."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from jackpotd.daemon.config import Config, ConfigError, Fault, parse
from tests.support.sources import ROOT

EXAMPLE = ROOT / "systemd" / "jackpotd.toml"

# Edits that make the example's pool of option B one of option A or C.
OPTION_A = (
    ('rules = "baccarat-b"', 'rules = "baccarat-a"\nfour_of_a_kind_suits = "distinct"'),
    ('six_of_a_kind = { share = "100%" }', 'royal_flush = { share = "100%" }'),
    ('five_of_a_kind = { fixed = "8000.00" }', 'heavenly_straight = { share = "10%", fixed = "8000.00" }'),
    ('double_three = { fixed = "4000.00" }', 'double_pair = { fixed = "4000.00" }'),
    (
        'three_of_a_kind = { fixed = "800.00" }',
        'three_of_a_kind = { fixed = "80.00" }\nsingle_pair = { fixed = "8.00" }',
    ),
)
OPTION_C = (
    ('rules = "baccarat-b"', 'rules = "baccarat-c"'),
    (
        'six_of_a_kind = { share = "100%" }',
        'six_of_a_kind_one_colour = { share = "100%" }\nsix_of_a_kind = { share = "7.5%", fixed = "90000.00" }',
    ),
)


def edited(*edits: tuple[str, str]) -> str:
    """The example with each text replaced where it first stands; a text that is not there is a fault of the test."""
    return _edit(EXAMPLE.read_text(encoding="utf-8"), edits)


def _edit(text: str, edits: Iterable[tuple[str, str]]) -> str:
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def config(*edits: tuple[str, str]) -> Config:
    """The example, edited, which is expected to be in order."""
    return parsed(edited(*edits))


def faults_of(text: str | bytes) -> tuple[Fault, ...]:
    """Every fault of a text that is expected to have some."""
    with pytest.raises(ConfigError) as caught:
        parse(text.encode() if isinstance(text, str) else text, Path("test.toml"))
    assert caught.value.faults
    return caught.value.faults


def fault_of(*edits: tuple[str, str]) -> Fault:
    """The one fault that the edits make."""
    return only_fault(edited(*edits))


# A level's readings are those of its rules, as any pool's.
_STUD_READINGS = """straight_flush_base = "round"
several_royals = "split_greater"
fixed_prizes_from = "pool"
remainder = "pool"
"""
LEVELS = f"""
[[pool]]
id = "mini"
rules = "stud"
seed = "1000.00"
reserve = "1%"
{_STUD_READINGS}
[pool.prizes]
flush = {{ share = "100%" }}
full_house = {{ share = "20%", fixed = "100.00" }}

[[pool]]
id = "minor"
rules = "stud"
seed = "20000.00"
{_STUD_READINGS}
[pool.prizes]
four_of_a_kind = {{ share = "100%", fixed = "20000.00" }}
"""
MEGA = f"""
[[pool]]
id = "mega"
seed = "900000.00"
bet = "20.00"
contribution = "60%"
{_STUD_READINGS}void_round = "refund"

[pool.prizes]
grand = {{ share = "100%", fixed = "900000.00" }}
major = {{ share = "10%", fixed = "50000.00" }}
five = {{ fixed = "8000.00" }}
four = {{ fixed = "4000.00" }}
small = {{ fixed = "500.00" }}

[pool.games.stud]
rules = "stud"
[pool.games.stud.tiers]
royal_flush = "grand"
straight_flush = "major"
four_of_a_kind = "four"
full_house = "small"
flush = "small"

[pool.games.baccarat]
rules = "baccarat-b"
[pool.games.baccarat.tiers]
six_of_a_kind = "grand"
five_of_a_kind = "five"
double_three = "four"
four_of_a_kind = "small"
three_of_a_kind = "small"
"""
_FEEDS_LEVELS = ('reserve = "5%"', 'reserve = "5%"\nlevels = { mini = "10%", minor = "5.5%" }')
_FEEDS_MEGA = (
    ('pools = ["stud-main"]', 'game = "stud"\npools = ["stud-main", "mega"]'),
    ('pools = ["bac-b"]', 'pools = ["mega"]\ngame = "baccarat"'),
)


def with_levels(*edits: tuple[str, str]) -> str:
    """The example, its stud pool feeding the levels mini and minor, then edited."""
    return _edit(edited(_FEEDS_LEVELS) + LEVELS, edits)


def with_mega(*edits: tuple[str, str]) -> str:
    """The example with a pool that its tables of both games feed, then edited."""
    return _edit(edited(*_FEEDS_MEGA) + MEGA, edits)


def parsed(text: str) -> Config:
    """A text that is expected to be in order."""
    return parse(text.encode(), Path("test.toml"))


def only_fault(text: str) -> Fault:
    """The one fault of a text."""
    found = faults_of(text)
    assert len(found) == 1, [str(fault) for fault in found]
    return found[0]
