"""Aligned text for people. Law: nothing that a device or a person has written reaches the terminal as a command."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_GAP = "  "


def plain(text: str) -> str:
    """The text with everything that is not printable written out."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def lines(head: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[str] = ()) -> list[str]:
    """A head and rows in columns, those named in `right` aligned to the right."""
    cells = [tuple(head), *(tuple(plain(cell) for cell in row) for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    return [
        _GAP.join(
            cell.rjust(width) if name in right else cell.ljust(width)
            for cell, width, name in zip(row, widths, head, strict=True)
        ).rstrip()
        for row in cells
    ]
