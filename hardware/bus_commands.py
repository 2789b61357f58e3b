"""Commands that wait for one table-bus device: only the newest of each kind, one in flight, closing first.

Laws
1. A newer command takes the place of a waiting one of the same code and seat; all lamps replace every single lamp.
2. A command in flight keeps its id through every retry, until its RSP; the next one has the next id.
3. Closing never waits: a lockout goes to the front.
"""

from __future__ import annotations

from hardware.bus_payloads import Command, CommandPayload

# A lamp a seat, all lamps, lockout, text and places: a table of 9 seats never has more waiting.
MOST_WAITING = 32
LOCKOUT_ON = b"\x01"


class CommandQueue:
    """Commands of one device, across its sessions."""

    __slots__ = ("_in_flight", "_last_id", "_waiting")

    def __init__(self) -> None:
        self._waiting: dict[tuple[int, int], CommandPayload] = {}
        self._in_flight: CommandPayload | None = None
        self._last_id = 0

    def __bool__(self) -> bool:
        return self._in_flight is not None or bool(self._waiting)

    @property
    def closing(self) -> bool:
        """Whether a lockout waits for its RSP."""
        waiting = self._waiting.get((Command.LOCKOUT, 0))
        flying = self._in_flight
        return (waiting is not None and waiting.data == LOCKOUT_ON) or (
            flying is not None and (flying.code, flying.data) == (Command.LOCKOUT, LOCKOUT_ON)
        )

    def put(self, code: int, data: bytes) -> None:
        """Let a command wait; its id is given when it goes."""
        if code == Command.ALL_LAMPS:
            self._waiting = {key: waits for key, waits in self._waiting.items() if key[0] != Command.LAMP}
        key = (code, data[0] if code == Command.LAMP else 0)
        if key not in self._waiting and len(self._waiting) >= MOST_WAITING:
            raise ValueError(f"more than {MOST_WAITING} different commands wait for one device")
        self._waiting[key] = CommandPayload(0, code, data)
        if (code, data) == (Command.LOCKOUT, LOCKOUT_ON):
            others = {other: waits for other, waits in self._waiting.items() if other != key}
            self._waiting = {key: self._waiting[key], **others}

    def flying(self) -> CommandPayload:
        """The command to send: the one in flight again, else the next."""
        if self._in_flight is None:
            key = next(iter(self._waiting))
            waited = self._waiting.pop(key)
            self._last_id = (self._last_id + 1) & 0xFF
            self._in_flight = CommandPayload(self._last_id, waited.code, waited.data)
        return self._in_flight

    def landed(self, command_id: int) -> CommandPayload | None:
        """The command that this RSP answers; None when it answers none that flies."""
        flying = self._in_flight
        if flying is None or flying.command_id != command_id:
            return None
        self._in_flight = None
        return flying

    def clear(self) -> None:
        """Forget what waits and flies: a device that greets anew is told everything again."""
        self._waiting.clear()
        self._in_flight = None
