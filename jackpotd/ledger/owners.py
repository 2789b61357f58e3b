"""Whose the files of a ledger are: one Unix user's, who is the service's.

Laws
1. What root makes beside a ledger belongs to whom the ledger belongs, else to whom its folder belongs: root's hands
   shut no service out.
2. A ledger of which a file is another's is not opened for writing, and the error says whose it is and what to do.
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterable
from pathlib import Path

from jackpotd.ledger.port import LedgerError


def unix_user(uid: int) -> str:
    """The name of a Unix user; of one without a name, its number."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"uid-{uid}"


def make_file(path: Path, mode: int, ledger: Path) -> int:
    """A new, empty file of a ledger, its owner's by law 1, as a descriptor to close. OSError as it comes."""
    owner = (ledger if ledger.exists() else ledger.parent).stat()
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        os.fchmod(descriptor, mode)
        if os.geteuid() == 0:
            os.fchown(descriptor, owner.st_uid, owner.st_gid)
    except OSError:
        os.close(descriptor)
        path.unlink()  # a file of the wrong owner would be found, and kept
        raise
    return descriptor


def require_own(paths: Iterable[Path]) -> None:
    """LedgerError "not_writable" when one of those that are there is another user's and cannot be written (law 2)."""
    for path in paths:
        if path.exists() and not os.access(path, os.R_OK | os.W_OK, effective_ids=True):
            owner = path.stat().st_uid
            if owner != os.geteuid():
                name, own = unix_user(owner), unix_user(os.geteuid())
                raise LedgerError(
                    "not_writable",
                    f"{path} belongs to {name} and {own} may not write it: if the ledger is {name}'s, run this as"
                    f" {name}; if it is {own}'s, as root: chown {own} {path}",
                )
