"""What a table must say of its game, its seats and how it deals (61/2004 2, 7 and 9; 2/2009 13 and 18)."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.drivers import TABLE_BUS
from jackpotd.daemon.config_faults import FaultList, block_key
from jackpotd.daemon.config_games import games_of
from jackpotd.daemon.config_levels import takers_of
from jackpotd.daemon.config_models import DeviceBlock, PoolBlock, TableBlock

CLAIMS = "claims"
# Eight positions, the dealer's one of them (61/2004 2).
MAX_STUD_SEATS = 7
# The largest baccarat tables number their seats to 15.
MAX_BACCARAT_SEATS = 15
# A panel has progressive places 0, 8 and 9: a table's first, second and third pool (devices.md).
MAX_POOLS_OF_TABLE = 3
# The shoe holds at most eight packs.
MAX_DECKS = 8
# Between these the house sets the royal flush's odds (61/2004 9(5)(9)).
MIN_ROYAL_ODDS, MAX_ROYAL_ODDS = 50, 100


def check_tables(tables: list[TableBlock], pools: list[PoolBlock], faults: FaultList) -> None:
    """Every fault of every table by itself and against the pools."""
    if not tables:
        faults.add("table", "a controller without a table has nothing to do")
    offers = Offers.of(pools)
    seen: set[str] = set()
    for number, table in enumerate(tables, start=1):
        key = block_key("table", number, table.id)
        if table.id is None:
            faults.add(f"{key}.id", "every table has an id")
        elif table.id in seen:
            faults.add(f"{key}.id", "another table has this id")
        else:
            seen.add(table.id)
        game = _check_pools_of(key, table, offers, faults)
        _check_seats(key, table, game, faults)
        if game == "stud":
            _check_stud(key, table, faults)
        elif game == "baccarat":
            _check_baccarat(key, table, faults)
        _check_deal(key, table, game, faults)
        _check_lock(key, table, faults)


@dataclass(frozen=True, slots=True)
class Offers:
    """What tables may offer: by pool the games that may feed it (none where they could not be read) and its levels."""

    games: dict[str | None, frozenset[str]]
    levels: dict[str | None, frozenset[str]]
    takers: dict[str, list[str]]

    @classmethod
    def of(cls, pools: list[PoolBlock]) -> Offers:
        """From the pools' blocks; of two with one id the first counts."""
        return cls(
            {pool.id: games_of(pool) for pool in reversed(pools)},
            {pool.id: frozenset(pool.levels or ()) for pool in reversed(pools)},
            takers_of(pools),
        )


def game_of_table(table: TableBlock, offers: Offers) -> str | None:
    """The table's game: the one it names, or the only one that its pools know; None while there are several or none."""
    games = {game for pool in table.pools or () for game in offers.games.get(pool, ())}
    return table.game or (games.pop() if len(games) == 1 else None)


def _check_pools_of(key: str, table: TableBlock, offers: Offers, faults: FaultList) -> str | None:
    place = f"{key}.pools"
    if table.pools is None:
        faults.add(place, "name the pools that the table feeds")
        return table.game
    if len(table.pools) > MAX_POOLS_OF_TABLE:
        faults.add(place, f"a table has places for {MAX_POOLS_OF_TABLE} progressive bets")
    if len(set(table.pools)) < len(table.pools):
        faults.add(place, "a pool is named twice")
    pools_known = bool(offers.games) and None not in offers.games
    for pool in table.pools:
        if pools_known and pool not in offers.games:
            faults.add(place, f"there is no pool {pool}")
        if pool in offers.takers:
            reason = f"{pool} is a level of {', '.join(offers.takers[pool])} and has no place of its own: name that"
            faults.add(place, reason)
    _check_levels_once(place, table.pools, offers, faults)
    _check_game(key, table, offers, faults)
    return game_of_table(table, offers)


def _check_levels_once(place: str, pools: list[str], offers: Offers, faults: FaultList) -> None:
    """A seat plays for a level once."""
    for level in offers.takers:
        feeding = [pool for pool in dict.fromkeys(pools) if level in offers.levels.get(pool, ())]
        if len(feeding) > 1:
            faults.add(place, f"{' and '.join(feeding)} both feed level {level}: a seat would play for it twice")


def _check_game(key: str, table: TableBlock, offers: Offers, faults: FaultList) -> None:
    """Every pool of the table knows its game; one that knows several leaves the table to name it."""
    known = {pool: games for pool in table.pools or () if (games := offers.games.get(pool))}
    if table.game is not None:
        for pool, games in known.items():
            if table.game not in games:
                faults.add(f"{key}.game", f"pool {pool} is not for {table.game}, but for {' and '.join(sorted(games))}")
    elif any(len(games) > 1 for games in known.values()):
        several = next(pool for pool, games in known.items() if len(games) > 1)
        faults.add(f"{key}.game", f'pool {several} is fed by several games: name this table\'s, "stud" or "baccarat"')
    elif len(set(known.values())) > 1:
        faults.add(f"{key}.pools", "a table plays one game: these pools are of stud and of baccarat")


def _check_seats(key: str, table: TableBlock, game: str | None, faults: FaultList) -> None:
    most = MAX_STUD_SEATS if game == "stud" else MAX_BACCARAT_SEATS
    article = "61/2004 2" if game == "stud" else None
    if table.seats is None:
        faults.add(f"{key}.seats", f"name the number of seats, 1 to {most}", article)
    elif not 1 <= table.seats <= most:
        faults.add(f"{key}.seats", f"must be 1 to {most}", article)


def _check_stud(key: str, table: TableBlock, faults: FaultList) -> None:
    odds = table.royal_raise_odds
    reason = f"the house sets the royal flush's odds, {MIN_ROYAL_ODDS} to {MAX_ROYAL_ODDS}"
    if odds is None:
        faults.add(f"{key}.royal_raise_odds", f"name them: {reason}", "61/2004 9(5)(9)")
    elif not MIN_ROYAL_ODDS <= odds <= MAX_ROYAL_ODDS:
        faults.add(f"{key}.royal_raise_odds", reason, "61/2004 9(5)(9)")
    if table.max_payout_atoms == 0:
        faults.add(f"{key}.max_payout", "must be more than nothing", "61/2004 9(5)")
    for name, value in (("decks", table.decks), ("commission", table.commission)):
        if value is not None:
            faults.add(f"{key}.{name}", "stud has no such setting; remove it")


def _check_baccarat(key: str, table: TableBlock, faults: FaultList) -> None:
    if table.decks is None:
        faults.add(f"{key}.decks", f"name the number of packs in the shoe, 1 to {MAX_DECKS}")
    elif not 1 <= table.decks <= MAX_DECKS:
        faults.add(f"{key}.decks", f"must be 1 to {MAX_DECKS}")
    if table.commission is None:
        faults.add(f"{key}.commission", "name five_percent, six_pays_half or dragon7_push", "2/2009 18")
    for name, value in (("royal_raise_odds", table.royal_raise_odds), ("max_payout", table.max_payout_atoms)):
        if value is not None:
            faults.add(f"{key}.{name}", "baccarat has no such setting; remove it")


def _check_deal(key: str, table: TableBlock, game: str | None, faults: FaultList) -> None:
    place = f"{key}.deal"
    if table.deal is None:
        faults.add(place, "name what the cards come from, in order of preference: shoe, shuffler or claims")
        return
    if len(set(table.deal)) < len(table.deal):
        faults.add(place, "a way to deal is named twice")
    names = {device.name for device in table.device}
    for way in table.deal:
        if way != CLAIMS and way not in names and None not in names:
            faults.add(place, f"the table has no device named {way}")
    if game == "baccarat" and "shuffler" in table.deal:
        faults.add(place, "baccarat is dealt from a shoe")
    if CLAIMS in table.deal:
        if table.deal[-1] != CLAIMS:
            faults.add(place, "claims is the last resort: name it last")
        if not any(_may_claim(device) for device in table.device):
            faults.add(place, "claims need a keypad on the table bus that has a key")


def _may_claim(device: DeviceBlock) -> bool:
    """A keyed device of the table bus, or one whose driver could not be read, which is a fault already."""
    return device.driver is None or (device.driver == TABLE_BUS and bool(device.key or device.key_file))


def _check_lock(key: str, table: TableBlock, faults: FaultList) -> None:
    may_lock = any(device.driver in {TABLE_BUS, None} for device in table.device)
    if not may_lock and not table.advisory_lock:
        reason = "no device of this table can lock bets out; write advisory_lock = true to play it all the same"
        faults.add(f"{key}.advisory_lock", reason)
