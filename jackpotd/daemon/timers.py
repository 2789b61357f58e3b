"""Waits of the tables, measured on the monotonic clock: locks that bet devices do not answer, cards that do not come.

Law: a wait is named by the table, its round and the moment it began; one time-out a wait, and the core judges it.
"""

from __future__ import annotations

import asyncio

from jackpotd.core.facts import TimedOut
from jackpotd.core.locking import LOCK_TIMEOUT_MS
from jackpotd.daemon.board import Board, TableView
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.inbox import Inbox, Item

TICK_S = 0.2
_WAITING_PHASES = frozenset({"locked", "dealing", "dealt"})


class Timers:
    """Watches the board for tables that wait."""

    def __init__(self, board: Board, inbox: Inbox, clock: Clock) -> None:
        self._board = board
        self._inbox = inbox
        self._clock = clock
        self._began: dict[str, tuple[tuple[str, int, bool], int]] = {}  # table -> (wait, since monotonic ms)

    async def run(self) -> None:
        """Look at every table, for ever."""
        while True:
            self.tick()
            await asyncio.sleep(TICK_S)

    def due_ms(self) -> int | None:
        """The earliest moment at which a wait that has begun is too long, in monotonic time."""
        views = self._board.tables
        return min((since + _limit_ms(views[name]) for name, (_, since) in self._began.items()), default=None)

    def tick(self) -> None:
        """Say what has timed out."""
        now = self._clock.monotonic_ms()
        for view in self._board.tables.values():
            if view.phase not in _WAITING_PHASES or (view.phase == "dealt" and view.game == "stud"):
                self._began.pop(view.table, None)
                continue
            wait = (view.round, view.changed_ms, bool(view.waiting))
            began = self._began.get(view.table)
            if began is None or began[0] != wait:
                self._began[view.table] = (wait, now)
                continue
            limit_ms = _limit_ms(view)
            if 0 <= began[1] <= now - limit_ms:
                self._began[view.table] = (wait, now + limit_ms)  # say it once, and again only if it had no effect
                self._say(view)

    def _say(self, view: TableView) -> None:
        now = self._clock.utc_ms()
        number = int(view.round.rpartition("-")[2])
        word = TimedOut("lock" if view.waiting else "deal", number, view.changed_ms)
        self._inbox.put_now(Item(view.table, "", word, now, now, self._clock.monotonic_ns()))


def _limit_ms(view: TableView) -> int:
    return LOCK_TIMEOUT_MS if view.waiting else view.deal_timeout_ms
