"""Configurations for tests: the shipped example, edited, and what is said of the result."""

from __future__ import annotations

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
    text = EXAMPLE.read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def config(*edits: tuple[str, str]) -> Config:
    """The example, edited, which is expected to be in order."""
    return parse(edited(*edits).encode(), Path("test.toml"))


def faults_of(text: str | bytes) -> tuple[Fault, ...]:
    """Every fault of a text that is expected to have some."""
    with pytest.raises(ConfigError) as caught:
        parse(text.encode() if isinstance(text, str) else text, Path("test.toml"))
    assert caught.value.faults
    return caught.value.faults


def fault_of(*edits: tuple[str, str]) -> Fault:
    """The one fault that the edits make."""
    found = faults_of(edited(*edits))
    assert len(found) == 1, [str(fault) for fault in found]
    return found[0]
