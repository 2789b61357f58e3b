"""Waiting for what must come, in tests."""

from __future__ import annotations

import time
from collections.abc import Callable

# Generous: a loaded two-core machine; only a failing test waits this long.
LIMIT_S = 40.0
_LOOK_S = 0.01


def until(condition: Callable[[], bool], what: str, say: Callable[[], str] = str) -> None:
    """Look until the condition holds; AssertionError with `what`, and what `say` tells, when it never does."""
    deadline = time.monotonic() + LIMIT_S
    while not condition():
        assert time.monotonic() < deadline, f"never came: {what}\n{say()}"
        time.sleep(_LOOK_S)
