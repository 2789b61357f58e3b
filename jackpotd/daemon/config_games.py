"""A pool that tables of several games feed: each game's tiers are mapped to prizes of the pool's own names.

Laws
1. Every tier that a dispatch pays has a prize of the shape that the dispatch gives it; none is left out in silence.
2. A prize that several tiers win may have a fixed amount for those of them whose dispatch knows one; the others are
   paid without it. Every prize is won by some tier.
3. A level pays beside the pool that takes the bet, which pays what the dispatches say: its table of prizes is free.
"""

from __future__ import annotations

from collections.abc import Iterator

from jackpotd.core.money import PPM, format_rate
from jackpotd.core.parameters import TIERS, Rules, game_of
from jackpotd.daemon.config_faults import IDENTIFIER, FaultList, join_key
from jackpotd.daemon.config_models import GameBlock, PoolBlock, PrizeBlock
from jackpotd.daemon.config_readings import OWN_PERCENTAGE, SHAPES, PrizeShape

NOT_PAID = "not paid"


def rules_of(pool: PoolBlock) -> tuple[Rules, ...]:
    """The rules that a pool pays by, as far as they could be read; one, or one a game."""
    if pool.rules is not None:
        return (pool.rules,)
    return tuple(block.rules for _, block in _games(pool) if block.rules is not None)


def games_of(pool: PoolBlock) -> frozenset[str]:
    """The games whose tables may feed the pool."""
    return frozenset(game_of(rules) for rules in rules_of(pool))


def prize_name(pool: PoolBlock, rules: Rules, tier: str) -> str:
    """The pool's name of the prize that a tier of these rules wins; "" where it wins none."""
    if pool.rules is not None:
        return tier
    name = next((block.tiers or {} for _, block in _games(pool) if block.rules is rules), {}).get(tier, NOT_PAID)
    return "" if name == NOT_PAID else name


def check_games(key: str, pool: PoolBlock, faults: FaultList, *, is_level: bool) -> None:
    """Every fault of a pool's `games`."""
    if not any(_games(pool)):
        faults.add(f"{key}.games", "name at least one game: stud or baccarat")
    for game, block in _games(pool):
        place = f"{key}.games.{game}"
        if block.rules is None:
            faults.add(f"{place}.rules", f"name the rules that {game} tables are judged by")
        elif game_of(block.rules) != game:
            faults.add(f"{place}.rules", f"these are no rules of {game}")
        elif block.tiers is None:
            faults.add(f"{place}.tiers", "name the prize that each tier wins")
        else:
            _check_mapping(f"{place}.tiers", pool, block, block.rules, faults, is_level=is_level)
    _check_named_prizes(key, pool, faults, is_level=is_level)


def _check_named_prizes(key: str, pool: PoolBlock, faults: FaultList, *, is_level: bool) -> None:
    """Every prize by itself, and that tiers win it (law 2)."""
    won = _won(pool)
    for name, prize in (pool.prizes or {}).items():
        place = join_key(f"{key}.prizes", name)
        if IDENTIFIER.fullmatch(name) is None:
            faults.add(place, "a prize has a name of 1 to 32 letters, digits, - or _")
        if isinstance(prize, str):
            faults.add(place, "name what it pays; a tier that wins nothing says so in the games' tiers")
        elif name not in won:
            faults.add(place, "no tier of any game wins it")
        elif prize.fixed_atoms is not None and won[name] and not (is_level or any(shape.fixed for shape in won[name])):
            faults.add(f"{place}.fixed", "no tier that wins it has a fixed amount; remove it", won[name][0].article)
        else:
            check_free_prize(place, prize, pool, faults)


def _won(pool: PoolBlock) -> dict[str, list[PrizeShape]]:
    """The prizes that tiers win, with the shapes of those whose rules are known."""
    won: dict[str, list[PrizeShape]] = {}
    for _, block in _games(pool):
        shapes = SHAPES[block.rules] if block.rules is not None else {}
        for tier, name in (block.tiers or {}).items():
            won.setdefault(name, []).extend([shapes[tier]] if tier in shapes else [])
    return won


def _games(pool: PoolBlock) -> Iterator[tuple[str, GameBlock]]:
    """The games that the pool has, each by its name."""
    if pool.games is not None:
        found = (("stud", pool.games.stud), ("baccarat", pool.games.baccarat))
        yield from ((game, block) for game, block in found if block is not None)


def _check_mapping(
    place: str, pool: PoolBlock, block: GameBlock, rules: Rules, faults: FaultList, *, is_level: bool
) -> None:
    """Every tier of the rules against the prize that it wins."""
    tiers, prizes = block.tiers or {}, pool.prizes or {}
    for tier, shape in SHAPES[rules].items():
        at = f"{place}.{tier}"
        name = tiers.get(tier)
        if name is None or name == NOT_PAID:
            if not is_level and (name is None or not shape.may_be_unpaid):
                faults.add(at, f"name the prize that it wins, one of {', '.join(prizes) or 'none'}", shape.article)
        elif name not in prizes and pool.prizes is not None:
            faults.add(at, f"there is no prize {name} in this pool; it has {', '.join(prizes) or 'none'}")
        elif name in prizes and not is_level:
            _check_shape(at, prizes[name], shape, faults)
    for tier in (tier for tier in tiers if tier not in TIERS[rules]):
        faults.add(join_key(place, tier), f"rules {rules} have no such tier; theirs are {', '.join(TIERS[rules])}")


def _check_shape(at: str, prize: PrizeBlock | str, shape: PrizeShape, faults: FaultList) -> None:
    """Whether a prize is what the dispatch gives this tier (law 1)."""
    if isinstance(prize, str):
        return  # a fault of the prize
    share_ppm = prize.share_ppm
    own = shape.share_ppm == OWN_PERCENTAGE and share_ppm is not None and 0 < share_ppm < PPM
    if not (own or share_ppm == shape.share_ppm) or (shape.fixed and prize.fixed_atoms is None):
        faults.add(at, f"this tier is paid {wanted(shape)}, which that prize is not", shape.article)


def check_free_prize(place: str, prize: PrizeBlock | str, pool: PoolBlock, faults: FaultList) -> None:
    """A prize whose shape no dispatch gives: any share of the pool, any fixed amount, or the greater of both."""
    if isinstance(prize, str):
        return
    if prize.share_ppm is None and prize.fixed_atoms is None:
        faults.add(place, "name a share of the pool, a fixed amount, or both")
    if prize.share_ppm == 0:
        faults.add(f"{place}.share", "must be above 0%")
    check_fixed(place, prize, pool, faults)


def check_fixed(place: str, prize: PrizeBlock, pool: PoolBlock, faults: FaultList) -> None:
    """A fixed amount is more than nothing and whole payout units."""
    if prize.fixed_atoms == 0:
        faults.add(f"{place}.fixed", "must be more than nothing")
    elif prize.fixed_atoms is not None and pool.payout_unit_atoms and prize.fixed_atoms % pool.payout_unit_atoms:
        faults.add(f"{place}.fixed", "a fixed prize is a multiple of the pool's payout_unit")


def wanted(shape: PrizeShape) -> str:
    """How a prize of this shape is written."""
    parts = []
    if shape.share_ppm == OWN_PERCENTAGE:
        parts.append("share = a percentage of your choice")
    elif shape.share_ppm is not None:
        parts.append(f'share = "{format_rate(shape.share_ppm)}"')
    if shape.fixed:
        parts.append("fixed = an amount")
    return "{ " + ", ".join(parts) + " }"
