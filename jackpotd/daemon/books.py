"""The books: what each pool holds, plays by and has seen in its life, as committed. No sign shows them.

Law: they change only after a commit, to exactly what was committed; nothing in them that counts ever falls.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from jackpotd.core import entries as e
from jackpotd.core.breaker import is_armed
from jackpotd.core.money import Atoms, minor_units
from jackpotd.core.parameters import PoolParams
from jackpotd.core.state import Pool, Proposal, State, Totals
from jackpotd.daemon.engine import Committed

# After these a book may look different.
_TOUCH_BOOKS = frozenset(
    {
        e.PoolOpened,
        e.BreakerArmed,
        e.RoundLocked,
        e.RoundVoided,
        e.PrizeLocked,
        e.PoolRestarted,
        e.HitPaid,
        e.HitRejected,
        e.PoolSuspended,
        e.PoolResumed,
        e.PoolActProposed,
        e.ParametersRead,
        e.ParametersApplied,
        e.ParametersTookForce,
        e.PoolAdjusted,
        e.PoolTransferred,
        e.PoolRetired,
        e.DayClosed,
    }
)


@dataclass(frozen=True, slots=True)
class BookView:
    """One pool's book. Minor units are rounded down, atoms are exact."""

    pool: str
    rules: str
    currency: str
    exponent: int
    reserve_minor: int
    overflow_minor: int
    wagered_minor: int
    contributed_minor: int
    locked_minor: int
    rejected_minor: int
    hits_locked: int
    hits_paid: int
    hits_rejected: int
    pool_atoms: Atoms
    reserve_atoms: Atoms
    overflow_atoms: Atoms
    opening_atoms: Atoms
    params: PoolParams
    file: PoolParams
    staged: PoolParams | None
    suspended: str
    proposal: Proposal | None
    retired_ms: int
    retired_to: str
    breaker: str  # armed, not armed yet, off
    totals: Totals


@dataclass(slots=True)
class Books:
    """All books, by pool."""

    views: dict[str, BookView] = field(default_factory=dict)

    def show(self, state: State) -> None:
        """Show everything anew (at the start)."""
        self.views = {name: _view(pool) for name, pool in state.pools.items()}

    def committed(self, state: State, committed: Committed) -> None:
        """An engine's observer."""
        if committed.kinds & _TOUCH_BOOKS:
            self.show(state)


def _view(pool: Pool) -> BookView:
    params, totals = pool.params, pool.totals
    return BookView(
        pool=params.pool,
        rules=params.rules_text(),
        currency=params.currency,
        exponent=params.exponent,
        reserve_minor=minor_units(pool.reserve_atoms),
        overflow_minor=minor_units(pool.overflow_atoms),
        wagered_minor=minor_units(totals.wagered_atoms),
        contributed_minor=minor_units(totals.contributed_atoms),
        locked_minor=minor_units(totals.locked_atoms),
        rejected_minor=minor_units(totals.rejected_atoms),
        hits_locked=totals.hits_locked,
        hits_paid=totals.hits_paid,
        hits_rejected=totals.hits_rejected,
        pool_atoms=pool.pool_atoms,
        reserve_atoms=pool.reserve_atoms,
        overflow_atoms=pool.overflow_atoms,
        opening_atoms=pool.opening_atoms,
        params=params,
        file=pool.file,
        staged=pool.staged,
        suspended=pool.suspended,
        proposal=pool.proposal,
        retired_ms=pool.retired_ms,
        retired_to=pool.retired_to,
        breaker=_breaker(pool),
        totals=replace(totals),
    )


def _breaker(pool: Pool) -> str:
    if pool.params.breaker is None:
        return "off"
    return "armed" if is_armed(pool) else "not armed yet"
