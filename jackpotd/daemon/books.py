"""The books: what each pool holds and has seen in its life, as committed, in whole minor units. No sign shows them.

Law: they change only after a commit, to exactly what was committed; nothing in them that counts ever falls.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from jackpotd.core import entries as e
from jackpotd.core.money import minor_units
from jackpotd.core.state import Pool, State
from jackpotd.daemon.engine import Committed

# After these a book may look different.
_TOUCH_BOOKS = frozenset(
    {
        e.PoolOpened,
        e.RoundLocked,
        e.RoundVoided,
        e.PrizeLocked,
        e.PoolRestarted,
        e.HitPaid,
        e.HitRejected,
    }
)


@dataclass(frozen=True, slots=True)
class BookView:
    """One pool's book. Amounts are rounded down to the minor unit."""

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
    )
