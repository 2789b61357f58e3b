"""What a sign is told: where to listen, what to show and on which face; checked whole, from command line and TOML.

Laws
1. Every fault is told at once, with its key and what is right; an unknown key is a fault.
2. Off loopback a sign has TLS, a user and a password, unless `insecure` says otherwise.
3. A sign's id is its user name at the broker, since the access list knows it by that name.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AnyUrl,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    UrlConstraints,
    ValidationError,
    field_validator,
    model_validator,
)

from hardware.alpha_led import BAUD
from jackpotd.messages.base import Id
from jackpotd.sign.wording import Language

# What one board has room for side by side, and more than any link has levels.
MAX_POOLS = 8
# Dispatch 61/2004 has five tiers, option C of 2/2009 six.
MAX_LEVELS = 8
# A password is a line; anything longer is the wrong file.
MAX_SECRET_BYTES = 4_096
MAX_SETTINGS_BYTES = 1024 * 1024
_NOT_IN_IDS = re.compile(r"[^A-Za-z0-9_.:-]", re.ASCII)

Text = Annotated[str, StringConstraints(min_length=1, max_length=60)]
MqttUrl = Annotated[AnyUrl, UrlConstraints(allowed_schemes=["mqtt", "mqtts"], host_required=True)]


class SignError(Exception):
    """The sign cannot start as it is told to; the text says why, one fault a line."""


class NotFreeError(SignError):
    """What the sign needs of this machine is not there now, such as its port: trying again may help."""


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Level(_Settings):
    """A prize level shown below the amount, such as royal_flush and "100%"."""

    tier: Id
    prize: Text


class PoolSettings(_Settings):
    """A pool on the sign. `name`: in each language, or one text for all; none: the pool's id."""

    id: Id
    name: Text | dict[Language, Text] | None = None
    levels: tuple[Level, ...] = Field(default=(), max_length=MAX_LEVELS)

    def title(self, language: Language) -> str:
        """The pool's name in a language."""
        if isinstance(self.name, dict):
            return self.name.get(language, self.id)
        return self.name or self.id


class Settings(_Settings):
    """A sign. `theme`: one that ships, or the path of a CSS file."""

    broker: MqttUrl
    site: Id
    pool: tuple[PoolSettings, ...] = Field(min_length=1, max_length=MAX_POOLS)
    id: Id
    username: str | None = None
    password_file: Path | None = None
    ca_file: Path | None = None
    insecure: bool = False
    face: Literal["browser", "led", "terminal"]
    listen: str = "127.0.0.1:8090"
    theme: str = "classic"
    language: Language = "zh-Hant"
    rotate_s: int = Field(default=0, ge=0, le=3_600)
    led: Literal["alpha"] | None = None
    port: str | None = None
    baud: int = Field(default=BAUD, ge=1_200, le=115_200)

    @field_validator("pool", mode="before")
    @classmethod
    def _pools_by_id(cls, pools: object) -> object:
        """A pool may be given by its id alone, as the command line does."""
        if isinstance(pools, list | tuple):
            return tuple({"id": one} if isinstance(one, str) else one for one in pools)
        return pools

    @field_validator("listen")
    @classmethod
    def _listens(cls, listen: str) -> str:
        host_port(listen)
        return listen

    @model_validator(mode="before")
    @classmethod
    def _implied(cls, data: Any) -> Any:
        """Law 3; a sign without a user is called by its machine, and one with an LED dialect is an LED sign."""
        if not isinstance(data, dict):
            return data
        machine = _NOT_IN_IDS.sub("-", socket.gethostname()) or "sign"
        implied = {"id": data.get("username") or machine, "face": "led" if data.get("led") else "browser"}
        return {**implied, **data}

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        names = [one.id for one in self.pool]
        if len(set(names)) != len(names):
            raise ValueError("pool: the same pool twice")
        if self.face == "led" and (self.led is None or self.port is None):
            raise ValueError("led: an LED sign needs its dialect and its port")
        if self.password_file is not None and self.username is None:
            raise ValueError("password_file: a password needs a username")
        if self.username is not None and self.username != self.id:
            raise ValueError("id: the broker's access list knows a sign by its user name, so they are the same")
        secret = self.broker.scheme == "mqtts" and self.password_file is not None
        if not (secret or self.insecure or _is_loopback(self.broker.host or "")):
            raise ValueError("broker: off this machine a sign needs mqtts:// and a password, or insecure")
        return self

    @property
    def pools(self) -> tuple[str, ...]:
        """The ids of the pools, in order."""
        return tuple(one.id for one in self.pool)

    def password(self) -> str | None:
        """The password; SignError when its file cannot be read, or holds none."""
        if self.password_file is None:
            return None
        try:
            with self.password_file.open("rb") as file:
                text = file.read(MAX_SECRET_BYTES).decode("utf-8").rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            raise SignError(f"password_file: {error}") from error
        if not text:
            raise SignError(f"password_file: {self.password_file} is empty")
        return text


def host_port(text: str) -> tuple[str, int]:
    """Host and port of an address to listen at; port 0 lets the system choose. ValueError: it is none."""
    host, colon, port = text.rpartition(":")
    if not (host and colon and port.isascii() and port.isdecimal() and int(port) <= 65_535):
        raise ValueError("write an address like 127.0.0.1:8090")
    return host.strip("[]"), int(port)


def read_settings(file: Path | None, given: dict[str, Any]) -> Settings:
    """The settings of a TOML file, with what was `given` on the command line in front; SignError lists every fault."""
    data: dict[str, Any] = {}
    if file is not None:
        try:
            with file.open("rb") as opened:
                content = opened.read(MAX_SETTINGS_BYTES + 1)
            if len(content) > MAX_SETTINGS_BYTES:
                raise SignError(f"{file}: larger than any settings of a sign")
            data = tomllib.loads(content.decode("utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise SignError(f"{file}: {error}") from error
    try:
        return Settings.model_validate({**data, **given})
    except ValidationError as error:
        raise SignError("\n".join(_told(error))) from None


def _told(error: ValidationError) -> list[str]:
    """A line for each fault (law 1)."""
    lines = []
    for fault in error.errors(include_url=False, include_input=False):
        place = ".".join(str(part) for part in fault["loc"])
        text = fault["msg"].removeprefix("Value error, ")
        lines.append(f"{place}: {text}" if place else text)
    return lines


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
