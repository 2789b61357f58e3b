"""The parameters of pools and tables, as the ledger holds them in force.

Laws
1. Amounts are atoms (`Atoms`, one millionth of the minor unit), rates are parts per million.
2. Every reading that rules.md section 3 leaves open is named here; None means that the pool's rules do not need it.
3. These are values: the shell makes them from a checked configuration, the ledger records them, the core reads them.
4. Most pools pay by one table of prizes, their `rules`. One that tables of several games feed has none: its `games` map
   the tiers of each to prizes of its own names, and `of_game` is the pool as the tables of one game see it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from jackpotd.core.money import Atoms


class Rules(StrEnum):
    """Which table of prizes a pool pays by: 61/2004 10, or option A, B or C of 2/2009 13(1)(4)(3)."""

    STUD = "stud"
    BACCARAT_A = "baccarat-a"
    BACCARAT_B = "baccarat-b"
    BACCARAT_C = "baccarat-c"


# Tier names of each rules, highest first (design.md section 5).
TIERS: dict[Rules, tuple[str, ...]] = {
    Rules.STUD: ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush"),
    Rules.BACCARAT_A: (
        "royal_flush",
        "heavenly_straight",
        "four_of_a_kind",
        "double_pair",
        "three_of_a_kind",
        "single_pair",
    ),
    Rules.BACCARAT_B: ("six_of_a_kind", "five_of_a_kind", "double_three", "four_of_a_kind", "three_of_a_kind"),
    Rules.BACCARAT_C: (
        "six_of_a_kind_one_colour",
        "six_of_a_kind",
        "five_of_a_kind",
        "double_three",
        "four_of_a_kind",
        "three_of_a_kind",
    ),
}


def game_of(rules: Rules) -> str:
    """The game whose rounds these rules judge: stud or baccarat."""
    return "stud" if rules is Rules.STUD else "baccarat"


@dataclass(frozen=True, slots=True)
class TierPrize:
    """The prize of one tier: a fixed amount, a share of the pool, or the greater of both.

    `share_ppm` 1_000_000 is a 100% tier. `paid` is False for option C's five of a kind under the reading "not paid",
    and for a tier that a level pool leaves to the others.
    """

    tier: str
    share_ppm: int
    fixed_atoms: Atoms
    paid: bool = True


@dataclass(frozen=True, slots=True)
class BreakerParams:
    """A pool that is luckier than once in `one_in` windows is suspended."""

    one_in: int
    window_ms: int


@dataclass(frozen=True, slots=True)
class MappedTier:
    """What a tier of a game wins, as that game pays it, and the name of the pool's prize that it is ("" for none)."""

    pays: TierPrize
    prize: str


@dataclass(frozen=True, slots=True)
class GameTiers:
    """What the tables of one game win from a pool of several: every tier of the game's rules, highest first."""

    rules: Rules
    tiers: tuple[MappedTier, ...]


@dataclass(frozen=True, slots=True)
class LevelRate:
    """A level that each accepted bet feeds: `rate_ppm` of the bet is its contribution to that pool."""

    pool: str
    rate_ppm: int


@dataclass(frozen=True, slots=True)
class PoolParams:
    """Everything that decides what a pool takes and pays. Optional limits are None when there is none.

    A pool that is a level takes no bet of its own: its bet and contribution are nothing, and its reserve is a part of
    the bet that feeds it.
    """

    pool: str
    rules: Rules | None  # None: `games` say
    games: tuple[GameTiers, ...]
    levels: tuple[LevelRate, ...]
    currency: str
    exponent: int
    payout_unit_atoms: Atoms
    seed_atoms: Atoms
    bet_atoms: Atoms
    contribution_ppm: int
    reserve_ppm: int
    limit_atoms: Atoms | None
    prizes: tuple[TierPrize, ...]
    fixed_prizes_from: str  # pool | house
    remainder: str  # pool | house
    straight_flush_base: str | None  # stud: round | running
    several_royals: str | None  # stud: split_greater | greater_each
    four_of_a_kind_suits: str | None  # option A: distinct | any
    void_round: str | None  # baccarat: carry | refund
    auto_pay_below_atoms: Atoms | None
    two_person_above_atoms: Atoms | None
    bare_two_person_above_atoms: Atoms | None
    hold_tables_on_hit: str  # table | link | none
    show_hit_for_ms: int
    breaker: BreakerParams | None = None  # None: off

    def prize(self, tier: str) -> TierPrize:
        """The prize of a tier of these rules; KeyError is a bug, the configuration names every tier."""
        for prize in self.prizes:
            if prize.tier == tier:
                return prize
        raise KeyError(tier)

    def knows(self, game: str) -> bool:
        """Whether it has rules for the rounds of this game."""
        return any(game_of(rules) == game for rules in self.all_rules())

    def of_game(self, game: str) -> PoolParams:
        """The pool as tables of this game see it, with that game's rules and tiers; itself where it has one rules."""
        if self.rules is not None:
            return self
        for tiers in self.games:
            if game_of(tiers.rules) == game:
                return replace(self, rules=tiers.rules, games=(), prizes=tuple(mapped.pays for mapped in tiers.tiers))
        raise KeyError(game)

    def prize_name(self, tier: str, rules: Rules) -> str:
        """What the pool calls the prize of a tier of these rules; the tier itself where the pool has one rules."""
        mapped = [one for tiers in self.games if tiers.rules is rules for one in tiers.tiers if one.pays.tier == tier]
        return mapped[0].prize if mapped else tier

    @property
    def sole_rules(self) -> Rules:
        """The rules of a pool that pays by one, or of one as a game sees it."""
        assert self.rules is not None, "ask of_game for the rules of a pool of several"
        return self.rules

    def all_rules(self) -> tuple[Rules, ...]:
        """The rules it pays by, one a game."""
        return (self.rules,) if self.rules is not None else tuple(tiers.rules for tiers in self.games)

    def rules_text(self) -> str:
        """Its rules in one word."""
        return "+".join(self.all_rules())


@dataclass(frozen=True, slots=True)
class DeviceParams:
    """A device as its table knows it: what it is for, never how it is reached."""

    name: str
    driver: str
    grade: str  # journaled | sequenced | bare
    serial: str | None  # pins the board of a table-bus device
    keyed: bool


@dataclass(frozen=True, slots=True)
class TableParams:
    """A table and its game, one that its pools have rules for. `deal`: devices in order of preference, or "claims"."""

    table: str
    game: str  # stud | baccarat
    pools: tuple[str, ...]
    seats: int
    deal: tuple[str, ...]
    devices: tuple[DeviceParams, ...]
    decks: int  # stud: 1
    commission: str | None  # baccarat: five_percent | six_pays_half | dragon7_push
    royal_raise_odds: int | None  # stud: 50..100
    max_payout_atoms: Atoms | None
    advisory_lock: bool
    deal_timeout_ms: int
