"""A hit that is rejected: its money goes back (design 7)."""

from __future__ import annotations

import pytest

from jackpotd.core import entries as e
from jackpotd.core.errors import RuleError
from jackpotd.core.money import Atoms
from jackpotd.core.postings import Posting
from jackpotd.core.state import HitStatus
from tests.support.felt import (
    ACCOUNTANT,
    DEALER,
    FLUSH,
    FOUR,
    NOTHING_2,
    ROYAL,
    STRAIGHT_FLUSH,
    SUPERVISOR,
    SURVEILLANCE,
    Felt,
    stud_table,
)
from tests.support.hits import (
    FLUSH_HIT,
    FOUR_HIT,
    SEED,
    SHARE,
    approve,
    house,
    play,
    reject,
    won,
)
from tests.support.pools import mop, stud_pool

# ---- rejecting


def accounts(felt: Felt) -> tuple[int, ...]:
    pool = felt.pool()
    return (
        pool.pool_atoms,
        pool.reserve_atoms,
        pool.overflow_atoms,
        pool.house_atoms,
        pool.wagers_atoms,
        pool.prizes_atoms,
    )


@pytest.mark.parametrize("approved", [False, True])
def test_a_rejection_posts_the_inverse(*, approved: bool) -> None:
    felt = house()
    play(felt, "T01", {1: NOTHING_2})
    before = accounts(felt)
    spot = felt.spot("T01")
    spot.bet(1)
    spot.lock()
    locked = accounts(felt)
    spot.deal({1: FLUSH, 0: DEALER})
    spot.end()
    hit = "T01.2.stud-main.flush"
    if approved:
        approve(felt, hit)
    reject(felt, hit)
    rejected = felt.said(e.HitRejected)
    assert rejected.postings == (
        Posting("pool:stud-main", mop("500.00")),
        Posting("prizes:stud-main", Atoms(-mop("500.00"))),
    )
    assert (rejected.by, rejected.why, rejected.later_hits) == ((SUPERVISOR,), "the camera shows another card", ())
    assert accounts(felt) == locked
    assert felt.meter() == before[0] + SHARE
    assert felt.pool().totals.rejected_atoms == mop("500.00")


def test_a_rejection_needs_its_reason() -> None:
    with pytest.raises(RuleError, match="reason"):
        reject(won({1: FLUSH}), FLUSH_HIT, why=" ")


def test_the_rejection_of_a_royal_undoes_the_restart_too() -> None:
    felt = house(reserve_ppm=50_000)
    play(felt, "T01", {1: NOTHING_2})
    spot = felt.spot("T01")
    spot.bet(1)
    spot.lock()
    locked = accounts(felt)
    spot.deal({1: ROYAL, 0: DEALER})
    spot.end()
    assert felt.meter() == SEED
    reject(felt, "T01.2.stud-main.royal_flush")
    assert accounts(felt) == locked


def test_what_the_pool_can_no_longer_give_back_the_house_stands_for_and_it_takes_two() -> None:
    felt = house(contribution_ppm=0, hold_tables_on_hit="none")
    play(felt, "T01", {1: STRAIGHT_FLUSH, 2: FOUR})
    play(felt, "T01", {1: FOUR, 2: STRAIGHT_FLUSH})  # down to 390,000.00, so that the house pays a part of the royal
    play(felt, "T01", {1: ROYAL})
    royal = felt.hit("T01.3.stud-main.royal_flush")
    assert royal.from_house_atoms == mop("110000.00")
    for _ in range(9):
        play(felt, "T01", {1: STRAIGHT_FLUSH})
    assert felt.meter() == mop("50000.00")
    reject(felt, royal.hit, SURVEILLANCE)
    assert felt.hit(royal.hit).status is HitStatus.PENDING
    with pytest.raises(RuleError, match="spoken already"):
        reject(felt, royal.hit, SURVEILLANCE)
    before = accounts(felt)
    reject(felt, royal.hit)
    rejected = felt.said(e.HitRejected)
    assert rejected.by == (SURVEILLANCE, SUPERVISOR)
    assert len(rejected.later_hits) == 9
    assert felt.hit(royal.hit).rejections == [SURVEILLANCE, SUPERVISOR]
    # The restart put 500,000.00 in for 390,000.00 taken: 110,000.00 are owed back, and 50,000.00 are there.
    assert felt.meter() == 0
    moved = [after - was for after, was in zip(accounts(felt), before, strict=True)]
    assert moved == [-mop("50000.00"), 0, 0, mop("550000.00"), 0, -mop("500000.00")]


def test_what_the_house_must_stand_for_takes_two_even_when_the_later_hits_are_so_old_that_they_are_forgotten() -> None:
    felt = house(contribution_ppm=0, hold_tables_on_hit="none")
    for _ in range(2):
        play(felt, "T01", {1: STRAIGHT_FLUSH})
    play(felt, "T01", {1: ROYAL})
    for _ in range(9):
        play(felt, "T01", {1: STRAIGHT_FLUSH})
    for number in range(4, 13):
        for state in (felt.state, felt.folded):
            del state.hits[f"T01.{number}.stud-main.straight_flush"]
    reject(felt, "T01.3.stud-main.royal_flush")
    assert felt.said(e.HitVoted).vote == "reject"


def test_what_passes_the_limit_goes_to_the_overflow_and_it_takes_two() -> None:
    limit = Atoms(SEED + mop("5000.00"))
    felt = house(bet_atoms=mop("1000.00"), limit_atoms=limit, hold_tables_on_hit="none")
    play(felt, "T01", {1: FOUR})
    spot = felt.spot("T01")
    for seat in range(1, 8):
        spot.bet(seat)
    spot.lock()
    assert felt.meter() == SEED + mop("600.00")
    reject(felt, FOUR_HIT)
    assert felt.said(e.HitVoted).vote == "reject"
    reject(felt, FOUR_HIT, ACCOUNTANT)
    assert (felt.meter(), felt.pool().overflow_atoms) == (limit, mop("600.00"))


def test_a_rejection_that_takes_the_pool_down_meets_no_limit() -> None:
    felt = house(contribution_ppm=0, limit_atoms=SEED, hold_tables_on_hit="none")
    play(felt, "T01", {1: STRAIGHT_FLUSH})
    play(felt, "T01", {1: ROYAL})
    reject(felt, "T01.2.stud-main.royal_flush")
    assert felt.meter() == mop("450000.00")


def test_a_later_hit_is_listed_not_recomputed_and_the_rejection_takes_two() -> None:
    felt = won({1: FLUSH}, hold_tables_on_hit="none")
    play(felt, "T01", {2: FOUR})
    play(felt, "T01", {2: FLUSH})
    reject(felt, "T01.3.stud-main.flush")
    reject(felt, FLUSH_HIT)
    assert felt.said(e.HitVoted).why == "the camera shows another card"
    reject(felt, FLUSH_HIT, ACCOUNTANT, "agreed")
    rejected = felt.said(e.HitRejected)
    assert rejected.later_hits == ("T01.2.stud-main.four_of_a_kind",)
    assert felt.hit("T01.2.stud-main.four_of_a_kind").total_atoms == mop("5000.00")


def test_a_hit_of_another_pool_is_no_later_hit() -> None:
    pools = [stud_pool(), stud_pool(pool="other")]
    felt = Felt(pools, [stud_table(pools=("stud-main", "other"))])
    spot = felt.spot("T01")
    spot.bet(1, "ante", "progressive:stud-main", "progressive:other")
    spot.lock()
    spot.deal({1: FLUSH, 0: DEALER})
    spot.end()
    reject(felt, FLUSH_HIT)
    assert felt.said(e.HitRejected).later_hits == ()
