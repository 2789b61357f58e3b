"""Parameters of a live pool: read from the file, applied by two persons, in force at the next restart (design 5).

Laws
1. The ledger holds the parameters in force. What the file says otherwise is known and alarmed, and changes nothing.
2. What two persons apply is staged as a whole. The next restart begins with its seed, and all after it is under it.
3. A limit alone takes effect at once, and is never set below the meter.
4. What a bet costs and what it is judged by stay as long as the pool lives: bets in play were made under them.
"""

from __future__ import annotations

from dataclasses import replace

from jackpotd.core import entries as e
from jackpotd.core.acts import ApplyPool
from jackpotd.core.book import Book
from jackpotd.core.errors import RuleError
from jackpotd.core.money import format_amount
from jackpotd.core.parameter_changes import ParameterChange, changes_between, changes_text
from jackpotd.core.parameters import PoolParams
from jackpotd.core.proposals import both_persons
from jackpotd.core.state import Pool, live_pool

_KEPT_FOR_LIFE = ("rules", "currency", "exponent", "bet")
# An alarm's text is a line on a screen, and a thousand characters at most on MQTT.
_SHOWN_CHANGES = 6


def planned(pool: Pool) -> PoolParams:
    """What will be in force after the next restart."""
    return pool.staged or pool.params


def settling_params(pool: Pool) -> PoolParams:
    """The parameters in force, with the seed that a restart would begin with."""
    staged = pool.staged
    return pool.params if staged is None else replace(pool.params, seed_atoms=staged.seed_atoms)


def parameters_read(book: Book, params: PoolParams) -> None:
    """The file's parameters of a live pool: kept beside those in force, and alarmed while they differ."""
    pool = book.state.pools[params.pool]
    if params != pool.file:
        book.write(e.ParametersRead(book.at_ms, params))
    _say_what_waits(book, pool)


def apply_parameters(book: Book, act: ApplyPool) -> None:
    """Two persons want what the file says; a file that says what is in force withdraws what was staged."""
    pool = live_pool(book.state, act.pool)
    changes = changes_between(planned(pool), pool.file)
    if not changes:
        stands = "staged" if pool.staged else "in force"
        raise RuleError(f"the file says of pool {act.pool} what is {stands}: there is nothing to apply")
    _check_appliable(pool, changes)
    by = both_persons(book, pool, "apply", changes_text(changes), act.by, act.why)
    if not by:
        return
    in_force = replace(pool.params, limit_atoms=pool.file.limit_atoms)
    staged = None if pool.file == in_force else pool.file
    book.write(e.ParametersApplied(book.at_ms, act.pool, in_force, staged, changes, by, act.why))
    _say_what_waits(book, pool)


def _check_appliable(pool: Pool, changes: tuple[ParameterChange, ...]) -> None:
    """RuleError for a change that a live pool cannot have."""
    name, limit = pool.params.pool, pool.file.limit_atoms
    fixed = [change.name for change in changes if change.name.rpartition(".")[2] in _KEPT_FOR_LIFE]
    if fixed:
        raise RuleError(
            f"{', '.join(fixed)} of live pool {name} cannot change: open another pool and transfer this one into it"
        )
    if limit is not None and limit < pool.pool_atoms:
        exponent = pool.params.exponent
        meter = format_amount(pool.pool_atoms, exponent)
        raise RuleError(f"the limit may not be below the meter: {format_amount(limit, exponent)} is below {meter}")


def take_force(book: Book, pool: Pool) -> None:
    """The pool has restarted: what is staged is in force from here on."""
    if pool.staged is not None:
        changes = changes_between(pool.params, pool.staged)
        book.write(e.ParametersTookForce(book.at_ms, pool.staged, changes))
        _say_what_waits(book, pool)


def _say_what_waits(book: Book, pool: Pool) -> None:
    """The alarms: `parameters` while the file is not what is planned, `staged` while something waits for a restart."""
    name = pool.params.pool
    unlike = changes_between(planned(pool), pool.file)
    if unlike:
        stands = "is staged for" if pool.staged else "is in force at"
        text = f"the file differs from what {stands} live pool {name}: {_shown(unlike)}; nothing is changed"
        book.restate("parameters", name, text)
    else:
        book.clear("parameters", name)
    if pool.staged is not None:
        waiting = changes_between(pool.params, pool.staged)
        book.restate("staged", name, f"at the next restart of pool {name}: {_shown(waiting)}")
    else:
        book.clear("staged", name)


def _shown(changes: tuple[ParameterChange, ...]) -> str:
    more = len(changes) - _SHOWN_CHANGES
    return changes_text(changes[:_SHOWN_CHANGES]) + (f" and {more} more" if more > 0 else "")
