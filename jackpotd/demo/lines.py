"""The demo without a terminal: a plain line for each round, hit and alarm, as it is committed."""

from __future__ import annotations

from collections.abc import Callable

from jackpotd.daemon.app import Daemon
from jackpotd.daemon.board import HitView, Wake
from jackpotd.demo.words import grouped, plain

_WAIT_S = 1.0


class Lines:
    """Tells what changed on the board."""

    def __init__(self, daemon: Daemon, say: Callable[[str], None]) -> None:
        self._board = daemon.board
        self._state = daemon.engine.state
        self._say = say
        self._rounds: dict[str, str] = {}
        self._hits: dict[str, str] = {}
        self._alarms: set[str] = set()
        self._wake = Wake(daemon.board)

    async def run(self) -> None:
        """Tell, for ever."""
        while True:
            self.tell()
            await self._wake.wait(_WAIT_S)

    def tell(self) -> None:
        """Tell what is new."""
        for table in self._board.tables.values():
            before = self._rounds.get(table.table)
            self._rounds[table.table] = table.round
            if before not in {None, table.round}:
                self._say(f"{before}: {plain(table.last_outcome)}   {self._meters(table.table)}")
        for hit in self._board.hits.values():
            if self._hits.get(hit.hit) != hit.status:
                self._hits[hit.hit] = hit.status
                self._say(_hit(hit))
        for alarm in self._board.alarms.values():
            if alarm.alarm not in self._alarms:
                self._say(f"ALARM {alarm.text}")
        self._alarms = set(self._board.alarms)

    def _meters(self, table: str) -> str:
        pools = self._state.tables[table].params.pools
        meters = [self._board.meters[pool] for pool in pools]
        return "  ".join(f"{meter.pool} {grouped(meter.amount_minor, meter.exponent)}" for meter in meters)


def _hit(hit: HitView) -> str:
    seats = "seat " + ", ".join(str(winner.seat) for winner in hit.winners)
    by = f" by {' and '.join(hit.approvals)}" if hit.status == "approved" and hit.approvals else ""
    slip = f", slip {hit.slip}" if hit.slip else ""
    amount = grouped(hit.amount_minor, hit.exponent)
    return f"HIT {hit.table} {plain(hit.tier)} {amount} to {seats}: {hit.status}{by}{slip}"
