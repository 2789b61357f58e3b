"""What a table's devices show: lamps, lockout, the dealer's display. A pure picture of the committed state.

Law: closed unless everything says open. A closed progressive is lamps 0 and lockout 1 (design 1, law 8).
"""

from __future__ import annotations

from dataclasses import dataclass

from jackpotd.core.state import HitStatus, Phase, State, Table

OFF, BETS_OPEN, ACCEPTED, WINNER = 0, 1, 2, 3
DISPLAY_CHARACTERS = 32


@dataclass(frozen=True, slots=True)
class TableOutputs:
    """lamps: one a seat, from seat 1; text: at most 32 ASCII characters."""

    lockout: bool
    lamps: tuple[int, ...]
    text: str


def closed_outputs(seats: int) -> TableOutputs:
    """What a table shows before anything is known, and whenever it cannot be counted."""
    return TableOutputs(lockout=True, lamps=(OFF,) * seats, text="PROGRESSIVE CLOSED")


def outputs(state: State, table: Table, why: str) -> TableOutputs:
    """The outputs of a table. `why`: why its progressive is closed, "" when it is open."""
    seats = table.params.seats
    if table.phase is Phase.HELD:
        return TableOutputs(lockout=True, lamps=(OFF,) * seats, text="ROUND HELD - CALL SUPERVISOR")
    if table.phase is Phase.OPEN:
        if why:
            winners = _winners(state, table)
            lamps = tuple(WINNER if seat in winners else OFF for seat in range(1, seats + 1))
            text = f"HIT {winners[min(winners)]} - WAIT" if winners else "PROGRESSIVE CLOSED"
            return TableOutputs(lockout=True, lamps=lamps, text=_ascii(text))
        lamps = tuple(ACCEPTED if seat in table.carried else BETS_OPEN for seat in range(1, seats + 1))
        return TableOutputs(lockout=False, lamps=lamps, text=_open_text(table))
    if table.phase is Phase.LOCKING:
        return TableOutputs(lockout=True, lamps=(OFF,) * seats, text="BETS CLOSING")
    live = sorted({seat for seats_in in table.live.values() for seat in seats_in})
    lamps = tuple(ACCEPTED if seat in live else OFF for seat in range(1, seats + 1))
    text = f"{len(live)} PROGRESSIVE: {' '.join(map(str, live))}" if live else "NO PROGRESSIVE"
    return TableOutputs(lockout=True, lamps=lamps, text=_ascii(text))


def _open_text(table: Table) -> str:
    carried = " ".join(map(str, sorted(table.carried)))
    return _ascii(f"BETS OPEN - CARRIED {carried}" if carried else "BETS OPEN")


def _winners(state: State, table: Table) -> dict[int, str]:
    """Seats of this table with a pending hit, and its tier."""
    return {
        award.seat: hit.tier.upper().replace("_", " ")
        for hit in state.hits.values()
        if hit.status is HitStatus.PENDING and hit.table == table.params.table
        for award in hit.awards
    }


def _ascii(text: str) -> str:
    return text.encode("ascii", "replace").decode()[:DISPLAY_CHARACTERS]
