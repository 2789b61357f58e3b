"""The way by which people of the demo act: the daemon's control socket, as `jackpotd hit approve` and the others do.

Laws
1. Everybody proves who he is with his own password; the token that he gets is his alone.
2. A refusal is an answer: DeskError says why, and nothing has happened.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from jackpotd.core.roles import SUPERVISOR, SURVEILLANCE
from jackpotd.messages.base import from_json, to_json
from jackpotd.messages.control import Request, Response

_PASSWORD_BYTES: Final = 12
_RENEW_S: Final = 30.0  # before the token's end, so that none is used up on its way


class DeskError(Exception):
    """The daemon says no."""


@dataclass(slots=True)
class Person:
    """Somebody with a role, a password, and a token while it is good."""

    name: str
    role: str
    password: str = field(default_factory=lambda: secrets.token_urlsafe(_PASSWORD_BYTES), repr=False)
    token: str = field(default="", repr=False)
    until_s: float = 0.0


def write_secret(path: Path, secret: str) -> None:
    """Write a file that nobody else may read."""
    path.touch(mode=0o600)
    path.write_text(secret + "\n", encoding="utf-8")


class Desk:
    """The people of the demo: ana, a supervisor, and bento, the second person of another role."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self.ana = Person("ana", SUPERVISOR)
        self.bento = Person("bento", SURVEILLANCE)

    async def hire(self, file_of: Callable[[str], Path]) -> None:
        """Add both as operators, which the service's own user may; their passwords lie in files, for the user."""
        for person in (self.ana, self.bento):
            write_secret(file_of(person.name), person.password)
            await self._ask("operator.add", name=person.name, role=person.role, password=person.password)

    async def act(self, person: Person, op: str, **args: str) -> None:
        """Have this person do something; done and committed when it returns. DeskError when it is refused."""
        now_s = asyncio.get_running_loop().time()
        if now_s >= person.until_s:
            login = await self._ask("login", name=person.name, password=person.password)
            person.token, person.until_s = login["token"], now_s + login["seconds"] - _RENEW_S
        await self._ask(op, person.token, **args)

    async def _ask(self, op: str, token: str | None = None, **args: str) -> Any:
        reader, writer = await asyncio.open_unix_connection(str(self._socket))
        try:
            writer.write(to_json(Request(id=1, op=op, args=args, token=token)) + b"\n")
            response = from_json(Response, await reader.readline())
        finally:
            writer.close()
        if not response.ok:
            raise DeskError(response.error)
        return response.result
