"""The simulated staff: a supervisor, and a second person where two are needed, who look after hits and held rounds.

Laws
1. They act as people do, through the control socket, and may be refused; then they look again.
2. A hit is shown pending for `LOOK_S` before anybody approves it, and is paid `PAY_S` after.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from jackpotd.daemon.board import Board, HitView, Wake
from jackpotd.demo.desk import Desk, DeskError

log = logging.getLogger(__name__)

LOOK_S: Final = 5.0
SECOND_LOOK_S: Final = 1.0
PAY_S: Final = 2.0
_IDLE_S: Final = 1.0
OWED: Final = frozenset({"pending", "approved"})


class Staff:
    """Two people."""

    def __init__(self, desk: Desk, board: Board, speed: int) -> None:
        self._desk = desk
        self._board = board
        self._speed = speed
        self._slips = 0

    async def run(self) -> None:
        """Look after hits, for ever: each to its end, then the next."""
        wake = Wake(self._board)
        while True:
            hit = next((hit for hit in self._board.hits.values() if hit.status in OWED), None)
            if hit is None:
                await wake.wait(_IDLE_S)
                continue
            try:
                await self._look_after(hit)
            except DeskError as error:
                log.warning("the staff is refused", extra={"hit": hit.hit, "why": str(error)})
                await asyncio.sleep(_IDLE_S)

    async def void(self, table: str) -> None:
        """The supervisor voids a held round, so that play goes on."""
        await self._after(LOOK_S)
        await self._desk.act(self._desk.ana, "round.void", table=table, why="held during the demo")

    async def _look_after(self, hit: HitView) -> None:
        if hit.status == "pending":
            await self._after(LOOK_S)
            await self._desk.act(self._desk.ana, "hit.approve", hit=hit.hit)
            if self._board.hits[hit.hit].status == "pending":
                await self._after(SECOND_LOOK_S)
                await self._desk.act(self._desk.bento, "hit.approve", hit=hit.hit)
        else:
            await self._after(PAY_S)
            self._slips += 1
            await self._desk.act(self._desk.ana, "hit.pay", hit=hit.hit, slip=f"D-{self._slips:04d}")

    async def _after(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self._speed)
