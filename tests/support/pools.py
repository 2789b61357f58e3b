"""Parameters of pools for tests: the shipped examples of the configuration, with what a test changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from jackpotd.core.money import Atoms, parse_amount
from jackpotd.core.parameters import TIERS, GameTiers, LevelRate, MappedTier, PoolParams, Rules, TierPrize

WHOLE_PPM = 1_000_000


def mop(text: str) -> Atoms:
    """Atoms of an amount with two decimals."""
    return parse_amount(text, 2)


def prize(tier: str, fixed: str = "0.00", share_ppm: int = 0, *, paid: bool = True) -> TierPrize:
    return TierPrize(tier, share_ppm, mop(fixed), paid)


STUD_PRIZES = (
    prize("royal_flush", "500000.00", WHOLE_PPM),
    prize("straight_flush", "50000.00", 100_000),
    prize("four_of_a_kind", "5000.00"),
    prize("full_house", "1000.00"),
    prize("flush", "500.00"),
)
OPTION_PRIZES: dict[Rules, tuple[TierPrize, ...]] = {
    Rules.BACCARAT_A: (
        prize("royal_flush", share_ppm=WHOLE_PPM),
        prize("heavenly_straight", "20000.00", 100_000),
        prize("four_of_a_kind", "10000.00"),
        prize("double_pair", "500.00"),
        prize("three_of_a_kind", "300.00"),
        prize("single_pair", "20.00"),
    ),
    Rules.BACCARAT_B: (
        prize("six_of_a_kind", share_ppm=WHOLE_PPM),
        prize("five_of_a_kind", "8000.00"),
        prize("double_three", "4000.00"),
        prize("four_of_a_kind", "1000.00"),
        prize("three_of_a_kind", "800.00"),
    ),
    Rules.BACCARAT_C: (
        prize("six_of_a_kind_one_colour", share_ppm=WHOLE_PPM),
        prize("six_of_a_kind", "20000.00", 250_000),
        prize("five_of_a_kind", paid=False),
        prize("double_three", "4000.00"),
        prize("four_of_a_kind", "1000.00"),
        prize("three_of_a_kind", "800.00"),
    ),
}
_COMMON: dict[str, Any] = {
    "games": (),
    "levels": (),
    "currency": "MOP",
    "exponent": 2,
    "payout_unit_atoms": mop("0.01"),
    "bet_atoms": mop("10.00"),
    "contribution_ppm": 700_000,
    "reserve_ppm": 0,
    "limit_atoms": None,
    "fixed_prizes_from": "pool",
    "remainder": "pool",
    "straight_flush_base": None,
    "several_royals": None,
    "four_of_a_kind_suits": None,
    "void_round": None,
    "auto_pay_below_atoms": None,
    "two_person_above_atoms": None,
    "bare_two_person_above_atoms": None,
    "hold_tables_on_hit": "table",
    "show_hit_for_ms": 600_000,
    "breaker": None,
}


def stud_pool(**changes: Any) -> PoolParams:
    """The pool `stud-main` of the examples, with `changes` by field name."""
    stud: dict[str, Any] = {
        "pool": "stud-main",
        "rules": Rules.STUD,
        "seed_atoms": mop("500000.00"),
        "prizes": STUD_PRIZES,
        "straight_flush_base": "round",
        "several_royals": "split_greater",
    }
    return PoolParams(**(_COMMON | stud | changes))


def option_pool(rules: Rules, **changes: Any) -> PoolParams:
    """A pool of option A, B or C, with `changes` by field name."""
    option: dict[str, Any] = {
        "pool": rules.value,
        "rules": rules,
        "seed_atoms": mop("100000.00"),
        "prizes": OPTION_PRIZES[rules],
        "four_of_a_kind_suits": "distinct" if rules is Rules.BACCARAT_A else None,
        "void_round": "carry",
    }
    return PoolParams(**(_COMMON | option | changes))


def levels(**rates_ppm: int) -> tuple[LevelRate, ...]:
    """Levels by name and the part of the bet that each gets."""
    return tuple(LevelRate(name, rate_ppm) for name, rate_ppm in rates_ppm.items())


def level_pool(name: str, *prizes: TierPrize, rules: Rules = Rules.STUD, **changes: Any) -> PoolParams:
    """A level: it has no bet of its own, and pays for the tiers named and no others."""
    paid = {one.tier: one for one in prizes}
    every = tuple(paid.get(tier) or prize(tier, paid=False) for tier in TIERS[rules])
    level = {"pool": name, "prizes": every, "bet_atoms": Atoms(0), "contribution_ppm": 0, "seed_atoms": mop("1000.00")}
    return stud_pool(**(level | changes)) if rules is Rules.STUD else option_pool(rules, **(level | changes))


GRAND_TIERS = {"royal_flush", "six_of_a_kind"}


def mixed_pool(**changes: Any) -> PoolParams:
    """A pool that stud tables and option B tables feed: the highest tier of each wins the grand prize."""
    games = tuple(
        GameTiers(
            rules,
            tuple(MappedTier(one, "grand" if one.tier in GRAND_TIERS else f"{rules}_{one.tier}") for one in prizes),
        )
        for rules, prizes in ((Rules.STUD, STUD_PRIZES), (Rules.BACCARAT_B, OPTION_PRIZES[Rules.BACCARAT_B]))
    )
    own: dict[str, TierPrize] = {}
    for mapped in (one for game in games for one in game.tiers):
        own.setdefault(mapped.prize, replace(mapped.pays, tier=mapped.prize))
    mixed = {"pool": "mega", "rules": None, "games": games, "prizes": tuple(own.values()), "void_round": "carry"}
    return stud_pool(**(mixed | changes))
