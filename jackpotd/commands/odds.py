"""`jackpotd odds`: what a pool's prizes are worth, exactly, from the configuration alone.

Laws
1. Chances are printed as the fractions that they are; what is rounded for reading is rounded half up and says so.
2. It computes with the rules that judge rounds, and touches neither ledger nor daemon.
"""

from __future__ import annotations

import argparse
import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from jackpotd.commands.common import DONE, USAGE, add_config
from jackpotd.commands.tables import lines
from jackpotd.core.breaker import TRIALS, span
from jackpotd.core.errors import RuleError
from jackpotd.core.limits import HIT, Limits, least
from jackpotd.core.money import ATOMS_PER_MINOR, format_amount, parse_amount
from jackpotd.core.parameters import PoolParams
from jackpotd.daemon.config import Config, ConfigError, load
from jackpotd.odds.breaker import limits
from jackpotd.odds.returns import GameOdds, pool_odds

# A quiet day of a table, a day of a house, a week of a link: what its breaker lets pass is shown for these.
SHOWN_TRIALS = (1_000, 100_000, 1_000_000)
_EXAMPLES = """\
A chance is of one bet at stud, of one round at baccarat, where all who bet share the prize.
examples:
  jackpotd odds --config jackpotd.toml
  jackpotd odds --pool stud-main --meter 1234567.80
  jackpotd odds --pool bac-b --json
"""
_HEAD = ("TIER", "CHANCE", "1 IN", "PRIZE", "ON AVERAGE")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `odds`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EXAMPLES
    parser.add_argument("--pool", metavar="ID", help="this pool alone")
    parser.add_argument("--meter", metavar="AMOUNT", help="what the pool holds; its seed if absent")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_config(parser)


def call(args: argparse.Namespace) -> int:
    """Print the odds; exit 2 if the configuration, the pool or the amount is wrong."""
    try:
        config = load(Path(args.config))
        found = [_pool(config, pool, args.meter) for pool in _chosen(config, args.pool)]
    except (ConfigError, RuleError) as error:
        print(error, file=sys.stderr)
        return USAGE
    if args.json:
        print(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        print("\n\n".join("\n".join(_lines(pool)) for pool in found))
    return DONE


def _chosen(config: Config, pool: str | None) -> list[PoolParams]:
    chosen = [params for params in config.pools if pool in (None, params.pool)]
    if not chosen:
        raise RuleError(f"there is no pool {pool}; there are {', '.join(params.pool for params in config.pools)}")
    return chosen


def _pool(config: Config, params: PoolParams, meter: str | None) -> dict[str, Any]:
    meter_atoms = params.seed_atoms if meter is None else parse_amount(meter, params.exponent)
    if meter_atoms < 0 or meter_atoms % ATOMS_PER_MINOR:
        raise RuleError(f"{meter} is no meter: it is not negative, and of whole minor units")
    games = pool_odds(params, config.pools, config.tables, meter_atoms)
    breaker = params.breaker
    return {
        "pool": params.pool,
        "currency": params.currency,
        "meter": format_amount(meter_atoms, params.exponent),
        "games": [_game(params, game) for game in games],
        "breaker": None if breaker is None else _breaker(limits(params), breaker.one_in, span(breaker.window_ms)),
    }


def _game(params: PoolParams, odds: GameOdds) -> dict[str, Any]:
    exponent = params.exponent
    return {
        "game": odds.game,
        "rules": params.of_game(odds.game).sole_rules.value,
        "decks": odds.decks,
        "tables": list(odds.tables),
        "of_each": "bet" if odds.game == "stud" else "round",
        "bet": format_amount(odds.taker.bet_atoms, exponent),
        "bet_on": odds.taker.pool,
        "to_pool": format_amount(odds.to_pool_atoms, exponent),
        "tiers": [
            {
                "tier": one.tier,
                "prize": one.prize,
                "chance": _fraction(one.chance),
                "one_in": _one_in(one.chance),
                "amount": format_amount(one.prize_atoms, exponent) if one.pays.paid else None,
                "average": _money(one.mean_atoms, exponent),
            }
            for one in odds.tiers
        ],
        "any_prize": {"chance": _fraction(odds.any_prize), "one_in": _one_in(odds.any_prize)},
        "average": _money(odds.mean_atoms, exponent),
        "returns": [
            {
                "bettors": bettors,
                "part_of_bet": _percent(odds.returned(bettors)),
                "break_even_meter": _even(odds.break_even_atoms(bettors), exponent),
            }
            for bettors in odds.bettors()
        ],
    }


def _breaker(computed: Limits, one_in: int, window: str) -> dict[str, Any]:
    """What the breaker lets pass when each game alone is played."""
    return {
        "one_in": one_in,
        "window": window,
        "credible_hits": [
            {
                "game": tier.game,
                "tier": tier.tier,
                "at_most": {str(trials): (least(tier.lines, [trials]) - 1) // HIT for trials in SHOWN_TRIALS},
            }
            for tier in computed.tiers
        ],
    }


# ---- numbers for reading, rounded half up


def _fraction(chance: Fraction) -> str:
    return f"{chance.numerator}/{chance.denominator}"


def _rounded(value: Fraction, places: int) -> str:
    scaled = (value * 10**places * 2 + 1) // 2
    whole, rest = divmod(scaled, 10**places)
    return f"{whole}.{rest:0{places}}"


def _one_in(chance: Fraction) -> str | None:
    return _rounded(1 / chance, 2) if chance else None


def _percent(part: Fraction) -> str:
    return f"{_rounded(part * 100, 2)}%"


def _money(atoms: Fraction, exponent: int) -> str:
    """An average, to a hundredth of the minor unit."""
    return _rounded(atoms / (ATOMS_PER_MINOR * 10**exponent), exponent + 2)


def _even(atoms: Fraction | None, exponent: int) -> str | None:
    return None if atoms is None else _rounded(atoms / (ATOMS_PER_MINOR * 10**exponent), max(exponent, 1))


# ---- lines for people


def _lines(pool: dict[str, Any]) -> list[str]:
    found = [f"pool {pool['pool']} at a meter of {pool['meter']} {pool['currency']}"]
    for game in pool["games"]:
        found += _game_lines(game)
    if not pool["games"]:
        found.append("  no table feeds it")
    return found + _breaker_lines(pool["breaker"])


def _game_lines(game: dict[str, Any]) -> list[str]:
    packs = "" if game["game"] == "stud" else f", {game['decks']} packs"
    rows = [
        (
            one["tier"] if one["tier"] == one["prize"] else f"{one['tier']} ({one['prize'] or 'no prize'})",
            one["chance"],
            one["one_in"] or "never",
            one["amount"] or "not paid",
            one["average"],
        )
        for one in game["tiers"]
    ]
    prize = game["any_prize"]
    rows.append(("any prize", prize["chance"], prize["one_in"] or "never", "", game["average"]))
    each = game["of_each"]
    return [
        f"  {game['rules']}, {', '.join(game['tables'])}{packs}: of one {each}",
        *(f"    {line}" for line in lines(_HEAD, rows, right=("CHANCE", "1 IN", "PRIZE", "ON AVERAGE"))),
        f"    a bet of {game['bet']} on {game['bet_on']} gives the pool {game['to_pool']}",
        f"    a {each} pays {game['average']} on average",
        *(f"    {_return_words(game, one)}" for one in game["returns"]),
    ]


def _return_words(game: dict[str, Any], one: dict[str, Any]) -> str:
    who = "a bet"
    if game["game"] != "stud":
        who = "one bettor alone" if one["bettors"] == 1 else f"each of {one['bettors']} bettors"
    even = one["break_even_meter"]
    words = f"at least all of it from a meter of {even}" if even else "never all of it, whatever the meter"
    if even is not None and not even.strip("0."):
        words = "more than it costs, whatever the meter"
    return f"{who} gets back {one['part_of_bet']} of it on average; {words}"


def _breaker_lines(breaker: dict[str, Any] | None) -> list[str]:
    if breaker is None:
        return ["  breaker off"]
    heads = [f"{trials:,}" for trials in SHOWN_TRIALS]
    rows = [
        (f"{one['tier']}, {TRIALS[one['game']][1]}", *(str(most) for most in one["at_most"].values()))
        for one in breaker["credible_hits"]
    ]
    return [
        f"  breaker: more hits in {breaker['window']} than here happen once in {breaker['one_in']:,} at most",
        *(f"    {line}" for line in lines(("OF", *heads), rows, right=heads)),
    ]
