"""What a pool takes from bets and pays for a round (rules.md section 4; 61/2004 10, 2/2009 17(5)-(11)).

Laws
1. Every atom has a place: prizes = from pool + from house, and a restart moves what it names and nothing else.
2. No account ever goes below zero. The pool pays what it can, the house what is missing.
3. Prizes are whole payout units; what rounding leaves stays in the pool until a restart deals with it.
4. All prizes of a round come from the pool of that round: at most one restart, after the last turn (61/2004 10(8)).
5. What the dispatches say of the royal flush holds for a 100% tier, what they say of the straight flush for a share of
   the pool: in their pools these are the only ones, and a level's table of prizes may have others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from jackpotd.core.money import PPM, ZERO, Atoms, floor_to, share_of
from jackpotd.core.parameters import PoolParams, TierPrize


@dataclass(frozen=True, slots=True)
class Split:
    """Where the money of accepted progressive bets goes; the parts are exactly what was bet on this pool."""

    to_pool_atoms: Atoms
    to_reserve_atoms: Atoms
    to_overflow_atoms: Atoms
    to_house_atoms: Atoms

    @property
    def total_atoms(self) -> Atoms:
        """All of it."""
        return Atoms(self.to_pool_atoms + self.to_reserve_atoms + self.to_overflow_atoms + self.to_house_atoms)


@dataclass(frozen=True, slots=True)
class Turn:
    """One payment in a round's order: several royal flushes, or all bettors of a baccarat option, are one turn."""

    tier: str
    awards: tuple[tuple[int, Atoms], ...]  # (seat, prize), by seat
    from_pool_atoms: Atoms
    from_house_atoms: Atoms

    @property
    def total_atoms(self) -> Atoms:
        """All that the turn pays."""
        return Atoms(self.from_pool_atoms + self.from_house_atoms)


@dataclass(frozen=True, slots=True)
class Restart:
    """The pool begins again: seed, rest and overflow up to the limit; `pool_atoms` is what it begins with."""

    seed_from_reserve_atoms: Atoms
    seed_from_house_atoms: Atoms
    rest_to_house_atoms: Atoms
    from_overflow_atoms: Atoms
    to_overflow_atoms: Atoms  # only when seed and rest alone pass the limit
    pool_atoms: Atoms


@dataclass(frozen=True, slots=True)
class Settlement:
    """The turns of a round in order of payment, the restart after them if any, and what the accounts then hold."""

    turns: tuple[Turn, ...]
    restart: Restart | None
    pool_atoms: Atoms
    reserve_atoms: Atoms
    overflow_atoms: Atoms

    def by_tier(self) -> tuple[Turn, ...]:
        """The turns of each tier as one, for a hit is one tier of one round; tiers in order of their first payment."""
        return tuple(_merged([turn for turn in self.turns if turn.tier == tier]) for tier in self._tiers())

    def _tiers(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(turn.tier for turn in self.turns))


def split_contribution(params: PoolParams, count: int, pool_atoms: Atoms, to_levels_atoms: Atoms = ZERO) -> Split:
    """The split of `count` bets accepted while the pool holds `pool_atoms`; the house has what nobody else takes."""
    bets = Atoms(count * params.bet_atoms)
    split = split_level(params, bets, params.contribution_ppm, pool_atoms)
    return replace(split, to_house_atoms=Atoms(bets - split.total_atoms - to_levels_atoms))


def split_level(params: PoolParams, bets_atoms: Atoms, rate_ppm: int, pool_atoms: Atoms) -> Split:
    """What a pool takes at `rate_ppm` of bets, and its reserve; above its limit it goes to the overflow."""
    contribution = share_of(bets_atoms, rate_ppm)
    pool = contribution
    if params.limit_atoms is not None:
        pool = Atoms(min(contribution, max(0, params.limit_atoms - pool_atoms)))
    return Split(pool, share_of(bets_atoms, params.reserve_ppm), Atoms(contribution - pool), ZERO)


def settle_stud(
    params: PoolParams,
    pool_atoms: Atoms,
    reserve_atoms: Atoms,
    overflow_atoms: Atoms,
    winners: Mapping[int, str],
) -> Settlement:
    """Pay the winning seats (seat: tier) of a stud round, 61/2004 10; `pool_atoms` has the round's contributions."""
    turns: list[Turn] = []
    left = pool_atoms
    order = _stud_order({seat: prize for seat, tier in winners.items() if (prize := params.prize(tier)).paid})
    for prize, seats in order:
        if prize.share_ppm == PPM:
            turn = _whole_turn(params, prize, seats, left)
        else:
            base = pool_atoms if params.straight_flush_base == "round" else left
            turn = _shared_turn(params, prize, seats, base, left)
        turns.append(turn)
        left = Atoms(left - turn.from_pool_atoms)
    whole_pool_won = any(prize.share_ppm == PPM for prize, _ in order)
    return _settled(params, turns, left, reserve_atoms, overflow_atoms, whole_pool_won=whole_pool_won)


def settle_baccarat(
    params: PoolParams,
    pool_atoms: Atoms,
    reserve_atoms: Atoms,
    overflow_atoms: Atoms,
    tier: str,
    seats: Sequence[int],
) -> Settlement:
    """Pay an option's tier to its bettors, one a seat, 2/2009 17(5)-(11); without a bettor nothing moves."""
    prize = params.prize(tier)
    if not seats or not prize.paid:
        return Settlement((), None, pool_atoms, reserve_atoms, overflow_atoms)
    turn = _shared_turn(params, prize, tuple(sorted(seats)), pool_atoms, pool_atoms)
    left = Atoms(pool_atoms - turn.from_pool_atoms)
    return _settled(params, [turn], left, reserve_atoms, overflow_atoms, whole_pool_won=prize.share_ppm == PPM)


def _stud_order(winners: Mapping[int, TierPrize]) -> list[tuple[TierPrize, tuple[int, ...]]]:
    """Prizes and seats by seat, the royals as one turn; where they meet straight flushes, those first (10(4)(5)(7))."""
    whole = tuple(sorted(seat for seat, prize in winners.items() if prize.share_ppm == PPM))
    order = [
        (prize, whole if prize.share_ppm == PPM else (seat,))
        for seat, prize in sorted(winners.items())
        if prize.share_ppm != PPM or seat == whole[0]
    ]
    if whole:
        order.sort(key=lambda turn: not 0 < turn[0].share_ppm < PPM)
    return order


def _whole_turn(params: PoolParams, prize: TierPrize, seats: tuple[int, ...], left: Atoms) -> Turn:
    """All royal flushes of a round, by the reading `several_royals` of 61/2004 10(5)."""
    fixed, unit = prize.fixed_atoms, params.payout_unit_atoms
    if params.several_royals == "split_greater":
        each = floor_to(max(fixed, left) // len(seats), unit)
    else:
        each = max(fixed, floor_to(left // len(seats), unit))
    return _turn(prize.tier, seats, each, left)


def _shared_turn(params: PoolParams, prize: TierPrize, seats: tuple[int, ...], base: Atoms, left: Atoms) -> Turn:
    """One prize shared by `seats`: a fixed amount, the whole pool, or the greater of fixed and a share of `base`."""
    unit = params.payout_unit_atoms
    share = floor_to(share_of(base, prize.share_ppm), unit)
    each = floor_to(max(prize.fixed_atoms, share) // len(seats), unit)
    pool_pays_all = params.fixed_prizes_from == "pool"
    return _turn(prize.tier, seats, each, left if pool_pays_all else Atoms(min(left, share)))


def _turn(tier: str, seats: tuple[int, ...], each: Atoms, pool_at_most: Atoms) -> Turn:
    """`each` to every seat, from the pool as far as it goes, the rest from the house."""
    paid = each * len(seats)
    from_pool = min(paid, pool_at_most)
    return Turn(tier, tuple((seat, each) for seat in seats), Atoms(from_pool), Atoms(paid - from_pool))


def _settled(
    params: PoolParams,
    turns: list[Turn],
    left: Atoms,
    reserve_atoms: Atoms,
    overflow_atoms: Atoms,
    *,
    whole_pool_won: bool,
) -> Settlement:
    """The settlement after its last turn, with the restart if one is due (61/2004 10(8))."""
    paid = any(turn.total_atoms for turn in turns)
    if not whole_pool_won and not (paid and left < params.payout_unit_atoms):
        return Settlement(tuple(turns), None, left, reserve_atoms, overflow_atoms)
    restart = _restart(params, left, reserve_atoms, overflow_atoms)
    return Settlement(
        tuple(turns),
        restart,
        restart.pool_atoms,
        Atoms(reserve_atoms - restart.seed_from_reserve_atoms),
        Atoms(overflow_atoms - restart.from_overflow_atoms + restart.to_overflow_atoms),
    )


def _restart(params: PoolParams, left: Atoms, reserve_atoms: Atoms, overflow_atoms: Atoms) -> Restart:
    """Seed (reserve first, then house), what the reading `remainder` keeps, and overflow, up to the limit."""
    from_reserve = min(reserve_atoms, params.seed_atoms)
    rest = left if params.remainder == "pool" else 0
    wanted = params.seed_atoms + rest + overflow_atoms
    pool = wanted if params.limit_atoms is None else min(wanted, params.limit_atoms)
    from_overflow = pool - params.seed_atoms - rest
    return Restart(
        seed_from_reserve_atoms=Atoms(from_reserve),
        seed_from_house_atoms=Atoms(params.seed_atoms - from_reserve),
        rest_to_house_atoms=Atoms(left - rest),
        from_overflow_atoms=Atoms(max(from_overflow, 0)),
        to_overflow_atoms=Atoms(max(-from_overflow, 0)),
        pool_atoms=Atoms(pool),
    )


def _merged(turns: list[Turn]) -> Turn:
    """Turns of one tier as one turn."""
    return Turn(
        turns[0].tier,
        tuple(award for turn in turns for award in turn.awards),
        Atoms(sum(turn.from_pool_atoms for turn in turns)),
        Atoms(sum(turn.from_house_atoms for turn in turns)),
    )
