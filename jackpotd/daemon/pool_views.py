"""What `jackpotd pool show` tells of a pool, from the books: with all the decimals that its amounts have.

Law: nothing is worked out here but words; what people read is what is committed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from jackpotd.core.acts import By
from jackpotd.core.money import format_amount
from jackpotd.core.parameter_changes import ParameterChange, changes_between, parameter_words
from jackpotd.core.parameters import PoolParams
from jackpotd.core.state import Proposal, Totals
from jackpotd.daemon.books import BookView
from jackpotd.daemon.check_pools import pool_json
from jackpotd.daemon.notices import utc_text


def pool_sheet(book: BookView, books: Iterable[BookView]) -> dict[str, Any]:
    """A pool: its amounts, what is in force, what waits, and its life; among all, to say what it is."""
    params, exponent = book.params, book.exponent
    planned = book.staged or params
    return {
        "pool": book.pool,
        "state": "retired" if book.retired_ms else "suspended" if book.suspended else "live",
        "suspended": book.suspended or None,
        "retired": utc_text(book.retired_ms) if book.retired_ms else None,
        "retired_to": book.retired_to or None,
        "breaker": book.breaker,
        "currency": book.currency,
        "meter": format_amount(book.pool_atoms, exponent),
        "reserve": format_amount(book.reserve_atoms, exponent),
        "overflow": format_amount(book.overflow_atoms, exponent),
        "opened_day_with": format_amount(book.opening_atoms, exponent),
        "parameters": parameter_words(params),
        "readings": pool_json(params, [each.params for each in books])["readings"],
        "staged": _changes(changes_between(params, planned)),
        "file_differs": [] if book.retired_ms else _changes(changes_between(planned, book.file)),
        "proposal": _proposal(book.proposal),
        "totals": _totals(book.totals, params),
    }


def _changes(changes: Iterable[ParameterChange]) -> list[dict[str, str]]:
    return [{"name": change.name, "old": change.old, "new": change.new} for change in changes]


def _proposal(proposal: Proposal | None) -> dict[str, str] | None:
    if proposal is None:
        return None
    return {
        "act": proposal.act,
        "what": proposal.what,
        "by": people((proposal.by,))[0],
        "why": proposal.why,
        "at": utc_text(proposal.at_ms),
    }


def _totals(totals: Totals, params: PoolParams) -> dict[str, Any]:
    def amount(atoms: int) -> str:
        return format_amount(atoms, params.exponent)

    return {
        "wagered": amount(totals.wagered_atoms),
        "contributed": amount(totals.contributed_atoms),
        "prizes": amount(totals.locked_atoms),
        "prizes_rejected": amount(totals.rejected_atoms),
        "hits": totals.hits_locked,
        "hits_paid": totals.hits_paid,
        "hits_rejected": totals.hits_rejected,
    }


def people(by: Sequence[By]) -> list[str]:
    """Who acted, with their roles."""
    return [f"{one.name} ({one.role})" for one in by]
