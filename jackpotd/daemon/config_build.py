"""From a draft without faults to the checked configuration: units are set, defaults filled, nothing is decided.

Law: a value that is missing here was not checked, and that is a bug, not a fault of the file.
"""

from __future__ import annotations

from datetime import time
from pathlib import Path
from typing import TypeVar

from jackpotd.core.currency import Currency
from jackpotd.core.money import Atoms
from jackpotd.core.parameters import TIERS, BreakerParams, DeviceParams, PoolParams, Rules, TableParams, TierPrize
from jackpotd.daemon.approvals import Approval
from jackpotd.daemon.config_devices import baud_of, grade_of
from jackpotd.daemon.config_models import (
    ApprovalBlock,
    DeviceBlock,
    FileModel,
    MqttBlock,
    PoolBlock,
    SiteBlock,
    TableBlock,
)
from jackpotd.daemon.config_pools import payout_unit_atoms
from jackpotd.daemon.config_settings import Config, DeviceSettings, MqttSettings, SiteSettings
from jackpotd.daemon.config_tables import game_of_table

# Where systemd's RuntimeDirectory= puts it, and where the commands look for it.
DEFAULT_CONTROL_SOCKET = Path("/run/jackpotd/control.sock")
# A site that names no other counts calendar days.
DEFAULT_GAMING_DAY_STARTS = time(0, 0)
# A site's rows of some weeks: long enough for somebody to come.
DEFAULT_MIN_FREE_BYTES = 1 << 30
# One pack of 52 (61/2004 2).
_STUD_DECKS = 1

T = TypeVar("T")


def build(model: FileModel, path: Path, sha256: str) -> Config:
    """The configuration that the draft describes."""
    site = _site(model.site)
    rules_of = {pool.id: pool.rules for pool in model.pool}
    return Config(
        path=path,
        sha256=sha256,
        site=site,
        ledger_path=_sure(model.ledger.url),
        min_free_bytes=DEFAULT_MIN_FREE_BYTES if model.ledger.min_free is None else model.ledger.min_free,
        mqtt=_mqtt(model.mqtt),
        metrics=model.metrics.listen if model.metrics else None,
        control_socket=_sure(model.control.socket) if model.control else DEFAULT_CONTROL_SOCKET,
        approvals=tuple(_approval(block) for block in model.approval),
        pools=tuple(_pool(block, site.currency) for block in model.pool),
        tables=tuple(_table(block, rules_of) for block in model.table),
        devices=tuple(_device(_sure(table.id), device) for table in model.table for device in table.device),
    )


def _sure(value: T | None) -> T:
    assert value is not None, "the checks let a missing value pass"
    return value


def _site(block: SiteBlock) -> SiteSettings:
    return SiteSettings(
        site=_sure(block.id),
        node=block.node,
        currency=_sure(block.currency),
        timezone=_sure(block.timezone),
        gaming_day_starts=block.gaming_day_starts or DEFAULT_GAMING_DAY_STARTS,
        holidays=frozenset(block.holidays),
        languages=tuple(block.languages),
        require_approvals=block.require_approvals,
    )


def _mqtt(block: MqttBlock) -> MqttSettings:
    return MqttSettings(
        broker=_sure(block.url),
        protocol=block.protocol,
        username=block.username,
        password_file=block.password_file,
        ca_file=block.ca_file,
    )


def _approval(block: ApprovalBlock) -> Approval:
    return Approval(
        covers=tuple(block.covers),
        reference=_sure(block.reference),
        applied=_sure(block.applied),
        effective=_sure(block.effective),
    )


def _pool(block: PoolBlock, currency: Currency) -> PoolParams:
    rules = _sure(block.rules)
    return PoolParams(
        pool=_sure(block.id),
        rules=rules,
        games=(),
        levels=(),
        currency=currency.code,
        exponent=currency.exponent,
        payout_unit_atoms=Atoms(payout_unit_atoms(block)),
        seed_atoms=_sure(block.seed_atoms),
        bet_atoms=_sure(block.bet_atoms),
        contribution_ppm=_sure(block.contribution_ppm),
        reserve_ppm=block.reserve_ppm,
        limit_atoms=block.limit_atoms,
        prizes=_prizes(rules, block),
        fixed_prizes_from=_sure(block.fixed_prizes_from),
        remainder=_sure(block.remainder),
        straight_flush_base=block.straight_flush_base,
        several_royals=block.several_royals,
        four_of_a_kind_suits=block.four_of_a_kind_suits,
        void_round=block.void_round,
        auto_pay_below_atoms=block.auto_pay_below_atoms,
        two_person_above_atoms=block.two_person_above_atoms,
        bare_two_person_above_atoms=block.bare_two_person_above_atoms,
        hold_tables_on_hit=block.hold_tables_on_hit,
        show_hit_for_ms=block.show_hit_for_ms,
        breaker=None if block.breaker == "off" else BreakerParams(block.breaker.one_in, block.breaker.window_ms),
    )


def _prizes(rules: Rules, block: PoolBlock) -> tuple[TierPrize, ...]:
    """Every tier of the rules, highest first."""
    prizes = []
    for tier in TIERS[rules]:
        prize = _sure(block.prizes)[tier]
        if isinstance(prize, str):
            prizes.append(TierPrize(tier, 0, Atoms(0), paid=False))
        else:
            prizes.append(TierPrize(tier, prize.share_ppm or 0, prize.fixed_atoms or Atoms(0)))
    return tuple(prizes)


def _table(block: TableBlock, rules_of: dict[str | None, Rules | None]) -> TableParams:
    return TableParams(
        table=_sure(block.id),
        game=_sure(game_of_table(block, rules_of)),
        pools=tuple(_sure(block.pools)),
        seats=_sure(block.seats),
        deal=tuple(_sure(block.deal)),
        devices=tuple(_device_params(device) for device in block.device),
        decks=block.decks or _STUD_DECKS,
        commission=block.commission,
        royal_raise_odds=block.royal_raise_odds,
        max_payout_atoms=block.max_payout_atoms,
        advisory_lock=block.advisory_lock,
        deal_timeout_ms=block.deal_timeout_ms,
    )


def _device_params(block: DeviceBlock) -> DeviceParams:
    driver = _sure(block.driver)
    return DeviceParams(
        name=_sure(block.name),
        driver=driver,
        grade=grade_of(driver).value,
        serial=block.serial,
        keyed=block.key is not None or block.key_file is not None,
    )


def _device(table: str, block: DeviceBlock) -> DeviceSettings:
    return DeviceSettings(
        table=table,
        name=_sure(block.name),
        driver=_sure(block.driver),
        port=_sure(block.port),
        baud=baud_of(block),
        parity=block.parity,
        data_bits=block.data_bits,
        stop_bits=block.stop_bits,
        address=block.address,
        serial=block.serial,
        key_hex=block.key,
        key_file=block.key_file,
    )
