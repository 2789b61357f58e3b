"""Which hits a sign shows, and which one is on the stage."""

from __future__ import annotations

from jackpotd.sign.celebrations import MAX_HITS, STAGE_MS
from jackpotd.sign.model import MAX_SHOWN
from tests.support.controller_voice import EPOCH
from tests.support.sign_ear import Sign


def shown() -> Sign:
    sign = Sign()
    sign.meter(100)
    return sign


def test_a_hit_is_on_the_stage_once_then_in_the_ribbon_until_it_is_cleared() -> None:
    sign = shown()
    sign.hit(beat=1)
    assert sign.hits == [("h1", "pending", True)]
    sign.now_ms += STAGE_MS
    sign.meter(100, beat=2)
    assert sign.hits == [("h1", "pending", False)]
    assert not sign.hit(beat=1)
    sign.hit("h1", "paid", beat=2)
    assert sign.hits == [("h1", "paid", False)]
    sign.model.cleared_hit("h1")
    assert sign.hits == []
    assert not sign.hit("h1", "paid", beat=2)
    assert sign.hits == []


def test_a_hit_that_is_rejected_is_shown_no_longer() -> None:
    sign = shown()
    sign.hit(beat=1)
    sign.hit("h1", "rejected", beat=2)
    assert sign.hits == []
    sign.hit("h1", "pending", beat=1)
    assert sign.hits == []


def test_hits_take_the_stage_one_after_the_other_and_the_last_of_many_not_at_all() -> None:
    sign = shown()
    for number in range(5):
        sign.hit(f"h{number}", seq=number + 1)
    on_stage = []
    for _ in range(6):
        on_stage.append([name for name, _, there in sign.hits if there])
        sign.now_ms += STAGE_MS
        sign.meter(100, beat=sign.now_ms)
    assert on_stage == [["h0"], ["h1"], ["h2"], ["h3"], [], []]


def test_of_the_hits_that_wait_the_greatest_takes_the_stage_next_and_the_ribbon_shows_the_greatest() -> None:
    sign = shown()
    for number, amount in enumerate(("500.00", "1000.00", "500.00", "5000.00", "800000.00", "1000.00")):
        sign.hit(f"h{number}", seq=number + 1, amount=amount)
    assert [name for name, _, _ in sign.hits] == ["h4", "h3", "h1", "h5"]
    sign = shown()
    sign.hit("small", seq=1, amount="500.00")
    assert sign.hits == [("small", "pending", True)]
    sign.hit("next", seq=2, amount="500.00")
    sign.hit("royal", seq=3, amount="800000.00")
    assert [name for name, _, there in sign.hits if there] == ["small"], "what is on the stage stays its time"
    sign.now_ms += STAGE_MS
    sign.meter(100, beat=2)
    assert sign.hits == [("royal", "pending", True), ("small", "pending", False), ("next", "pending", False)]


def test_a_hit_that_leaves_the_stage_early_makes_room() -> None:
    sign = shown()
    sign.hit("h1", seq=1)
    sign.hit("h2", seq=2)
    assert [name for name, _, there in sign.hits if there] == ["h1"]
    sign.hit("h1", "rejected", seq=3)
    assert sign.hits == [("h2", "pending", True)]


def test_a_hit_that_was_cleared_while_the_sign_was_away_is_shown_no_longer() -> None:
    sign = shown()
    sign.hit("kept", "paid", seq=1)
    sign.hit("cleared", "paid", seq=2)
    sign.model.disconnected()
    sign.model.connected()
    sign.hit("kept", "paid", seq=1, retained=True)
    sign.meter(100, 9)
    assert [name for name, _, _ in sign.hits] == ["kept"]
    assert not sign.hit("cleared", "paid", seq=1, retained=True), "older than what was heard"
    assert [name for name, _, _ in sign.hits] == ["kept"]


def test_a_hit_that_was_paid_before_the_sign_came_is_no_news() -> None:
    sign = shown()
    sign.hit("h1", "paid", retained=True)
    sign.hit("h2", "pending", retained=True)
    assert sorted(sign.hits) == [("h1", "paid", False), ("h2", "pending", True)]


def test_yesterdays_hit_is_not_shown_under_todays_meter() -> None:
    sign = Sign()
    sign.hit(retained=True, epoch=EPOCH - 86_400)
    sign.meter(100)
    assert sign.hits == []


def test_a_neutral_pool_shows_no_hit() -> None:
    sign = shown()
    sign.hit()
    sign.status("offline")
    assert sign.hits == []


def test_what_is_kept_of_hits_is_bounded() -> None:
    sign = shown()
    for number in range(MAX_HITS + 10):
        sign.hit(f"h{number}", seq=number + 1)
    assert len(sign.hits) == MAX_SHOWN
    assert sign.hit("h0", seq=1), "the oldest is forgotten"
    sign.model.cleared_hit("never-heard-of")
