"""The watch over the signs: what each says it shows, held against what this controller said.

Laws
1. A difference of `DIFFERENCE_MS` is an alarm, one a sign, and it goes when the sign is right again.
2. A sign may be behind by that much: an amount is right when it lies between the least and the greatest that the pool
   had meanwhile, since digits roll.
3. Nothing is judged before the broker has been there for that long, nor about a pool of another controller; of what
   the broker remembers only `offline` counts.
4. A page without a browser is a fault once it has had one: a screen that went dark.
5. A sign that is gone for good is forgotten when its retained state is cleared at the broker.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from dataclasses import dataclass

from jackpotd.daemon.board import Board
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.messages.base import MessageError, from_json
from jackpotd.messages.mqtt import ShownPool, SignState
from jackpotd.messages.topics import SIGN_STATE

log = logging.getLogger(__name__)

DIFFERENCE_MS = 5_000
# Signs speak at least every 4 s: two words lost.
SILENCE_MS = 10_000
LOOK_S = 0.5
_MS_PER_S = 1_000
# What is kept of a pool's past: as many looks as the time that a sign may be behind.
_LOOKS = DIFFERENCE_MS // int(LOOK_S * _MS_PER_S) + 1
# More than the largest house has; a broker without an access list must not fill memory.
MAX_SIGNS = 2_000
# Twice what ids of a configuration have. A longer one is no sign of ours, and has no room in an alarm's topic.
MAX_NAME_CHARACTERS = 64
_TODO = "Look at the sign, its player and its line. Gone for good: clear its retained state at the broker."


@dataclass(frozen=True, slots=True)
class _Said:
    """What this controller said of a pool at one look."""

    minor: int
    state: str


@dataclass(slots=True)
class _Sign:
    """A sign: what it said, when, whether that was from the broker's memory, and since when it has not been right."""

    state: SignState
    heard_ms: int
    remembered: bool
    had_screen: bool = False
    wrong_ms: int | None = None


@dataclass(frozen=True, slots=True)
class _Fault:
    """What is not right about a sign; `for_ms`: how long that has been so when it is first seen."""

    why: str
    for_ms: int = 0


class SignWatch:
    """The signs of one site."""

    def __init__(self, site: str, board: Board, alarms: ShellAlarms, clock: Clock) -> None:
        self.topics = SIGN_STATE.everywhere(site)
        self._board = board
        self._alarms = alarms
        self._clock = clock
        self._connected_ms: int | None = None
        self._past: dict[str, deque[_Said]] = {}
        self._signs: dict[str, _Sign] = {}

    def connected(self) -> None:
        """The broker is there, and tells what it keeps."""
        self._connected_ms = self._clock.monotonic_ms()
        self._past.clear()

    def disconnected(self) -> None:
        """The broker is gone: nothing is known of any sign."""
        self._connected_ms = None
        for name in list(self._signs):
            self._forget(name)

    def heard(self, topic: str, payload: bytes, *, retained: bool) -> bool:
        """Take a sign's word; False for a topic that is no sign's."""
        ids = SIGN_STATE.ids_of(topic)
        if ids is None:
            return False
        name = ids[1]
        if len(name) > MAX_NAME_CHARACTERS:
            return True
        if not payload:
            self._forget(name)
            return True
        try:
            state = from_json(SignState, payload)
        except MessageError as error:
            log.warning("a sign says no state", extra={"sign": name, "why": str(error)})
            return True
        now_ms = self._clock.monotonic_ms()
        sign = self._signs.get(name)
        if sign is None:
            if len(self._signs) >= MAX_SIGNS:
                return True
            sign = self._signs[name] = _Sign(state, now_ms, retained)
        sign.state, sign.heard_ms, sign.remembered = state, now_ms, retained
        sign.had_screen = sign.had_screen or bool(state.screens)
        return True

    async def run(self) -> None:
        """Look, for ever, while the broker is there."""
        while True:
            self.look()
            await asyncio.sleep(LOOK_S)

    def look(self) -> None:
        """Hold every sign against what was said."""
        now_ms = self._clock.monotonic_ms()
        for name, view in self._board.meters.items():
            past = self._past.setdefault(name, deque(maxlen=_LOOKS))
            state = "suspended" if self._board.suspended else view.state
            past.append(_Said(view.amount_minor, state))
        if self._connected_ms is None or now_ms - self._connected_ms < DIFFERENCE_MS:
            return
        for name, sign in self._signs.items():
            self._judge(name, sign, now_ms)

    def _judge(self, name: str, sign: _Sign, now_ms: int) -> None:
        fault = self._fault(sign, now_ms)
        if fault is None:
            sign.wrong_ms = None
            self._alarms.clear("sign", name)
            return
        if sign.wrong_ms is None:
            sign.wrong_ms = now_ms - fault.for_ms
        if now_ms - sign.wrong_ms >= DIFFERENCE_MS:
            self._alarms.raise_alarm("sign", name, f"sign {name} {fault.why}", _TODO)

    def _fault(self, sign: _Sign, now_ms: int) -> _Fault | None:
        state = sign.state
        if state.state == "offline":
            return _Fault("is off")
        if now_ms - sign.heard_ms > SILENCE_MS:
            return _Fault("says nothing", SILENCE_MS)
        if sign.remembered:
            return None
        if state.screens == 0 and sign.had_screen:
            return _Fault("is on no screen any more")
        pools = list(state.others)
        if state.pool is not None:
            pools.insert(0, ShownPool(**state.model_dump(include=set(ShownPool.model_fields))))
        return next((fault for pool in pools if (fault := self._pool_fault(pool))), None)

    def _pool_fault(self, shown: ShownPool) -> _Fault | None:
        past = self._past.get(shown.pool)
        if past is None:
            return None  # another controller's
        if shown.amount is None:
            return _Fault(f"shows a neutral face for {shown.pool}")
        if shown.epoch != self._board.epoch:
            return _Fault(f"shows {shown.pool} as it was under another start of the controller")
        if shown.state not in {said.state for said in past}:
            return _Fault(f"shows {shown.pool} as {shown.state}", DIFFERENCE_MS)
        minor = int(shown.amount.replace(".", ""))
        if not min(said.minor for said in past) <= minor <= max(said.minor for said in past):
            return _Fault(f"shows {shown.amount} for {shown.pool}", DIFFERENCE_MS)
        return None

    def _forget(self, name: str) -> None:
        if self._signs.pop(name, None) is not None:
            self._alarms.clear("sign", name)
