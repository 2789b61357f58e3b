"""Logs for the journal: one line an occurrence, `message key=value ...`, with the priority that systemd reads.

Laws
1. No line holds a control character: what came from a device or a person is escaped. No line is longer than
   `MAX_LINE_CHARACTERS`: the rest is cut off, and that is said.
2. A flood is cut: lines over `MAX_LINES_A_SECOND` are dropped, and the next line that goes out says how many. Errors
   have a bound of their own, so that no flood of lesser lines hides one.
3. What ends the process unexpectedly is a line too.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from types import TracebackType

# A site's worst hour has some lines a second; more says nothing that metrics do not say better.
MAX_LINES_A_SECOND = 50
# A trace of a program's fault fits; the journal itself cuts lines at 48 KiB and would make two of one.
MAX_LINE_CHARACTERS = 16_000
_PRIORITIES = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class JournalFormatter(logging.Formatter):
    """`<priority>message key=value`: systemd takes the number off and stores it."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, whatever is in it."""
        fields = {key: value for key, value in vars(record).items() if key not in _STANDARD}
        words = [escaped(record.getMessage()), *(f"{key}={quoted(str(value))}" for key, value in fields.items())]
        if record.exc_info:
            words.append(f"trace={quoted(self.formatException(record.exc_info))}")
        line = " ".join(words)
        if len(line) > MAX_LINE_CHARACTERS:
            line = f"{line[:MAX_LINE_CHARACTERS]}... cut_characters={len(line) - MAX_LINE_CHARACTERS}"
        return f"<{_PRIORITIES.get(record.levelno, 6)}>{line}"


def escaped(text: str) -> str:
    """The text with control characters and line separators written out."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def quoted(text: str) -> str:
    """The text as a value: in quotes where it has blanks, quotes or nothing."""
    safe = escaped(text.replace("\\", "\\\\"))
    if safe and not any(char in safe for char in ' "='):
        return safe
    return '"' + safe.replace('"', '\\"') + '"'


class FloodGate(logging.Filter):
    """Lets a bounded number of lines a second through, errors apart, and says how many it kept."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now_s = now_s
        self._second = -1
        self._lines = {True: 0, False: 0}
        self._dropped = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this line goes out."""
        second = int(self._now_s())
        if second != self._second:
            self._second, self._lines = second, {True: 0, False: 0}
        error = record.levelno >= logging.ERROR
        self._lines[error] += 1
        if self._lines[error] > MAX_LINES_A_SECOND:
            self._dropped += 1
            return False
        if self._dropped:
            record.dropped_lines = self._dropped
            self._dropped = 0
        return True


def set_up_logs() -> None:
    """All logs to standard error, where systemd reads them."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JournalFormatter())
    handler.addFilter(FloodGate())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    sys.excepthook = _log_uncaught


def _log_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    logging.getLogger(__name__).critical("a fault of the program ends it", exc_info=(kind, error, trace))
