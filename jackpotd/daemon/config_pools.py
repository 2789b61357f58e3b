"""What a pool must say, and what it must not (61/2004 10, 2/2009 13 and 17, rules.md section 3)."""

from __future__ import annotations

from jackpotd.core.money import ATOMS_PER_MINOR, PPM, format_rate
from jackpotd.core.parameters import TIERS, Rules
from jackpotd.core.pool_life import HOUSE
from jackpotd.daemon.config_faults import FaultList, block_key, join_key
from jackpotd.daemon.config_games import check_games, rules_of, wanted
from jackpotd.daemon.config_levels import check_level, check_level_pays, check_level_prizes, check_levels, takers_of
from jackpotd.daemon.config_models import PoolBlock, PrizeBlock
from jackpotd.daemon.config_readings import (
    FIVE_OF_A_KIND_C,
    OWN_PERCENTAGE,
    READINGS,
    SHAPES,
    PrizeShape,
    Reading,
    readings_of,
)


def check_pools(pools: list[PoolBlock], faults: FaultList) -> None:
    """Every fault of every pool by itself."""
    if not pools:
        faults.add("pool", "a controller without a pool has nothing to do")
    levels = takers_of(pools)
    seen: set[str] = set()
    for number, pool in enumerate(pools, start=1):
        key = block_key("pool", number, pool.id)
        if pool.id is None:
            faults.add(f"{key}.id", "every pool has an id")
        elif pool.id in seen:
            faults.add(f"{key}.id", "another pool has this id")
        elif pool.id == HOUSE:
            faults.add(f"{key}.id", f"`pool retire --to {HOUSE}` means the house itself: name the pool otherwise")
        else:
            seen.add(pool.id)
        is_level = pool.id in levels
        _check_required(key, pool, faults, is_level=is_level)
        _check_amounts(key, pool, faults)
        rules = rules_of(pool)
        if rules:
            _check_readings(key, rules, pool, faults)
        _check_prizes(key, pool, faults, is_level=is_level)
    check_levels(pools, faults)


def payout_unit_atoms(pool: PoolBlock) -> int:
    """What prizes are rounded down to; absent means the minor unit."""
    return pool.payout_unit_atoms or ATOMS_PER_MINOR


def _check_required(key: str, pool: PoolBlock, faults: FaultList, *, is_level: bool) -> None:
    if pool.rules is None and pool.games is None:
        reason = f"name the rules that it pays by: {', '.join(Rules)}; or the games of a pool of several"
        faults.add(f"{key}.rules", reason)
    elif pool.rules is not None and pool.games is not None:
        faults.add(f"{key}.games", "a pool pays by its rules or by those of its games: remove one")
    if pool.seed_atoms is None:
        faults.add(f"{key}.seed", "name the amount that the pool restarts from", "61/2004 10(8)")
    if is_level:
        check_level(key, pool, faults)
    else:
        if pool.bet_atoms is None:
            faults.add(f"{key}.bet", "name the price of one progressive bet")
        if pool.contribution_ppm is None:
            faults.add(f"{key}.contribution", "name the percentage of each bet that goes to the pool")
    if pool.prizes is None and pool.rules is None:
        faults.add(f"{key}.prizes", "name the prize of every tier")


def _check_amounts(key: str, pool: PoolBlock, faults: FaultList) -> None:
    for name, atoms in (("seed", pool.seed_atoms), ("bet", pool.bet_atoms), ("payout_unit", pool.payout_unit_atoms)):
        if atoms == 0:
            faults.add(f"{key}.{name}", "must be more than nothing")
    if (pool.contribution_ppm or 0) + pool.reserve_ppm > PPM:
        reason = f"with reserve = {format_rate(pool.reserve_ppm)} it is more than the whole bet"
        faults.add(f"{key}.contribution", reason)
    if pool.limit_atoms is not None and pool.seed_atoms is not None and pool.limit_atoms < pool.seed_atoms:
        faults.add(f"{key}.limit", "a pool cannot restart above its own limit")
    for name, above in (
        ("two_person_above", pool.two_person_above_atoms),
        ("bare_two_person_above", pool.bare_two_person_above_atoms),
    ):
        if above is not None and pool.auto_pay_below_atoms is not None and above < pool.auto_pay_below_atoms:
            faults.add(
                f"{key}.{name}",
                "a hit cannot be approved at once and need two persons: raise it to auto_pay_below or more",
            )


def _check_readings(key: str, rules: tuple[Rules, ...], pool: PoolBlock, faults: FaultList) -> None:
    """What any of the pool's rules needs is named, and nothing else; a reading that several need is one fault."""
    needed: dict[str, list[Reading]] = {}
    for reading in readings_of(rules):
        needed.setdefault(reading.key, []).append(reading)
    for name, readings in needed.items():
        if getattr(pool, name) is None:
            reason = f"the text leaves it open: name {readings[0].choices()}"
            faults.add(f"{key}.{name}", reason, "; ".join(reading.article for reading in readings))
    for name in dict.fromkeys(reading.key for reading in READINGS):
        value = getattr(pool, name)
        if value is not None and name not in needed:
            faults.add(f"{key}.{name}", f"rules {', '.join(rules)} leave no such choice; remove it")


def _check_prizes(key: str, pool: PoolBlock, faults: FaultList, *, is_level: bool) -> None:
    """The prizes by the pool's kind: of one rules, of several games, of a level."""
    if pool.games is not None:
        check_games(key, pool, faults, is_level=is_level)
    elif pool.rules is not None and is_level:
        check_level_prizes(key, pool.rules, pool, faults)
    elif pool.rules is not None:
        _check_tiers(key, pool.rules, pool, faults)
    if is_level and rules_of(pool):
        check_level_pays(key, pool, faults)


def _check_tiers(key: str, rules: Rules, pool: PoolBlock, faults: FaultList) -> None:
    prizes = pool.prizes or {}
    for tier in TIERS[rules]:
        shape = SHAPES[rules][tier]
        place = f"{key}.prizes.{tier}"
        if tier in prizes:
            _check_prize(place, prizes[tier], shape, payout_unit_atoms(pool), faults)
        elif shape.may_be_unpaid:
            faults.add(place, f"the text leaves it open: name {FIVE_OF_A_KIND_C.choices()}", shape.article)
        else:
            faults.add(place, f"every tier needs its prize: {wanted(shape)}", shape.article)
    for tier in prizes:
        if tier not in TIERS[rules]:
            reason = f"rules {rules} have no such tier; theirs are {', '.join(TIERS[rules])}"
            faults.add(join_key(f"{key}.prizes", tier), reason)


def _check_prize(place: str, prize: PrizeBlock | str, shape: PrizeShape, unit_atoms: int, faults: FaultList) -> None:
    if isinstance(prize, str):
        if not shape.may_be_unpaid:
            faults.add(place, f"this tier is paid: {wanted(shape)}", shape.article)
        return
    _check_share(place, prize, shape, faults)
    if not shape.fixed:
        if prize.fixed_atoms is not None:
            faults.add(f"{place}.fixed", "this tier has no fixed amount; remove it", shape.article)
    elif prize.fixed_atoms is None:
        faults.add(f"{place}.fixed", "name the fixed amount", shape.article)
    elif prize.fixed_atoms == 0:
        faults.add(f"{place}.fixed", "must be more than nothing", shape.article)
    elif prize.fixed_atoms % unit_atoms:
        faults.add(f"{place}.fixed", "a fixed prize is a multiple of the pool's payout_unit")


def _check_share(place: str, prize: PrizeBlock, shape: PrizeShape, faults: FaultList) -> None:
    share_ppm = prize.share_ppm
    key = f"{place}.share"
    if shape.share_ppm is None:
        if share_ppm is not None:
            faults.add(key, "this tier has no share of the pool; remove it", shape.article)
    elif share_ppm is None:
        faults.add(key, f"name it: {wanted(shape)}", shape.article)
    elif shape.share_ppm == OWN_PERCENTAGE:
        if not 0 < share_ppm < PPM:
            faults.add(key, "must be above 0% and below 100%", shape.article)
    elif share_ppm != shape.share_ppm:
        faults.add(key, f"the dispatch says {format_rate(shape.share_ppm)}", shape.article)
