"""What the pages say they show, and what the sign says of them."""

from __future__ import annotations

import pytest

from jackpotd.sign.screens import MAX_PAGES, STALE_MS, PageReport, PoolReport, Screens
from jackpotd.sign.views import Amount, PoolView, SignView
from tests.support.controller_voice import POOL

ASKED = PoolView(POOL, "live", Amount(100_00, "MOP", 2), 7, 3)
VIEW = SignView((ASKED,), (), 0)


def report(page: int, minor: str | None = "10000", state: str = "live", seq: int | None = 3) -> PageReport:
    content = {"page": page, "pools": [{"pool": POOL, "state": state, "minor": minor, "epoch": 7, "seq": seq}]}
    return PageReport.model_validate(content)


def test_without_a_page_the_sign_says_what_a_page_would_show() -> None:
    shown = Screens().shown(VIEW, 0)
    assert (shown.pools, shown.screens) == ((ASKED,), 0)


def test_a_page_says_what_it_shows() -> None:
    screens = Screens()
    page = screens.join(0)
    assert screens.heard(report(page, "9950"), 0)
    shown = screens.shown(VIEW, 0)
    assert shown.pools == (PoolView(POOL, "live", Amount(99_50, "MOP", 2), 7, 3),)
    assert shown.screens == 1


def test_a_page_that_says_nothing_is_trusted_only_so_long() -> None:
    screens = Screens()
    page = screens.join(0)
    assert screens.shown(VIEW, STALE_MS).pools == (ASKED,)
    assert screens.shown(VIEW, STALE_MS + 1).pools == (PoolView(POOL, "neutral"),)
    screens.heard(report(page), STALE_MS + 1)
    assert screens.shown(VIEW, STALE_MS + 1).pools == (ASKED,)
    assert screens.shown(VIEW, 2 * STALE_MS + 2).pools == (PoolView(POOL, "neutral"),)


@pytest.mark.parametrize("worst_first", [True, False])
def test_the_worst_of_several_pages_counts(worst_first: bool) -> None:
    screens = Screens()
    pages = [screens.join(0) for _ in range(3)]
    minors = ["9000", "10000", "10000"] if worst_first else ["10000", "10000", "9000"]
    for page, minor in zip(pages, minors, strict=True):
        screens.heard(report(page, minor), 0)
    (pool,) = screens.shown(VIEW, 0).pools
    assert pool.amount == Amount(90_00, "MOP", 2)
    screens.heard(report(pages[1], None, "neutral", None), 0)
    assert screens.shown(VIEW, 0).pools == (PoolView(POOL, "neutral"),)


def test_a_page_that_left_says_nothing_more() -> None:
    screens = Screens()
    page = screens.join(0)
    screens.leave(page)
    assert not screens.heard(report(page), 0)
    assert screens.shown(VIEW, STALE_MS * 2).pools == (ASKED,)


def test_pages_are_bounded() -> None:
    screens = Screens()
    for _ in range(MAX_PAGES):
        assert not screens.full
        screens.join(0)
    assert screens.full


def test_a_page_that_does_not_know_the_pool_does_not_show_it() -> None:
    screens = Screens()
    page = screens.join(0)
    screens.heard(PageReport(page=page, pools=(PoolReport(pool="bac-b", state="live", minor="1"),)), 0)
    assert screens.shown(VIEW, 0).pools == (PoolView(POOL, "neutral"),)


def test_a_page_that_says_it_is_neutral_shows_no_amount_whatever_else_it_says() -> None:
    screens = Screens()
    page = screens.join(0)
    screens.heard(report(page, "10000", "neutral"), 0)
    assert screens.shown(VIEW, 0).pools == (PoolView(POOL, "neutral"),)
