"""Levels: pools that have no bet of their own and are fed by the bets of others (mini, minor, major).

Laws
1. Of a bet each level gets a named part, and its reserve the part that the level's own `reserve` names; with the pool's
   own contribution and reserve that is never more than the bet, so that every split is exact.
2. A level judges a round by the rules of the pool that takes the bet; what it pays for which tier is its own table.
3. A level feeds nobody: there is no chain and no circle of levels.
"""

from __future__ import annotations

from collections.abc import Iterator

from jackpotd.core.money import PPM, format_rate
from jackpotd.core.parameters import TIERS, Rules
from jackpotd.daemon.config_faults import FaultList, block_key, join_key
from jackpotd.daemon.config_games import check_free_prize, prize_name, rules_of
from jackpotd.daemon.config_models import PoolBlock, PrizeBlock


def takers_of(pools: list[PoolBlock]) -> dict[str, list[str]]:
    """Every level with the pools whose bets feed it."""
    takers: dict[str, list[str]] = {}
    for pool in pools:
        for level in pool.levels or {}:
            takers.setdefault(level, []).append(pool.id or "")
    return takers


def check_levels(pools: list[PoolBlock], faults: FaultList) -> None:
    """Every fault of every pool's `levels`."""
    by_id = {pool.id: pool for pool in reversed(pools) if pool.id is not None}
    takers = takers_of(pools)
    for number, pool in enumerate(pools, start=1):
        if not pool.levels:
            continue
        key = block_key("pool", number, pool.id)
        if pool.id in takers:
            faults.add(f"{key}.levels", f"{pool.id} is itself a level of {', '.join(takers[pool.id])}; remove them")
            continue
        for name, rate_ppm in pool.levels.items():
            place = join_key(f"{key}.levels", name)
            if name not in by_id:
                faults.add(place, f"there is no pool {name}")
                continue
            if rate_ppm == 0:
                faults.add(place, "must be above 0%")
            _check_same_rules(place, pool, by_id[name], faults)
        _check_whole_bet(key, pool, by_id, faults)


def _check_same_rules(place: str, pool: PoolBlock, level: PoolBlock, faults: FaultList) -> None:
    theirs = rules_of(level)
    missing = [rules for rules in rules_of(pool) if theirs and rules not in theirs]
    if missing:
        faults.add(place, f"{level.id} must judge by the rules of {pool.id}, {', '.join(missing)}, too")


def _check_whole_bet(key: str, pool: PoolBlock, by_id: dict[str, PoolBlock], faults: FaultList) -> None:
    """The parts of a bet are not more than the bet (law 1)."""
    own_ppm = (pool.contribution_ppm or 0) + pool.reserve_ppm
    levels = pool.levels or {}
    all_ppm = own_ppm + sum(rate_ppm + by_id[name].reserve_ppm for name, rate_ppm in levels.items() if name in by_id)
    if own_ppm <= PPM < all_ppm:
        whole = format_rate(all_ppm)
        faults.add(f"{key}.levels", f"with contribution and reserves it is {whole} of a bet, which is more than all")


def check_level(key: str, pool: PoolBlock, faults: FaultList) -> None:
    """What a level has not: a bet of its own, and what is taken of one."""
    for name, value in (("bet", pool.bet_atoms), ("contribution", pool.contribution_ppm)):
        if value is not None:
            faults.add(f"{key}.{name}", "a level takes no bet of its own, and gets what `levels` names; remove it")


def check_level_prizes(key: str, rules: Rules, pool: PoolBlock, faults: FaultList) -> None:
    """A level's own table of prizes: any tiers of its rules, and of a stud round one at most takes it whole."""
    prizes = pool.prizes or {}
    for tier, prize in prizes.items():
        place = join_key(f"{key}.prizes", tier)
        if tier in TIERS[rules]:
            check_free_prize(place, prize, pool, faults)
        else:
            faults.add(place, f"rules {rules} have no such tier; theirs are {', '.join(TIERS[rules])}")


def check_level_pays(key: str, pool: PoolBlock, faults: FaultList) -> None:
    """A level pays something, and two tiers of one stud round cannot both take all of it."""
    paid = {rules: dict(_paid(rules, pool)) for rules in rules_of(pool)}
    if not any(paid.values()):
        faults.add(f"{key}.prizes", "a level pays for at least one tier")
    whole = [tier for tier, prize in paid.get(Rules.STUD, {}).items() if prize.share_ppm == PPM]
    if len(whole) > 1:
        reason = f"{' and '.join(whole)} each take the whole level, and a stud round may have both: let one take it"
        faults.add(f"{key}.prizes", reason)


def _paid(rules: Rules, pool: PoolBlock) -> Iterator[tuple[str, PrizeBlock]]:
    """The tiers of these rules that win something, each with its prize."""
    for tier in TIERS[rules]:
        prize = (pool.prizes or {}).get(prize_name(pool, rules, tier))
        if isinstance(prize, PrizeBlock):
            yield tier, prize
