"""Applying entries: the fold. One function an entry; a missing one is an error.

Laws
1. Applying decides nothing and asks nobody: the entry carries all.
2. Postings move balances by `post` alone, which checks them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jackpotd.core import entries as e
from jackpotd.core.accounts import HOLDING, post
from jackpotd.core.apply_clock import CLOCK_EFFECTS
from jackpotd.core.apply_pools import POOL_EFFECTS
from jackpotd.core.apply_round import ROUND_EFFECTS
from jackpotd.core.apply_site import SITE_EFFECTS
from jackpotd.core.money import Atoms
from jackpotd.core.state import KEPT_HITS, Hit, HitStatus, State
from jackpotd.core.window import count_of, hit_key, note_hit, note_round


def _round_locked(state: State, entry: e.RoundLocked) -> None:
    ROUND_EFFECTS[e.RoundLocked](state, entry)
    post(state, entry.at_ms, entry.postings)
    for posting in entry.postings:
        kind, _, pool_id = posting.account.partition(":")
        totals = state.pools[pool_id].totals
        if kind == "wagers":
            totals.wagered_atoms = Atoms(totals.wagered_atoms - posting.atoms)
        elif kind in HOLDING:
            totals.contributed_atoms = Atoms(totals.contributed_atoms + posting.atoms)


def _round_settled(state: State, entry: e.RoundSettled) -> None:
    table = state.tables[entry.table]
    for pool_id, seats in table.live.items():
        pool = state.pools[pool_id]
        if seats and pool.params.breaker is not None:
            note_round(pool.window, pool.params.breaker, entry.at_ms, table.params.game, len(seats))
    ROUND_EFFECTS[e.RoundSettled](state, entry)


def _round_voided(state: State, entry: e.RoundVoided) -> None:
    ROUND_EFFECTS[e.RoundVoided](state, entry)
    post(state, entry.at_ms, entry.postings)


def _bet_refunded(state: State, entry: e.BetRefunded) -> None:
    ROUND_EFFECTS[e.BetRefunded](state, entry)
    post(state, entry.at_ms, entry.postings)


def _prize_locked(state: State, entry: e.PrizeLocked) -> None:
    _note_hit(state, entry)
    post(state, entry.at_ms, entry.postings)
    state.hit_count += 1
    state.hits[entry.hit] = Hit(
        hit=entry.hit,
        pool=entry.pool,
        tier=entry.tier,
        prize=entry.prize,
        table=entry.table,
        round=entry.round,
        at_ms=entry.at_ms,
        awards=list(entry.awards),
        from_pool_atoms=entry.from_pool_atoms,
        from_house_atoms=entry.from_house_atoms,
        whole_pool=entry.whole_pool,
        late=entry.late,
        grade=entry.grade,
        number=state.hit_count,
    )
    totals = state.pools[entry.pool].totals
    totals.hits_locked += 1
    totals.locked_atoms = Atoms(totals.locked_atoms + state.hits[entry.hit].total_atoms)


def _note_hit(state: State, entry: e.PrizeLocked) -> None:
    """For the breaker, before the pool falls."""
    pool = state.pools[entry.pool]
    if pool.params.breaker is None:
        return
    game = state.tables[entry.table].params.game
    hits = count_of(game, len(entry.awards))
    cost = Atoms(entry.from_pool_atoms + entry.from_house_atoms)
    key = hit_key(game, entry.tier)
    note_hit(pool.window, pool.params.breaker, entry.at_ms, key, hits, cost, pool.pool_atoms)


def _pool_restarted(state: State, entry: e.PoolRestarted) -> None:
    post(state, entry.at_ms, entry.postings)
    state.pools[entry.pool].restarted_ms = entry.at_ms
    hit = state.hits[entry.hit]
    for posting in entry.postings:
        kind = posting.account.partition(":")[0]
        name = f"restart_{kind}_atoms"
        setattr(hit, name, Atoms(getattr(hit, name) + posting.atoms))


def _hit_voted(state: State, entry: e.HitVoted) -> None:
    hit = state.hits[entry.hit]
    (hit.approvals if entry.vote == "approve" else hit.rejections).append(entry.by)
    if entry.why:
        hit.why = entry.why


def _hit_approved(state: State, entry: e.HitApproved) -> None:
    hit = state.hits[entry.hit]
    hit.status = HitStatus.APPROVED
    hit.decided_ms = entry.at_ms
    hit.approvals = list(entry.by)


def _hit_paid(state: State, entry: e.HitPaid) -> None:
    hit = state.hits[entry.hit]
    hit.status = HitStatus.PAID
    hit.decided_ms = entry.at_ms
    hit.slip = entry.slip
    state.pools[hit.pool].totals.hits_paid += 1
    _forget_old_hits(state)


def _hit_rejected(state: State, entry: e.HitRejected) -> None:
    post(state, entry.at_ms, entry.postings)
    hit = state.hits[entry.hit]
    hit.status = HitStatus.REJECTED
    hit.decided_ms = entry.at_ms
    hit.rejections = list(entry.by)
    hit.why = entry.why
    totals = state.pools[hit.pool].totals
    totals.hits_rejected += 1
    totals.rejected_atoms = Atoms(totals.rejected_atoms + hit.total_atoms)
    _forget_old_hits(state)


def _forget_old_hits(state: State) -> None:
    decided = [hit for hit in state.hits.values() if hit.status in (HitStatus.PAID, HitStatus.REJECTED)]
    for hit in sorted(decided, key=lambda old: old.number)[:-KEPT_HITS]:
        del state.hits[hit.hit]


# An entry's own class is the key, so each function gets just the entries it names.
EFFECTS: dict[type, Callable[[State, Any], None]] = {
    **ROUND_EFFECTS,
    **SITE_EFFECTS,
    **CLOCK_EFFECTS,
    **POOL_EFFECTS,
    e.RoundLocked: _round_locked,
    e.RoundSettled: _round_settled,
    e.RoundVoided: _round_voided,
    e.BetRefunded: _bet_refunded,
    e.PrizeLocked: _prize_locked,
    e.PoolRestarted: _pool_restarted,
    e.HitVoted: _hit_voted,
    e.HitApproved: _hit_approved,
    e.HitPaid: _hit_paid,
    e.HitRejected: _hit_rejected,
}


def apply(state: State, entry: e.Entry) -> None:
    """Change the state by one entry."""
    EFFECTS[type(entry)](state, entry)
