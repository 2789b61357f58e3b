"""The controller, its configuration, the gaming day and the tables' opening (design 5 and 7)."""

from __future__ import annotations

from typing import assert_never

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.alarms import DEVICE_ALARMS
from jackpotd.core.book import Book
from jackpotd.core.doubt import doubt
from jackpotd.core.errors import RuleError
from jackpotd.core.feeding import fed_pools
from jackpotd.core.holding import released
from jackpotd.core.locking import begin_lock, is_bare_deal
from jackpotd.core.money import Atoms
from jackpotd.core.parameters import PoolParams, TableParams
from jackpotd.core.postings import Posting
from jackpotd.core.roles import ROLES
from jackpotd.core.shoe import forget_shoe
from jackpotd.core.staging import parameters_read
from jackpotd.core.state import UNDECIDED, Phase, Table
from jackpotd.core.supervising import table_of
from jackpotd.core.suspending import suspend
from jackpotd.core.wall_clock import day_began, day_ends

# A gaming day is a day; one closed sooner than half of it was closed by mistake, unless its number is said.
SHORTEST_DAY_MS = 12 * 60 * 60 * 1_000


def controller_started(book: Book, word: f.ControllerStarted) -> None:
    """A controller leads: a new epoch; what a shoe may have dealt unseen holds (design 7)."""
    epoch = max(book.state.epoch + 1, word.unix_s)
    book.write(e.EpochBegan(book.at_ms, epoch, word.version, word.config_hash, word.package_hash))
    for _, table in sorted(book.state.tables.items()):
        if is_bare_deal(table):
            _resume(book, table)


def _resume(book: Book, table: Table) -> None:
    """A table whose shoe cannot say again what it dealt while nobody listened."""
    match table.phase:
        case Phase.OPEN | Phase.DEALT:
            pass
        case Phase.LOCKING:
            begin_lock(book, table, "controller started", table.lock_ms, "controller_restarted")
        case Phase.LOCKED | Phase.DEALING | Phase.HELD:
            doubt(book, table, "controller_restarted")
        case _ as never:
            assert_never(never)


def site_configured(book: Book, word: f.SiteConfigured) -> None:
    """Open new pools at their seed, set tables, and say what differs from the parameters in force (design 5)."""
    for params in word.pools:
        _pool(book, params)
    for name in sorted(book.state.pools.keys() - {params.pool for params in word.pools}):
        _pool_gone(book, name)
    for table in word.tables:
        _table(book, table)
    for name in sorted(book.state.tables.keys() - {table.table for table in word.tables}):
        book.alarm("table_missing", name, f"table {name} is not in the configuration", name)


def _pool(book: Book, params: PoolParams) -> None:
    name = params.pool
    book.clear("pool_missing", name)
    live = book.state.pools.get(name)
    if live is None:
        seed = params.seed_atoms
        postings = (Posting(f"house:{name}", Atoms(-seed)), Posting(f"pool:{name}", seed))
        book.write(e.PoolOpened(book.at_ms, params, postings))
    elif live.retired_ms:
        book.alarm("pool_retired", name, f"pool {name} is retired, and the file still has it")
    else:
        parameters_read(book, params)


def _pool_gone(book: Book, name: str) -> None:
    """The file has a pool no more: right for a retired one."""
    book.clear("pool_retired", name)
    if not book.state.pools[name].retired_ms:
        book.alarm("pool_missing", name, f"live pool {name} is not in the configuration")


def _table(book: Book, params: TableParams) -> None:
    name = params.table
    book.clear("table_missing", name)
    table = book.state.tables.get(name)
    if table is None or (table.params != params and table.phase is Phase.OPEN and not table.bets):
        if table is not None:
            _forget_devices(book, table, params)
            forget_shoe(book, table, "the table's settings changed")
        book.write(e.TableSet(book.at_ms, params))
        book.clear("table_busy", name)
    elif table.params != params:
        book.alarm("table_busy", name, f"the settings of table {name} differ, but a round is in play", name)
    else:
        book.clear("table_busy", name)


def _forget_devices(book: Book, table: Table, params: TableParams) -> None:
    """A device that is configured no more alarms nobody."""
    for device in sorted(table.devices.keys() - {kept.name for kept in params.devices}):
        for code in DEVICE_ALARMS:
            book.clear_device(code, table, device)


def chain_broken(book: Book, word: f.ChainBroken) -> None:
    """The ledger's past does not verify: every pool is suspended and every round held until people have looked."""
    for _, pool in sorted(book.state.pools.items()):
        suspend(book, pool, f"the ledger's chain breaks at row {word.row}", word.why)
    for _, table in sorted(book.state.tables.items()):
        if table.phase is not Phase.OPEN:
            doubt(book, table, "pool_suspended", ", ".join(table.params.pools))


def storage_said(book: Book, word: f.StorageSaid) -> None:
    """A disk that fills up closes the progressive before it is full, so that rounds in play can end (law 8)."""
    if word.low != book.state.storage_low:
        book.write(e.StorageNoted(book.at_ms, word.low))
    if word.low:
        free, bound = word.free_bytes >> 20, word.bound_bytes >> 20
        book.alarm(
            "storage", "ledger", f"the ledger's disk has {free} MiB left, less than the {bound} MiB it must have"
        )
    else:
        book.clear("storage", "ledger")


def open_table(book: Book, act: f.OpenTable) -> None:
    """Open a table for the gaming day."""
    table = table_of(book.state, act.table)
    if table.open:
        raise RuleError(f"table {act.table} is open already")
    for pool in fed_pools(book.state, table):
        if pool.retired_ms:
            raise RuleError(f"pool {pool.params.pool} is retired: take it off table {act.table} in the file first")
    book.write(e.TableOpened(book.at_ms, act.table, act.by))
    book.clear("closed_table_cards", act.table)
    released(book, table)


def close_table(book: Book, act: f.CloseTable) -> None:
    """Close a table between rounds: chips on its places are given back by hand, carried bets stay."""
    table = table_of(book.state, act.table)
    if not table.open:
        raise RuleError(f"table {act.table} is closed already")
    if table.phase is not Phase.OPEN:
        raise RuleError(f"table {act.table} has a round in play ({table.phase.value}): close it after the round")
    _clear_bets(book, table)
    forget_shoe(book, table, "the table closed")
    book.write(e.TableClosed(book.at_ms, act.table, act.by))


def change_deal(book: Book, act: f.ChangeDeal) -> None:
    """Deal from another of the table's devices, between two rounds (61/2004 11(4)); bets and carried bets stay."""
    table = table_of(book.state, act.table)
    ways = ", ".join(table.params.deal)
    if not act.why.strip():
        raise RuleError("a change of what deals needs its reason")
    if act.deal not in table.params.deal:
        raise RuleError(f"table {act.table} cannot deal from {act.deal}; its settings name {ways}")
    if act.deal == table.deals:
        raise RuleError(f"table {act.table} deals from {act.deal} already; its settings name {ways}")
    if table.phase is not Phase.OPEN:
        raise RuleError(
            f"table {act.table} has a round in play ({table.phase.value}): end it first, or void it (61/2004 11(4))"
        )
    forget_shoe(book, table, f"{act.deal} deals")
    book.write(e.DealChanged(book.at_ms, act.table, act.deal, table.deals, act.by, act.why))


def _clear_bets(book: Book, table: Table) -> None:
    for seat, placed in sorted(table.bets.items()):
        for bet in tuple(placed):
            book.write(e.BetRecorded(book.at_ms, table.params.table, seat, bet, on=False, said_ms=book.at_ms))


def close_day(book: Book, act: f.CloseDay) -> None:
    """End the gaming day: opening and closing meters, and by name what it leaves open (design 7)."""
    state = book.state
    _check_day(book, act)
    meters = tuple(
        e.DayMeter(name, pool.opening_atoms, pool.pool_atoms)
        for name, pool in sorted(state.pools.items())
        if pool.opening_atoms or not pool.retired_ms
    )
    held = tuple(
        f"{name} round {table.round}" for name, table in sorted(state.tables.items()) if table.phase is Phase.HELD
    )
    pending = tuple(sorted(hit.hit for hit in state.hits.values() if hit.status in UNDECIDED))
    carried = tuple(one for _, table in sorted(state.tables.items()) for one in _carried_bets(table))
    day_ends(book)
    book.write(e.DayClosed(book.at_ms, state.day, act.by, meters, held, pending, carried))
    day_began(book)


def _carried_bets(table: Table) -> list[str]:
    """Carried bets by name, those that wait and those that are in the round in play."""
    name = table.params.table
    waiting = [f"{name} seat {seat} {pool}" for seat, pools in sorted(table.carried.items()) for pool in pools]
    playing = [
        f"{name} seat {seat} {pool}, in round {table.round}"
        for pool, seats in sorted(table.carried_live.items())
        for seat in seats
    ]
    return waiting + playing


def _check_day(book: Book, act: f.CloseDay) -> None:
    """RuleError when this is likely to be a mistake: another day than the one that runs, or one that has just begun."""
    day, began_ms = book.state.day, book.state.day_began_ms
    if act.day is not None and act.day != day:
        raise RuleError(f"gaming day {day} runs, not day {act.day}")
    if act.day is None and began_ms and book.at_ms - began_ms < SHORTEST_DAY_MS:
        minutes = (book.at_ms - began_ms) // 60_000
        raise RuleError(f"gaming day {day} began only {minutes} minutes ago: if it is to end already, say --day {day}")


def archive_facts(book: Book, act: f.ArchiveFacts) -> None:
    """Facts of a closed day leave their rows for an archive."""
    if act.day >= book.state.day:
        raise RuleError(f"gaming day {act.day} is not closed yet: close it, then archive it")
    book.write(
        e.FactsArchived(
            book.at_ms,
            act.by,
            act.day,
            act.first,
            act.last,
            act.closed,
            act.facts,
            act.rows,
            act.sha256,
            act.file,
        )
    )


def acknowledge_alarm(book: Book, act: f.AcknowledgeAlarm) -> None:
    """Somebody has seen an alarm and says so; it stays until its cause is gone."""
    alarm = book.state.alarms.get(act.alarm)
    if alarm is None and not act.seen:
        raise RuleError(f"there is no alarm {act.alarm}; see `jackpotd alarm list`")
    if alarm is not None and alarm.seen_by is not None:
        raise RuleError(f"{alarm.seen_by.name} has acknowledged alarm {act.alarm} already")
    book.write(e.AlarmAcknowledged(book.at_ms, act.alarm, act.by, "" if alarm is not None else act.seen))


def change_operator(book: Book, act: f.ChangeOperator) -> None:
    """Add or disable an operator, or note another password; the secret is never in the ledger."""
    known = book.state.operators.get(act.name)
    if act.role not in ROLES:
        raise RuleError(f"there is no role {act.role}; there are {', '.join(ROLES)}")
    if act.change == "added" and known is not None and not known.disabled:
        raise RuleError(f"operator {act.name} exists already")
    if act.change == "disabled" and known is None:
        raise RuleError(f"there is no operator {act.name}")
    if act.change == "password" and (known is None or known.disabled):
        raise RuleError(f"there is no operator {act.name}, or it is disabled")
    book.write(e.OperatorChanged(book.at_ms, act.by, act.name, act.role, act.unix_user, act.change))
