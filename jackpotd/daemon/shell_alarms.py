"""Alarms of the shell: they need a person and are no money, so they are not in the ledger and wait for nothing.

Law: an alarm that goes on is one line in the log, and another only when its reason is another.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from jackpotd.core.acts import By
from jackpotd.core.state import Alarm
from jackpotd.daemon.clock import Clock

log = logging.getLogger(__name__)

# One for every device of the largest site and some of the controller's own; more would be a flood, not news.
MAX_ALARMS = 1_000


class ShellAlarms:
    """What is wrong with the shell now. The same code and subject again says nothing new."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.active: dict[str, Alarm] = {}
        self.listeners: list[Callable[[], None]] = []

    def raise_alarm(self, code: str, subject: str, text: str, todo: str) -> None:
        """Raise an alarm and log it once; raised again it keeps the time since when, and takes the newest reason."""
        alarm = f"{code}-{subject.replace('/', '-')}"
        known = self.active.get(alarm)
        if known is None and len(self.active) >= MAX_ALARMS:
            return
        if known is not None and known.text == text:
            return
        since_ms = self._clock.utc_ms() if known is None else known.since_ms
        self.active[alarm] = Alarm(alarm, code, text, "", subject, since_ms, todo)
        log.error(text, extra={"alarm": alarm})
        self._tell()

    def acknowledge(self, alarm: str, by: By) -> None:
        """Somebody has seen it; it stays until its cause is gone."""
        if alarm in self.active:
            self.active[alarm] = replace(self.active[alarm], seen_by=by, seen_ms=self._clock.utc_ms())

    def clear(self, code: str, subject: str) -> None:
        """The cause is gone."""
        gone = self.active.pop(f"{code}-{subject.replace('/', '-')}", None)
        if gone is not None:
            log.info("alarm cleared", extra={"alarm": gone.alarm})
            self._tell()

    def _tell(self) -> None:
        for listener in self.listeners:
            listener()
