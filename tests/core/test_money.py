from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpotd.core.errors import RuleError
from jackpotd.core.money import floor_to, format_amount, minor_units, parse_amount, parse_rate, share_of
from tests.support.pools import stud_pool


@pytest.mark.parametrize(
    ("text", "exponent", "atoms"),
    [
        ("500000.00", 2, 50_000_000_000_000),
        ("0.01", 2, 1_000_000),
        ("-0.01", 2, -1_000_000),
        ("7", 2, 700_000_000),
        ("7", 0, 7_000_000),
        ("0.000001", 0, 1),
        ("0.00000001", 2, 1),
        ("1.000000000000", 2, 100_000_000),
        ("9223372036854775808.00", 2, 922_337_203_685_477_580_800_000_000),
    ],
)
def test_an_amount_is_read_to_the_atom(text: str, exponent: int, atoms: int) -> None:
    assert parse_amount(text, exponent) == atoms


@pytest.mark.parametrize(
    "text", ["", "1.", ".5", "01", "1,000.00", "1e3", "+1", " 1", "1\n", "--1", "NaN", "\u0661", "1.0000000000001"]
)
def test_what_is_no_amount_is_refused_and_shown(text: str) -> None:
    with pytest.raises(RuleError, match="is not an amount") as error:
        parse_amount(text, 2)
    assert repr(text) in str(error.value)


def test_a_part_of_an_atom_is_refused() -> None:
    with pytest.raises(RuleError, match="more decimals than money has"):
        parse_amount("0.000000001", 2)


@pytest.mark.parametrize(
    ("atoms", "exponent", "text"),
    [
        (0, 2, "0.00"),
        (0, 0, "0"),
        (70_000_000, 2, "0.70"),
        (1, 2, "0.00000001"),
        (-150_500_000, 2, "-1.505"),
        (7_000_000, 0, "7"),
        (7_500_000, 0, "7.5"),
    ],
)
def test_an_amount_is_written_with_the_minor_units_decimals_and_more_only_where_needed(
    atoms: int, exponent: int, text: str
) -> None:
    assert format_amount(atoms, exponent) == text


@given(st.integers(-(10**30), 10**30), st.integers(0, 3))
def test_what_is_written_is_read_back(atoms: int, exponent: int) -> None:
    assert parse_amount(format_amount(atoms, exponent), exponent) == atoms


@pytest.mark.parametrize(("text", "ppm"), [("70%", 700_000), ("0.5%", 5_000), ("100%", 1_000_000), ("0.0001%", 1)])
def test_a_percentage_is_read_in_parts_per_million(text: str, ppm: int) -> None:
    assert parse_rate(text) == ppm


@pytest.mark.parametrize("text", ["", "70", "70 %", "-1%", "1.%", "0.00001%", "07%", "1000%"])
def test_what_is_no_percentage_is_refused(text: str) -> None:
    with pytest.raises(RuleError, match="is not a percentage"):
        parse_rate(text)


@pytest.mark.parametrize("text", ["100.0001%", "101%"])
def test_a_rate_above_the_whole_is_refused(text: str) -> None:
    with pytest.raises(RuleError, match="more than 100%"):
        parse_rate(text)


@given(st.integers(0, 10**12), st.integers(0, 1_000_000))
def test_a_rate_of_whole_minor_units_never_rounds(minor: int, ppm: int) -> None:
    assert share_of(minor * 1_000_000, ppm) == minor * ppm


@given(st.integers(0, 10**15), st.integers(1, 10**9))
def test_rounding_down_drops_less_than_one_unit(atoms: int, unit: int) -> None:
    floored = floor_to(atoms, unit)
    assert floored % unit == 0
    assert 0 <= atoms - floored < unit


def test_minor_units_round_down() -> None:
    assert [minor_units(atoms) for atoms in (999_999, 1_000_000, 1_999_999)] == [0, 1, 1]


def test_a_tier_that_the_rules_do_not_have_is_a_bug() -> None:
    assert stud_pool().prize("flush").tier == "flush"
    with pytest.raises(KeyError):
        stud_pool().prize("six_of_a_kind")
