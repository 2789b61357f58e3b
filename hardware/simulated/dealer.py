"""What a simulated dealer's eyes and hands do at any table: wait for what the devices show, press, pause, clear.

Laws
1. The dealer knows what the devices show and nothing else: lockout, display text, and the light of a board whose
   journal is empty because the controller has taken everything.
2. Pauses shrink with the speed; waiting for a device takes as long as it takes.
3. A round that the display calls held is given up with RoundHeldError: a supervisor decides.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from hardware.simulated.bus_boards import BetPanelSim, KeypadSim
from hardware.simulated.bus_device import BusDeviceSim
from hardware.simulated.wire import monotonic_ms

_LOOK_S: Final = 0.01  # how often the dealer looks up; a poll of the bus takes about as long
_PROGRESSIVE: Final = 0  # the place of the table's first pool
_HELD: Final = "ROUND HELD"
_OPEN: Final = "BETS OPEN"
_CLOSED: Final = ("HIT ", "PROGRESSIVE CLOSED")
_TRIES: Final = 3
_QUIET_S: Final = 0.2  # two polls, of which the first finds nothing
_ANTE: Final = 1


class RoundHeldError(Exception):
    """The controller holds the round."""


class Pace:
    """How fast hands move: at speed 1 a real dealer's. `paused_s` counts the pauses as they would be at speed 1."""

    def __init__(self, speed: int = 1) -> None:
        self.paused_s = 0.0
        self._speed = speed

    async def pause(self, seconds: float) -> None:
        """Take some time."""
        self.paused_s += seconds
        await asyncio.sleep(seconds / self._speed)


async def look(seen: Callable[[], bool]) -> None:
    """Look again and again, until something is seen."""
    while not seen():  # noqa: ASYNC110  # devices show, they do not call
        await asyncio.sleep(_LOOK_S)


class Dealer:
    """The dealer and the players' hands at one table."""

    def __init__(self, panel: BetPanelSim, keypad: KeypadSim, pace: Pace) -> None:
        self.panel = panel
        self.keypad = keypad
        self.pace = pace

    async def until(self, seen: Callable[[], bool]) -> None:
        """Wait until something is seen. RoundHeldError when the display says held."""
        await look(lambda: self._is_held() or seen())
        if self._is_held():
            raise RoundHeldError(self.keypad.bus.text)

    async def taken(self, board: BusDeviceSim) -> None:
        """Wait until the controller has everything that a board noted."""
        await self.until(lambda: board.journal.newest < board.journal.oldest)

    async def try_boards(self) -> None:
        """Before the first round: a key that ends nothing, a chip put down and taken back, some times.

        The controller knows a board's clock from the first word that it hears promptly, and one poll that a busy
        machine answers late makes it a late one: a lock of which nobody knows when it was pressed would be held.
        """
        for _ in range(_TRIES):
            await asyncio.sleep(_QUIET_S)
            self.keypad.end_round(monotonic_ms())
            self.panel.place(1, _ANTE, monotonic_ms())
            self.panel.remove(1, _ANTE, monotonic_ms())
            await self.taken(self.keypad.bus)
            await self.taken(self.panel.bus)

    async def between_rounds(self) -> None:
        """Wait until the devices say that a round may begin: bets open and the slots too, or no progressive now."""
        await self.until(self._may_begin)

    async def round_over(self) -> None:
        """Wait until the display shows the round's end."""
        await self.taken(self.keypad.bus)
        await self.between_rounds()

    async def after_hold(self) -> None:
        """Wait until the display says held no more, then clear the felt."""
        await look(lambda: not self._is_held())
        await self.clear()

    async def place(self, seat: int, place: int, *, pause_s: float) -> None:
        """A player puts a chip down."""
        await self.pace.pause(pause_s)
        self.panel.place(seat, place, monotonic_ms())

    async def lock(self) -> tuple[int, ...]:
        """Bets locked, as the dealer announces it; the seats whose progressive chip lies in its slot."""
        await self.taken(self.panel.bus)
        in_slot = tuple(sorted(seat for seat, place in self.panel.chips if place == _PROGRESSIVE))
        await self.pace.pause(0.8)
        self.keypad.lock_bets(monotonic_ms())
        await self.until(self._counted)
        return in_slot

    async def clear(self) -> None:
        """All chips leave the felt."""
        await self.pace.pause(0.5)
        self.panel.sweep(monotonic_ms())
        await self.taken(self.panel.bus)

    def _is_held(self) -> bool:
        return self.keypad.bus.text.startswith(_HELD)

    def _may_begin(self) -> bool:
        text = self.keypad.bus.text
        return text.startswith(_CLOSED) or (text.startswith(_OPEN) and not self.panel.bus.lockout)

    def _counted(self) -> bool:
        """The display says how many progressive bets were accepted."""
        text = self.keypad.bus.text
        return "PROGRESSIVE" in text and not text.startswith(_CLOSED)
