"""What `jackpotd check` says of a pool: its money, its prizes by tier, its levels, and its readings in plain words.

Law: pure. A pool is told as its tables see it, so that a pool of several games names every tier of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from jackpotd.core.breaker import span
from jackpotd.core.money import format_amount, format_rate
from jackpotd.core.parameter_changes import prize_words
from jackpotd.core.parameters import BreakerParams, PoolParams, Rules, game_of
from jackpotd.daemon.config_readings import FIVE_OF_A_KIND_C, SHAPES, readings_of


def pool_json(pool: PoolParams, pools: Sequence[PoolParams]) -> dict[str, Any]:
    """One pool of `check --json`; among all, to say whose level it is."""

    def amount(atoms: int | None) -> str | None:
        return None if atoms is None else format_amount(atoms, pool.exponent)

    fed_by = {one.pool: format_rate(level.rate_ppm) for one in pools for level in one.levels if level.pool == pool.pool}
    return {
        "id": pool.pool,
        "rules": pool.rules_text(),
        "seed": amount(pool.seed_atoms),
        "bet": None if fed_by else amount(pool.bet_atoms),
        "contribution": None if fed_by else format_rate(pool.contribution_ppm),
        "reserve": format_rate(pool.reserve_ppm),
        "limit": amount(pool.limit_atoms),
        "payout_unit": amount(pool.payout_unit_atoms),
        "auto_pay_below": amount(pool.auto_pay_below_atoms),
        "two_person_above": amount(pool.two_person_above_atoms),
        "bare_two_person_above": amount(pool.bare_two_person_above_atoms),
        "hold_tables_on_hit": pool.hold_tables_on_hit,
        "breaker": _breaker(pool.breaker),
        "levels": {level.pool: format_rate(level.rate_ppm) for level in pool.levels},
        "fed_by": fed_by,
        "prizes": [one for rules in pool.all_rules() for one in _prizes(pool, rules, is_level=bool(fed_by))],
        "readings": list(_readings(pool, is_level=bool(fed_by))),
    }


def _breaker(breaker: BreakerParams | None) -> dict[str, Any] | None:
    return None if breaker is None else {"one_in": breaker.one_in, "window": span(breaker.window_ms)}


def _prizes(pool: PoolParams, rules: Rules, *, is_level: bool) -> Iterator[dict[str, str]]:
    """Every tier of these rules; of a level, whose table is its own, without the article of the dispatch."""
    game = game_of(rules)
    for prize in pool.of_game(game).prizes:
        named = {"game": game, "name": pool.prize_name(prize.tier, rules)} if pool.games else {}
        article = "a level's own" if is_level else SHAPES[rules][prize.tier].article
        yield {"tier": prize.tier, "prize": prize_words(prize, pool.exponent), "article": article, **named}


def _readings(pool: PoolParams, *, is_level: bool) -> Iterator[dict[str, str]]:
    """The pool's readings in force, option C's five of a kind among them; a level pays it or not like any tier."""
    chosen = [(reading, str(getattr(pool, reading.key))) for reading in readings_of(pool.all_rules())]
    if Rules.BACCARAT_C in pool.all_rules() and not is_level:
        five = "{ fixed = ... }" if pool.of_game("baccarat").prize(FIVE_OF_A_KIND_C.key).paid else "not paid"
        chosen.append((FIVE_OF_A_KIND_C, five))
    for reading, value in chosen:
        yield {"key": reading.key, "value": value, "meaning": reading.meanings[value], "article": reading.article}


def pool_lines(pool: dict[str, Any]) -> list[str]:
    """One pool of `check`, line by line, from its JSON."""
    return [
        f"pool {pool['id']}: {pool['rules']}",
        f"  seed {pool['seed']}, limit {pool['limit'] or 'none'}, prizes rounded down to {pool['payout_unit']}",
        *_money_lines(pool),
        f"  hits {', '.join(_approval_words(pool))}; closed by a hit: {pool['hold_tables_on_hit']}",
        f"  breaker: {_breaker_words(pool['breaker'])}",
        *(f"  {_tier(prize)}: {prize['prize']} ({prize['article']})" for prize in pool["prizes"]),
        *(
            f"  reading {reading['key']} = {reading['value']}: {reading['meaning']} ({reading['article']})"
            for reading in pool["readings"]
        ),
    ]


def _money_lines(pool: dict[str, Any]) -> list[str]:
    """Where its money comes from."""
    if pool["fed_by"]:
        return [
            f"  a level of {taker}: takes no bet of its own; of each bet on {taker} {rate} comes to this pool"
            f" and {pool['reserve']} to its reserve"
            for taker, rate in pool["fed_by"].items()
        ]
    levels = [
        f"  of it also {rate} to the level {level}, for which the seat plays too"
        for level, rate in pool["levels"].items()
    ]
    return [
        f"  bet {pool['bet']}, of it {pool['contribution']} to the pool and {pool['reserve']} to the reserve",
        *levels,
    ]


def _tier(prize: dict[str, str]) -> str:
    """A tier as the line begins with it: in a pool of several games with its game and the prize's name."""
    if "game" not in prize:
        return prize["tier"]
    wins = f" wins {prize['name']}" if prize["name"] else ""
    return f"{prize['game']}: {prize['tier']}{wins}"


def _breaker_words(breaker: dict[str, Any] | None) -> str:
    if breaker is None:
        return "off"
    return f"luck beyond 1 in {breaker['one_in']:,} within {breaker['window']} suspends the pool"


def _approval_words(pool: dict[str, Any]) -> list[str]:
    """Who approves a hit of which size."""
    at_once = pool["auto_pay_below"]
    words = [f"below {at_once} approved at once" if at_once else "of every size approved by hand"]
    if pool["two_person_above"]:
        words.append(f"above {pool['two_person_above']} by two persons")
    if pool["bare_two_person_above"]:
        words.append(f"from bare links above {pool['bare_two_person_above']} by two persons")
    return words
