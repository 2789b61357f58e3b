"""Computes the limits of breakers, as a process of its own: parameters of pools in, their limits out, a line each.

Law: pool parameters and limits are JSON as in the ledger's rows; nothing else is read or said.
"""

from __future__ import annotations

import os
import signal
import sys

import orjson

from jackpotd.core.limits import Limits
from jackpotd.core.parameters import PoolParams
from jackpotd.ledger.shapes import Shapes

# The tables play while it computes.
LOW_PRIORITY = 10

_SHAPES = Shapes()
PARAMS, LIMITS = _SHAPES.of(PoolParams), _SHAPES.of(Limits)


def written(shape_of: type[PoolParams | Limits], value: PoolParams | Limits) -> bytes:
    """One line."""
    encode = _SHAPES.of(shape_of).encode
    assert encode is not None
    return orjson.dumps(encode(value)) + b"\n"


def main() -> None:
    """Compute what standard input asks for."""
    from jackpotd.odds.breaker import limits  # noqa: PLC0415  # the daemon, which knows this module by name, needs none

    os.setpriority(os.PRIO_PROCESS, 0, LOW_PRIORITY)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a daemon that was killed wants no answer
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(written(Limits, limits(PARAMS.decode(orjson.loads(line)))))


if __name__ == "__main__":
    main()
