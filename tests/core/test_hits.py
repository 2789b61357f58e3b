"""The life of a hit after its prize is locked: approved, paid, rejected (design 7)."""

from __future__ import annotations

from typing import Any

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.apply import apply
from jackpotd.core.closing import why_closed
from jackpotd.core.errors import RuleError
from jackpotd.core.money import ZERO, Atoms
from jackpotd.core.parameters import DeviceParams
from jackpotd.core.postings import Posting
from jackpotd.core.state import KEPT_HITS, HitStatus
from tests.support.felt import (
    ACCOUNTANT,
    BARE_SHOE,
    DEALER,
    FLUSH,
    FOUR,
    NOTHING_2,
    ROOT,
    ROYAL,
    SEQUENCED_SHOE,
    STRAIGHT_FLUSH,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    Felt,
    stud_table,
)
from tests.support.pools import mop, stud_pool

SEED, SHARE = mop("500000.00"), mop("7.00")
FLUSH_HIT, FOUR_HIT = "T01.1.stud-main.flush", "T01.1.stud-main.four_of_a_kind"
ROYAL_HIT, STRAIGHT_HIT = "T01.1.stud-main.royal_flush", "T01.1.stud-main.straight_flush"
ANOTHER_SUPERVISOR = f.By("sue", "supervisor")


def house(tables: int = 1, shoe: DeviceParams = BARE_SHOE, **changes: Any) -> Felt:
    return Felt([stud_pool(**changes)], [stud_table(f"T0{number + 1}", shoe) for number in range(tables)])


def play(felt: Felt, table: str, hands: dict[int, str]) -> None:
    spot = felt.spot(table)
    for seat in sorted(hands):
        spot.bet(seat)
    spot.lock()
    spot.deal(hands | {0: DEALER})
    spot.end()


def won(hands: dict[int, str], **changes: Any) -> Felt:
    """A house where the first round of table T01 was won with these hands."""
    felt = house(**changes)
    play(felt, "T01", hands)
    return felt


def approve(felt: Felt, hit: str, by: f.By = SUPERVISOR) -> None:
    felt.act(f.ApproveHit(by, hit))


def reject(felt: Felt, hit: str, by: f.By = SUPERVISOR, why: str = "the camera shows another card") -> None:
    felt.act(f.RejectHit(by, hit, why))


def pay(felt: Felt, hit: str, by: f.By = SUPERVISOR, slip: str = "0042") -> None:
    felt.act(f.PayHit(by, hit, slip))


# ---- approving


@pytest.mark.parametrize(("below", "status"), [("500.00", HitStatus.PENDING), ("500.01", HitStatus.APPROVED)])
def test_below_auto_pay_below_a_hit_is_approved_at_once(below: str, status: HitStatus) -> None:
    felt = won({1: FLUSH}, auto_pay_below_atoms=mop(below))
    assert felt.hit(FLUSH_HIT).status is status
    assert felt.hit(FLUSH_HIT).approvals == []


def test_without_auto_pay_below_every_hit_is_approved_by_hand() -> None:
    felt = won({1: FLUSH})
    assert felt.hit(FLUSH_HIT).status is HitStatus.PENDING
    approve(felt, FLUSH_HIT)
    assert felt.hit(FLUSH_HIT).approvals == [SUPERVISOR]
    assert felt.hit(FLUSH_HIT).decided_ms == felt.now_ms


@pytest.mark.parametrize("by", [SURVEILLANCE, ACCOUNTANT])
def test_one_person_alone_must_be_a_supervisor(by: f.By) -> None:
    felt = won({1: FLUSH})
    with pytest.raises(RuleError, match="must be a supervisor"):
        approve(felt, FLUSH_HIT, by)
    with pytest.raises(RuleError, match="must be a supervisor"):
        reject(felt, FLUSH_HIT, by)


@pytest.mark.parametrize("by", [TECHNICIAN, ROOT, f.By("dee", "dealer-assist"), f.By("rex", "regulator")])
def test_other_roles_decide_no_hit(by: f.By) -> None:
    felt = won({1: FLUSH})
    for decide in (approve, reject, pay):
        with pytest.raises(RuleError, match="this takes"):
            decide(felt, FLUSH_HIT, by)


@pytest.mark.parametrize(("above", "persons"), [("5000.00", 1), ("4999.99", 2)])
def test_above_two_person_above_two_different_operators_of_two_roles_approve(above: str, persons: int) -> None:
    felt = won({1: FOUR}, two_person_above_atoms=mop(above))
    if persons == 2:
        approve(felt, FOUR_HIT, SURVEILLANCE)
        assert felt.said(e.HitVoted).vote == "approve"
        assert felt.hit(FOUR_HIT).status is HitStatus.PENDING
        with pytest.raises(RuleError, match="another role"):
            approve(felt, FOUR_HIT, f.By("vic", "surveillance"))
        with pytest.raises(RuleError, match="vera has spoken already"):
            approve(felt, FOUR_HIT, f.By("vera", "supervisor"))
    approve(felt, FOUR_HIT)
    assert felt.hit(FOUR_HIT).status is HitStatus.APPROVED
    assert felt.hit(FOUR_HIT).approvals == ([SURVEILLANCE, SUPERVISOR] if persons == 2 else [SUPERVISOR])


@pytest.mark.parametrize(
    ("shoe", "above", "persons"),
    [(BARE_SHOE, "499.99", 2), (BARE_SHOE, "500.00", 1), (SEQUENCED_SHOE, "499.99", 1)],
)
def test_above_bare_two_person_above_a_hit_over_a_bare_link_takes_two(
    shoe: DeviceParams, above: str, persons: int
) -> None:
    felt = won({1: FLUSH}, shoe=shoe, bare_two_person_above_atoms=mop(above), auto_pay_below_atoms=mop("600.00"))
    assert felt.hit(FLUSH_HIT).status is (HitStatus.PENDING if persons == 2 else HitStatus.APPROVED)
    if persons == 2:
        approve(felt, FLUSH_HIT)
        approve(felt, FLUSH_HIT, ACCOUNTANT)
        assert felt.hit(FLUSH_HIT).status is HitStatus.APPROVED


def test_limits_compare_the_total_of_the_hit() -> None:
    felt = won({1: FLUSH, 2: "AS KS QS JS 2S"}, two_person_above_atoms=mop("999.99"))
    approve(felt, FLUSH_HIT)
    assert felt.hit(FLUSH_HIT).status is HitStatus.PENDING


def test_a_hit_that_ended_before_the_pools_last_restart_is_late_and_takes_two() -> None:
    felt = house(2, auto_pay_below_atoms=mop("600.00"))
    second = felt.spot("T02")
    second.bet(1)
    second.lock()
    second.deal({1: FLUSH, 0: DEALER})
    ended_ms = felt.now_ms
    play(felt, "T01", {1: ROYAL})
    second.press(f.RoundEnded(), stale=True, said_ms=ended_ms)
    hit = felt.hit("T02.1.stud-main.flush")
    assert (hit.late, hit.status) == (True, HitStatus.PENDING)
    approve(felt, hit.hit)
    assert felt.hit(hit.hit).status is HitStatus.PENDING


def test_a_round_that_was_held_when_the_pool_restarted_is_late_too() -> None:
    felt = house(2, auto_pay_below_atoms=mop("600.00"))
    second = felt.spot("T02")
    second.bet(1)
    second.lock()
    second.deal({1: FLUSH, 0: DEALER})
    second.lose("panel")
    play(felt, "T01", {1: ROYAL})
    second.confirm()
    second.end()
    assert felt.hit("T02.1.stud-main.flush").late


# ---- tables closed by a hit


@pytest.mark.parametrize(
    ("scope", "closed"), [("table", ["T01"]), ("link", ["T01", "T02"]), ("none", [])], ids=["table", "link", "none"]
)
def test_a_pending_hit_closes_what_the_pool_says(scope: str, closed: list[str]) -> None:
    felt = won({1: FLUSH}, tables=2, hold_tables_on_hit=scope)
    assert [name for name in ("T01", "T02") if why_closed(felt.state, felt.state.tables[name])] == closed
    for name in ("T01", "T02"):
        felt.spot(name).bet(5)
    taken = {name: felt.state.tables[name].bets[5] for name in ("T01", "T02")}
    assert {name for name, bets in taken.items() if bets == ["ante"]} == set(closed)
    approve(felt, FLUSH_HIT)
    assert why_closed(felt.state, felt.state.tables["T01"]) == ""


def test_of_two_pending_hits_the_older_one_is_named() -> None:
    felt = won({1: FOUR, 2: FLUSH})
    assert why_closed(felt.state, felt.state.tables["T01"]) == f"hit {FOUR_HIT} is pending"
    approve(felt, FOUR_HIT)
    assert why_closed(felt.state, felt.state.tables["T01"]) == f"hit {FLUSH_HIT} is pending"


# ---- paying


def test_an_approved_hit_is_paid_with_a_slip_number() -> None:
    felt = won({1: FLUSH})
    approve(felt, FLUSH_HIT)
    with pytest.raises(RuleError, match="slip number"):
        pay(felt, FLUSH_HIT, slip=" ")
    pay(felt, FLUSH_HIT, ACCOUNTANT)
    hit = felt.hit(FLUSH_HIT)
    assert (hit.status, hit.slip) == (HitStatus.PAID, "0042")
    assert felt.pool().totals.hits_paid == 1


def test_surveillance_does_not_pay() -> None:
    felt = won({1: FLUSH})
    approve(felt, FLUSH_HIT)
    with pytest.raises(RuleError, match="accounting or supervisor"):
        pay(felt, FLUSH_HIT, SURVEILLANCE)


@pytest.mark.parametrize("device", ["panel", "shoe"])
def test_a_whole_pool_is_not_paid_while_another_table_of_it_is_offline(device: str) -> None:
    felt = won({1: ROYAL}, tables=2)
    approve(felt, ROYAL_HIT)
    felt.spot("T02").lose(device)
    with pytest.raises(RuleError, match="table T02 of the same pool is offline"):
        pay(felt, ROYAL_HIT)
    felt.spot("T02").back(device)
    pay(felt, ROYAL_HIT)


def test_a_table_known_closed_since_before_the_hit_keeps_nobody_from_the_whole_pool() -> None:
    felt = house(2)
    felt.act(f.CloseTable(SUPERVISOR, "T02"))
    felt.spot("T02").lose("panel")
    play(felt, "T01", {1: ROYAL})
    approve(felt, ROYAL_HIT)
    pay(felt, ROYAL_HIT)


def test_a_table_closed_after_the_hit_may_still_hold_an_earlier_round() -> None:
    felt = won({1: ROYAL}, tables=2)
    approve(felt, ROYAL_HIT)
    felt.act(f.CloseTable(SUPERVISOR, "T02"))
    felt.spot("T02").lose("panel")
    with pytest.raises(RuleError, match="offline"):
        pay(felt, ROYAL_HIT)


def test_a_lesser_tier_is_paid_whoever_is_offline_and_so_is_a_whole_pool_whose_own_table_is() -> None:
    felt = won({1: ROYAL, 2: STRAIGHT_FLUSH}, tables=2)
    approve(felt, STRAIGHT_HIT)
    approve(felt, ROYAL_HIT)
    felt.spot("T02").lose("panel")
    pay(felt, STRAIGHT_HIT)
    felt.spot("T02").back("panel")
    felt.spot("T01").lose("panel")
    pay(felt, ROYAL_HIT)


def test_a_table_of_another_pool_keeps_nobody_waiting() -> None:
    pools = [stud_pool(), stud_pool(pool="other")]
    felt = Felt(pools, [stud_table("T01"), stud_table("T02", pools=("other",))])
    play(felt, "T01", {1: ROYAL})
    approve(felt, ROYAL_HIT)
    felt.spot("T02").lose("panel")
    pay(felt, ROYAL_HIT)


def test_a_suspended_pool_pays_nothing_and_takes_nothing_back() -> None:
    felt = won({1: FLUSH, 2: FOUR})
    approve(felt, FLUSH_HIT)
    felt.control(f.ChainBroken(7, "a bit is wrong"))
    with pytest.raises(RuleError, match="suspended"):
        pay(felt, FLUSH_HIT)
    with pytest.raises(RuleError, match="suspended"):
        reject(felt, FOUR_HIT)


@pytest.mark.parametrize(
    ("steps", "refused"),
    [
        ("", "pay"),
        ("a", "approve"),
        ("ap", "approve"),
        ("ap", "reject"),
        ("ap", "pay"),
        ("r", "approve"),
        ("r", "pay"),
        ("r", "reject"),
    ],
)
def test_a_status_changes_only_forward(steps: str, refused: str) -> None:
    felt = won({1: FLUSH})
    acts = {"a": approve, "approve": approve, "p": pay, "pay": pay, "r": reject, "reject": reject}
    for step in steps:
        acts[step](felt, FLUSH_HIT)
    with pytest.raises(RuleError, match="cannot become"):
        acts[refused](felt, FLUSH_HIT)


def test_a_hit_that_does_not_exist_is_refused() -> None:
    felt = house()
    for decide in (approve, reject, pay):
        with pytest.raises(RuleError, match="there is no hit X"):
            decide(felt, "X")


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
    for _ in range(2):  # down to 390,000.00, so that the house pays a part of the royal
        play(felt, "T01", {1: STRAIGHT_FLUSH, 2: FOUR})
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
    # The restart put 500,000.00 in for 390,000.00 taken: 110,000.00 are owed back, and 50,000.00 are there.
    assert felt.meter() == 0
    moved = [after - was for after, was in zip(accounts(felt), before, strict=True)]
    assert moved == [-mop("50000.00"), 0, 0, mop("550000.00"), 0, -mop("500000.00")]


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


# ---- what is kept


def test_decided_hits_are_kept_for_a_busy_shift_and_pending_ones_for_ever() -> None:
    state = house().state
    for number in range(KEPT_HITS + 3):
        prize = e.PrizeLocked(
            1, f"hit{number}", "stud-main", "flush", "T01", number, (), ZERO, ZERO, False, False, "", ()
        )
        apply(state, prize)
    for number in range(KEPT_HITS + 2, 0, -1):  # all but the first, decided in no order of age
        paid = number % 2
        decided = e.HitPaid(2, f"hit{number}", SUPERVISOR, "1") if paid else _rejected(f"hit{number}")
        apply(state, decided)
    assert len(state.hits) == KEPT_HITS + 1
    assert {"hit1", "hit2"}.isdisjoint(state.hits)
    assert state.hits["hit0"].status is HitStatus.PENDING


def _rejected(hit: str) -> e.HitRejected:
    return e.HitRejected(2, hit, (SUPERVISOR,), "wrong", (), ())
