"""A checked configuration, as the daemon uses it.

Laws
1. Whoever holds a `Config` need check nothing: what is required is there, names refer to something, no port clashes.
2. Secrets are named, not held: `SecretFile.read` is called where one is needed. An inline key shows in no repr.
3. What decides about money is the core's own value (`PoolParams`, `TableParams`); how things are reached stays here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, time
from pathlib import Path
from zoneinfo import ZoneInfo

from jackpotd.core.currency import Currency
from jackpotd.core.parameters import PoolParams, TableParams
from jackpotd.daemon.approvals import Approval
from jackpotd.daemon.config_addresses import BrokerAddress, HostPort, SecretFile


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """The site: its name, money, calendar and languages. `node` is this controller's own name."""

    site: str
    node: str
    currency: Currency
    timezone: ZoneInfo
    gaming_day_starts: time
    holidays: frozenset[date]
    languages: tuple[str, ...]
    require_approvals: bool
    require_synchronised_clock: bool
    keep_cores_awake: bool


@dataclass(frozen=True, slots=True)
class MqttSettings:
    """The broker and how to log in. `protocol` is 3.1.1 or 5."""

    broker: BrokerAddress
    protocol: str
    username: str | None
    password_file: SecretFile | None
    ca_file: Path | None


@dataclass(frozen=True, slots=True)
class CaptureSettings:
    """Where captures are recorded: at most `files` of them, of `file_mib` each."""

    folder: Path
    file_mib: int
    files: int


@dataclass(frozen=True, slots=True)
class DeviceSettings:
    """A device of a table and how to reach it. `baud` None: a serial server has it; `address` is the bus's."""

    table: str
    name: str
    driver: str
    port: str
    baud: int | None
    parity: str  # none | even | odd
    data_bits: int
    stop_bits: int
    address: int | None
    serial: str | None
    key_hex: str | None = field(repr=False)
    key_file: SecretFile | None

    @property
    def label(self) -> str:
        """Its name over the whole site: T01/shoe."""
        return f"{self.table}/{self.name}"


@dataclass(frozen=True, slots=True)
class Config:
    """A whole checked configuration. `sha256` is of the file's bytes, for the log line at each start."""

    path: Path
    sha256: str
    site: SiteSettings
    ledger_path: Path
    seal_key_file: SecretFile | None  # signs the ledger's head at the end of each gaming day
    min_free_bytes: int  # of the ledger's disk; below it no bet is taken
    mqtt: MqttSettings
    metrics: HostPort | None
    control_socket: Path
    capture: CaptureSettings | None
    approvals: tuple[Approval, ...]
    pools: tuple[PoolParams, ...]
    tables: tuple[TableParams, ...]
    devices: tuple[DeviceSettings, ...]
