"""The life of a hit after its prize is locked: approved, paid, or rejected (design 7).

Laws
1. Limits compare the hit's total. One person is a supervisor; two are two different operators of two roles.
2. A rejection posts the inverse of the hit; what the pool cannot give back the house stands for, what passes the limit
   goes to the overflow, and later hits stand as they were computed.
3. A status changes only along `NEXT`.
"""

from __future__ import annotations

from jackpotd.core import entries as e
from jackpotd.core.book import Book
from jackpotd.core.errors import RuleError
from jackpotd.core.facts import ApproveHit, By, PayHit, RejectHit
from jackpotd.core.feeding import fed_pools
from jackpotd.core.money import Atoms
from jackpotd.core.postings import Posting
from jackpotd.core.roles import SUPERVISOR
from jackpotd.core.state import Hit, HitStatus, Pool, State
from jackpotd.core.voters import with_voter

NEXT: dict[HitStatus, frozenset[HitStatus]] = {
    HitStatus.PENDING: frozenset({HitStatus.APPROVED, HitStatus.REJECTED}),
    HitStatus.APPROVED: frozenset({HitStatus.PAID, HitStatus.REJECTED}),
    HitStatus.PAID: frozenset(),
    HitStatus.REJECTED: frozenset(),
}


def approve_if_small(book: Book, hit_id: str) -> None:
    """Below auto_pay_below a hit is approved at once, unless it needs two persons or its pool is suspended."""
    hit = book.state.hits[hit_id]
    pool = book.state.pools[hit.pool]
    small = pool.params.auto_pay_below_atoms
    if small is not None and hit.total_atoms < small and not needs_two(pool, hit) and not pool.suspended:
        book.write(e.HitApproved(book.at_ms, hit_id, ()))


def needs_two(pool: Pool, hit: Hit) -> bool:
    """Whether this hit's approval takes two persons: a large one, a late one, a large one over a bare link."""
    params = pool.params
    large = params.two_person_above_atoms
    bare = params.bare_two_person_above_atoms
    return (
        hit.late
        or (large is not None and hit.total_atoms > large)
        or (hit.grade == "bare" and bare is not None and hit.total_atoms > bare)
    )


def approve(book: Book, act: ApproveHit) -> None:
    """A person approves a pending hit; the second one where two are needed completes it."""
    hit = _hit(book.state, act.hit)
    _may_become(hit, HitStatus.APPROVED)
    voters = with_voter(hit.approvals, act.by)
    if _needs_another(voters, two=needs_two(book.state.pools[hit.pool], hit)):
        book.write(e.HitVoted(book.at_ms, hit.hit, "approve", act.by, ""))
        return
    book.write(e.HitApproved(book.at_ms, hit.hit, voters))


def pay(book: Book, act: PayHit) -> None:
    """A slip is written for an approved hit: the player has the money."""
    hit = _hit(book.state, act.hit)
    _may_become(hit, HitStatus.PAID)
    if not act.slip.strip():
        raise RuleError("a payment needs its slip number")
    _moves_money(book.state.pools[hit.pool])
    if hit.whole_pool:
        _all_tables_are_known(book.state, hit)
    book.write(e.HitPaid(book.at_ms, hit.hit, act.by, act.slip))


def _all_tables_are_known(state: State, hit: Hit) -> None:
    """A 100% tier is not paid while another table of its pool may still hold an earlier round (design 7)."""
    for table in state.tables.values():
        feeds = any(pool.params.pool == hit.pool for pool in fed_pools(state, table))
        if table.params.table == hit.table or not feeds:
            continue
        closed_before = not table.open and table.closed_after < hit.number
        if any(not device.online for _, device in table.devices_in_use()) and not closed_before:
            raise RuleError(f"table {table.params.table} of the same pool is offline: bring it back before paying")


def reject(book: Book, act: RejectHit) -> None:
    """A hit is found wrong: its money goes back; two persons where that leaves any trace on others."""
    hit = _hit(book.state, act.hit)
    _may_become(hit, HitStatus.REJECTED)
    if not act.why.strip():
        raise RuleError("a rejection needs its reason")
    pool = book.state.pools[hit.pool]
    _moves_money(pool)
    later = tuple(_later_hits(book.state, hit))
    postings, plain = _inverse(pool, hit)
    voters = with_voter(hit.rejections, act.by)
    if _needs_another(voters, two=bool(later) or not plain):
        book.write(e.HitVoted(book.at_ms, hit.hit, "reject", act.by, act.why))
        return
    book.write(e.HitRejected(book.at_ms, hit.hit, voters, act.why, later, postings))


def _inverse(pool: Pool, hit: Hit) -> tuple[tuple[Posting, ...], bool]:
    """The inverse postings, and whether they are plain: no shortfall that the house stands for, no overflow."""
    name = pool.params.pool
    held = {
        "pool": (pool.pool_atoms, hit.from_pool_atoms - hit.restart_pool_atoms),
        "reserve": (pool.reserve_atoms, -hit.restart_reserve_atoms),
        "overflow": (pool.overflow_atoms, -hit.restart_overflow_atoms),
    }
    house = hit.from_house_atoms - hit.restart_house_atoms
    moves: dict[str, int] = {}
    plain = True
    for account, (balance, change) in held.items():
        missing = min(0, balance + change)
        moves[account] = change - missing
        house += missing
        plain = plain and not missing
    limit = pool.params.limit_atoms
    if limit is not None:
        above = max(0, pool.pool_atoms + moves["pool"] - max(limit, pool.pool_atoms))
        moves["pool"] -= above
        moves["overflow"] += above
        plain = plain and not above
    moves |= {"house": house, "prizes": -hit.total_atoms}
    return tuple(Posting(f"{account}:{name}", Atoms(atoms)) for account, atoms in moves.items() if atoms), plain


def _later_hits(state: State, hit: Hit) -> list[str]:
    """Hits of the same pool that were settled after this one and still stand."""
    later = [other for other in state.hits.values() if other.pool == hit.pool and other.number > hit.number]
    return [other.hit for other in sorted(later, key=_number) if other.status is not HitStatus.REJECTED]


def _number(hit: Hit) -> int:
    return hit.number


def _hit(state: State, hit_id: str) -> Hit:
    hit = state.hits.get(hit_id)
    if hit is None:
        raise RuleError(f"there is no hit {hit_id}; see `jackpotd hit list`")
    return hit


def _may_become(hit: Hit, status: HitStatus) -> None:
    if status not in NEXT[hit.status]:
        raise RuleError(f"hit {hit.hit} is {hit.status.value} and cannot become {status.value}")


def _needs_another(voters: tuple[By, ...], *, two: bool) -> bool:
    """Whether one more person must speak; who decides alone must be a supervisor."""
    if two:
        return len(voters) < 2
    if len(voters) == 1 and voters[0].role != SUPERVISOR:
        raise RuleError(f"{voters[0].name} is {voters[0].role}: one person alone must be a supervisor")
    return False


def _moves_money(pool: Pool) -> None:
    if pool.suspended:
        raise RuleError(f"pool {pool.params.pool} is suspended: {pool.suspended}")
