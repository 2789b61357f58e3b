"""Why a gaming day is provisional, in words.

Law: what the daemon recorded is said whole: when, why, and by how much the clock was set.
"""

from __future__ import annotations

from typing import Any

_MS_PER_S = 1_000


def doubt_text(doubt: dict[str, Any]) -> str:
    """One reason."""
    if doubt["why"] == "unsynchronised":
        return f"from {doubt['at']} on nothing said that the clock was synchronised"
    way = "forward" if doubt["by_ms"] > 0 else "back"
    return f"at {doubt['at']} the clock had been set {way} by {abs(doubt['by_ms']) // _MS_PER_S} s"
