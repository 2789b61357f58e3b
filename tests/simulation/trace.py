"""What passed between the daemon and the world, as one hash: the same seed gives the same run to the byte."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from hashlib import sha256

# The end of a run that failed is what is read first.
_REMEMBERED = 400


class Trace:
    """Everything that was said, in order and with its time."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._hash = sha256()
        self.last: deque[str] = deque(maxlen=_REMEMBERED)
        self.notes = 0

    def note(self, kind: str, *parts: bytes) -> None:
        """Bytes that crossed the border."""
        self.notes += 1
        self._hash.update(b"%b %d %b\n" % (kind.encode(), self._now_s() * 1_000_000, b"|".join(parts)))

    def say(self, text: str) -> None:
        """Something that happened in the world, for the reader and for the hash."""
        self.note("world", text.encode())
        self.last.append(f"{self._now_s():10.3f} {text}")

    @property
    def digest(self) -> str:
        """The run so far."""
        return self._hash.hexdigest()
