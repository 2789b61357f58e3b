"""What every port of the shell needs, and the life of a link: open, serve, lose, wait, open again."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random

from hardware.links import Link, LinkError, SerialSettings
from hardware.reconnect import Backoff
from jackpotd.core.facts import TableWord
from jackpotd.core.state import State
from jackpotd.daemon.board import Board
from jackpotd.daemon.clock import Clock, Instant
from jackpotd.daemon.config_settings import DeviceSettings
from jackpotd.daemon.inbox import Inbox, Item
from jackpotd.daemon.metrics import Metrics
from jackpotd.daemon.recorder import Recorder
from jackpotd.daemon.shell_alarms import ShellAlarms

log = logging.getLogger(__name__)

# A pulled plug is back within seconds; a device that is gone is asked for four times a minute.
FIRST_WAIT_S = 0.2
LONGEST_WAIT_S = 15.0
# A link that lived this long was a good one: what ended it is a new trouble.
STABLE_S = 30.0


OpenLink = Callable[[str, SerialSettings], Awaitable[Link]]


@dataclass(slots=True)
class Shell:
    """What the ports share. `rng` is for jitter, `random_bytes` for nonces."""

    state: State  # as committed; the engine changes it in place
    inbox: Inbox
    board: Board
    clock: Clock
    metrics: Metrics
    alarms: ShellAlarms
    rng: Random
    random_bytes: Callable[[int], bytes]
    open_link: OpenLink
    recorder: Recorder


def serial_settings(device: DeviceSettings) -> SerialSettings:
    """How the device's line is set; a serial server has its own settings, so the baud there is never used."""
    return SerialSettings(device.baud or 9600, device.parity[0].upper(), device.data_bits, device.stop_bits)


def watched(device: DeviceSettings, word: TableWord, now: Instant) -> Item:
    """The controller's own word about a device."""
    return Item(device.table, device.name, word, now.utc_ms, now.utc_ms, now.monotonic_ns)


async def keep_open(
    shell: Shell,
    port: str,
    settings: SerialSettings,
    serve: Callable[[Link], Awaitable[None]],
    lost: Callable[[LinkError], None],
) -> None:
    """Open a port and serve it, for ever; `lost` hears of every link that could not be opened or ended."""
    backoff = Backoff(shell.rng, FIRST_WAIT_S, LONGEST_WAIT_S, STABLE_S)
    why = ""
    while True:
        began = asyncio.get_running_loop().time()
        lived_s = 0.0
        try:
            link = await shell.open_link(port, settings)
            why = ""
            try:
                await serve(link)
            finally:
                link.close()
                lived_s = asyncio.get_running_loop().time() - began
        except LinkError as error:
            if error.text != why:  # a port that stays away is one occurrence, however often it is tried
                log.warning("link lost", extra={"port": port, "kind": error.kind, "why": error.text})
            why = error.text
            lost(error)
        await asyncio.sleep(backoff.delay_s(lived_s))
