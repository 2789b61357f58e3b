"""A pool's parameters in the words of its configuration, and what differs between two sets of them.

Law: every parameter is named; one without words of its own is shown as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from jackpotd.core.money import format_amount, format_rate
from jackpotd.core.parameters import PoolParams, TierPrize, game_of

NONE = "none"


@dataclass(frozen=True, slots=True)
class ParameterChange:
    """One parameter, as it was and as it becomes."""

    name: str
    old: str
    new: str


def changes_between(old: PoolParams, new: PoolParams) -> tuple[ParameterChange, ...]:
    """What differs, in the order of the parameters."""
    was, becomes = parameter_words(old), parameter_words(new)
    return tuple(
        ParameterChange(name, was.get(name, NONE), becomes.get(name, NONE))
        for name in dict.fromkeys((*was, *becomes))
        if was.get(name) != becomes.get(name)
    )


def changes_text(changes: Iterable[ParameterChange]) -> str:
    """Changes on one line."""
    return ", ".join(f"{change.name} {change.old} -> {change.new}" for change in changes)


def parameter_words(params: PoolParams) -> dict[str, str]:
    """Every parameter by its key in the file: amounts, rates and prizes as people write them."""
    words: dict[str, str] = {}
    for field in fields(params):
        value = getattr(params, field.name)
        if field.name == "prizes":
            words |= {f"prizes.{prize.tier}": prize_words(prize, params.exponent) for prize in value}
        elif field.name == "games":
            words |= _games(params)
        elif field.name == "breaker":
            words[field.name] = "off" if value is None else f"1 in {value.one_in} within {value.window_ms} ms"
        elif field.name == "levels":
            words |= {f"levels.{level.pool}": format_rate(level.rate_ppm) for level in value}
        else:
            name, text = _word(field.name, value, params.exponent)
            words[name] = text
    return words


def _games(params: PoolParams) -> dict[str, str]:
    """The rules of each game that feeds the pool, and what each of its tiers wins."""
    words: dict[str, str] = {}
    for tiers in params.games:
        game = f"games.{game_of(tiers.rules)}"
        words[f"{game}.rules"] = tiers.rules.value
        for mapped in tiers.tiers:
            prize = f"{mapped.prize}, {prize_words(mapped.pays, params.exponent)}" if mapped.prize else NONE
            words[f"{game}.{mapped.pays.tier}"] = prize
    return words


def _word(name: str, value: object, exponent: int) -> tuple[str, str]:
    """The key and the text of a parameter: the unit at the end of its name says which."""
    key, _, unit = name.rpartition("_")
    if unit not in ("atoms", "ppm", "ms"):
        return name, NONE if value is None else str(value)
    if not isinstance(value, int):
        return key, NONE
    return key, {"atoms": format_amount(value, exponent), "ppm": format_rate(value), "ms": f"{value} ms"}[unit]


def prize_words(prize: TierPrize, exponent: int) -> str:
    """What a tier pays."""
    fixed, share = format_amount(prize.fixed_atoms, exponent), f"{format_rate(prize.share_ppm)} of the pool"
    if not prize.paid:
        return "nothing is paid"
    if prize.share_ppm and prize.fixed_atoms:
        return f"the greater of {fixed} and {share}"
    return share if prize.share_ppm else fixed
