"""Entries about the life of a pool: parameters applied, money adjusted or moved by people, suspension, retirement."""

from __future__ import annotations

from dataclasses import dataclass

from jackpotd.core.acts import By
from jackpotd.core.parameter_changes import ParameterChange
from jackpotd.core.parameters import PoolParams
from jackpotd.core.postings import Posting


@dataclass(frozen=True, slots=True)
class ParametersRead:
    """The file says something else of a live pool than when it was last read; nothing is changed by it."""

    at_ms: int
    params: PoolParams


@dataclass(frozen=True, slots=True)
class ParametersApplied:
    """Two persons want the file's parameters: `in_force` has the new limit, `staged` waits for the next restart.

    `changes`: what now differs from what was planned before, old and new; `staged` None: nothing waits any more.
    """

    at_ms: int
    pool: str
    in_force: PoolParams
    staged: PoolParams | None
    changes: tuple[ParameterChange, ...]
    by: tuple[By, ...]
    why: str


@dataclass(frozen=True, slots=True)
class ParametersTookForce:
    """The pool has restarted: what was staged is in force."""

    at_ms: int
    params: PoolParams
    changes: tuple[ParameterChange, ...]


@dataclass(frozen=True, slots=True)
class PoolActProposed:
    """The first person's word for an act that takes two. act and what name it to the letter."""

    at_ms: int
    pool: str
    act: str
    what: str
    by: By
    why: str


@dataclass(frozen=True, slots=True)
class PoolAdjusted:
    """Two persons correct the meter; the house gives or takes."""

    at_ms: int
    pool: str
    by: tuple[By, ...]
    why: str
    postings: tuple[Posting, ...]


@dataclass(frozen=True, slots=True)
class PoolTransferred:
    """All that the pool held goes into another, and it restarts from its seed: reserve first, then house."""

    at_ms: int
    pool: str
    into: str
    by: tuple[By, ...]
    why: str
    postings: tuple[Posting, ...]


@dataclass(frozen=True, slots=True)
class PoolRetired:
    """The pool ends; what is left goes to another pool, or to the house."""

    at_ms: int
    pool: str
    to: str
    by: tuple[By, ...]
    why: str
    postings: tuple[Posting, ...]


@dataclass(frozen=True, slots=True)
class PoolSuspended:
    """The pool takes and pays nothing until people have looked; by: None when the controller itself found a reason."""

    at_ms: int
    pool: str
    why: str
    by: By | None = None


@dataclass(frozen=True, slots=True)
class PoolResumed:
    """Two persons have looked: the pool takes and pays again."""

    at_ms: int
    pool: str
    by: tuple[By, ...]
    why: str
