"""Currencies of ISO 4217 and the text of a rate."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpotd.core.currency import currency
from jackpotd.core.errors import RuleError
from jackpotd.core.money import format_rate, parse_rate


@pytest.mark.parametrize(("code", "exponent"), [("MOP", 2), ("HKD", 2), ("JPY", 0), ("KWD", 3)])
def test_a_currency_has_its_decimals(code: str, exponent: int) -> None:
    assert currency(code).exponent == exponent


@pytest.mark.parametrize("code", ["mop", "XXX", "XAU", "", "MOPS"])
def test_what_iso_4217_does_not_list_as_money_is_refused(code: str) -> None:
    with pytest.raises(RuleError, match="ISO 4217"):
        currency(code)


@pytest.mark.parametrize(("rate_ppm", "text"), [(700_000, "70%"), (5_000, "0.5%"), (0, "0%"), (1, "0.0001%")])
def test_a_rate_is_written_with_the_decimals_that_it_needs(rate_ppm: int, text: str) -> None:
    assert format_rate(rate_ppm) == text


@given(st.integers(min_value=0, max_value=1_000_000))
def test_a_rate_that_is_written_is_read_as_the_same(rate_ppm: int) -> None:
    assert parse_rate(format_rate(rate_ppm)) == rate_ppm
