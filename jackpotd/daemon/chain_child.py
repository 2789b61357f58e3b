"""Verifies the older part of a ledger's chain, as a process of its own: chain_child URL LAST_ROW PARENT.

Laws
1. It has the processor and the disk only when nobody else wants them, and ends when its parent is gone.
2. It says one line of JSON: the first bad row and why, or row 0 when there is none. It imports the ledger alone.
"""

from __future__ import annotations

import json
import os
import signal
import sys

from jackpotd.ledger.open import read_ledger
from jackpotd.ledger.verify import Finding, first_break

LOWEST_PRIORITY = 19
ALL_SOUND = Finding(0, "")


def yield_to_everybody() -> None:
    """The lowest priority there is; of SCHED_IDLE the kernel also derives the idle class of the disk."""
    os.setpriority(os.PRIO_PROCESS, 0, LOWEST_PRIORITY)
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def main(url: str, last_row: str, parent: str) -> None:
    """Verify rows 1 to `last_row` for the process `parent`. LedgerError: the ledger cannot be opened."""
    yield_to_everybody()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a daemon that was killed wants no answer

    def end_with_parent(_: int, __: int) -> None:
        if os.getppid() != int(parent):
            sys.exit(1)

    ledger = read_ledger(url)
    found = first_break(ledger, int(last_row), end_with_parent) or ALL_SOUND
    ledger.close()
    sys.stdout.write(json.dumps({"row": found.row, "why": found.text}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
