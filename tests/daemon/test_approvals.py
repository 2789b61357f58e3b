"""Permission first: which options need an approval, and when its three working days are short."""

from __future__ import annotations

from datetime import date

import pytest

from jackpotd.daemon.approvals import options_in_use, uncovered, working_days
from jackpotd.daemon.config import Config
from tests.support.configs import config, edited, faults_of

NO_HOLIDAYS: frozenset[date] = frozenset()
ALL = 'covers = ["61/2004 9(5)(9)", "2/2009 13(1)(4)", "2/2009 17(12)", "2/2009 18"]'


def articles_uncovered(found: Config) -> list[str]:
    options = options_in_use(found.pools, found.tables)
    return [one.option.article for one in uncovered(options, found.approvals, found.site.holidays)]


@pytest.mark.parametrize(
    ("applied", "start", "days"),
    [
        (date(2026, 1, 5), date(2026, 1, 8), 3),  # Monday for Thursday
        (date(2026, 1, 6), date(2026, 1, 8), 2),
        (date(2026, 1, 8), date(2026, 1, 12), 2),  # a weekend between
        (date(2026, 1, 4), date(2026, 1, 7), 2),  # applied on a Sunday
        (date(2026, 1, 5), date(2026, 1, 5), 0),
    ],
)
def test_working_days_are_neither_saturday_nor_sunday(applied: date, start: date, days: int) -> None:
    assert working_days(applied, start, NO_HOLIDAYS) == days


# Macau's holidays about a year's end; 2026-12-08 is a Tuesday, 2026-12-21 a Monday, 2027-01-01 a Friday.
HOLIDAYS = frozenset({date(2026, 12, 8), date(2026, 12, 21), date(2026, 12, 24), date(2026, 12, 25), date(2027, 1, 1)})


@pytest.mark.parametrize(
    ("applied", "start", "days"),
    [
        (date(2026, 12, 7), date(2026, 12, 10), 2),  # the holiday between does not count
        (date(2026, 12, 7), date(2026, 12, 11), 3),
        (date(2026, 12, 8), date(2026, 12, 11), 2),  # applied on the holiday itself
        (date(2026, 12, 3), date(2026, 12, 8), 3),  # starts on a holiday: it is not before itself
        (date(2026, 12, 18), date(2026, 12, 23), 2),  # Friday; then a weekend and the Monday's holiday
        (date(2026, 12, 23), date(2026, 12, 29), 2),  # two holidays and a weekend
        (date(2026, 12, 30), date(2027, 1, 5), 3),  # over the year's end
        (date(2026, 12, 25), date(2026, 12, 28), 0),  # a holiday and a weekend, no working day at all
    ],
)
def test_a_holiday_of_the_site_is_no_working_day(applied: date, start: date, days: int) -> None:
    assert working_days(applied, start, HOLIDAYS) == days


def test_the_sites_own_holidays_are_those_that_count() -> None:
    dates = ("applied = 2026-01-05\nfrom = 2026-01-12", "applied = 2026-12-07\nfrom = 2026-12-10")
    assert "2026-12-08" in edited()
    short = ["2/2009 13(1)(4)(3)", "61/2004 9(5)(9)", "61/2004 9(5)(9)"]
    assert articles_uncovered(config(dates)) == short
    assert articles_uncovered(config(dates, ("2026-12-08", "2026-12-11"))) == []


def test_the_example_has_every_approval_that_it_needs() -> None:
    assert articles_uncovered(config()) == []


@pytest.mark.parametrize(
    ("covers", "article"),
    [
        ('["2/2009 13(1)(4)", "2/2009 17(12)"]', "61/2004 9(5)(9)"),
        ('["61/2004 9(5)(9)", "2/2009 17(12)"]', "2/2009 13(1)(4)(3)"),
        ('["61/2004 9(5)(9)", "2/2009 13(1)(4)"]', "2/2009 17(12)"),
    ],
)
def test_an_option_that_no_approval_covers_is_named_by_its_article(covers: str, article: str) -> None:
    assert set(articles_uncovered(config((ALL, f"covers = {covers}")))) == {article}


@pytest.mark.parametrize(
    ("commission", "article"), [("six_pays_half", "2/2009 18(2)"), ("dragon7_push", "2/2009 18(3)")]
)
def test_a_commission_other_than_five_percent_is_an_option_of_article_18(commission: str, article: str) -> None:
    chosen = ('commission = "five_percent"', f'commission = "{commission}"')
    assert articles_uncovered(config(chosen)) == []
    assert articles_uncovered(config(chosen, (', "2/2009 18"]', "]"))) == [article]


def test_five_percent_is_the_rule_and_needs_no_approval() -> None:
    assert articles_uncovered(config((', "2/2009 18"]', "]"))) == []


def test_an_approval_of_the_progressive_alone_covers_it() -> None:
    assert articles_uncovered(config(('"2/2009 13(1)(4)"', '"2/2009 13(1)(4)(3)"'))) == []
    assert articles_uncovered(config(('"2/2009 13(1)(4)"', '"2/2009 13(1)(4)(1)"'))) == ["2/2009 13(1)(4)(3)"]


def test_an_approval_of_a_longer_number_is_not_taken_for_a_shorter_one() -> None:
    chosen = ('commission = "five_percent"', 'commission = "six_pays_half"')
    assert articles_uncovered(config(chosen, ('"2/2009 18"', '"2/2009 1"'))) == ["2/2009 18(2)"]


@pytest.mark.parametrize(("effective", "days"), [("2026-01-07", "2 working days"), ("2026-01-06", "1 working day")])
def test_an_approval_whose_working_days_are_short_is_told_with_its_dates(effective: str, days: str) -> None:
    found = config(("from = 2026-01-12", f"from = {effective}"))
    first = uncovered(options_in_use(found.pools, found.tables), found.approvals, found.site.holidays)[0]
    assert "2026-01-05" in first.reason
    assert f"{effective}, {days}; 2/2009 19 asks for 3" in first.reason


def test_prior_approval_of_fixed_prizes_has_no_three_days() -> None:
    assert "2/2009 17(12)" not in articles_uncovered(config(("from = 2026-01-12", "from = 2026-01-05")))


def test_the_best_of_several_approvals_counts() -> None:
    second = ("[[pool]]", f'[[approval]]\n{ALL}\nreference = "b"\napplied = 2026-02-02\nfrom = 2026-02-09\n[[pool]]')
    assert articles_uncovered(config(("from = 2026-01-12", "from = 2026-01-06"), second)) == []


def test_where_approvals_are_required_short_working_days_are_a_fault_with_dates_and_article() -> None:
    required = ("# require_approvals = true", "require_approvals = true")
    found = faults_of(edited(required, ("from = 2026-01-12", "from = 2026-01-07")))
    assert [(fault.key, fault.article) for fault in found] == [
        ("pool[bac-b].rules", "2/2009 13(1)(4)(3)"),
        ("table[T01].royal_raise_odds", "61/2004 9(5)(9)"),
        ("table[T02].royal_raise_odds", "61/2004 9(5)(9)"),
    ]
    assert all("applied for on 2026-01-05 and is in force from 2026-01-07" in fault.reason for fault in found)


def test_an_approval_cannot_be_in_force_before_its_application() -> None:
    found = faults_of(edited(("from = 2026-01-12", "from = 2026-01-04")))
    assert [(fault.key, fault.reason) for fault in found] == [("approval[#1].from", "is before the application")]


def test_where_approvals_are_required_a_missing_one_is_a_fault_with_its_article() -> None:
    required = ("# require_approvals = true", "require_approvals = true")
    assert articles_uncovered(config(required)) == []
    found = faults_of(edited(required, (ALL, 'covers = ["2/2009 13(1)(4)", "2/2009 17(12)"]')))
    assert [(fault.key, fault.article) for fault in found] == [
        ("table[T01].royal_raise_odds", "61/2004 9(5)(9)"),
        ("table[T02].royal_raise_odds", "61/2004 9(5)(9)"),
    ]
