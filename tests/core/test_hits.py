"""The life of a hit after its prize is locked: approved, paid, rejected (design 7)."""

from __future__ import annotations

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.apply import apply
from jackpotd.core.closing import why_closed
from jackpotd.core.errors import RuleError
from jackpotd.core.money import ZERO
from jackpotd.core.parameters import DeviceParams
from jackpotd.core.state import KEPT_HITS, HitStatus
from tests.support.felt import (
    ACCOUNTANT,
    BARE_SHOE,
    DEALER,
    FLUSH,
    FOUR,
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
from tests.support.hits import (
    FLUSH_HIT,
    FOUR_HIT,
    ROYAL_HIT,
    STRAIGHT_HIT,
    approve,
    house,
    pay,
    play,
    reject,
    won,
)
from tests.support.pools import mop, stud_pool

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


def test_a_round_that_ends_in_the_moment_of_the_restart_is_not_late() -> None:
    felt = house(2)
    second = felt.spot("T02")
    second.bet(1)
    second.lock()
    second.deal({1: FLUSH, 0: DEALER})
    play(felt, "T01", {1: ROYAL})
    second.press(f.RoundEnded(), said_ms=felt.pool().restarted_ms)
    assert not felt.hit("T02.1.stud-main.flush").late


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


# ---- what is kept


def test_decided_hits_are_kept_for_a_busy_shift_and_pending_ones_for_ever() -> None:
    state = house().state
    for number in range(KEPT_HITS + 3):
        prize = e.PrizeLocked(
            1, f"hit{number}", "stud-main", "flush", "flush", "T01", number, (), ZERO, ZERO, False, False, "", ()
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
