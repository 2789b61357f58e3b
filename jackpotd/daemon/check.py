"""What `jackpotd check` prints: the chosen readings in plain words, and the options that want an approval.

Laws
1. Pure: a checked configuration in, lines or JSON out; nothing is opened, looked up or asked.
2. Every reading of every pool is printed with its article, so that who signs the file has read what it says.
"""

from __future__ import annotations

from typing import Any

from jackpotd.core.breaker import span
from jackpotd.core.money import format_amount, format_rate
from jackpotd.core.parameters import BreakerParams, DeviceParams, PoolParams, Rules, TableParams, TierPrize
from jackpotd.daemon.approvals import WORKING_DAYS_BEFORE, Approval, options_in_use, uncovered, working_days
from jackpotd.daemon.config_faults import ConfigError
from jackpotd.daemon.config_readings import FIVE_OF_A_KIND_C, SHAPES, readings_of
from jackpotd.daemon.config_settings import Config


def faults_json(error: ConfigError) -> dict[str, Any]:
    """`check --json` of a file with faults."""
    faults = [
        {"key": fault.key, "value": fault.value, "reason": fault.reason, "article": fault.article}
        for fault in error.faults
    ]
    return {"ok": False, "faults": faults}


def check_json(config: Config) -> dict[str, Any]:
    """`check --json` of a file without faults; the lines print the same."""
    warnings = uncovered(options_in_use(config.pools, config.tables), config.approvals, config.site.holidays)
    return {
        "ok": True,
        "file": str(config.path),
        "sha256": config.sha256,
        "site": _site(config),
        "pools": [_pool(pool) for pool in config.pools],
        "tables": [_table(table) for table in config.tables],
        "approvals": [_approval(approval, config) for approval in config.approvals],
        "warnings": [
            *({"key": one.option.key, "reason": one.reason, "article": one.option.article} for one in warnings),
            *(_breaker_off(pool) for pool in config.pools if pool.breaker is None),
        ],
    }


def check_lines(config: Config) -> list[str]:
    """`check` of a file without faults, line by line."""
    found = check_json(config)
    site = found["site"]
    lines = [
        f"{found['file']}: in order (sha256 {found['sha256']})",
        f"site {site['id']}: {site['currency']} with {site['exponent']} decimals",
        f"gaming day from {site['gaming_day_starts']}, {site['timezone']}",
    ]
    for pool in found["pools"]:
        lines += _pool_lines(pool)
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


def _pool(pool: PoolParams) -> dict[str, Any]:
    def amount(atoms: int | None) -> str | None:
        return None if atoms is None else format_amount(atoms, pool.exponent)

    return {
        "id": pool.pool,
        "rules": pool.sole_rules.value,
        "seed": amount(pool.seed_atoms),
        "bet": amount(pool.bet_atoms),
        "contribution": format_rate(pool.contribution_ppm),
        "reserve": format_rate(pool.reserve_ppm),
        "limit": amount(pool.limit_atoms),
        "payout_unit": amount(pool.payout_unit_atoms),
        "auto_pay_below": amount(pool.auto_pay_below_atoms),
        "two_person_above": amount(pool.two_person_above_atoms),
        "bare_two_person_above": amount(pool.bare_two_person_above_atoms),
        "hold_tables_on_hit": pool.hold_tables_on_hit,
        "breaker": _breaker(pool.breaker),
        "prizes": [_prize(pool, prize) for prize in pool.prizes],
        "readings": _readings(pool),
    }


def _breaker(breaker: BreakerParams | None) -> dict[str, Any] | None:
    return None if breaker is None else {"one_in": breaker.one_in, "window": span(breaker.window_ms)}


def _prize(pool: PoolParams, prize: TierPrize) -> dict[str, Any]:
    fixed = format_amount(prize.fixed_atoms, pool.exponent)
    share = f"{format_rate(prize.share_ppm)} of the pool"
    if not prize.paid:
        text = "nothing is paid"
    elif prize.share_ppm and prize.fixed_atoms:
        text = f"the greater of {fixed} and {share}"
    else:
        text = share if prize.share_ppm else fixed
    return {"tier": prize.tier, "prize": text, "article": SHAPES[pool.sole_rules][prize.tier].article}


def _readings(pool: PoolParams) -> list[dict[str, str]]:
    """The pool's readings in force, option C's five of a kind among them."""
    chosen = [(reading, str(getattr(pool, reading.key))) for reading in readings_of(pool.sole_rules)]
    if pool.rules is Rules.BACCARAT_C:
        five = "{ fixed = ... }" if pool.prize(FIVE_OF_A_KIND_C.key).paid else "not paid"
        chosen.append((FIVE_OF_A_KIND_C, five))
    return [
        {"key": reading.key, "value": value, "meaning": reading.meanings[value], "article": reading.article}
        for reading, value in chosen
    ]


def _table(table: TableParams) -> dict[str, Any]:
    return {
        "id": table.table,
        "game": table.game,
        "pools": list(table.pools),
        "seats": table.seats,
        "deal": list(table.deal),
        "decks": table.decks,
        "commission": table.commission,
        "royal_raise_odds": table.royal_raise_odds,
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


def _pool_lines(pool: dict[str, Any]) -> list[str]:
    return [
        f"pool {pool['id']}: {pool['rules']}",
        f"  seed {pool['seed']}, limit {pool['limit'] or 'none'}, prizes rounded down to {pool['payout_unit']}",
        f"  bet {pool['bet']}, of it {pool['contribution']} to the pool and {pool['reserve']} to the reserve",
        f"  hits {', '.join(_approval_words(pool))}; closed by a hit: {pool['hold_tables_on_hit']}",
        f"  breaker: {_breaker_words(pool['breaker'])}",
        *(f"  {prize['tier']}: {prize['prize']} ({prize['article']})" for prize in pool["prizes"]),
        *(
            f"  reading {reading['key']} = {reading['value']}: {reading['meaning']} ({reading['article']})"
            for reading in pool["readings"]
        ),
    ]


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


def _table_lines(table: dict[str, Any]) -> list[str]:
    parts = [f"{table['seats']} seats", f"feeds {', '.join(table['pools'])}", f"deals from {', '.join(table['deal'])}"]
    if table["royal_raise_odds"] is not None:
        parts.append(f"a royal flush's raise pays {table['royal_raise_odds']} to 1")
    if table["commission"] is not None:
        parts.append(f"{table['decks']} packs, commission {table['commission']}")
    if table["advisory_lock"]:
        parts.append("its lock is advisory: no device can lock bets out")
    devices = [f"  {device['name']}: {device['driver']}, {device['grade']}" for device in table["devices"]]
    return [f"table {table['id']}: {table['game']}, {', '.join(parts)}", *devices]
