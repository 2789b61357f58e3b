"""Where the dispatches leave a choice, and what they fix: the tables behind the checks of a pool (rules.md section 3).

Laws
1. A pool names every reading that its rules need, and none that they do not; nothing is chosen silently.
2. A reading carries its article and both its meanings, for the fault that misses it and for `jackpotd check`.
3. The shape of every tier's prize is the dispatch's: who writes another percentage is told the article.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from jackpotd.core.money import PPM
from jackpotd.core.parameters import Rules

_STUD = frozenset({Rules.STUD})
_BACCARAT = frozenset({Rules.BACCARAT_A, Rules.BACCARAT_B, Rules.BACCARAT_C})


@dataclass(frozen=True, slots=True)
class Reading:
    """One open question of the text: the key that answers it, and each answer in plain words."""

    key: str
    rules: frozenset[Rules]
    article: str
    meanings: dict[str, str]

    def choices(self) -> str:
        """Both readings in one line, as a fault prints them."""
        written = {value: value if value.startswith("{") else f'"{value}"' for value in self.meanings}
        return "; or ".join(f"{written[value]}: {meaning}" for value, meaning in self.meanings.items())


_FIXED_PRIZES_FROM = {
    "pool": "the pool pays a fixed prize as far as it can, the house the rest",
    "house": "the house pays a fixed prize, and of a greater-of prize the pool pays only its percentage",
}
_REMAINDER = {
    "pool": "what rounding leaves of an emptied pool goes into the restarted pool",
    "house": "what rounding leaves of an emptied pool the house keeps",
}

READINGS: tuple[Reading, ...] = (
    Reading(
        "straight_flush_base",
        _STUD,
        "61/2004 10(6)",
        {
            "round": "every straight flush takes 10% of the pool as it stood when the round's prizes began",
            "running": "every straight flush takes 10% of what is left at its turn",
        },
    ),
    Reading(
        "several_royals",
        _STUD,
        "61/2004 10(5)",
        {
            "split_greater": "several royal flushes divide the greater of the pool and the fixed amount",
            "greater_each": "each royal flush gets the greater of an equal share of the pool and the fixed amount",
        },
    ),
    Reading("fixed_prizes_from", _STUD, "61/2004 10(8)", _FIXED_PRIZES_FROM),
    Reading("fixed_prizes_from", _BACCARAT, "2/2009 17, silent", _FIXED_PRIZES_FROM),
    Reading(
        "four_of_a_kind_suits",
        frozenset({Rules.BACCARAT_A}),
        "2/2009 13(1)(4)(3) A iii",
        {
            "distinct": "the four cards are of four suits, else they pay as three of a kind",
            "any": "four cards of one rank pay, whatever their suits",
        },
    ),
    Reading("remainder", _STUD, "61/2004 10, silent", _REMAINDER),
    Reading("remainder", _BACCARAT, "2/2009 17, silent", _REMAINDER),
    Reading(
        "void_round",
        _BACCARAT,
        "2/2009, silent",
        {
            "carry": "the progressive bets of a void round stand for the next round",
            "refund": "the house returns the progressive bets of a void round, the contributions stay in the pool",
        },
    ),
)

# The reading that is a prize: option C's five of a kind, named in 13 and missing from 17(11).
FIVE_OF_A_KIND_C = Reading(
    "five_of_a_kind",
    frozenset({Rules.BACCARAT_C}),
    "2/2009 17(11)",
    {
        "{ fixed = ... }": "five of a kind pays its fixed amount",
        "not paid": "the tier stays five of a kind and nothing is paid",
    },
)


@dataclass(frozen=True, slots=True)
class PrizeShape:
    """What a tier's prize must name. `share_ppm` None: no share; 0: a percentage of the house's own choice."""

    article: str
    share_ppm: int | None
    fixed: bool
    may_be_unpaid: bool = False


_TENTH = PPM // 10
OWN_PERCENTAGE = 0


def _fixed(article: str) -> PrizeShape:
    return PrizeShape(article, None, fixed=True)


def _whole_pool(article: str) -> PrizeShape:
    return PrizeShape(article, PPM, fixed=False)


SHAPES: dict[Rules, dict[str, PrizeShape]] = {
    Rules.STUD: {
        "royal_flush": PrizeShape("61/2004 10(2)(1)", PPM, fixed=True),
        "straight_flush": PrizeShape("61/2004 10(2)(2)", _TENTH, fixed=True),
        "four_of_a_kind": _fixed("61/2004 10(2)(3)"),
        "full_house": _fixed("61/2004 10(2)(4)"),
        "flush": _fixed("61/2004 10(2)(5)"),
    },
    Rules.BACCARAT_A: {
        "royal_flush": _whole_pool("2/2009 17(5)"),
        "heavenly_straight": PrizeShape("2/2009 17(6)", _TENTH, fixed=True),
        "four_of_a_kind": _fixed("2/2009 17(7)"),
        "double_pair": _fixed("2/2009 17(7)"),
        "three_of_a_kind": _fixed("2/2009 17(7)"),
        "single_pair": _fixed("2/2009 17(7)"),
    },
    Rules.BACCARAT_B: {
        "six_of_a_kind": _whole_pool("2/2009 17(5)"),
        "five_of_a_kind": _fixed("2/2009 17(8)"),
        "double_three": _fixed("2/2009 17(8)"),
        "four_of_a_kind": _fixed("2/2009 17(8)"),
        "three_of_a_kind": _fixed("2/2009 17(8)"),
    },
    Rules.BACCARAT_C: {
        "six_of_a_kind_one_colour": _whole_pool("2/2009 17(9)"),
        "six_of_a_kind": PrizeShape("2/2009 17(10)", OWN_PERCENTAGE, fixed=True),
        "five_of_a_kind": PrizeShape("2/2009 17(11)", None, fixed=True, may_be_unpaid=True),
        "double_three": _fixed("2/2009 17(11)"),
        "four_of_a_kind": _fixed("2/2009 17(11)"),
        "three_of_a_kind": _fixed("2/2009 17(11)"),
    },
}


def readings_of(rules: Iterable[Rules]) -> tuple[Reading, ...]:
    """The readings that a pool of these rules must name, in the order of the articles' table."""
    asked = frozenset(rules)
    return tuple(reading for reading in READINGS if reading.rules & asked)
