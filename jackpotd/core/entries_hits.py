"""Entries about prizes: locked at settlement, then approved and paid, or rejected (design 7)."""

from __future__ import annotations

from dataclasses import dataclass

from jackpotd.core.facts import By
from jackpotd.core.money import Atoms
from jackpotd.core.postings import Posting


@dataclass(frozen=True, slots=True)
class Award:
    """A seat's part of a hit."""

    seat: int
    atoms: Atoms


@dataclass(frozen=True, slots=True)
class PrizeLocked:
    """One tier of one round is won: the amounts are fixed and the pool has fallen by them.

    prize: the pool's own name of what the tier wins, which is the tier where the pool has one rules.
    from_pool_atoms and from_house_atoms are the prize's own; restart_pool_atoms is what a restart that this hit
    caused put into the pool (PoolRestarted has its postings).
    """

    at_ms: int
    hit: str
    pool: str
    tier: str
    prize: str
    table: str
    round: int
    awards: tuple[Award, ...]
    from_pool_atoms: Atoms
    from_house_atoms: Atoms
    whole_pool: bool
    late: bool
    grade: str
    postings: tuple[Posting, ...]


@dataclass(frozen=True, slots=True)
class PoolRestarted:
    """The pool begins again from its seed (61/2004 10(8)); hit: the one that emptied it."""

    at_ms: int
    pool: str
    hit: str
    postings: tuple[Posting, ...]


@dataclass(frozen=True, slots=True)
class HitVoted:
    """One person's approval or rejection, where one more is needed. vote: approve or reject."""

    at_ms: int
    hit: str
    vote: str
    by: By
    why: str


@dataclass(frozen=True, slots=True)
class HitApproved:
    """by is empty when the amount was below auto_pay_below."""

    at_ms: int
    hit: str
    by: tuple[By, ...]


@dataclass(frozen=True, slots=True)
class HitPaid:
    """The hit is paid against a slip."""

    at_ms: int
    hit: str
    by: By
    slip: str


@dataclass(frozen=True, slots=True)
class HitRejected:
    """The inverse of the hit is posted; later_hits were computed without it and stand as they are."""

    at_ms: int
    hit: str
    by: tuple[By, ...]
    why: str
    later_hits: tuple[str, ...]
    postings: tuple[Posting, ...]
