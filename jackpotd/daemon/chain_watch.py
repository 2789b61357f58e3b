"""The older part of the chain, verified behind the daemon's back while it serves (the newer part was at the start).

Laws
1. It never holds the event loop: the work is a child process of the lowest priority, ended with the daemon.
2. A break suspends every pool and alarms, through the ledger like all that concerns money.
3. A verification that could not be made is no verification: it alarms too.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable

from jackpotd.core.facts import ChainBroken
from jackpotd.daemon import chain_child
from jackpotd.daemon.metrics import Metrics
from jackpotd.daemon.shell_alarms import ShellAlarms

log = logging.getLogger(__name__)

# The child's line: a number and a sentence.
_MAX_LINE_BYTES = 4_096
_TODO = "Run `jackpotd ledger verify` and look why the check ended."


async def watch_chain(
    url: str, last_row: int, alarms: ShellAlarms, metrics: Metrics, broken: Callable[[ChainBroken], None]
) -> None:
    """Verify rows 1 to `last_row`, those that the start took from a snapshot; `broken` hears of a break."""
    if last_row == 0:
        metrics.chain("verified")
        return
    metrics.chain("checking")
    command = (sys.executable, "-P", "-m", chain_child.__name__, url, str(last_row), str(os.getpid()))
    try:
        process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=PIPE)
    except OSError as error:
        _not_verified(f"the check cannot be started: {error.strerror}", alarms, metrics)
        return
    try:
        assert process.stdout is not None
        line = await process.stdout.read(_MAX_LINE_BYTES)
        code = await process.wait()
    finally:
        await _end(process)
    if code != 0:
        _not_verified(f"the check ended with {code}", alarms, metrics)
        return
    found = json.loads(line)
    if found["row"] == 0:
        metrics.chain("verified")
        log.info("ledger's older rows verified", extra={"rows": last_row})
        return
    metrics.chain("broken")
    log.critical("the ledger's chain is broken", extra=found)
    broken(ChainBroken(found["row"], found["why"]))


def _not_verified(why: str, alarms: ShellAlarms, metrics: Metrics) -> None:
    metrics.chain("unknown")
    alarms.raise_alarm("chain_check", "ledger", f"the ledger's older rows could not be verified: {why}", _TODO)


async def _end(process: Process) -> None:
    if process.returncode is None:
        process.kill()
        await process.wait()
