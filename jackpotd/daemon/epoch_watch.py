"""The watch over our own name at the broker: does another controller speak there, under a higher epoch?

Laws
1. Signs follow the highest epoch: whoever has it is shown, and this controller is not. That is an alarm.
2. Every connection looks anew, at what the broker keeps before this controller has spoken; where that is not higher any
   more, the alarm is over. A sign that goes on showing the other's amounts is `sign_watch`'s to tell.
3. What is no status, or has an epoch that no clock ever made, does nothing.
"""

from __future__ import annotations

from jackpotd.daemon.board import Board
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.messages.base import MessageError, from_json
from jackpotd.messages.mqtt import Status

# Epochs are seconds since 1970, or one above the last.
_ABOVE_ALL_EPOCHS = 1 << 63
_ALARM = "higher_epoch", "controller"
_TODO = (
    "Find the other controller of this site and node, or the newer ledger that it was started with: it may be right, "
    "and this one an old backup. Stop the wrong one. If this one is right, restart it after that, since a start takes "
    "the seconds of the clock as its epoch; then restart the signs, which have seen the other's."
)


class EpochWatch:
    """Hears what is said on this controller's status topic."""

    def __init__(self, topic: str, board: Board, alarms: ShellAlarms) -> None:
        self.topic = topic
        self._board = board
        self._alarms = alarms
        self._first = False  # nothing was heard yet on this connection
        self._higher = False

    def connected(self) -> None:
        """The broker is there, and tells what it keeps."""
        self._first = True

    def heard(self, topic: str, payload: bytes) -> bool:
        """Take a status, often our own; False for another topic."""
        if topic != self.topic:
            return False
        try:
            said = from_json(Status, payload).epoch
        except MessageError:
            return True  # law 3
        if said >= _ABOVE_ALL_EPOCHS:
            return True
        own, first, self._first = self._board.epoch, self._first, False
        if said > own:
            if not self._higher:  # one that says ever higher ones is told once
                self._higher = True
                text = f"another controller says {topic} under epoch {said}, above this one's {own}"
                self._alarms.raise_alarm(*_ALARM, f"{text}: signs show its amounts and not ours", _TODO)
        elif first and self._higher:
            self._higher = False
            self._alarms.clear(*_ALARM)
        return True
