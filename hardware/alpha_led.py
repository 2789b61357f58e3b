"""What an Alpha or BetaBrite LED sign is told (devices.md section 4), as whole packets; nothing comes back.

Laws
1. A packet is complete in itself: it needs no memory set up before, so that a sign plugged in now shows the next one.
2. Text is printable ASCII and bounded; nobody's text can hold a control code.
3. Every packet carries its sum: a spoilt one is not shown.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

BAUD: Final = 9_600
PARITY: Final = "E"
DATA_BITS: Final = 7

WAKE: Final = b"\x00" * 5  # lets the sign find the line speed
SOH, STX, ETX, EOT, ESC = b"\x01", b"\x02", b"\x03", b"\x04", b"\x1b"
ALL_SIGNS: Final = b"Z00"  # every type, every address
WRITE_TEXT: Final = b"A"
# The file that is shown in front of all others, and the one that needs no memory to be set up.
PRIORITY: Final = b"0"
MAX_TEXT: Final = 125  # characters that the priority file holds
MIDDLE_LINE: Final = b" "


class Mode(StrEnum):
    """How a text comes: standing still, or running through."""

    HOLD = "b"
    ROTATE = "a"


def text_packet(text: str, mode: Mode = Mode.HOLD) -> bytes:
    """The packet that makes every sign on the line show `text`; characters that it does not have become blanks."""
    shown = "".join(char if " " <= char <= "~" else " " for char in text[:MAX_TEXT])
    command = WRITE_TEXT + PRIORITY + ESC + MIDDLE_LINE + mode.value.encode() + shown.encode("ascii")
    summed = STX + command + ETX
    return WAKE + SOH + ALL_SIGNS + summed + b"%04X" % (sum(summed) & 0xFFFF) + EOT
