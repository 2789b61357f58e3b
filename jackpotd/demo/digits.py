"""Big digits for a terminal, three lines high."""

from __future__ import annotations

from typing import Final

LINES: Final = 3
_GLYPHS: Final = {
    "0": ("╭─╮", "│ │", "╰─╯"),
    "1": ("╶╮ ", " │ ", "╶┴╴"),
    "2": ("╶─╮", "╭─╯", "╰─╴"),
    "3": ("╶─╮", " ─┤", "╶─╯"),
    "4": ("╷ ╷", "╰─┤", "  ╵"),
    "5": ("╭─╴", "╰─╮", "╶─╯"),
    "6": ("╭─╴", "├─╮", "╰─╯"),
    "7": ("╶─╮", "  │", "  ╵"),
    "8": ("╭─╮", "├─┤", "╰─╯"),
    "9": ("╭─╮", "╰─┤", "╶─╯"),
    ",": (" ", " ", "╯"),
    ".": (" ", " ", "•"),
}


def big(text: str) -> str:
    """Digits, commas and points as three lines."""
    return "\n".join("".join(_GLYPHS[char][line] for char in text) for line in range(LINES))
