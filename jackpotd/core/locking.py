"""Locking the bets of a round (design 7): by the dealer's key or the first card, whichever comes first.

Laws
1. No bet made or taken back after the lock counts, by the device's own time, whichever of the two is heard first. One
   whose time nobody knows counts, and holds the round, unless it was heard before the lock was made.
2. The round locks when every bet device has said that it has nothing new; what is said meanwhile waits its turn.
3. An accepted progressive bet contributes now, once. A carried bet takes part and contributes nothing (61/2004 11(1)).
"""

from __future__ import annotations

from collections.abc import Sequence

from jackpotd.core import entries as e
from jackpotd.core.book import Book
from jackpotd.core.closing import closed_by_rule
from jackpotd.core.feeding import contribution_postings, is_overdrawn, pools_in_play
from jackpotd.core.holding import hold
from jackpotd.core.parameters import DeviceParams
from jackpotd.core.postings import Posting
from jackpotd.core.said import Said
from jackpotd.core.state import BET_DEVICE_KINDS, KEPT_MOVES, UNKNOWN_MS, Device, Phase, Pool, State, Table

MAIN_BETS = {"stud": ("ante",), "baccarat": ("player", "banker", "tie")}
# The shell waits this long for bet devices: a silent one is lost after three missed polls anyway, a busy one is not.
LOCK_TIMEOUT_MS = 5_000


def progressive(pool: str) -> str:
    """The bet on a pool, as recorded at a table."""
    return f"progressive:{pool}"


def decides_who_plays(table: Table, bet: str) -> bool:
    """Whether a bet has a part in who plays for a pool (61/2004 10(1), 2/2009 13(3))."""
    return bet.startswith("progressive:") or bet in MAIN_BETS[table.params.game]


def is_bare_deal(table: Table) -> bool:
    """Whether the dealing device cannot say again what was missed."""
    device = dealing_device(table)
    return device is not None and device.grade != "journaled"


def dealing_device(table: Table) -> DeviceParams | None:
    """The device that deals now; None at a table without card reading."""
    return next((device for device in table.params.devices if device.name == table.deals), None)


def begin_lock(
    book: Book, table: Table, cause: str, lock_ms: int, doubt: str = "", heard_out: str | None = None
) -> None:
    """Close the bets as they were at lock_ms, and hear every bet device out. An earlier lock may follow a later one.

    A device that was in step before the controller stopped is waited for too: its journal has what it saw.
    `heard_out`: the device that said the lock in the order of its journal has said all that came before it.
    """
    if table.phase is Phase.LOCKING:
        waiting = tuple(table.waiting)
    else:
        waiting = tuple(
            name
            for name, device in table.placed_devices()
            if device.kind in BET_DEVICE_KINDS and (device.online or device.awaited) and name != heard_out
        )
    doubt = table.lock_doubt or doubt or ("bets_unsure" if _is_unsure(book, table, lock_ms) else "")
    _take_back_later_moves(book, table, lock_ms)
    book.write(e.LockBegan(book.at_ms, table.params.table, lock_ms, cause, waiting, doubt))


def _is_unsure(book: Book, table: Table, lock_ms: int) -> bool:
    """Whether the bets of that moment are not known: too many moves since, or one that nobody knows the time of."""
    moves = table.moves
    if len(moves) == KEPT_MOVES and (moves[0].said_ms or moves[0].at_ms) > lock_ms:
        return True
    unknown = [move for move in moves if move.said_ms == UNKNOWN_MS and decides_who_plays(table, move.bet)]
    return any(lock_ms < move.at_ms <= book.at_ms for move in unknown)


def _take_back_later_moves(book: Book, table: Table, lock_ms: int) -> None:
    """Undo what was moved after the lock but heard before it. A clock that jumped back proves nothing, of no move."""
    if any(move.at_ms > book.at_ms for move in table.moves):
        return
    for move in reversed(tuple(table.moves)):
        there = move.bet in table.bets.get(move.seat, ())
        if move.said_ms > lock_ms and there is move.on:
            name = table.params.table
            book.write(e.BetRecorded(book.at_ms, name, move.seat, move.bet, on=not move.on, said_ms=lock_ms))


def defer(book: Book, table: Table, said: Said) -> None:
    """Keep a word until the round is locked."""
    name = table.params.table
    book.write(e.WordDeferred(book.at_ms, name, said.device, said.word, said.said_ms, said.stale))


def lock_round(book: Book, table: Table) -> None:
    """Accept the bets, let them contribute, and hold the round if something is known against it."""
    contributions: list[e.Contribution] = []
    postings: list[Posting] = []
    levels: dict[str, tuple[str, ...]] = {}
    for pool in book.pools_of(table):
        taken = _taken(book.state, table, pool)
        contributions.append(taken)
        postings += contribution_postings(book.state, pool, len(taken.seats), postings)
        for level in pool.params.levels:
            levels[level.pool] = (*levels.get(level.pool, ()), taken.pool)
    bets = {seat: tuple(placed) for seat, placed in sorted(table.bets.items())}
    book.unheard[:0] = [(table, Said(kept.device, kept.word, kept.said_ms, kept.stale)) for kept in table.deferred]
    book.write(
        e.RoundLocked(book.at_ms, table.params.table, table.round, bets, tuple(contributions), levels, tuple(postings))
    )
    if table.lock_doubt:
        hold(book, table, table.lock_doubt)
    _hold_what_cannot_be_counted(book, table)


def _hold_what_cannot_be_counted(book: Book, table: Table) -> None:
    lost = [name for name, device in table.devices_in_use() if not (device.online or _is_trusted(device))]
    faults = [f"{name}: {device.fault}" for name, device in table.devices_in_use() if device.fault]
    suspended = [pool.params.pool for pool in pools_in_play(book.state, table) if pool.suspended]
    if lost:
        hold(book, table, lost_code(table, lost), ", ".join(lost))
    elif faults:
        hold(book, table, "device_fault", ", ".join(faults))
    elif suspended:
        hold(book, table, "pool_suspended", ", ".join(suspended))


def _is_trusted(device: Device) -> bool:
    """Whether a device that is not reached yet since the start has all it saw in its journal."""
    return device.awaited and device.params.grade == "journaled"


def lost_code(table: Table, lost: Sequence[str]) -> str:
    """Why a table that has lost these devices is held: cards are missed only by what deals and keeps no journal."""
    device = dealing_device(table)
    unheard = device is not None and device.grade != "journaled" and device.name in lost
    return "deal_lost" if unheard else "device_lost"


def _taken(state: State, table: Table, pool: Pool) -> e.Contribution:
    """Who takes part: seats with a main bet and a progressive or carried bet (61/2004 10(1), 2/2009 13(3)).

    A pool that is stopped takes no new bet; neither does one whose level is, for its part could go nowhere, nor one
    whose parts in force are more than the bet. Of a pool that has no rules for this game carried bets wait.
    """
    name = pool.params.pool
    feeds = (pool, *(state.pools[level.pool] for level in pool.params.levels))
    if not all(fed.params.knows(table.params.game) for fed in feeds):
        return e.Contribution(name, (), ())
    main = set(table.seats_with(*MAIN_BETS[table.params.game]))
    carried = {seat for seat, pools in table.carried.items() if name in pools}
    placed = set(table.seats_with(progressive(name))) & main
    if is_overdrawn(state, pool) or any(fed.is_stopped for fed in feeds):
        placed = set()
    return e.Contribution(name, tuple(sorted(placed - carried)), tuple(sorted(carried & main)))


def takes_bet(state: State, table: Table, bet: str) -> bool:
    """Whether a bet placed now can count; a progressive closed by the house or a hit takes none (law 8)."""
    return not bet.startswith("progressive:") or not closed_by_rule(state, table)
