"""The demo's view: meters on their way up, big digits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jackpotd.demo.digits import LINES, big
from jackpotd.demo.view import rolled
from jackpotd.demo.words import card_text, grouped

amounts = st.integers(min_value=0, max_value=10**12)


@given(amounts, amounts)
def test_a_meter_never_shows_more_than_is_committed_and_gets_there(shown: int, committed: int) -> None:
    for _ in range(400):
        before, shown = shown, rolled(shown, committed)
        assert shown <= committed
        if shown == committed:
            return
        assert before < shown
    raise AssertionError("never gets there")


def test_a_meter_falls_at_once() -> None:
    assert rolled(100_000_000, 50_000_000) == 50_000_000


@given(amounts)
def test_big_digits_have_three_lines_of_one_width(amount: int) -> None:
    lines = big(grouped(amount, 2)).splitlines()
    assert len(lines) == LINES
    assert len({len(line) for line in lines}) == 1


def test_amounts_and_cards_are_written_for_people() -> None:
    assert grouped(123456780, 2) == "1,234,567.80"
    assert grouped(1234567, 0) == "1,234,567"
    assert [card_text(card) for card in ("AS", "TH", "2D", "KC")] == ["A♠", "T♥", "2♦", "K♣"]
