"""What a table's bets feed: the pools that take them, and the levels of those pools (mini, minor, major).

Laws
1. A level has no bet and no place of its own: whoever bets on the pool it is a level of plays for it too.
2. Each accepted bet gives every account a whole number of atoms, for every rate is a part of the bet (design 1, law 2).
3. A pool that has no rules for a table's game has no part in its rounds: the table is as the file says at once, but the
   parameters in force may be older than the file.
4. What a bet is made of is booked on the pool that it feeds: the wagers of pool and levels together are the bet.
"""

from __future__ import annotations

from collections.abc import Sequence

from jackpotd.core.money import PPM, Atoms
from jackpotd.core.postings import Posting
from jackpotd.core.settlement import Split, split_contribution, split_level
from jackpotd.core.state import Pool, State, Table


def fed_pools(state: State, table: Table) -> list[Pool]:
    """The pools whose bets the table takes, in its order, each followed by its levels."""
    pools = state.pools
    return [
        pools[name] for taker in table.params.pools for name in (taker, *(at.pool for at in pools[taker].params.levels))
    ]


def pools_in_play(state: State, table: Table) -> list[Pool]:
    """The pools that this round pays from: those that take bets, then the levels that its bets have fed."""
    levels = sorted(table.level_of.keys() - set(table.params.pools))
    pools = (state.pools[name] for name in (*table.params.pools, *levels))
    return [pool for pool in pools if pool.params.knows(table.params.game)]


def contribution_postings(state: State, pool: Pool, count: int, before: Sequence[Posting] = ()) -> list[Posting]:
    """Where the money of `count` new bets goes: out of the wagers into pool, reserve, overflow, house and levels.

    `before`: what other bets of the same lock bring, which no meter has yet: two pools may feed one level, whose limit
    holds for both together.
    """
    if not count:
        return []
    bets_atoms = Atoms(count * pool.params.bet_atoms)
    to_levels: list[Posting] = []
    levels_atoms = 0
    for rate in pool.params.levels:
        level = state.pools[rate.pool]
        split = split_level(level.params, bets_atoms, rate.rate_ppm, _meter(level, before))
        to_levels += _postings(rate.pool, split)
        levels_atoms += split.total_atoms
    split = split_contribution(pool.params, count, _meter(pool, before), Atoms(levels_atoms))
    return _postings(pool.params.pool, split) + to_levels


def _meter(pool: Pool, before: Sequence[Posting]) -> Atoms:
    """What the pool holds with what these postings bring it."""
    account = f"pool:{pool.params.pool}"
    return Atoms(pool.pool_atoms + sum(posting.atoms for posting in before if posting.account == account))


def is_overdrawn(state: State, pool: Pool) -> bool:
    """Whether the parts that are in force would take more than the whole of a bet on this pool.

    No file has such parts, but pool and levels take what was applied each at a restart of its own.
    """
    params = pool.params
    levels_ppm = sum(at.rate_ppm + state.pools[at.pool].params.reserve_ppm for at in params.levels)
    return params.contribution_ppm + params.reserve_ppm + levels_ppm > PPM


def _postings(name: str, split: Split) -> list[Posting]:
    parts = [
        Posting(f"wagers:{name}", Atoms(-split.total_atoms)),
        Posting(f"pool:{name}", split.to_pool_atoms),
        Posting(f"reserve:{name}", split.to_reserve_atoms),
        Posting(f"overflow:{name}", split.to_overflow_atoms),
        Posting(f"house:{name}", split.to_house_atoms),
    ]
    return [posting for posting in parts if posting.atoms]
