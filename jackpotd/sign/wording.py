"""Amounts and words in the three languages of Macau's signs.

Laws
1. An amount is shown in whole units, always rounded down, grouped and marked as its language does (CLDR's data for
   zh-Hant-MO, pt-MO and en).
2. Every language has every word, the Chinese ones as the dispatches write them; a tier that no table knows is shown by
   its own name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from jackpotd.sign.views import Amount, HitView

Language = Literal["zh-Hant", "pt", "en"]

_NO_BREAK = "\u00a0"
# Seats named in a celebration: no table has more.
MAX_PLACES = 12
# What people here call money; any other currency shows its code, which is never mistaken for another's.
_SYMBOLS = {
    "MOP": "MOP$",
    "HKD": "HK$",
    "TWD": "NT$",
    "USD": "US$",
    "AUD": "A$",
    "CAD": "CA$",
    "NZD": "NZ$",
    "CNY": "CN¥",
    "JPY": "JP¥",
    "EUR": "€",
    "GBP": "£",
    "KRW": "₩",
    "PHP": "₱",
    "VND": "₫",
}


@dataclass(frozen=True, slots=True)
class Grouping:
    """How a language writes whole numbers. `least`: digits before the first separator without which there is none."""

    separator: str
    least: int
    symbol_first: bool


GROUPINGS: dict[Language, Grouping] = {
    "zh-Hant": Grouping(",", 1, symbol_first=True),
    "pt": Grouping(_NO_BREAK, 2, symbol_first=False),  # 1234, but 12 345
    "en": Grouping(",", 1, symbol_first=True),
}


def symbol(currency: str) -> str:
    """The currency's mark."""
    return _SYMBOLS.get(currency, currency)


def whole_units(amount: Amount) -> int:
    """Whole units, rounded down (law 1)."""
    units: int = amount.minor // 10**amount.exponent
    return units


def grouped(units: int, language: Language) -> str:
    """A whole number in groups of three."""
    grouping, digits = GROUPINGS[language], str(units)
    if len(digits) < 3 + grouping.least:
        return digits
    return f"{units:,}".replace(",", grouping.separator)


def money(amount: Amount, language: Language) -> str:
    """An amount with its currency, as in MOP$1,234,567 or 1 234 567 MOP$."""
    number, mark = grouped(whole_units(amount), language), symbol(amount.currency)
    if not GROUPINGS[language].symbol_first:
        return f"{number}{_NO_BREAK}{mark}"
    return f"{mark}{_NO_BREAK if mark[-1].isalpha() else ''}{number}"


@dataclass(frozen=True, slots=True)
class Words:
    """What a sign says in one language."""

    jackpot: str  # the neutral face: no number, and no promise
    suspended: str
    table: str
    seat: str
    seats: str
    comma: str
    pending: str
    approved: str
    paid: str
    tiers: dict[str, str]

    def tier(self, tier: str) -> str:
        """A tier's name (law 2)."""
        return self.tiers.get(tier) or tier.replace("_", " ").capitalize()

    def of_state(self, state: Literal["pending", "approved", "paid"]) -> str:
        """How far a hit has come."""
        return {"pending": self.pending, "approved": self.approved, "paid": self.paid}[state]


WORDS: dict[Language, Words] = {
    "zh-Hant": Words(
        jackpot="累進大獎",
        suspended="暫停",
        table="博彩桌",
        seat="座位",
        seats="座位",
        comma="、",
        pending="核實中",
        approved="已核實",
        paid="已派彩",
        tiers={
            "royal_flush": "黃袍麒",
            "straight_flush": "同花順",
            "four_of_a_kind": "四條",
            "full_house": "夫盧",
            "flush": "同花",
            "heavenly_straight": "天堂順",
            "double_pair": "雙對子",
            "three_of_a_kind": "三條",
            "single_pair": "單對子",
            "six_of_a_kind_one_colour": "六張同色同點",
            "six_of_a_kind": "六張同點",
            "five_of_a_kind": "五張同點",
            "double_three": "雙三張同點",
        },
    ),
    "pt": Words(
        jackpot="Jackpot progressivo",
        suspended="Suspenso",
        table="Mesa",
        seat="Lugar",
        seats="Lugares",
        comma=", ",
        pending="Em verificação",
        approved="Confirmado",
        paid="Pago",
        tiers={
            "royal_flush": "Sequência real",
            "straight_flush": "Sequência de cor",
            "four_of_a_kind": "Póquer",
            "full_house": "Full house",
            "flush": "Cor",
            "heavenly_straight": "Sequência celestial",
            "double_pair": "Dois pares",
            "three_of_a_kind": "Trio",
            "single_pair": "Par",
            "six_of_a_kind_one_colour": "Sexteto de uma cor",
            "six_of_a_kind": "Sexteto",
            "five_of_a_kind": "Quinteto",
            "double_three": "Duplo trio",
        },
    ),
    "en": Words(
        jackpot="Progressive jackpot",
        suspended="Suspended",
        table="Table",
        seat="Seat",
        seats="Seats",
        comma=", ",
        pending="Being verified",
        approved="Confirmed",
        paid="Paid",
        tiers={
            "royal_flush": "Royal flush",
            "straight_flush": "Straight flush",
            "four_of_a_kind": "Four of a kind",
            "full_house": "Full house",
            "flush": "Flush",
            "heavenly_straight": "Heavenly straight",
            "double_pair": "Double pair",
            "three_of_a_kind": "Three of a kind",
            "single_pair": "Single pair",
            "six_of_a_kind_one_colour": "Six of a kind, one colour",
            "six_of_a_kind": "Six of a kind",
            "five_of_a_kind": "Five of a kind",
            "double_three": "Double three of a kind",
        },
    ),
}


def places(view: HitView, language: Language) -> str:
    """Where the winners of a hit sit, as in Table T01 · Seats 1, 4; dots stand for those beyond `MAX_PLACES`."""
    words = WORDS[language]
    named: dict[str, list[str]] = {}
    for one in view.places[:MAX_PLACES]:
        named.setdefault(one.table, []).append(str(one.seat))
    texts = [
        f"{words.table} {table} · {words.seat if len(seats) == 1 else words.seats} {words.comma.join(seats)}"
        for table, seats in named.items()
    ]
    return "  ".join(texts) + ("..." if len(view.places) > MAX_PLACES else "")
