"""Amounts and words in three languages."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpotd.core.currency import currency
from jackpotd.sign.views import Amount, HitView, Place
from jackpotd.sign.wording import GROUPINGS, MAX_PLACES, WORDS, Language, money, places, symbol, whole_units

LANGUAGES: tuple[Language, ...] = get_args(Language)


@pytest.mark.parametrize(
    ("minor", "code", "language", "text"),
    [
        (123_456_789, "MOP", "en", "MOP$1,234,567"),
        (123_456_789, "MOP", "zh-Hant", "MOP$1,234,567"),
        (123_456_789, "MOP", "pt", "1\u00a0234\u00a0567\u00a0MOP$"),
        (123_400, "MOP", "pt", "1234\u00a0MOP$"),
        (123_400, "HKD", "en", "HK$1,234"),
        (1_234, "JPY", "en", "JP¥1,234"),
        (1_234_999, "KWD", "en", "KWD\u00a01,234"),
        (99, "MOP", "en", "MOP$0"),
        (99_999_999_999_999, "MOP", "en", "MOP$999,999,999,999"),
    ],
)
def test_an_amount_is_written_as_its_language_does(minor: int, code: str, language: Language, text: str) -> None:
    assert money(Amount(minor, code, currency(code).exponent), language) == text


@given(st.integers(0, 10**18), st.integers(0, 4))
def test_whole_units_are_always_rounded_down(minor: int, exponent: int) -> None:
    units = whole_units(Amount(minor, "MOP", exponent))
    assert units * 10**exponent <= minor < (units + 1) * 10**exponent


def test_every_language_has_every_word() -> None:
    assert set(WORDS) == set(GROUPINGS) == set(LANGUAGES)
    for words in WORDS.values():
        assert set(words.tiers) == set(WORDS["en"].tiers)
        assert all(words.tiers.values())


def test_a_tier_that_nobody_knows_is_shown_by_its_own_name() -> None:
    assert WORDS["en"].tier("seven_of_a_kind") == "Seven of a kind"
    assert WORDS["zh-Hant"].tier("royal_flush") == "黃袍麒"


def test_a_currency_without_a_mark_shows_its_code() -> None:
    assert symbol("CHF") == "CHF"


def hit(*winners: tuple[str, int]) -> HitView:
    return HitView("h", "p", "flush", Amount(1, "MOP", 2), tuple(Place(*one) for one in winners), "paid", on_stage=True)


def test_every_seat_of_a_table_is_named_and_the_table_once() -> None:
    assert places(hit(("T01", 6)), "en") == "Table T01 · Seat 6"
    table = hit(*(("B01", seat) for seat in range(1, 10)))
    assert places(table, "en") == "Table B01 · Seats 1, 2, 3, 4, 5, 6, 7, 8, 9"
    assert places(hit(("B01", 1), ("B01", 4)), "zh-Hant") == "博彩桌 B01 · 座位 1、4"
    assert places(hit(("T01", 1), ("T02", 2), ("T01", 3)), "pt") == "Mesa T01 · Lugares 1, 3  Mesa T02 · Lugar 2"


def test_seats_that_are_not_named_are_owned_up_to() -> None:
    assert places(hit(*(("T01", seat) for seat in range(MAX_PLACES))), "en").endswith("11")
    assert places(hit(*(("T01", seat) for seat in range(MAX_PLACES + 1))), "en").endswith("11...")
