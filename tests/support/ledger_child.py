"""A process that writes a ledger, for tests that watch its system calls or break them: ledger_child URL STEPS.

Each step is one letter: a append, s snapshot, c checkpoint, r reopen, F no file may grow any more. Before each step
its letter and number go to standard error in one write, which a trace shows; its outcome then to standard output.
"""

from __future__ import annotations

import os
import resource
import signal
import sys

from jackpotd.ledger.open import open_ledger
from jackpotd.ledger.port import Ledger, LedgerError
from jackpotd.ledger.snapshots import take_snapshot
from tests.support.ledgers import SITE, UUID, append_said


def forbid_growth() -> None:
    """Every write past a file's first 64 KiB fails from now on, as on a disk that is full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (65_536, 65_536))


def step(ledger: Ledger, letter: str, number: int) -> None:
    if letter == "a":
        append_said(ledger, range(number * 100, number * 100 + 40))
    elif letter == "s":
        ledger.save_snapshot(take_snapshot(ledger.head, "1.0", b"state"))
    elif letter == "c":
        assert ledger.checkpoint()
    elif letter == "F":
        forbid_growth()
    else:
        raise ValueError(letter)


def main(url: str, steps: str) -> None:
    ledger = open_ledger(url, SITE, create=UUID)
    for number, letter in enumerate(steps, start=1):
        os.write(2, f"{letter}{number}\n".encode())
        try:
            if letter == "r":
                ledger.close()
                ledger = open_ledger(url, SITE)
            else:
                step(ledger, letter, number)
        except LedgerError as error:
            outcome = error.kind
        else:
            outcome = "done"
        os.write(1, f"{letter}{number} {outcome} {ledger.head.seq}\n".encode())
    os.write(2, b"end\n")
    ledger.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
