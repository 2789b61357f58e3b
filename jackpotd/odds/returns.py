"""What a bet on a pool returns on average, exactly: chances times prizes, at a meter.

Laws
1. Averages are of one trial: one bet at stud, one round at baccarat, whose one prize all bettors share.
2. A stud seat is taken by itself: that two royal flushes of a round share one prize is left out, which flatters it.
3. Prizes are rounded down as the pool pays them; the meter at which a bet comes back is reckoned without rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from jackpotd.core.money import PPM, Atoms, floor_to, share_of
from jackpotd.core.parameters import PoolParams, TableParams, TierPrize
from jackpotd.odds.chances import tier_chances


@dataclass(frozen=True, slots=True)
class TierOdds:
    """One tier: its chance in a trial, what it pays at the meter, and what that is on average."""

    tier: str
    prize: str  # the pool's own name of it
    chance: Fraction
    pays: TierPrize
    prize_atoms: Atoms

    @property
    def mean_atoms(self) -> Fraction:
        """What it pays a trial, on average."""
        return self.chance * self.prize_atoms


@dataclass(frozen=True, slots=True)
class GameOdds:
    """A pool at tables that play alike. `seats`: the most that a round of theirs can have; `taker`: whose bet it is."""

    game: str
    decks: int
    tables: tuple[str, ...]
    seats: int
    taker: PoolParams
    to_pool_atoms: Atoms  # of one bet
    tiers: tuple[TierOdds, ...]

    @property
    def any_prize(self) -> Fraction:
        """The chance of a prize in a trial: it has one tier at most."""
        return sum((one.chance for one in self.tiers if one.pays.paid), Fraction())

    @property
    def mean_atoms(self) -> Fraction:
        """What a trial pays on average."""
        return sum((one.mean_atoms for one in self.tiers), Fraction())

    def bettors(self) -> tuple[int, ...]:
        """The numbers of bettors that matter: at baccarat they share the prize, so one alone, and a full table."""
        return (1,) if self.game == "stud" else tuple(dict.fromkeys((1, self.seats)))

    def returned(self, bettors: int) -> Fraction:
        """What part of a bet comes back on average when so many bet."""
        return self.mean_atoms / (bettors * self.taker.bet_atoms)

    def break_even_atoms(self, bettors: int) -> Fraction | None:
        """The meter at which a bet comes back on average: 0 if it always does, None if it never can."""
        return meter_for(self.tiers, bettors * self.taker.bet_atoms)


def meter_for(tiers: Sequence[TierOdds], cost_atoms: int) -> Fraction | None:
    """The least meter at which the prizes cost so much on average; None if they never do."""
    paid = [one for one in tiers if one.pays.paid]
    fixed = sum((one.chance * one.pays.fixed_atoms for one in paid), Fraction())
    if fixed >= cost_atoms:
        return Fraction()
    slope = Fraction()  # of the tiers whose share has passed their fixed amount, by the meter where it does
    for from_atoms, one in sorted(((_passes_at(one), one) for one in paid if one.pays.share_ppm), key=lambda at: at[0]):
        meter = (cost_atoms - fixed) / slope if slope else None
        if meter is not None and meter <= from_atoms:
            return meter
        slope += one.chance * one.pays.share_ppm / PPM
        fixed -= one.chance * one.pays.fixed_atoms
    return (cost_atoms - fixed) / slope if slope else None


def _passes_at(one: TierOdds) -> Fraction:
    """The meter from which its share is more than its fixed amount."""
    return Fraction(PPM, one.pays.share_ppm) * one.pays.fixed_atoms


def pool_odds(
    params: PoolParams, pools: Sequence[PoolParams], tables: Sequence[TableParams], meter_atoms: Atoms
) -> list[GameOdds]:
    """A pool's odds at every kind of table that feeds it, in the configuration's order."""
    alike: dict[tuple[str, int, str], list[TableParams]] = {}
    takers = {taker.pool: taker for taker in pools if _fed_by(params, taker) is not None}
    for table in tables:
        for name in table.pools:
            if name in takers:
                alike.setdefault((table.game, table.decks, name), []).append(table)
    return [
        GameOdds(
            game=game,
            decks=decks,
            tables=tuple(table.table for table in found),
            seats=max(table.seats for table in found),
            taker=takers[name],
            to_pool_atoms=share_of(takers[name].bet_atoms, _fed_by(params, takers[name]) or 0),
            tiers=tier_odds(params, game, decks, meter_atoms),
        )
        for (game, decks, name), found in alike.items()
    ]


def _fed_by(params: PoolParams, taker: PoolParams) -> int | None:
    """What part of the taker's bet goes to the pool, which may be its level; None if it does not play for it."""
    rates = {taker.pool: taker.contribution_ppm} | {level.pool: level.rate_ppm for level in taker.levels}
    return rates.get(params.pool) if taker.bet_atoms else None


def tier_odds(params: PoolParams, game: str, decks: int, meter_atoms: Atoms) -> tuple[TierOdds, ...]:
    """Every tier of the pool as tables of this game see it."""
    seen = params.of_game(game)
    chances = tier_chances(seen.sole_rules, decks, seen.four_of_a_kind_suits)
    return tuple(
        TierOdds(
            tier=pays.tier,
            prize=params.prize_name(pays.tier, seen.sole_rules),
            chance=chances[pays.tier],
            pays=pays,
            prize_atoms=_prize_atoms(seen, pays, meter_atoms),
        )
        for pays in seen.prizes
    )


def _prize_atoms(params: PoolParams, pays: TierPrize, meter_atoms: Atoms) -> Atoms:
    if not pays.paid:
        return Atoms(0)
    return max(pays.fixed_atoms, floor_to(share_of(meter_atoms, pays.share_ppm), params.payout_unit_atoms))
