"""From a draft without faults to the checked configuration: units are set, defaults filled, nothing is decided.

Law: a value that is missing here was not checked, and that is a bug, not a fault of the file.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import time
from pathlib import Path
from typing import TypeVar

from jackpotd.core.currency import Currency
from jackpotd.core.money import Atoms
from jackpotd.core.parameters import (
    TIERS,
    BreakerParams,
    DeviceParams,
    GameTiers,
    LevelRate,
    MappedTier,
    PoolParams,
    Rules,
    TableParams,
    TierPrize,
)
from jackpotd.daemon.approvals import Approval
from jackpotd.daemon.config_devices import baud_of, grade_of
from jackpotd.daemon.config_games import prize_name, rules_of
from jackpotd.daemon.config_models import (
    ApprovalBlock,
    CaptureBlock,
    DeviceBlock,
    FileModel,
    MqttBlock,
    PoolBlock,
    PrizeBlock,
    SiteBlock,
    TableBlock,
)
from jackpotd.daemon.config_pools import payout_unit_atoms
from jackpotd.daemon.config_readings import SHAPES
from jackpotd.daemon.config_settings import CaptureSettings, Config, DeviceSettings, MqttSettings, SiteSettings
from jackpotd.daemon.config_tables import Offers, game_of_table

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
    offers = Offers.of(model.pool)
    return Config(
        path=path,
        sha256=sha256,
        site=site,
        ledger_path=_sure(model.ledger.url),
        seal_key_file=model.ledger.seal_key_file,
        min_free_bytes=DEFAULT_MIN_FREE_BYTES if model.ledger.min_free is None else model.ledger.min_free,
        mqtt=_mqtt(model.mqtt),
        metrics=model.metrics.listen if model.metrics else None,
        control_socket=_sure(model.control.socket) if model.control else DEFAULT_CONTROL_SOCKET,
        capture=_capture(model.capture) if model.capture else None,
        approvals=tuple(_approval(block) for block in model.approval),
        pools=tuple(_pool(block, site.currency) for block in model.pool),
        tables=tuple(_table(block, offers) for block in model.table),
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
        require_synchronised_clock=block.require_synchronised_clock,
        keep_cores_awake=block.keep_cores_awake,
    )


def _mqtt(block: MqttBlock) -> MqttSettings:
    return MqttSettings(
        broker=_sure(block.url),
        protocol=block.protocol,
        username=block.username,
        password_file=block.password_file,
        ca_file=block.ca_file,
    )


def _capture(block: CaptureBlock) -> CaptureSettings:
    return CaptureSettings(_sure(block.folder), block.file_mib, block.files)


def _approval(block: ApprovalBlock) -> Approval:
    return Approval(
        covers=tuple(block.covers),
        reference=_sure(block.reference),
        applied=_sure(block.applied),
        effective=_sure(block.effective),
    )


def _pool(block: PoolBlock, currency: Currency) -> PoolParams:
    return PoolParams(
        pool=_sure(block.id),
        rules=block.rules,
        games=tuple(_game(block, rules) for rules in rules_of(block)) if block.rules is None else (),
        levels=tuple(LevelRate(level, rate_ppm) for level, rate_ppm in (block.levels or {}).items()),
        currency=currency.code,
        exponent=currency.exponent,
        payout_unit_atoms=Atoms(payout_unit_atoms(block)),
        seed_atoms=_sure(block.seed_atoms),
        bet_atoms=block.bet_atoms or Atoms(0),
        contribution_ppm=block.contribution_ppm or 0,
        reserve_ppm=block.reserve_ppm,
        limit_atoms=block.limit_atoms,
        prizes=_prizes(block),
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


def _prizes(block: PoolBlock) -> tuple[TierPrize, ...]:
    """The prizes of one rules' tiers, highest first, or of the pool's own names in the file's order."""
    names = TIERS[block.rules] if block.rules is not None else tuple(_sure(block.prizes))
    return tuple(_prize(block, name, name) for name in names)


def _prize(block: PoolBlock, name: str, tier: str) -> TierPrize:
    """A prize of the pool as a tier wins it; a tier without one is not paid."""
    prize = _sure(block.prizes).get(name)
    if not isinstance(prize, PrizeBlock):
        return TierPrize(tier, 0, Atoms(0), paid=False)
    return TierPrize(tier, prize.share_ppm or 0, prize.fixed_atoms or Atoms(0))


def _game(block: PoolBlock, rules: Rules) -> GameTiers:
    """What the tables of one game win."""
    return GameTiers(rules, tuple(_mapped(block, rules, tier) for tier in TIERS[rules]))


def _mapped(block: PoolBlock, rules: Rules, tier: str) -> MappedTier:
    """What one tier wins; without the fixed amount where its dispatch knows none, except of a level, which is free."""
    name = prize_name(block, rules, tier)
    pays = _prize(block, name, tier)
    is_level = block.bet_atoms is None
    if not is_level and not SHAPES[rules][tier].fixed:
        pays = replace(pays, fixed_atoms=Atoms(0))
    return MappedTier(pays, name)


def _table(block: TableBlock, offers: Offers) -> TableParams:
    return TableParams(
        table=_sure(block.id),
        game=_sure(game_of_table(block, offers)),
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
