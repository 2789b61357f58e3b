"""The control socket's client: finds the socket, asks one thing after another (design 4).

Laws
1. Of the configuration only the socket's path is read, so that a fault elsewhere in it keeps nobody from a hit.
2. An answer that does not come is told as such: whether the daemon has done it is then not known.
"""

from __future__ import annotations

import socket
import tomllib
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from jackpotd.messages.base import MessageError, from_json, to_json
from jackpotd.messages.control import Code, Request, Response

_MAX_CONFIG_BYTES = 8 * 1024 * 1024  # as the daemon reads it
DEFAULT_SOCKET = "/run/jackpotd/control.sock"
# A commit takes milliseconds; a daemon that takes longer than this has tables to close.
ANSWER_S = 30.0
_CHUNK = 64 * 1024


class UnreachableError(Exception):
    """The daemon does not answer; one sentence."""


class UsageError(Exception):
    """What is needed to ask is not there, or not as it should be; one sentence."""


class AnswerError(Exception):
    """The daemon says no."""

    def __init__(self, code: Code, text: str, result: Any) -> None:
        """`code` for programs, `text` for people, `result` where there is more to say."""
        super().__init__(text)
        self.code = code
        self.result = result


def socket_of(config: Path) -> Path:
    """Where the daemon of a configuration listens. UsageError when the file cannot be read."""
    try:
        with config.open("rb") as file:
            content = file.read(_MAX_CONFIG_BYTES + 1)
        if len(content) > _MAX_CONFIG_BYTES:
            raise UsageError(f"{config} is larger than any configuration")
        control = tomllib.loads(content.decode("utf-8")).get("control", {})
    except OSError as error:
        raise UsageError(f"{config} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{config} is not TOML: {error}") from error
    path = control.get("socket", DEFAULT_SOCKET) if isinstance(control, dict) else None
    if not isinstance(path, str):
        raise UsageError(f"{config} names no control socket that is a path")
    return Path(path)


class Client(AbstractContextManager["Client"]):
    """A connection, from `with` to its end. UnreachableError when there is none."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        self._socket.settimeout(ANSWER_S)
        self._asked = 0

    def __enter__(self) -> Self:
        try:
            self._socket.connect(str(self._path))
        except OSError as error:
            self._socket.close()
            raise UnreachableError(f"the daemon is not reached at {self._path}: {error.strerror or error}") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()

    def ask(self, op: str, args: dict[str, Any], token: str | None = None) -> Any:
        """The result of an operation. AnswerError: the daemon says no; UnreachableError: it says nothing."""
        self._asked += 1
        line = to_json(Request(id=self._asked, op=op, args=args, token=token)) + b"\n"
        try:
            self._socket.sendall(line)
            response = from_json(Response, self._line())
        except (OSError, MessageError) as error:
            raise UnreachableError(f"the daemon gave no answer, so look whether it was done: {error}") from error
        if not response.ok:
            raise AnswerError(response.code or "refused", response.error or "no reason was given", response.result)
        return response.result

    def _line(self) -> bytes:
        line = bytearray()
        while not line.endswith(b"\n"):
            chunk = self._socket.recv(_CHUNK)
            if not chunk:
                raise ConnectionResetError("the connection ended")
            line += chunk
        return bytes(line)
