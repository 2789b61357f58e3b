"""What a pool has seen in its life: sums that a restart must not lose and that nothing makes fall."""

from __future__ import annotations

from jackpotd.core import entries as e
from jackpotd.core.apply import apply
from jackpotd.core.facts import By
from jackpotd.core.money import Atoms
from jackpotd.core.parameters import TableParams
from jackpotd.core.postings import Posting
from jackpotd.core.state import State, Totals
from tests.support.pools import mop, stud_pool

BY = By("lei", "supervisor")
POOL = "stud-main"


def table() -> TableParams:
    return TableParams(
        table="T01",
        game="stud",
        pools=(POOL,),
        seats=7,
        deal=("shoe",),
        decks=1,
        commission=None,
        royal_raise_odds=100,
        max_payout_atoms=None,
        deal_timeout_ms=180_000,
        advisory_lock=False,
        devices=(),
    )


def postings(**amounts: str) -> tuple[Posting, ...]:
    return tuple(Posting(f"{account}:{POOL}", mop(text)) for account, text in amounts.items())


def with_one_hit() -> State:
    """A pool at its seed, three bets of 10.00 at 70% and 5%, and a straight flush of 50,000.00."""
    state = State()
    apply(state, e.PoolOpened(1, stud_pool(), postings(house="-500000.00", pool="500000.00")))
    apply(state, e.TableSet(1, table()))
    taken = e.Contribution(POOL, (1, 2, 3), ())
    moved = postings(wagers="-30.00", pool="21.00", reserve="1.50", house="7.50")
    apply(state, e.RoundLocked(2, "T01", 1, {}, (taken,), {}, moved))
    apply(
        state,
        e.PrizeLocked(
            at_ms=3,
            hit="h",
            pool=POOL,
            tier="straight_flush",
            prize="straight_flush",
            table="T01",
            round=1,
            awards=(e.Award(3, mop("50000.00")),),
            from_pool_atoms=mop("49000.00"),
            from_house_atoms=mop("1000.00"),
            whole_pool=False,
            late=False,
            grade="bare",
            postings=postings(pool="-49000.00", house="-1000.00", prizes="50000.00"),
        ),
    )
    return state


def test_bets_contributions_and_prizes_are_summed() -> None:
    totals = with_one_hit().pools[POOL].totals
    assert totals == Totals(mop("30.00"), mop("22.50"), mop("50000.00"), Atoms(0), 1, 0, 0)


def test_a_payment_is_counted() -> None:
    state = with_one_hit()
    apply(state, e.HitPaid(4, "h", BY, "slip 7"))
    assert (state.pools[POOL].totals.hits_paid, state.pools[POOL].totals.hits_rejected) == (1, 0)


def test_a_rejection_is_counted_beside_and_makes_nothing_fall() -> None:
    state = with_one_hit()
    back = postings(pool="49000.00", house="1000.00", prizes="-50000.00")
    apply(state, e.HitRejected(4, "h", (BY,), "misread", (), back))
    totals = state.pools[POOL].totals
    assert (totals.locked_atoms, totals.rejected_atoms) == (mop("50000.00"), mop("50000.00"))
    assert (totals.hits_locked, totals.hits_paid, totals.hits_rejected) == (1, 0, 1)


def test_a_refund_of_a_void_round_leaves_the_bets_counted() -> None:
    state = with_one_hit()
    refund = postings(house="-30.00", wagers="30.00")
    apply(state, e.RoundVoided(4, "T01", 1, "misdeal", BY, {}, {1: (POOL,), 2: (POOL,), 3: (POOL,)}, refund))
    assert state.pools[POOL].totals.wagered_atoms == mop("30.00")
