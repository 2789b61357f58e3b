"""The secrets that a configuration names, read together before anything starts or changes.

Laws
1. Every one that is missing or unfit is told at once, and nothing has happened yet.
2. No secret is in a repr, a log line or a fault.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from jackpotd.daemon.config_addresses import SecretFile
from jackpotd.daemon.config_faults import ConfigError, Fault, Unseen
from jackpotd.daemon.config_settings import Config

_SEAL_KEY = re.compile(r"[0-9A-Fa-f]{64}", re.ASCII)
_BUS_KEY = re.compile(r"[0-9A-Fa-f]{32}", re.ASCII)
_BUS_KEY_IS = "a bus key is 32 hexadecimal digits"


@dataclass(frozen=True, slots=True)
class Credentials:
    """The broker's password, the key that seals days, the key of each table-bus device that has one, by its label."""

    mqtt_password: str | None = field(repr=False)
    seal_seed: bytes | None = field(repr=False)
    bus_keys: Mapping[str, bytes] = field(repr=False)


def read_credentials(config: Config, environ: Mapping[str, str]) -> Credentials:
    """All secrets of a configuration; ConfigError with every one that cannot be used."""
    faults: list[Fault] = []
    password = _read(config.mqtt.password_file, environ, faults)
    seal = _key(config.seal_key_file, _SEAL_KEY, "a sealing key is 64 hexadecimal digits", environ, faults)
    keys = _bus_keys(config, environ, faults)
    if faults:
        raise ConfigError(dict.fromkeys(faults))  # a key that several devices share is one fault
    return Credentials(password, None if seal is None else bytes.fromhex(seal), keys)


def check_credentials(config: Config, environ: Mapping[str, str]) -> list[Unseen]:
    """What cannot be looked at from here; ConfigError with every secret that is missing or unfit."""
    try:
        read_credentials(config, environ)
    except ConfigError as error:
        wrong = [fault for fault in error.faults if not isinstance(fault, Unseen)]
        if wrong:
            raise ConfigError(wrong) from error
        return [fault for fault in error.faults if isinstance(fault, Unseen)]
    return []


def read_bus_keys(config: Config, environ: Mapping[str, str]) -> Mapping[str, bytes]:
    """The keys of the table-bus devices alone, by label; ConfigError as `read_credentials`."""
    faults: list[Fault] = []
    keys = _bus_keys(config, environ, faults)
    if faults:
        raise ConfigError(dict.fromkeys(faults))
    return keys


def _bus_keys(config: Config, environ: Mapping[str, str], faults: list[Fault]) -> Mapping[str, bytes]:
    return {
        device.label: bytes.fromhex(text)
        for device in config.devices
        if (text := device.key_hex or _key(device.key_file, _BUS_KEY, _BUS_KEY_IS, environ, faults)) is not None
    }


def _key(
    secret: SecretFile | None, shape: re.Pattern[str], what: str, environ: Mapping[str, str], faults: list[Fault]
) -> str | None:
    text = _read(secret, environ, faults)
    if text is None or shape.fullmatch(text):
        return text
    assert secret is not None
    faults.append(Fault(secret.location, "(secret)", what))
    return None


def _read(secret: SecretFile | None, environ: Mapping[str, str], faults: list[Fault]) -> str | None:
    if secret is None:
        return None
    try:
        return secret.read(environ)
    except ConfigError as error:
        faults.extend(error.faults)
        return None
