"""The breaker: a pool that is luckier than credible, or about to pay what it cannot owe, is suspended.

Laws
1. Limits are computed outside from the exact odds and recorded; here whole numbers are compared (`limits`).
2. What is locked stays locked: the hit that trips it is in the ledger, waits for people, and is not approved by itself.
3. An award that rules and meter do not allow is never recorded as a prize: the round is held and the pool suspended.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.book import Book
from jackpotd.core.holding import hold
from jackpotd.core.limits import HIT, Limits, least
from jackpotd.core.money import PPM, format_amount, share_of
from jackpotd.core.parameters import PoolParams
from jackpotd.core.settlement import Settlement, Turn
from jackpotd.core.state import Pool, Table
from jackpotd.core.suspending import hold_rounds_of, suspend
from jackpotd.core.window import Bucket, hit_key

# One of them, and several.
TRIALS = {"stud": ("bet", "bets"), "baccarat": ("round with a bettor", "rounds with a bettor")}
_UNITS_MS = ((3_600_000, "h"), (60_000, "m"), (1_000, "s"), (1, "ms"))


def arm(book: Book, word: f.LimitsComputed) -> None:
    """Limits for the parameters in force count from now, afresh; those for others came too late and are for nobody."""
    pool = book.state.pools.get(word.limits.params.pool)
    if pool is not None and _same_luck(pool.params, word.limits.params) and not is_armed(pool):
        book.write(e.BreakerArmed(book.at_ms, word.limits))


def is_armed(pool: Pool) -> bool:
    """Whether the pool has the limits of its parameters in force, or wants none."""
    return pool.params.breaker is None or (pool.limits is not None and _same_luck(pool.limits.params, pool.params))


def _same_luck(one: PoolParams, other: PoolParams) -> bool:
    """Whether what is credible under the one is under the other. A limit, which takes effect at once, changes no odds:

    what the window has counted goes on counting, and money above the last row's meter grows in proportion.
    """
    return one == replace(other, limit_atoms=one.limit_atoms)


def watch_luck(book: Book, pool: Pool) -> None:
    """After a prize: suspend the pool if what its window holds is not credible."""
    breaker = pool.params.breaker
    if breaker is None or pool.limits is None or pool.suspended or not is_armed(pool):
        return
    found = _beyond_tier(pool.limits, pool.window) or _beyond_money(pool.limits, pool.window)
    if found:
        why = f"luck beyond 1 in {breaker.one_in:,} within {span(breaker.window_ms)}: {found}"
        suspend(book, pool, why)
        hold_rounds_of(book, pool)


def _beyond_tier(limits: Limits, window: list[Bucket]) -> str:
    """Which tier was won more often than is credible; "" for none."""
    trials = _trials(limits, window)
    hits = sum((Counter(bucket.hits) for bucket in window), Counter[str]())
    for tier in limits.tiers:
        played = trials[limits.games.index(tier.game)]
        came, most = hits[hit_key(tier.game, tier.tier)], least(tier.lines, [played])
        if came * HIT >= most:
            credible = (most - 1) // HIT
            trials_word = TRIALS[tier.game][played != 1]
            return f"{came} {tier.tier} in {played:,} {trials_word}, at most {credible} is credible"
    return ""


def _beyond_money(limits: Limits, window: list[Bucket]) -> str:
    """What the prizes cost, if more than is credible; "" if not. Above the last row's meter the bound grows with it."""
    trials = _trials(limits, window)
    cost = sum(bucket.cost_atoms for bucket in window)
    meter = max(bucket.meter_atoms for bucket in window)
    row = next((row for row in limits.money if meter <= row.meter_atoms), limits.money[-1])
    most = least(row.lines, trials) * max(1, -(-meter // row.meter_atoms))
    if cost < most:
        return ""
    exponent = limits.params.exponent
    return f"prizes cost {format_amount(cost, exponent)}, less than {format_amount(most, exponent)} is credible"


def _trials(limits: Limits, window: list[Bucket]) -> list[int]:
    return [sum(bucket.trials.get(game, 0) for bucket in window) for game in limits.games]


def span(time_ms: int) -> str:
    """A span in its largest whole unit: 24 h."""
    return next(f"{time_ms // unit_ms} {name}" for unit_ms, name in _UNITS_MS if time_ms % unit_ms == 0)


# ---- what rules and meter allow


def is_owed(book: Book, table: Table, pool: Pool, settlement: Settlement) -> bool:
    """Whether a round's prizes are such as the pool can owe; if not, the round is held and the pool suspended."""
    fault = _not_owed(pool, settlement, table)
    if fault:
        hold(book, table, "award", fault)
        suspend(book, pool, f"an award beyond rules and meter: {fault}")
        hold_rounds_of(book, pool)
    return not fault


def _not_owed(pool: Pool, settlement: Settlement, table: Table) -> str:
    """What is wrong with these prizes, by a second reckoning that shares nothing with the first; "" for nothing."""
    live = set(table.live.get(pool.params.pool, ()))
    paid = [seat for turn in settlement.turns for seat, _ in turn.awards]
    if len(set(paid)) < len(paid) or not set(paid) <= live:
        return f"seats {sorted(paid)} are paid, {sorted(live)} play for the pool"
    for turn in settlement.turns:
        awarded = sum(atoms for _, atoms in turn.awards)
        most = _most(pool, turn, table.params.game)
        if awarded > most or awarded != turn.total_atoms or turn.from_house_atoms < 0:
            exponent = pool.params.exponent
            return f"{turn.tier} of {format_amount(awarded, exponent)}, {format_amount(most, exponent)} at most is owed"
    if sum(turn.from_pool_atoms for turn in settlement.turns) > pool.pool_atoms:
        return f"more than the pool's {format_amount(pool.pool_atoms, pool.params.exponent)} would be taken from it"
    return ""


def _most(pool: Pool, turn: Turn, game: str) -> int:
    """The most that this turn may cost (61/2004 10(2)(5)(6), 2/2009 17(5)-(11))."""
    params = pool.params.of_game(game)
    prize = params.prize(turn.tier)
    if not prize.paid:
        return 0
    most = max(prize.fixed_atoms, share_of(pool.pool_atoms, prize.share_ppm))
    is_one_prize = game == "baccarat" or (prize.share_ppm == PPM and _royals_share(params))
    return most if is_one_prize else most * len(turn.awards)


def _royals_share(params: PoolParams) -> bool:
    return params.several_royals == "split_greater"
