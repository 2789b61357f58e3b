"""Who plays when: all tables at once for ever, or a number of rounds in a seeded order.

Laws
1. In a script a pool's tables play one at a time, and the next begins when all of the last is committed and its hits
   are paid, so that one seed gives the same meters at any speed.
2. Nobody waits for the broker.
3. A held round is voided by the supervisor; without one the table waits for the user.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from hardware.simulated.dealer import Dealer, RoundHeldError, look
from jackpotd.daemon.board import Board, TableView
from jackpotd.demo.floor import CardsKnown, Record, ShowTable, play_order
from jackpotd.demo.staff import OWED, Staff

_BETWEEN_ROUNDS_S = 1.5


class Show:
    """Runs the tables. `staff` None: hits and held rounds wait for the user."""

    def __init__(self, board: Board, staff: Staff | None, played: Callable[[Record], None]) -> None:
        self._board = board
        self._staff = staff
        self._played = played

    async def for_ever(self, tables: Sequence[ShowTable]) -> None:
        """Every table plays on, at once."""
        async with asyncio.TaskGroup() as group:
            for table in tables:
                group.create_task(self._table_for_ever(table), name=f"table {table.name}")

    async def script(self, tables: Sequence[ShowTable], seed: int, rounds: int) -> None:
        """So many rounds in all, in the seed's order; pools do not wait for each other."""
        by_name = {table.name: table for table in tables}
        order = [by_name[name] for name in play_order(tuple(by_name), seed, rounds)]
        async with asyncio.TaskGroup() as group:
            for pool in {table.pool for table in tables}:
                ours = [table for table in order if table.pool == pool]
                group.create_task(self._one_by_one(pool, ours), name=f"pool {pool}")

    async def _table_for_ever(self, table: ShowTable) -> None:
        await self._opened(table)
        while True:
            await self._round(table)
            await table.dealer.pace.pause(_BETWEEN_ROUNDS_S)

    async def _one_by_one(self, pool: str, order: Sequence[ShowTable]) -> None:
        for table in {table.name: table for table in order}.values():
            await self._opened(table)
        for table in order:
            await self._round(table)
            await look(lambda: self._staff is None or not self._owed(pool))

    async def _opened(self, table: ShowTable) -> None:
        """The table is ready, and its dealer has tried the boards."""
        await look(lambda: self._ready(self._board.tables[table.name]))
        await table.dealer.try_boards()

    async def _round(self, table: ShowTable) -> None:
        await look(lambda: self._ready(self._board.tables[table.name]))
        try:
            self._played(await table.round())
        except RoundHeldError:
            await self._end_hold(table)

    async def _end_hold(self, table: ShowTable) -> None:
        if self._staff is not None:
            await self._staff.void(table.name)
        await look(lambda: self._board.tables[table.name].phase == "open")
        await table.dealer.after_hold()

    def _ready(self, view: TableView) -> bool:
        """Open; where nobody approves hits, play goes on beside a pending one, with the progressive closed."""
        return view.phase == "open" and (not view.why or (self._staff is None and view.why.startswith("hit ")))

    def _owed(self, pool: str) -> bool:
        return any(hit.pool == pool and hit.status in OWED for hit in self._board.hits.values())


def cards_known(board: Board) -> CardsKnown:
    """Waits on the board: the dealer sees all hands on the felt, and the controller has counted them."""

    async def known(table: str, dealer: Dealer) -> None:
        await dealer.until(lambda: board.tables[table].phase == "dealt")

    return known
