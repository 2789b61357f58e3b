"""Money through any story of bets, hits and acts on whole pools, against a pencil that knows only additions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from jackpotd.core import facts as f
from jackpotd.core.errors import RuleError
from jackpotd.core.money import ATOMS_PER_MINOR, Atoms
from tests.support.felt import ACCOUNTANT, NOTHING_2, ROYAL, SUPERVISOR, Felt, stud_table
from tests.support.hits import approve, pay, play
from tests.support.pools import stud_pool

POOLS = ("one", "two")
TABLES = {"one": "T01", "two": "T02"}
FIXED = 50_000_000  # a royal flush's 500,000.00 at least
SEED = 60_000_000
PART, KEPT = 700, 50  # of a bet of 10.00: to the pool, to the reserve


@dataclass
class Pencil:
    """A pool in minor units. Nothing here is shared with what it checks."""

    seed: int = SEED
    limit: int | None = None
    pool: int = SEED
    reserve: int = 0
    overflow: int = 0
    house: int = field(default=-SEED)

    def room(self, amount: int) -> int:
        return amount if self.limit is None else min(amount, max(0, self.limit - self.pool))

    def bet(self) -> None:
        taken = self.room(PART)
        self.pool += taken
        self.overflow += PART - taken
        self.reserve += KEPT
        self.house += 1_000 - PART - KEPT

    def royal_flush(self) -> None:
        self.house -= max(0, FIXED - self.pool)
        wanted, self.pool = self.seed + self.overflow, 0
        self.pool = self.room(wanted)
        self.overflow = wanted - self.pool
        self.seed_paid()

    def seed_paid(self) -> None:
        from_reserve = min(self.seed, self.reserve)
        self.reserve -= from_reserve
        self.house -= self.seed - from_reserve

    def adjust(self, amount: int) -> bool:
        if not amount or self.pool + amount < 0 or (self.limit is not None and amount > max(0, self.limit - self.pool)):
            return False
        self.pool += amount
        self.house -= amount
        return True

    def into(self, other: Pencil) -> None:
        moved, over = self.pool, self.overflow
        self.pool, self.overflow = self.seed, 0
        self.seed_paid()
        kept, self.reserve = self.reserve, 0
        self.house += moved + over + kept
        taken = other.room(moved)
        other.pool += taken
        other.overflow += over + moved - taken
        other.reserve += kept
        other.house -= moved + over + kept


MONEY = st.integers(-70_000_000, 70_000_000)
WHAT = st.sampled_from(("bet", "royal", "adjust", "transfer", "limit", "seed"))
STEP = st.tuples(WHAT, st.sampled_from(POOLS), MONEY)


def both(felt: Felt, first: f.Act, second: f.Act) -> bool:
    """Two persons want something; False when it is refused."""
    try:
        felt.act(first)
        felt.act(second)
    except RuleError:
        return False
    return True


def atoms(minor: int) -> Atoms:
    return Atoms(minor * ATOMS_PER_MINOR)


class Story:
    """A house of two pools, and the pencil beside it."""

    def __init__(self) -> None:
        pools = [stud_pool(pool=name, reserve_ppm=50_000, seed_atoms=atoms(SEED)) for name in POOLS]
        self.felt = Felt(pools, [stud_table(table, pools=(name,)) for name, table in TABLES.items()])
        self.pencils = {name: Pencil() for name in POOLS}

    def step(self, what: str, name: str, amount: int) -> None:
        pencil = self.pencils[name]
        match what:
            case "bet":
                play(self.felt, TABLES[name], {1: NOTHING_2})
                pencil.bet()
            case "royal":
                self.royal_flush(name, pencil)
            case "adjust":
                self.adjust(name, pencil, amount)
            case "transfer":
                self.transfer(name, pencil)
            case _:
                self.change(what, name, pencil, abs(amount))

    def royal_flush(self, name: str, pencil: Pencil) -> None:
        number = self.felt.state.tables[TABLES[name]].round
        play(self.felt, TABLES[name], {1: ROYAL})
        pencil.bet()
        pencil.royal_flush()
        hit = f"{TABLES[name]}.{number}.{name}.royal_flush"
        approve(self.felt, hit)
        pay(self.felt, hit)

    def adjust(self, name: str, pencil: Pencil, amount: int) -> None:
        text = f"{'-' if amount < 0 else '+'}{abs(amount) // 100}.{abs(amount) % 100:02d}"
        acts = [f.AdjustPool(by, name, text, "miscounted") for by in (SUPERVISOR, ACCOUNTANT)]
        assert both(self.felt, acts[0], acts[1]) is pencil.adjust(amount)

    def transfer(self, name: str, pencil: Pencil) -> None:
        (other,) = set(POOLS) - {name}
        acts = [f.TransferPool(by, name, other, "one of two") for by in (SUPERVISOR, ACCOUNTANT)]
        self.felt.act(f.CloseTable(SUPERVISOR, TABLES[name]))
        assert both(self.felt, acts[0], acts[1])
        self.felt.act(f.OpenTable(SUPERVISOR, TABLES[name]))
        pencil.into(self.pencils[other])

    def change(self, what: str, name: str, pencil: Pencil, amount: int) -> None:
        """The file says another limit or seed and two persons apply it: the limit now, the seed at the next restart."""
        live = self.felt.pool(name)
        planned = live.staged or live.params
        is_limit = what == "limit"
        file = replace(planned, limit_atoms=atoms(amount)) if is_limit else replace(planned, seed_atoms=atoms(amount))
        self.felt.pools = [file if one.pool == name else one for one in self.felt.pools]
        self.felt.configure()
        acts = [f.ApplyPool(by, name, "agreed") for by in (SUPERVISOR, ACCOUNTANT)]
        if not both(self.felt, acts[0], acts[1]):
            return
        if is_limit:
            assert amount >= pencil.pool
            pencil.limit = amount
        else:
            pencil.seed = amount

    def check(self) -> None:
        for name, pencil in self.pencils.items():
            pool = self.felt.pool(name)
            shown = (pool.pool_atoms, pool.reserve_atoms, pool.overflow_atoms, pool.house_atoms)
            assert shown == tuple(map(atoms, (pencil.pool, pencil.reserve, pencil.overflow, pencil.house)))


@settings(max_examples=60, deadline=None)
@given(st.lists(STEP, max_size=12))
def test_whatever_people_do_with_pools_every_atom_is_where_a_pencil_says(steps: list[tuple[str, str, int]]) -> None:
    story = Story()
    for what, name, amount in steps:
        story.step(what, name, amount)
        story.check()
