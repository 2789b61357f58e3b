"""What may stand on a simulated floor: which tables, the pools that they play for, and the configuration of both.

Laws
1. Drawn from the seed: which tables, whether bets feed levels, whether a table plays for several pools, whether two
   games feed one pool, and every reading that a dispatch leaves open.
2. Amounts are small, so that pools are emptied, limits passed and prizes bare within a run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

Names = tuple[str, ...]

STUD, SHUFFLED, CLAIMS, BACCARAT = "T01", "T02", "T03", "B01"
_TABLES: tuple[Names, ...] = (
    *((STUD,), (SHUFFLED,), (BACCARAT,), (CLAIMS,)),
    *((STUD, SHUFFLED), (STUD, BACCARAT), (SHUFFLED, BACCARAT)) * 2,
    *((CLAIMS, STUD), (CLAIMS, SHUFFLED), (CLAIMS, BACCARAT)),
)
# Pools of a stud table, pools of a baccarat table.
_PLAIN: tuple[Names, Names] = (("stud-main",), ("bac-b",))
_POOLS: tuple[tuple[Names, Names], ...] = (
    *(_PLAIN,) * 4,
    *((("stud-levels",), ("bac-levels",)),) * 2,
    (("stud-main", "stud-levels"), ("bac-b", "bac-a")),
    (("stud-levels", "stud-main"), ("bac-a", "bac-c", "bac-b")),
    (("mega",), ("mega",)),
    (("stud-main", "mega"), ("mega", "bac-a")),
)
_LEVELS = {"stud-levels": ("mini", "minor"), "bac-levels": ("bac-mini",)}


@dataclass(frozen=True, slots=True)
class Site:
    """Tables with the pools each plays for, and the text of all pools."""

    tables: dict[str, Names]
    pools: str


def draw_site(rng: Random) -> Site:
    """A site from the seed."""
    names, (stud, baccarat) = rng.choice(_TABLES), rng.choice(_POOLS)
    return site_of(rng, {name: baccarat if name == BACCARAT else stud for name in names})


def site_of(rng: Random, tables: dict[str, Names]) -> Site:
    """These tables and all that their bets feed."""
    needed = dict.fromkeys(pool for pools in tables.values() for taker in pools for pool in _fed(taker))
    return Site(tables, "\n".join(_pool_text(rng, pool) for pool in needed))


def _fed(taker: str) -> Sequence[str]:
    return (taker, *_LEVELS.get(taker, ()))


def _pool_text(rng: Random, pool: str) -> str:
    limit = f'limit = "{rng.choice(_LIMITS[pool])}"\n' if rng.random() < _LIMITED else ""
    head, prizes = _TEXTS[pool]
    return f'[[pool]]\nid = "{pool}"\n{head}{limit}{_readings(rng, pool)}{_APPROVALS}[pool.prizes]\n{prizes}'


def _readings(rng: Random, pool: str) -> str:
    """Every choice that the pool's rules need, of all that the text allows."""
    lines: dict[str, Names] = {"fixed_prizes_from": ("pool", "pool", "house"), "remainder": ("pool", "pool", "house")}
    if not pool.startswith("bac"):
        lines |= {"straight_flush_base": ("round", "running"), "several_royals": ("split_greater", "greater_each")}
    if pool.startswith("bac") or pool == "mega":
        lines["void_round"] = ("carry",)
    if pool == "bac-a":
        lines["four_of_a_kind_suits"] = ("distinct", "any")
    return "".join(f'{key} = "{rng.choice(choices)}"\n' for key, choices in lines.items())


_APPROVALS = """auto_pay_below = "50.00"
two_person_above = "500.00"
bare_two_person_above = "100.00"
hold_tables_on_hit = "table"
show_hit_for = "1m"
"""
_LIMITED = 0.3
_LIMITS = {
    "stud-main": ("5000.00", "5400.00"),
    "stud-levels": ("2000.00", "2100.00"),
    "mini": ("30.40", "40.00"),
    "minor": ("300.00", "320.00"),
    "bac-b": ("1000.00", "1100.00"),
    "bac-a": ("500.00", "600.00"),
    "bac-c": ("700.00", "720.00"),
    "bac-levels": ("1000.00", "1100.00"),
    "bac-mini": ("20.00", "35.00"),
    "mega": ("3000.00", "3200.00"),
}
_TEXTS = {
    "stud-main": (
        'rules = "stud"\nseed = "5000.00"\nbet = "10.00"\ncontribution = "70%"\nreserve = "5%"\n',
        """royal_flush = { share = "100%", fixed = "5000.00" }
straight_flush = { share = "10%", fixed = "500.00" }
four_of_a_kind = { fixed = "50.00" }
full_house = { fixed = "10.00" }
flush = { fixed = "5.00" }
""",
    ),
    "stud-levels": (
        """rules = "stud"\nseed = "2000.00"\nbet = "10.00"\ncontribution = "60.0001%"\nreserve = "2%"
levels = { mini = "10.0003%", minor = "20%" }
""",
        """royal_flush = { share = "100%", fixed = "2500.00" }
straight_flush = { share = "10%", fixed = "100.00" }
four_of_a_kind = { fixed = "60.00" }
full_house = { fixed = "20.00" }
flush = { fixed = "10.00" }
""",
    ),
    "mini": (
        'rules = "stud"\nseed = "30.00"\nreserve = "1%"\n',
        'flush = { share = "100%" }\nfull_house = { share = "50%", fixed = "5.00" }\n',
    ),
    "minor": (
        'rules = "stud"\nseed = "300.00"\npayout_unit = "1.00"\n',
        """royal_flush = { share = "100%", fixed = "400.00" }
straight_flush = { share = "50%", fixed = "100.00" }
four_of_a_kind = { share = "12.5%", fixed = "20.00" }
""",
    ),
    "bac-b": (
        'rules = "baccarat-b"\nseed = "1000.00"\nbet = "10.00"\ncontribution = "70%"\n',
        """six_of_a_kind = { share = "100%" }
five_of_a_kind = { fixed = "80.00" }
double_three = { fixed = "40.00" }
four_of_a_kind = { fixed = "10.00" }
three_of_a_kind = { fixed = "8.00" }
""",
    ),
    "bac-a": (
        'rules = "baccarat-a"\nseed = "500.00"\nbet = "5.00"\ncontribution = "72.5%"\nreserve = "2.5%"\n',
        """royal_flush = { share = "100%" }
heavenly_straight = { share = "10%", fixed = "100.00" }
four_of_a_kind = { fixed = "90.00" }
double_pair = { fixed = "20.00" }
three_of_a_kind = { fixed = "12.00" }
single_pair = { fixed = "3.00" }
""",
    ),
    "bac-c": (
        'rules = "baccarat-c"\nseed = "700.00"\nbet = "20.00"\ncontribution = "66.6667%"\npayout_unit = "0.10"\n',
        """six_of_a_kind_one_colour = { share = "100%" }
six_of_a_kind = { share = "25%", fixed = "200.00" }
five_of_a_kind = "not paid"
double_three = { fixed = "40.00" }
four_of_a_kind = { fixed = "10.00" }
three_of_a_kind = { fixed = "8.00" }
""",
    ),
    "bac-levels": (
        """rules = "baccarat-b"\nseed = "1000.00"\nbet = "10.00"\ncontribution = "60%"
levels = { bac-mini = "15.0007%" }
""",
        """six_of_a_kind = { share = "100%" }
five_of_a_kind = { fixed = "80.00" }
double_three = { fixed = "40.00" }
four_of_a_kind = { fixed = "10.00" }
three_of_a_kind = { fixed = "8.00" }
""",
    ),
    "bac-mini": (
        'rules = "baccarat-b"\nseed = "20.00"\nreserve = "0.5%"\n',
        'double_three = { share = "100%" }\nfour_of_a_kind = { share = "50%" }\nthree_of_a_kind = { fixed = "1.00" }\n',
    ),
    "mega": (
        'seed = "3000.00"\nbet = "20.00"\ncontribution = "60%"\nreserve = "1%"\n',
        """grand = { share = "100%", fixed = "3500.00" }
major = { share = "10%", fixed = "400.00" }
five = { fixed = "80.00" }
four = { fixed = "40.00" }
small = { fixed = "5.00" }
[pool.games.stud]
rules = "stud"
[pool.games.stud.tiers]
royal_flush = "grand"
straight_flush = "major"
four_of_a_kind = "four"
full_house = "small"
flush = "small"
[pool.games.baccarat]
rules = "baccarat-b"
[pool.games.baccarat.tiers]
six_of_a_kind = "grand"
five_of_a_kind = "five"
double_three = "four"
four_of_a_kind = "small"
three_of_a_kind = "small"
""",
    ),
}
