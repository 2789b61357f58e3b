"""The kinds of values a configuration holds: text in the file, integers and dates inside.

Laws
1. A value is read once, here, and is a number with its unit from then on.
2. Money and rates are text in the file: a TOML float is refused, never rounded.
3. An amount needs the currency's decimals; they come as pydantic's validation context, `{"exponent": 2}`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import time
from pathlib import Path
from typing import Annotated, Any, NoReturn
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, PlainValidator, ValidationInfo, WithJsonSchema
from pydantic_core import PydanticCustomError

from jackpotd.core.currency import Currency, currency
from jackpotd.core.errors import RuleError
from jackpotd.core.money import ATOMS_PER_MINOR, Atoms, parse_amount, parse_rate
from jackpotd.daemon.config_addresses import (
    BrokerAddress,
    HostPort,
    SecretFile,
    broker_address,
    device_port,
    file_path,
    host_port,
    ledger_path,
    secret_file,
    size_bytes,
    socket_path,
)
from jackpotd.daemon.config_faults import IDENTIFIER

_DURATION = re.compile(r"([1-9][0-9]{0,5})(ms|s|m|h)", re.ASCII)
_UNIT_MS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000}
# Longer waits than a day are a slip of the unit.
_MAX_DURATION_MS = 24 * 3_600_000
_TIME_OF_DAY = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])", re.ASCII)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}", re.ASCII)
_ARTICLE = re.compile(r"[1-9][0-9]{0,2}/[0-9]{4} [1-9][0-9]{0,2}(\([1-9][0-9]?\))*", re.ASCII)
_BOARD_SERIAL = re.compile(r"[!-~]{1,16}", re.ASCII)
# What a terminal, a log and MQTT carry without harm.
_ONE_LINE = re.compile(r"[^\x00-\x1f\x7f-\x9f]+")
_KEY = re.compile(r"[0-9a-fA-F]{32}", re.ASCII)


def refuse(reason: str) -> NoReturn:
    """End the reading of a value with the reason that the fault will print."""
    raise PydanticCustomError("configuration", "{reason}", {"reason": reason})


def _text(value: Any) -> str:
    if not isinstance(value, str):
        refuse("write it in quotes")
    return value


def _matching(pattern: re.Pattern[str], reason: str) -> AfterValidator:
    def check(text: str) -> str:
        return text if pattern.fullmatch(text) else refuse(reason)

    return AfterValidator(check)


def _reader(read: Callable[[str], object]) -> PlainValidator:
    """Validator of a text that `read` turns into a value; a RuleError of `read` is the fault's reason."""

    def validate(value: Any) -> object:
        try:
            return read(_text(value))
        except RuleError as error:
            refuse(str(error))

    return PlainValidator(validate)


def _schema(pattern: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "pattern": pattern})


def _amount(value: Any, info: ValidationInfo) -> Atoms:
    try:
        atoms = parse_amount(_text(value), info.context["exponent"] if info.context else 0)
    except RuleError as error:
        refuse(str(error))
    if atoms < 0:
        refuse("an amount here is not negative")
    if atoms % ATOMS_PER_MINOR:
        refuse("an amount here is of whole minor units of the currency")
    return atoms


def _duration_ms(text: str) -> int:
    match = _DURATION.fullmatch(text)
    if match is None:
        raise RuleError(f"{text!r} is not a duration; write it like 10m, 5s or 500ms")
    duration_ms = int(match[1]) * _UNIT_MS[match[2]]
    if duration_ms > _MAX_DURATION_MS:
        raise RuleError(f"{text!r} is longer than a day")
    return duration_ms


def _time_of_day(text: str) -> time:
    match = _TIME_OF_DAY.fullmatch(text)
    if match is None:
        raise RuleError(f"{text!r} is not a time of day; write it like 06:00")
    return time(int(match[1]), int(match[2]))


def _timezone(text: str) -> ZoneInfo:
    try:
        return ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise RuleError(f"{text!r} is not a time zone of this system; write it like Asia/Macau") from None


Identifier = Annotated[
    str, _matching(IDENTIFIER, "an id has 1 to 32 letters, digits, - or _"), _schema(f"^{IDENTIFIER.pattern}$")
]
Amount = Annotated[Atoms, PlainValidator(_amount), _schema(r"^(0|[1-9][0-9]*)(\.[0-9]+)?$")]
Rate = Annotated[int, _reader(parse_rate), _schema(r"^[0-9]{1,3}(\.[0-9]{1,4})?%$")]
DurationMs = Annotated[int, _reader(_duration_ms), _schema(f"^{_DURATION.pattern}$")]
TimeOfDay = Annotated[time, _reader(_time_of_day), _schema(f"^{_TIME_OF_DAY.pattern}$")]
TimeZone = Annotated[ZoneInfo, _reader(_timezone), WithJsonSchema({"type": "string"})]
CurrencyCode = Annotated[Currency, _reader(currency), _schema("^[A-Z]{3}$")]
Language = Annotated[str, _matching(_LANGUAGE, "write a language tag like zh-Hant"), _schema(f"^{_LANGUAGE.pattern}$")]
Article = Annotated[
    str,
    _matching(_ARTICLE, "write dispatch, article and item like 2/2009 13(1)(4)"),
    _schema(f"^{_ARTICLE.pattern}$"),
]
BoardSerial = Annotated[
    str,
    _matching(_BOARD_SERIAL, "a board's serial number has 1 to 16 visible ASCII characters"),
    _schema(f"^{_BOARD_SERIAL.pattern}$"),
]
OneLine = Annotated[str, _matching(_ONE_LINE, "control characters have no place here")]
Key = Annotated[str, _matching(_KEY, "a key has 32 hexadecimal digits"), _schema(f"^{_KEY.pattern}$")]
Port = Annotated[str, _reader(device_port), _schema("^(/|socket://)")]
Secret = Annotated[SecretFile, _reader(secret_file), _schema("^(/|credential:)")]
AbsolutePath = Annotated[Path, _reader(file_path), _schema("^/")]
SocketPath = Annotated[Path, _reader(socket_path), _schema("^/")]
Listen = Annotated[HostPort, _reader(host_port), _schema(":[0-9]+$")]
BrokerUrl = Annotated[BrokerAddress, _reader(broker_address), _schema("^mqtts?://")]
Size = Annotated[int, _reader(size_bytes), _schema("^[1-9][0-9]{0,3}(MiB|GiB)$")]
LedgerUrl = Annotated[Path, _reader(ledger_path), _schema("^sqlite:////")]
