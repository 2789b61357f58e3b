"""What `jackpotd check` prints: the chosen readings in plain words, and the options that want an approval.

Laws
1. Pure: a checked configuration in, and what of its secrets could not be looked at; lines or JSON out. Nothing is
   opened, looked up or asked.
2. Every reading of every pool is printed with its article, so that who signs the file has read what it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jackpotd.core.money import format_amount
from jackpotd.core.parameters import DeviceParams, PoolParams, TableParams
from jackpotd.daemon.approvals import WORKING_DAYS_BEFORE, Approval, options_in_use, uncovered, working_days
from jackpotd.daemon.check_pools import pool_json, pool_lines
from jackpotd.daemon.config_faults import ConfigError, Unseen
from jackpotd.daemon.config_settings import Config, DeviceSettings

_COMMISSIONS = {
    "five_percent": "commission 5% of a Banker win (2/2009 18(1))",
    "six_pays_half": "no commission, half for a Banker win with 6 (2/2009 18(2))",
    "dragon7_push": "no commission, a push for Banker on a Dragon 7 (2/2009 18(3))",
}


def faults_json(error: ConfigError) -> dict[str, Any]:
    """`check --json` of a file with faults."""
    faults = [
        {"key": fault.key, "value": fault.value, "reason": fault.reason, "article": fault.article}
        for fault in error.faults
    ]
    return {"ok": False, "faults": faults}


def check_json(config: Config, unseen: Sequence[Unseen] = ()) -> dict[str, Any]:
    """`check --json` of a file without faults; the lines print the same."""
    warnings = uncovered(options_in_use(config.pools, config.tables), config.approvals, config.site.holidays)
    return {
        "ok": True,
        "file": str(config.path),
        "sha256": config.sha256,
        "site": _site(config),
        "pools": [pool_json(pool, config.pools) for pool in config.pools],
        "tables": [_table(table, config.site.currency.exponent) for table in config.tables],
        "approvals": [_approval(approval, config) for approval in config.approvals],
        "warnings": [
            *({"key": one.option.key, "reason": one.reason, "article": one.option.article} for one in warnings),
            *(_no_key(device) for device in config.devices if _lacks_key(device)),
            *(_breaker_off(pool) for pool in config.pools if pool.breaker is None),
            *({"key": one.key, "reason": f"not looked at: {one.reason}", "article": None} for one in unseen),
        ],
    }


def check_lines(config: Config, unseen: Sequence[Unseen] = ()) -> list[str]:
    """`check` of a file without faults, line by line."""
    found = check_json(config, unseen)
    site = found["site"]
    lines = [
        f"{found['file']}: in order (sha256 {found['sha256']})",
        f"site {site['id']}: {site['currency']} with {site['exponent']} decimals",
        f"gaming day from {site['gaming_day_starts']}, {site['timezone']}",
    ]
    for pool in found["pools"]:
        lines += pool_lines(pool)
    for table in found["tables"]:
        lines += _table_lines(table)
    for approval in found["approvals"]:
        in_time = "in time" if approval["in_time"] else f"less than {WORKING_DAYS_BEFORE} working days before"
        dates = f"applied for on {approval['applied']}, in force from {approval['from']}, {in_time}"
        lines.append(f"approval {approval['reference']}: {', '.join(approval['covers'])}; {dates}")
    lines += [_warning_line(one) for one in found["warnings"]]
    return lines


def _warning_line(warning: dict[str, str | None]) -> str:
    article = f" ({warning['article']})" if warning["article"] else ""
    return f"warning: {warning['key']}: {warning['reason']}{article}"


def _lacks_key(device: DeviceSettings) -> bool:
    return device.driver == "table-bus" and device.key_hex is None and device.key_file is None


def _no_key(device: DeviceSettings) -> dict[str, str | None]:
    reason = "it has none: whoever reaches the line can speak in its name"
    return {"key": f"table[{device.table}].device[{device.name}].key_file", "reason": reason, "article": None}


def _breaker_off(pool: PoolParams) -> dict[str, str | None]:
    reason = "it is off: hits that no luck explains go on unseen"
    return {"key": f"pool[{pool.pool}].breaker", "reason": reason, "article": None}


def _site(config: Config) -> dict[str, Any]:
    site = config.site
    return {
        "id": site.site,
        "node": site.node,
        "currency": site.currency.code,
        "exponent": site.currency.exponent,
        "timezone": site.timezone.key,
        "gaming_day_starts": site.gaming_day_starts.strftime("%H:%M"),
    }


def _table(table: TableParams, exponent: int) -> dict[str, Any]:
    cap = table.max_payout_atoms
    return {
        "id": table.table,
        "game": table.game,
        "pools": list(table.pools),
        "seats": table.seats,
        "deal": list(table.deal),
        "decks": table.decks,
        "commission": table.commission,
        "royal_raise_odds": table.royal_raise_odds,
        "max_payout": None if cap is None else format_amount(cap, exponent),
        "advisory_lock": table.advisory_lock,
        "devices": [_device(device) for device in table.devices],
    }


def _device(device: DeviceParams) -> dict[str, str]:
    return {"name": device.name, "driver": device.driver, "grade": device.grade}


def _approval(approval: Approval, config: Config) -> dict[str, Any]:
    days = working_days(approval.applied, approval.effective, config.site.holidays)
    return {
        "reference": approval.reference,
        "covers": list(approval.covers),
        "applied": approval.applied.isoformat(),
        "from": approval.effective.isoformat(),
        "in_time": days >= WORKING_DAYS_BEFORE,
    }


def _table_lines(table: dict[str, Any]) -> list[str]:
    parts = [f"{table['seats']} seats", f"feeds {', '.join(table['pools'])}", f"deals from {', '.join(table['deal'])}"]
    if table["royal_raise_odds"] is not None:
        parts.append(f"a royal flush's raise pays {table['royal_raise_odds']} to 1")
    if table["max_payout"] is not None:
        parts.append(f"raises of four of a kind and better at most {table['max_payout']} a seat")
    if table["commission"] is not None:
        parts.append(f"{table['decks']} packs, {_COMMISSIONS[table['commission']]}")
    if table["advisory_lock"]:
        parts.append("its lock is advisory: no device can lock bets out")
    devices = [f"  {device['name']}: {device['driver']}, {device['grade']}" for device in table["devices"]]
    return [f"table {table['id']}: {table['game']}, {', '.join(parts)}", *devices]
