"""What a password earns: a token of five minutes; and what guessing earns: a wait.

Laws
1. A token is a person's for five minutes of monotonic time, and only in the hands of the Unix user who logged in.
2. What is kept of a token is its hash, so that nothing in memory can be used as one.
3. After `MAX_WRONG` wrong passwords one Unix user waits for that name; nobody can lock out another.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass

TOKEN_MS = 300_000  # design 4
# Everybody on a shift, logged in at several screens; beyond that the oldest token ends early.
MAX_TOKENS = 1_000
# Enough for cold fingers; at one round of five a minute a guesser needs years for a poor password.
MAX_WRONG = 5
WAIT_MS = 60_000
# Pairs of Unix user and name that are counted at once; members of one group on one machine are fewer.
MAX_COUNTED = 1_000


@dataclass(frozen=True, slots=True)
class _Issued:
    name: str
    uid: int
    until_ms: int


class Tokens:
    """Who is logged in. `now_ms` is monotonic."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._issued: dict[bytes, _Issued] = {}

    def issue(self, name: str, uid: int) -> str:
        """A new token for an operator who proved himself to this Unix user's program."""
        now_ms = self._now_ms()
        self._issued = {key: one for key, one in self._issued.items() if one.until_ms > now_ms}
        while len(self._issued) >= MAX_TOKENS:
            del self._issued[next(iter(self._issued))]
        token = secrets.token_urlsafe(32)
        self._issued[_key(token)] = _Issued(name, uid, now_ms + TOKEN_MS)
        return token

    def name_of(self, token: str, uid: int) -> str | None:
        """Whose token it is; None when it is nobody's, over, or another Unix user's."""
        one = self._issued.get(_key(token))
        return one.name if one is not None and one.uid == uid and one.until_ms > self._now_ms() else None

    def revoke(self, name: str) -> None:
        """End every token of an operator."""
        self._issued = {key: one for key, one in self._issued.items() if one.name != name}


def _key(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


@dataclass(slots=True)
class _Count:
    wrong: int
    last_ms: int


class Tries:
    """Wrong passwords of the last while. `now_ms` is monotonic."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._counts: dict[tuple[int, str], _Count] = {}

    def wait_ms(self, uid: int, name: str) -> int:
        """How long this Unix user must wait before another try of this name; 0: not at all."""
        now_ms = self._now_ms()
        count = self._counts.get((uid, name))
        if count is None or count.wrong < MAX_WRONG:
            return 0
        return max(0, count.last_ms + WAIT_MS - now_ms)

    def begun(self, uid: int, name: str) -> None:
        """A try begins: it counts as wrong until `right` is called, so that tries side by side gain nothing."""
        now_ms = self._now_ms()
        self._counts = {key: one for key, one in self._counts.items() if one.last_ms + WAIT_MS > now_ms}
        if (uid, name) not in self._counts and len(self._counts) >= MAX_COUNTED:
            del self._counts[next(iter(self._counts))]
        count = self._counts.setdefault((uid, name), _Count(0, now_ms))
        count.wrong += 1
        count.last_ms = now_ms

    def right(self, uid: int, name: str) -> None:
        """The password was right."""
        self._counts.pop((uid, name), None)
