"""Settlement against an independent reference, and to the atom, under every reading."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from jackpotd.core.feeding import contribution_postings
from jackpotd.core.money import ATOMS_PER_MINOR, PPM, Atoms
from jackpotd.core.parameters import TIERS, PoolParams, Rules, TierPrize
from jackpotd.core.settlement import Settlement, settle_baccarat, settle_stud, split_contribution
from jackpotd.core.state import Pool, State
from tests.core import reference_settlement
from tests.core.reference_settlement import Book, Terms
from tests.support.pools import level_pool, levels, option_pool, stud_pool

# Small numbers meet the boundaries (a pool just exhausted, a limit just passed), large ones pass 64 bits.
amounts = st.one_of(st.integers(0, 400), st.integers(0, 400), st.integers(0, 10**22)).map(Atoms)
thoroughly = settings(max_examples=500)


@st.composite
def changed(draw: st.DrawFn, rules: Rules) -> dict[str, Any]:
    """Terms of a pool of these rules but for its readings: small and large prizes, with and without limit."""
    unit = draw(st.sampled_from([1, 7, 100]))
    prizes = []
    for tier in TIERS[rules]:
        fixed = Atoms(draw(st.integers(0, 200 // unit)) * unit)
        share = 0
        if tier in {"royal_flush", "six_of_a_kind_one_colour"} or (tier, rules) == ("six_of_a_kind", Rules.BACCARAT_B):
            share, fixed = PPM, fixed if rules is Rules.STUD else Atoms(0)
        elif tier in {"straight_flush", "heavenly_straight", "six_of_a_kind"}:
            share = draw(st.sampled_from([1, 100_000, 333_333, 600_000, PPM - 1]))
        prizes.append(TierPrize(tier, share, fixed))
    seed = draw(amounts)
    return {
        "payout_unit_atoms": Atoms(unit),
        "prizes": tuple(prizes),
        "seed_atoms": seed,
        "limit_atoms": draw(st.none() | st.integers(0, 100).map(lambda above: Atoms(seed + above))),
    }


stud_params = changed(Rules.STUD).map(lambda terms: stud_pool(**terms))
option_params = st.sampled_from([Rules.BACCARAT_A, Rules.BACCARAT_B, Rules.BACCARAT_C]).flatmap(
    lambda rules: changed(rules).map(lambda terms: option_pool(rules, **terms))
)


@st.composite
def level_prizes(draw: st.DrawFn) -> tuple[TierPrize, ...]:
    """A level's own table of stud prizes: any tiers, any shares, of which one at most is the whole."""
    whole = draw(st.none() | st.sampled_from(TIERS[Rules.STUD]))
    prizes = []
    for tier in TIERS[Rules.STUD]:
        share = PPM if tier == whole else draw(st.sampled_from([0, 1, 333_333, 600_000, PPM - 1]))
        fixed = Atoms(draw(st.integers(0, 2)) * 700)
        prizes.append(TierPrize(tier, share, fixed, paid=draw(st.booleans())))
    return tuple(prizes)


level_params = st.builds(
    lambda terms, prizes: stud_pool(**(terms | {"prizes": prizes})),
    changed(Rules.STUD),
    level_prizes(),
)


def every_reading(params: PoolParams) -> Iterator[PoolParams]:
    """The pool under every combination of the readings that settle a round of its rules."""
    readings = {"fixed_prizes_from": ("pool", "house"), "remainder": ("pool", "house")}
    if params.sole_rules is Rules.STUD:
        readings["straight_flush_base"] = ("round", "running")
        readings["several_royals"] = ("split_greater", "greater_each")
    for chosen in product(*readings.values()):
        yield replace(params, **dict(zip(readings, chosen, strict=True)))  # type: ignore[arg-type]


def terms_of(params: PoolParams) -> Terms:
    return {
        "unit": params.payout_unit_atoms,
        "seed": params.seed_atoms,
        "limit": params.limit_atoms,
        "fixed": {prize.tier: prize.fixed_atoms for prize in params.prizes if prize.paid},
        "share": {prize.tier: Fraction(prize.share_ppm, PPM) for prize in params.prizes},
        "straight_flush_base": params.straight_flush_base,
        "several_royals": params.several_royals,
        "fixed_prizes_from": params.fixed_prizes_from,
        "remainder": params.remainder,
    }


def house_paid(done: Settlement) -> int:
    """What the house has paid for prizes and seed, less the rest that it keeps."""
    paid = sum(int(turn.from_house_atoms) for turn in done.turns)
    if done.restart is not None:
        paid += done.restart.seed_from_house_atoms - done.restart.rest_to_house_atoms
    return paid


def agrees(done: Settlement, book: Book) -> None:
    paid = [(turn.tier, seat, Fraction(each)) for turn in done.turns for seat, each in turn.awards]
    assert paid == book.paid
    assert Fraction(done.pool_atoms) == book.pool
    assert Fraction(done.reserve_atoms) == book.reserve
    assert Fraction(done.overflow_atoms) == book.overflow
    assert Fraction(house_paid(done)) == book.house
    assert (done.restart is not None) is book.restarted


def keeps_every_atom(params: PoolParams, before: tuple[int, int, int], done: Settlement) -> None:
    after = (done.pool_atoms, done.reserve_atoms, done.overflow_atoms)
    prizes = [each for turn in done.turns for _, each in turn.awards]
    assert sum(before) + house_paid(done) == sum(after) + sum(prizes)
    assert min(*after, *prizes, 0) == 0
    assert all(each % params.payout_unit_atoms == 0 for each in prizes)
    assert all(turn.total_atoms == sum(each for _, each in turn.awards) for turn in done.turns)
    assert all(min(turn.from_pool_atoms, turn.from_house_atoms) >= 0 for turn in done.turns)
    by_tier = done.by_tier()
    assert len({turn.tier for turn in by_tier}) == len(by_tier)
    assert sum(turn.from_pool_atoms for turn in by_tier) == sum(turn.from_pool_atoms for turn in done.turns)
    assert sum(turn.total_atoms for turn in by_tier) == sum(prizes)


@thoroughly
@given(
    stud_params | level_params,
    amounts,
    amounts,
    amounts,
    st.dictionaries(st.integers(1, 7), st.sampled_from(TIERS[Rules.STUD]), max_size=7),
)
def test_a_stud_round_is_paid_as_the_reference_pays_it_and_no_atom_is_lost(
    params: PoolParams, pool: Atoms, reserve: Atoms, overflow: Atoms, winners: dict[int, str]
) -> None:
    for read in every_reading(params):
        done = settle_stud(read, pool, reserve, overflow, winners)
        agrees(done, reference_settlement.stud(terms_of(read), pool, reserve, overflow, winners))
        keeps_every_atom(read, (pool, reserve, overflow), done)


@thoroughly
@given(
    option_params,
    amounts,
    amounts,
    amounts,
    st.integers(0, 5),
    st.lists(st.integers(1, 9), unique=True, max_size=9),
)
def test_an_options_round_is_paid_as_the_reference_pays_it_and_no_atom_is_lost(
    params: PoolParams, pool: Atoms, reserve: Atoms, overflow: Atoms, place: int, seats: list[int]
) -> None:
    tiers = TIERS[params.sole_rules]
    tier = tiers[place % len(tiers)]
    for read in every_reading(params):
        done = settle_baccarat(read, pool, reserve, overflow, tier, seats)
        agrees(done, reference_settlement.baccarat(terms_of(read), pool, reserve, overflow, tier, seats))
        keeps_every_atom(read, (pool, reserve, overflow), done)


@thoroughly
@given(
    st.integers(0, 60),
    st.integers(1, 100_000) | st.just(10**20),
    st.integers(0, PPM),
    st.integers(0, PPM),
    st.none() | amounts,
    amounts,
)
def test_the_parts_of_a_bet_are_the_bet_and_never_take_a_pool_over_its_limit(
    count: int, bet_minor: int, contribution_ppm: int, rest_ppm: int, limit: Atoms | None, pool: Atoms
) -> None:
    params = stud_pool(
        bet_atoms=Atoms(bet_minor * ATOMS_PER_MINOR),
        contribution_ppm=contribution_ppm,
        reserve_ppm=rest_ppm * (PPM - contribution_ppm) // PPM,
        limit_atoms=limit,
    )
    split = split_contribution(params, count, pool)
    parts = (split.to_pool_atoms, split.to_reserve_atoms, split.to_overflow_atoms, split.to_house_atoms)
    assert sum(parts) == count * params.bet_atoms
    assert min(parts) >= 0
    assert (split.to_pool_atoms + split.to_overflow_atoms) * PPM == count * params.bet_atoms * contribution_ppm
    if limit is not None:
        assert pool + split.to_pool_atoms <= max(limit, pool)
        assert split.to_overflow_atoms == 0 or pool + split.to_pool_atoms >= limit


@thoroughly
@given(
    st.integers(0, 60),
    st.integers(1, 100_000) | st.just(10**20),
    st.lists(st.integers(0, PPM // 10), min_size=1, max_size=4),
    st.none() | st.integers(0, 400).map(Atoms),
)
def test_the_parts_of_a_bet_on_pool_and_levels_are_the_bet_to_the_atom(
    count: int, bet_minor: int, rates_ppm: list[int], limit: Atoms | None
) -> None:
    bet = Atoms(bet_minor * ATOMS_PER_MINOR)
    fed = {f"level{at}": rate_ppm for at, rate_ppm in enumerate(rates_ppm)}
    terms = stud_pool(bet_atoms=bet, contribution_ppm=500_000, reserve_ppm=20_000, levels=levels(**fed))
    fed_terms = {name: level_pool(name, reserve_ppm=5_000, limit_atoms=limit) for name in fed}
    taker = Pool(terms, terms)
    pools = {name: Pool(one, one) for name, one in fed_terms.items()}
    postings = contribution_postings(State(pools={"stud-main": taker, **pools}), taker, count)
    assert sum(posting.atoms for posting in postings) == 0
    moved = {posting.account: posting.atoms for posting in postings}
    assert len(moved) == len(postings)
    for name, rate_ppm in fed.items():
        into = moved.get(f"pool:{name}", 0) + moved.get(f"overflow:{name}", 0)
        assert into * PPM == count * bet * rate_ppm
        assert moved.get(f"reserve:{name}", 0) * PPM == count * bet * 5_000
        assert moved.get(f"pool:{name}", 0) <= (into if limit is None else limit)
        assert sum(moved.get(f"{kind}:{name}", 0) for kind in ("wagers", "pool", "reserve", "overflow")) == 0
    assert sum(atoms for account, atoms in moved.items() if account.startswith("wagers:")) == -count * bet
    assert moved.get("house:stud-main", 0) >= 0
