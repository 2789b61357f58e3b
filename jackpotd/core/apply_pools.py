"""Effects of entries about the life of a pool. What two persons have done ends their proposal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jackpotd.core import entries as e
from jackpotd.core.accounts import post
from jackpotd.core.state import Pool, Proposal, State


def _pool_opened(state: State, entry: e.PoolOpened) -> None:
    pool = Pool(params=entry.params, file=entry.params)
    state.pools[entry.params.pool] = pool
    post(state, entry.at_ms, entry.postings)
    pool.opening_atoms = pool.pool_atoms


def _parameters_read(state: State, entry: e.ParametersRead) -> None:
    state.pools[entry.params.pool].file = entry.params


def _parameters_applied(state: State, entry: e.ParametersApplied) -> None:
    pool = state.pools[entry.pool]
    pool.params = entry.in_force
    pool.staged = entry.staged
    pool.proposal = None


def _parameters_took_force(state: State, entry: e.ParametersTookForce) -> None:
    pool = state.pools[entry.params.pool]
    pool.params = entry.params
    pool.staged = None


def _pool_act_proposed(state: State, entry: e.PoolActProposed) -> None:
    state.pools[entry.pool].proposal = Proposal(entry.act, entry.what, entry.by, entry.why, entry.at_ms)


def _pool_adjusted(state: State, entry: e.PoolAdjusted) -> None:
    post(state, entry.at_ms, entry.postings)
    state.pools[entry.pool].proposal = None


def _pool_transferred(state: State, entry: e.PoolTransferred) -> None:
    post(state, entry.at_ms, entry.postings)
    pool = state.pools[entry.pool]
    pool.restarted_ms = entry.at_ms
    pool.proposal = None


def _pool_retired(state: State, entry: e.PoolRetired) -> None:
    post(state, entry.at_ms, entry.postings)
    pool = state.pools[entry.pool]
    pool.retired_ms = entry.at_ms
    pool.retired_to = entry.to
    pool.staged = None
    pool.proposal = None


def _pool_suspended(state: State, entry: e.PoolSuspended) -> None:
    state.pools[entry.pool].suspended = entry.why


def _pool_resumed(state: State, entry: e.PoolResumed) -> None:
    pool = state.pools[entry.pool]
    pool.suspended = ""
    pool.window = []  # the breaker has been answered, and counts afresh
    pool.proposal = None


POOL_EFFECTS: dict[type, Callable[[State, Any], None]] = {
    e.PoolOpened: _pool_opened,
    e.ParametersRead: _parameters_read,
    e.ParametersApplied: _parameters_applied,
    e.ParametersTookForce: _parameters_took_force,
    e.PoolActProposed: _pool_act_proposed,
    e.PoolAdjusted: _pool_adjusted,
    e.PoolTransferred: _pool_transferred,
    e.PoolRetired: _pool_retired,
    e.PoolSuspended: _pool_suspended,
    e.PoolResumed: _pool_resumed,
}
