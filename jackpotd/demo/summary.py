"""The end of a demo: final meters, and the ledger verified to the atom by the same code as `jackpotd ledger verify`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from jackpotd.core.state import State
from jackpotd.daemon.board import Board
from jackpotd.demo.words import grouped
from jackpotd.ledger.verify import verify_url


@dataclass(frozen=True, slots=True)
class Summary:
    """`lines` for people; `ok`: the ledger holds, and every meter is what its rows sum to."""

    lines: tuple[str, ...]
    ok: bool


def summarise(ledger: Path, state: State, board: Board, rounds: dict[str, int]) -> Summary:
    """Verify the closed ledger against what was shown last."""
    verdict = verify_url(f"sqlite:///{ledger}")
    differ = [name for name, pool in state.pools.items() if verdict.balances.get(f"pool:{name}", 0) != pool.pool_atoms]
    total = sum(verdict.balances.values())
    faults = [f"row {finding.row} {finding.text}" for finding in verdict.findings]
    faults += [f"pool {name} is not what its rows sum to" for name in differ]
    faults += [f"the postings sum to {total} atoms, not to zero"] if total else []
    played = ", ".join(f"{table} {count}" for table, count in rounds.items()) or "none"
    lines = [f"rounds played: {played}", "final meters:"]
    lines += [
        f"  {meter.pool:<12}{grouped(meter.amount_minor, meter.exponent):>16} {meter.currency}"
        for meter in board.meters.values()
    ]
    if faults:
        lines += ["LEDGER NOT IN ORDER:", *(f"  {fault}" for fault in faults)]
    else:
        lines.append(f"ledger verified: {verdict.rows:,} rows, chain intact, every entry balances, meters to the cent")
    return Summary(tuple(lines), not faults)
