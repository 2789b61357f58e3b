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
from jackpotd.core.acts import ApplyPool, By
from jackpotd.core.book import Book
from jackpotd.core.errors import RuleError
from jackpotd.core.money import PPM, format_amount, format_rate
from jackpotd.core.parameter_changes import ParameterChange, changes_between, changes_text
from jackpotd.core.parameters import PoolParams
from jackpotd.core.proposals import propose, seconded
from jackpotd.core.state import Pool, State, live_pool

Changes = tuple[ParameterChange, ...]

_APPLY = "apply"
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
    """Two persons want what the file says; a file that says what is in force withdraws what was staged.

    Of several pools each is judged before any is written.
    """
    wanted = []
    for pool, changes in _to_apply(book.state, act.pool):
        _check_appliable(book.state, pool, changes)
        what = changes_text(changes)
        wanted.append((pool, changes, what, seconded(book, pool, _APPLY, what, act.by, act.why)))
    for pool, changes, what, by in wanted:
        if len(by) == 1:
            propose(book, pool, _APPLY, what, act.by, act.why)
        else:
            _stage(book, pool, changes, by, act.why)


def _to_apply(state: State, name: str | None) -> list[tuple[Pool, Changes]]:
    """The pools whose file differs, with what differs. RuleError for none."""
    pools = [live_pool(state, name)] if name is not None else [state.pools[one] for one in sorted(state.pools)]
    found = [(pool, changes_between(planned(pool), pool.file)) for pool in pools if not pool.retired_ms]
    if not any(changes for _, changes in found):
        stands = "staged" if any(pool.staged for pool, _ in found) else "in force"
        raise RuleError(f"the file says of {name or 'every pool'} what is {stands}: there is nothing to apply")
    return [(pool, changes) for pool, changes in found if changes]


def _stage(book: Book, pool: Pool, changes: Changes, by: tuple[By, ...], why: str) -> None:
    in_force = replace(pool.params, limit_atoms=pool.file.limit_atoms)
    staged = None if pool.file == in_force else pool.file
    book.write(e.ParametersApplied(book.at_ms, pool.params.pool, in_force, staged, changes, by, why))
    _say_what_waits(book, pool)


def _check_appliable(state: State, pool: Pool, changes: Changes) -> None:
    """RuleError for a change that a live pool cannot have."""
    name, limit = pool.params.pool, pool.file.limit_atoms
    fixed = [change.name for change in changes if change.name.rpartition(".")[2] in _KEPT_FOR_LIFE]
    if fixed:
        raise RuleError(
            f"{', '.join(fixed)} of live pool {name} cannot change: open another pool and transfer this one into it"
        )
    for level in pool.file.levels:
        live_pool(state, level.pool)
    _check_parts(state, pool)
    if limit is not None and limit < pool.pool_atoms:
        exponent = pool.params.exponent
        meter = format_amount(pool.pool_atoms, exponent)
        raise RuleError(f"the limit may not be below the meter: {format_amount(limit, exponent)} is below {meter}")


def _check_parts(state: State, pool: Pool) -> None:
    """RuleError for parts that would be more than the whole bet until pool and levels have all restarted."""
    name = pool.params.pool
    for other, taker in sorted(state.pools.items()):
        fed = {level.pool for params in _stages(taker) for level in params.levels}
        parts_ppm = max(_parts_ppm(state, params) for params in _stages(taker))
        if (taker is pool or name in fed) and parts_ppm > PPM and not taker.retired_ms:
            raise RuleError(
                f"pools restart one by one, and until all have, {format_rate(parts_ppm)} of a bet on {other} could be "
                "taken: apply what takes less first, and the rest after its restart"
            )


def _stages(pool: Pool) -> tuple[PoolParams, PoolParams, PoolParams]:
    """In force now, after the next restart, and once the file is applied."""
    return pool.params, planned(pool), pool.file


def _parts_ppm(state: State, params: PoolParams) -> int:
    """The most that can be taken of a bet under these parameters, whichever its levels have."""
    levels = ((at.rate_ppm, state.pools[at.pool]) for at in params.levels if at.pool in state.pools)
    levels_ppm = sum(rate_ppm + max(stage.reserve_ppm for stage in _stages(level)) for rate_ppm, level in levels)
    return params.contribution_ppm + params.reserve_ppm + levels_ppm


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


def _shown(changes: Changes) -> str:
    more = len(changes) - _SHOWN_CHANGES
    return changes_text(changes[:_SHOWN_CHANGES]) + (f" and {more} more" if more > 0 else "")
