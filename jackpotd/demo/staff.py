"""The simulated staff: a supervisor, and a second person where two are needed, who look after hits and held rounds.

Laws
1. They act as people do, through acts that the controller may refuse; nothing is decided for them elsewhere.
2. A hit is shown pending for `LOOK_S` before anybody approves it, and is paid `PAY_S` after.
"""

from __future__ import annotations

import asyncio
from typing import Final

from jackpotd.core.facts import Act, ApproveHit, By, PayHit, VoidRound
from jackpotd.core.roles import SUPERVISOR, SURVEILLANCE
from jackpotd.daemon.app import Daemon
from jackpotd.daemon.board import HitView, Wake
from jackpotd.daemon.engine import settled_future
from jackpotd.daemon.inbox import Item

LOOK_S: Final = 5.0
SECOND_LOOK_S: Final = 1.0
PAY_S: Final = 2.0
_IDLE_S: Final = 1.0
ANA: Final = By("ana", SUPERVISOR)
BENTO: Final = By("bento", SURVEILLANCE)


class Staff:
    """Two people."""

    def __init__(self, daemon: Daemon, speed: int) -> None:
        self._daemon = daemon
        self._speed = speed
        self._slips = 0

    async def run(self) -> None:
        """Look after hits, for ever: each to its end, then the next."""
        wake = Wake(self._daemon.board)
        while True:
            hit = next((hit for hit in self._daemon.board.hits.values() if hit.status in {"pending", "approved"}), None)
            if hit is None:
                await wake.wait(_IDLE_S)
            elif hit.status == "pending":
                await self._approve(hit)
            else:
                await self._pay(hit)

    async def void(self, table: str) -> None:
        """The supervisor voids a held round, so that play goes on."""
        await self._after(LOOK_S)
        await self._act(ANA, VoidRound(ANA, table, "held during the demo"))

    async def _approve(self, hit: HitView) -> None:
        await self._after(LOOK_S)
        await self._act(ANA, ApproveHit(ANA, hit.hit))
        if self._daemon.board.hits[hit.hit].status == "pending":
            await self._after(SECOND_LOOK_S)
            await self._act(BENTO, ApproveHit(BENTO, hit.hit))

    async def _pay(self, hit: HitView) -> None:
        await self._after(PAY_S)
        self._slips += 1
        await self._act(ANA, PayHit(ANA, hit.hit, f"D-{self._slips:04d}"))

    async def _after(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self._speed)

    async def _act(self, by: By, act: Act) -> None:
        """Have an act recorded. RuleError when it is refused."""
        daemon = self._daemon
        future, settled = settled_future(asyncio.get_running_loop())
        now = daemon.clock.utc_ms()
        daemon.inbox.put_now(
            Item("", "", act, now, now, daemon.clock.monotonic_ns(), operator=by.name, settled=settled)
        )
        await future
