"""When the progressive of a table is open, and if not, why (design 1, laws 7 and 8)."""

from __future__ import annotations

from jackpotd.core.feeding import fed_pools, is_overdrawn
from jackpotd.core.state import HitStatus, Phase, Pool, State, Table


def closed_by_rule(state: State, table: Table) -> str:
    """Why the house or a hit has closed the progressive; "" when neither has."""
    if not table.open:
        return "table closed"
    if state.storage_low:
        return "the ledger's disk is nearly full"
    for pool in fed_pools(state, table):
        if pool.retired_ms:
            return f"pool {pool.params.pool} is retired"
        if pool.suspended:
            return f"pool {pool.params.pool} suspended: {pool.suspended}"
        if not pool.params.knows(table.params.game):
            return f"pool {pool.params.pool} has no rules for {table.params.game}"
        if is_overdrawn(state, pool):
            return f"the parts of a bet on pool {pool.params.pool} are more than the bet"
        hit = _holding_hit(state, table, pool)
        if hit:
            return f"hit {hit} is pending"
    return ""


def _holding_hit(state: State, table: Table, pool: Pool) -> str:
    """The pending hit that closes this table, by the pool's hold_tables_on_hit."""
    scope = pool.params.hold_tables_on_hit
    if scope == "none":
        return ""
    for hit in sorted(state.hits.values(), key=lambda each: each.number):
        here = scope == "link" or hit.table == table.params.table
        if here and hit.status is HitStatus.PENDING and hit.pool == pool.params.pool:
            return hit.hit
    return ""


def closed_by_devices(table: Table) -> str:
    """Which device keeps the progressive closed; "" when none does."""
    for _, device in table.devices_in_use():
        if not device.online:
            return f"{device.params.name} offline: {device.why}"
        if device.fault:
            return f"{device.params.name}: {device.fault}"
    return ""


def why_closed(state: State, table: Table) -> str:
    """Why no progressive bet is taken at this table; "" when it is open. A round in play closes nothing by itself."""
    if table.phase is Phase.HELD:
        return table.hold_text
    return closed_by_rule(state, table) or closed_by_devices(table)
