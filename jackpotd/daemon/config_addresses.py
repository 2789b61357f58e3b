"""Where things are: the broker, the ledger, listening addresses, files and secrets.

Laws
1. No address carries a user or a password; a secret is in a file or a systemd credential, named and not yet read.
2. A path is absolute, so that it means the same to every command.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from jackpotd.core.errors import RuleError
from jackpotd.daemon.config_faults import ConfigError, Fault, Unseen
from jackpotd.ledger.files import open_file

MAX_TCP_PORT = 65_535
DEFAULT_MQTT_PORT = 1883
DEFAULT_MQTTS_PORT = 8883
# What fits into sun_path of a Unix socket, less its final zero.
MAX_SOCKET_PATH_BYTES = 107
# A password or key is a line; anything longer is the wrong file.
_MAX_SECRET_BYTES = 4_096
_CREDENTIAL = re.compile(r"credential:([A-Za-z0-9_-][A-Za-z0-9_.-]{0,63})", re.ASCII)
_FILE = re.compile(r"/[^\x00-\x1f\x7f]{0,1023}")
_SERVER_PORT = re.compile(r"socket://(.+):([1-9][0-9]{0,4})", re.ASCII)
_SIZE = re.compile(r"([1-9][0-9]{0,3})(MiB|GiB)", re.ASCII)
_SIZE_BITS = {"MiB": 20, "GiB": 30}
_DEVICE_PATH = re.compile(r"/[!-~]{1,255}", re.ASCII)


@dataclass(frozen=True, slots=True)
class HostPort:
    """A TCP address; `host` is a name or an address without brackets."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """Where the MQTT broker is, and whether the way there is TLS."""

    host: str
    port: int
    tls: bool

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'mqtts' if self.tls else 'mqtt'}://{host}:{self.port}"

    @property
    def loopback(self) -> bool:
        """Whether nothing leaves this machine."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


@dataclass(frozen=True, slots=True)
class SecretFile:
    """A file that holds one secret: an absolute path, or the name of a systemd credential."""

    location: str

    def path(self, environ: Mapping[str, str]) -> Path:
        """Where the secret is; ConfigError when it is a credential and systemd passed none."""
        match = _CREDENTIAL.fullmatch(self.location)
        if match is None:
            return Path(self.location)
        folder = environ.get("CREDENTIALS_DIRECTORY")
        if not folder:
            reason = "systemd gives it to the service alone, with LoadCredential= (CREDENTIALS_DIRECTORY is not set)"
            raise ConfigError([Unseen(self.location, "(secret)", reason)])
        return Path(folder) / match[1]

    def read(self, environ: Mapping[str, str]) -> str:
        """The secret, without the end of its line; ConfigError when it cannot be read or is empty or too long."""
        path = self.path(environ)
        try:
            with open_file(path) as file:
                content = file.read(_MAX_SECRET_BYTES + 1)
            text = content.decode("utf-8").rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror or str(error) if isinstance(error, OSError) else "it is not UTF-8 text"
            kind = Unseen if isinstance(error, PermissionError) else Fault
            raise ConfigError([kind(str(path), "(secret)", f"cannot be read: {reason}")]) from error
        if not text or len(content) > _MAX_SECRET_BYTES:
            raise ConfigError([Fault(str(path), "(secret)", "a secret is one line, neither empty nor over 4096 bytes")])
        return text


def secret_file(text: str) -> SecretFile:
    """The place of a secret; RuleError unless absolute or `credential:NAME`."""
    if _CREDENTIAL.fullmatch(text) or _FILE.fullmatch(text):
        return SecretFile(text)
    raise RuleError("write an absolute path, or credential:NAME for a systemd credential")


def file_path(text: str) -> Path:
    """An absolute path (law 2)."""
    if _FILE.fullmatch(text) is None:
        raise RuleError("write an absolute path")
    return Path(text)


def socket_path(text: str) -> Path:
    """The path of a Unix socket: absolute, and short enough for the kernel."""
    path = file_path(text)
    if len(text.encode()) > MAX_SOCKET_PATH_BYTES:
        raise RuleError(f"a socket's path has at most {MAX_SOCKET_PATH_BYTES} bytes")
    return path


def host_port(text: str) -> HostPort:
    """An address to listen at, such as 127.0.0.1:9464 or [::1]:9464."""
    parts = _split(f"tcp://{text}", "write an address like 127.0.0.1:9464")
    if parts.port is None or parts.path:
        raise RuleError("write an address like 127.0.0.1:9464")
    return HostPort(parts.hostname or "", parts.port)


def broker_address(text: str) -> BrokerAddress:
    """The broker's address from mqtt://host[:port] or mqtts://host[:port]."""
    shape = "write it like mqtt://127.0.0.1:1883, or mqtts://host:8883 for TLS"
    parts = _split(text, shape)
    if parts.scheme not in {"mqtt", "mqtts"} or parts.path not in {"", "/"}:
        raise RuleError(shape)
    tls = parts.scheme == "mqtts"
    return BrokerAddress(parts.hostname or "", parts.port or (DEFAULT_MQTTS_PORT if tls else DEFAULT_MQTT_PORT), tls)


def ledger_path(text: str) -> Path:
    """The ledger's file from sqlite:////absolute/path."""
    if text.startswith(("postgresql:", "postgres:")):
        raise RuleError("this version keeps its ledger in SQLite; write it like sqlite:////var/lib/jackpotd/ledger.db")
    path = text.removeprefix("sqlite:///")
    if path == text or _FILE.fullmatch(path) is None or path.endswith("/"):
        raise RuleError("write it like sqlite:////var/lib/jackpotd/ledger.db, four slashes and an absolute path")
    return Path(path)


def size_bytes(text: str) -> int:
    """Bytes from a size like 512MiB or 1GiB."""
    match = _SIZE.fullmatch(text)
    if match is None:
        raise RuleError(f"{text!r} is not a size; write it like 512MiB or 1GiB")
    return int(match[1]) << _SIZE_BITS[match[2]]


def device_port(text: str) -> str:
    """A tty's path, or socket://host:port of a serial server."""
    match = _SERVER_PORT.fullmatch(text)
    if match is not None:
        host_port(text.removeprefix("socket://"))
    elif _DEVICE_PATH.fullmatch(text) is None:
        raise RuleError("write a device's path like /dev/serial/by-id/... or socket://host:port")
    return text


def _split(text: str, shape: str) -> SplitResult:
    """The parts of a URL that has a host and nothing secret or superfluous; RuleError with `shape` otherwise."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise RuleError(f"{shape}; a port is at most {MAX_TCP_PORT}") from None
    if parts.username is not None or parts.password is not None:
        raise RuleError(f"{shape}; user and password have keys of their own")
    if not parts.hostname or port == 0 or parts.query or parts.fragment or any(c.isspace() for c in text):
        raise RuleError(shape)
    return parts
