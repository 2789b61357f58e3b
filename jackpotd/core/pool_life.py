"""What people do with a whole pool: adjust it, transfer it, retire it, suspend it and let it go on.

Laws
1. Each takes two persons, is one entry with who, when and why, and its postings balance for every pool it touches:
   between two pools money passes through the house's accounts of both.
2. Nothing is lost: pool, reserve and overflow go where the operator says, above the other's limit to its overflow.
3. A pool is moved only at rest: no hit undecided, its tables closed, no round in play, no carried bet.
4. A suspension closes at once and takes one person; lifting it takes two.
"""

from __future__ import annotations

from jackpotd.core import entries as e
from jackpotd.core import suspending
from jackpotd.core.acts import AdjustPool, ResumePool, RetirePool, SuspendPool, TransferPool
from jackpotd.core.book import Book
from jackpotd.core.errors import RuleError
from jackpotd.core.money import ZERO, Atoms, format_amount, parse_amount
from jackpotd.core.postings import Posting
from jackpotd.core.proposals import both_persons
from jackpotd.core.staging import planned, settling_params, take_force
from jackpotd.core.state import UNDECIDED, Phase, Pool, State, Table, live_pool

HOUSE = "house"
_ALARMS = ("parameters", "pool_missing", "staged")


def adjust(book: Book, act: AdjustPool) -> None:
    """Correct the meter, also of a suspended pool; the house gives or takes. Never below zero nor above the limit."""
    pool = live_pool(book.state, act.pool)
    name, exponent = act.pool, pool.params.exponent
    atoms = _signed(act.amount, exponent)
    if pool.pool_atoms + atoms < 0:
        raise RuleError(f"pool {name} holds {format_amount(pool.pool_atoms, exponent)}: it cannot fall by more")
    limit = pool.params.limit_atoms
    if limit is not None and atoms > max(0, limit - pool.pool_atoms):
        raise RuleError(f"pool {name} has the limit {format_amount(limit, exponent)}: apply a higher one first")
    by = both_persons(book, pool, "adjust", f"by {format_amount(atoms, exponent)}", act.by, act.why)
    if by:
        postings = (Posting(f"house:{name}", Atoms(-atoms)), Posting(f"pool:{name}", atoms))
        book.write(e.PoolAdjusted(book.at_ms, name, by, act.why, postings))


def _signed(text: str, exponent: int) -> Atoms:
    """An amount that may say its plus. RuleError for none, or for nothing."""
    is_plus = text.startswith("+") and not text.startswith("+-")
    atoms = parse_amount(text[1:] if is_plus else text, exponent)
    if not atoms:
        raise RuleError("an adjustment by nothing is none")
    return atoms


def transfer(book: Book, act: TransferPool) -> None:
    """Move all that a pool holds into another. It lives on from its seed, paid by its reserve first, then the house."""
    source = live_pool(book.state, act.pool)
    target = _target(book.state, source, act.into)
    _check_at_rest(book.state, source)
    by = both_persons(book, source, "transfer", f"into {act.into}", act.by, act.why)
    if not by:
        return
    seed = settling_params(source).seed_atoms
    kept = Atoms(min(seed, source.reserve_atoms))
    postings = _moved(source, target, seed, Atoms(source.reserve_atoms - kept))
    book.write(e.PoolTransferred(book.at_ms, act.pool, act.into, by, act.why, postings))
    take_force(book, source)


def retire(book: Book, act: RetirePool) -> None:
    """End a pool: what it holds goes to another pool or to the house. Its name is never used again."""
    source = live_pool(book.state, act.pool)
    _check_not_suspended(source)
    target = None if act.to == HOUSE else _target(book.state, source, act.to)
    _check_feeds_no_level(book.state, act.pool)
    _check_at_rest(book.state, source)
    by = both_persons(book, source, "retire", f"to {act.to}", act.by, act.why)
    if not by:
        return
    postings = _moved(source, target, ZERO, source.reserve_atoms)
    book.write(e.PoolRetired(book.at_ms, act.pool, act.to, by, act.why, postings))
    for code in _ALARMS:
        book.clear(code, act.pool)


def _target(state: State, source: Pool, name: str) -> Pool:
    """The pool that takes the other's money. RuleError unless it can."""
    target = live_pool(state, name)
    if target is source:
        raise RuleError(f"pool {name} cannot go into itself")
    for pool in (source, target):
        _check_not_suspended(pool)
    ours, theirs = source.params, target.params
    if (ours.currency, ours.exponent) != (theirs.currency, theirs.exponent):
        raise RuleError(f"pool {ours.pool} is in {ours.currency} and pool {name} in {theirs.currency}")
    return target


def _levels(pool: Pool) -> set[str]:
    """The pools that a bet on this one also feeds, now or after its restart."""
    return {level.pool for params in (pool.params, planned(pool)) for level in params.levels}


def _check_feeds_no_level(state: State, name: str) -> None:
    """RuleError while bets on another pool feed this one."""
    for other, pool in sorted(state.pools.items()):
        if not pool.retired_ms and name in _levels(pool):
            raise RuleError(f"pool {name} is a level of pool {other}: take it out of its levels first")


def _check_not_suspended(pool: Pool) -> None:
    if pool.suspended:
        raise RuleError(f"pool {pool.params.pool} is suspended: {pool.suspended}; resume it first")


def _check_at_rest(state: State, pool: Pool) -> None:
    """RuleError while anything may still move the pool's money or claim it."""
    name = pool.params.pool
    for hit in sorted(state.hits.values(), key=lambda each: each.number):
        if hit.pool == name and hit.status in UNDECIDED:
            raise RuleError(f"hit {hit.hit} is {hit.status.value}: pay or reject it first")
    for table_name, table in sorted(state.tables.items()):
        _check_table_at_rest(state, table_name, table, name)


def _check_table_at_rest(state: State, table_name: str, table: Table, pool: str) -> None:
    for seat, pools in sorted(table.carried.items()):
        if pool in pools:
            raise RuleError(
                f"seat {seat} of table {table_name} carries a bet on pool {pool}: it must be played or given back first"
            )
    if not any(pool == offered or pool in _levels(state.pools[offered]) for offered in table.params.pools):
        return
    if table.phase is not Phase.OPEN:
        raise RuleError(f"table {table_name} has a round in play ({table.phase.value}): end it, then close the table")
    if table.open:
        raise RuleError(f"table {table_name} still offers pool {pool}: close the table first")


def _moved(source: Pool, target: Pool | None, seed: Atoms, reserve: Atoms) -> tuple[Posting, ...]:
    """The source's accounts brought to `seed` and nothing else, and `reserve` with all the rest into the target."""
    name = source.params.pool
    held = source.pool_atoms + source.reserve_atoms + source.overflow_atoms
    postings = [
        Posting(f"pool:{name}", Atoms(seed - source.pool_atoms)),
        Posting(f"reserve:{name}", Atoms(-source.reserve_atoms)),
        Posting(f"overflow:{name}", Atoms(-source.overflow_atoms)),
        Posting(f"house:{name}", Atoms(held - seed)),
    ]
    if target is not None:
        postings += _received(target, source.pool_atoms, reserve, source.overflow_atoms)
    return tuple(posting for posting in postings if posting.atoms)


def _received(target: Pool, pool: Atoms, reserve: Atoms, overflow: Atoms) -> list[Posting]:
    """What another pool held, account by account; above the limit, to the overflow."""
    name, limit = target.params.pool, target.params.limit_atoms
    taken = pool if limit is None else min(pool, max(0, limit - target.pool_atoms))
    return [
        Posting(f"house:{name}", Atoms(-(pool + reserve + overflow))),
        Posting(f"pool:{name}", Atoms(taken)),
        Posting(f"reserve:{name}", reserve),
        Posting(f"overflow:{name}", Atoms(overflow + pool - taken)),
    ]


def suspend(book: Book, act: SuspendPool) -> None:
    """One person stops a pool at once; rounds that play for it are held."""
    pool = live_pool(book.state, act.pool)
    if pool.suspended:
        raise RuleError(f"pool {act.pool} is suspended already: {pool.suspended}")
    if not act.why.strip():
        raise RuleError("a suspension needs its reason")
    suspending.suspend(book, pool, act.why, by=act.by)
    suspending.hold_rounds_of(book, pool)


def resume(book: Book, act: ResumePool) -> None:
    """Two persons have found the cause: the pool goes on. Rounds that were held stay so until they are decided."""
    pool = live_pool(book.state, act.pool)
    if not pool.suspended:
        raise RuleError(f"pool {act.pool} is not suspended")
    by = both_persons(book, pool, "resume", pool.suspended, act.by, act.why)
    if by:
        book.write(e.PoolResumed(book.at_ms, act.pool, by, act.why))
        book.clear("suspended", act.pool)
