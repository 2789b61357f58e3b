"""Alarms of the shell: they need a person and are no money, so they are not in the ledger and wait for nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable

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
        """Raise an alarm and log it once."""
        alarm = f"{code}-{subject.replace('/', '-')}"
        if alarm in self.active or len(self.active) >= MAX_ALARMS:
            return
        self.active[alarm] = Alarm(alarm, code, text, "", subject, self._clock.utc_ms(), todo)
        log.error(text, extra={"alarm": alarm})
        self._tell()

    def clear(self, code: str, subject: str) -> None:
        """The cause is gone."""
        gone = self.active.pop(f"{code}-{subject.replace('/', '-')}", None)
        if gone is not None:
            log.info("alarm cleared", extra={"alarm": gone.alarm})
            self._tell()

    def _tell(self) -> None:
        for listener in self.listeners:
            listener()
