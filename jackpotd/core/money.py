"""Money as integers of atoms.

Laws
1. One atom is one millionth of the currency's minor unit. Text in, int inside, text out; no float, no Decimal.
2. A bet in minor units times a rate in parts per million is a whole number of atoms, so contributions never round.
3. Only prizes round: down, to the payout unit.
"""

from __future__ import annotations

import re
from typing import NewType

from jackpotd.core.errors import RuleError

Atoms = NewType("Atoms", int)
ZERO = Atoms(0)

ATOMS_PER_MINOR = 1_000_000
PPM = 1_000_000
# Nine places below the minor unit never occur; a longer text is a mistake, not money.
_AMOUNT = re.compile(r"(-?)(0|[1-9][0-9]{0,30})(?:\.([0-9]{1,12}))?", re.ASCII)
_RATE = re.compile(r"(0|[1-9][0-9]{0,2})(?:\.([0-9]{1,4}))?%", re.ASCII)


def parse_amount(text: str, exponent: int) -> Atoms:
    """Atoms of a decimal text such as "500000.00"; `exponent` is the currency's. RuleError on anything else."""
    match = _AMOUNT.fullmatch(text)
    if match is None:
        raise RuleError(f"{text!r} is not an amount; write it like 1234.50")
    sign, whole, fraction = match[1], match[2], match[3] or ""
    places = exponent + 6
    if len(fraction) > places and fraction[places:].strip("0"):
        raise RuleError(f"{text!r} has more decimals than money has")
    atoms = int(whole + fraction[:places].ljust(places, "0"))
    return Atoms(-atoms if sign else atoms)


def format_amount(atoms: int, exponent: int) -> str:
    """Decimal text with all the decimals needed, at least the minor unit's."""
    places = exponent + 6
    digits = str(abs(atoms)).rjust(places + 1, "0")
    whole, fraction = digits[:-places], digits[-places:]
    kept = fraction[:exponent] + fraction[exponent:].rstrip("0")
    sign = "-" if atoms < 0 else ""
    return f"{sign}{whole}.{kept}" if kept else f"{sign}{whole}"


def parse_rate(text: str) -> int:
    """Parts per million of a percentage such as "70%" or "0.5%"; at most 100%. RuleError on anything else."""
    match = _RATE.fullmatch(text)
    if match is None:
        raise RuleError(f"{text!r} is not a percentage; write it like 70% or 0.5%")
    ppm = int(match[1]) * 10_000 + int((match[2] or "").ljust(4, "0"))
    if ppm > PPM:
        raise RuleError(f"{text!r} is more than 100%")
    return ppm


def share_of(atoms: int, ppm: int) -> Atoms:
    """`ppm` of an amount, the part below one atom dropped; exact for bets, which are whole minor units (law 2)."""
    return Atoms(atoms * ppm // PPM)


def floor_to(atoms: int, unit_atoms: int) -> Atoms:
    """Round an amount that is not negative down to a multiple of `unit_atoms`."""
    return Atoms(atoms - atoms % unit_atoms)


def minor_units(atoms: int) -> int:
    """Whole minor units of an amount that is not negative, rounded down (MQTT)."""
    return atoms // ATOMS_PER_MINOR


def format_rate(rate_ppm: int) -> str:
    """A percentage with the decimals it needs: 700_000 is "70%", 5_000 is "0.5%"."""
    whole, fraction = divmod(rate_ppm, 10_000)
    decimals = str(fraction).rjust(4, "0").rstrip("0")
    return f"{whole}.{decimals}%" if decimals else f"{whole}%"
