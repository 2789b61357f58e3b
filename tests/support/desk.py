"""A desk with people before it: the control socket's operations on a controller without devices or sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID

import pytest

from jackpotd.core import entries as e
from jackpotd.core.facts import ControllerStarted, Fact, SiteConfigured
from jackpotd.core.state import State
from jackpotd.daemon.board import Board
from jackpotd.daemon.books import Books
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.control_ops import Desk, answer
from jackpotd.daemon.engine import Engine
from jackpotd.daemon.identity import Caller, Identity, Peer, RefusedError
from jackpotd.daemon.inbox import Inbox, Item
from jackpotd.daemon.operators import Operators
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.daemon.writer import LedgerWriter
from jackpotd.ledger.open import open_ledger
from jackpotd.ledger.rows import decode_row
from jackpotd.messages import control as m
from tests.support.configs import config

T = TypeVar("T")
PASSWORD = "correct horse"
ROOT = Peer(0, "root")
NOBODY = Peer(65_534, "nobody")
CONSOLE = Peer(4_242, "console")


class HandClock(Clock):
    """Monotonic time that tests move on."""

    def __init__(self) -> None:
        super().__init__()
        self.passed_ms = 0

    def monotonic_ms(self) -> int:
        return super().monotonic_ms() + self.passed_ms


class Room:
    """A controller of the example's site without devices, and the people who come to its desk."""

    def __init__(self, desk: Desk, clock: HandClock, writer: LedgerWriter) -> None:
        self.desk = desk
        self.clock = clock
        self.writer = writer
        self.reloads = 0

    async def ask(self, peer: Peer, op: str, token: str | None = None, **args: Any) -> Any:
        return await answer(self.desk, Caller(peer, token), m.Request(id=1, op=op, args=args, token=token))

    async def refused(self, peer: Peer, op: str, token: str | None = None, **args: Any) -> str:
        """The code of a refusal."""
        with pytest.raises(RefusedError) as caught:
            await self.ask(peer, op, token, **args)
        return caught.value.code

    async def add(self, name: str, role: str = "supervisor", **more: str) -> None:
        await self.ask(ROOT, "operator.add", name=name, role=role, **({"password": PASSWORD} | more))

    async def token(self, name: str, peer: Peer = CONSOLE, password: str = PASSWORD) -> str:
        token: str = (await self.ask(peer, "login", name=name, password=password))["token"]
        return token

    async def rows(self) -> list[Fact | e.Entry]:
        return [decode_row(body) for body in await self.writer.run(lambda ledger: [row.body for row in ledger.rows()])]

    async def changes(self) -> list[tuple[str, str]]:
        """Operators' entries: name and change."""
        return [(one.name, one.change) for one in await self.rows() if isinstance(one, e.OperatorChanged)]


def room(folder: Path, work: Callable[[Room], Awaitable[T]]) -> T:
    """Do something in a room whose engine runs."""

    async def run() -> T:
        clock, board, books, inbox = HandClock(), Board(), Books(), Inbox()
        writer = await LedgerWriter.opened(lambda: open_ledger("memory:", "lisboa", create=str(UUID(int=0))))
        operators = await Operators.opened(folder / "operators.db")
        engine = Engine(State(), writer, inbox, clock, "0", 0)
        engine.observers.append(board.committed)
        engine.observers.append(books.committed)
        identity = Identity(operators, lambda: engine.state.operators, clock.monotonic_ms)

        async def reload() -> dict[str, Any]:
            here.reloads += 1
            return {}

        desk = Desk(
            engine, inbox, board, books, clock, ShellAlarms(clock), operators, identity, lambda: {"site": "x"}, reload
        )
        here = Room(desk, clock, writer)
        site = config()
        words = (ControllerStarted("0", "0", "0", 1), SiteConfigured(site.pools, site.tables))
        await engine.commit([Item("", "", word, 1, 1, 1) for word in words])
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(engine.run())
                result = await work(here)
                engine.end()
        finally:
            await operators.close()
            await writer.close()
        return result

    return asyncio.run(run())
