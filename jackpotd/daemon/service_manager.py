"""The service manager's side: ready, alive, stopping (sd_notify).

Law: nothing waits for the service manager, and a notice that it does not take is a line in the log, no fault.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Mapping

log = logging.getLogger(__name__)

# For the next ten thousand rows, of which an ordinary disk reads more in a second.
PATIENCE_S = 60
_US_PER_S = 1_000_000


class ServiceManager:
    """Says things to systemd, if it started us."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._address = environ.get("NOTIFY_SOCKET", "")
        usec = environ.get("WATCHDOG_USEC", "")
        ours = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.watchdog_s = int(usec) / _US_PER_S if usec.isdecimal() and ours and int(usec) else None

    def say(self, *lines: str) -> None:
        """Send a notification such as READY=1; who does not take it at once misses it."""
        if not self._address:
            return
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
            try:
                sender.sendto("\n".join(lines).encode(), socket.MSG_DONTWAIT, address)
            except OSError as error:
                log.warning("service manager not reached", extra={"why": str(error)})

    def reading(self, row: int, last: int) -> None:
        """A start that reads a long ledger is not stuck: after a change of version it may read all of it."""
        self.say(f"EXTEND_TIMEOUT_USEC={PATIENCE_S * _US_PER_S}", f"STATUS=reading the ledger, row {row} of {last}")
