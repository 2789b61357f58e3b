"""The LED face: an Alpha or BetaBrite sign on a serial line.

Laws
1. A change is sent within `CHANGE_S`, and what is shown is sent again every `AGAIN_S`: a sign that was swapped, or that
   lost a packet, is right within that time.
2. The sign answers nothing, so what is shown is what was last sent over a line that took it.
3. A sign keeps its text for ever: the last thing sent, when the player stops or fails, is the neutral text. Where it is
   killed, `blank` sends it, which the unit does.
"""

from __future__ import annotations

import asyncio
import logging
from random import Random

from hardware.alpha_led import DATA_BITS, PARITY, Mode, text_packet
from hardware.links import Link, LinkError, SerialSettings, open_link
from hardware.reconnect import Backoff
from jackpotd.sign.clock import monotonic_ms, wait
from jackpotd.sign.face import Shown
from jackpotd.sign.led_text import led_hit, led_neutral, led_pool
from jackpotd.sign.settings import Settings
from jackpotd.sign.views import SignView, neutral_view
from jackpotd.sign.wording import Language

log = logging.getLogger(__name__)

AGAIN_S = 4.0
CHANGE_S = 1.0
# Several pools on one line: long enough to read a name and an amount.
TURN_S = 8
FIRST_WAIT_S, LONGEST_WAIT_S, STABLE_S = 0.5, 5.0, 30.0
# Bits that a byte takes on the line, and the longest packet's bytes: what must have left before a line is closed.
_BITS, _PACKET_BYTES = 10, 150
_MS_PER_S = 1_000


class LedFace:
    """One LED sign, or several on the same line."""

    def __init__(self, settings: Settings) -> None:
        assert settings.port is not None, "the settings check it"
        self._settings = settings
        self._port = settings.port
        self._serial = SerialSettings(settings.baud, PARITY, DATA_BITS)
        self._view = neutral_view(settings.pools)
        self._neutral = self._view.pools
        self._sent = self._neutral

    def show(self, view: SignView) -> None:
        """Show this from now on."""
        self._view = view

    def shown(self) -> Shown:
        """What was last sent (law 2); a pool whose turn has not come counts as it would be sent."""
        return Shown(self._sent)

    async def run(self, stop: asyncio.Event) -> None:
        """Send, until the sign stops."""
        backoff = Backoff(Random(), FIRST_WAIT_S, LONGEST_WAIT_S, STABLE_S)  # noqa: S311  # jitter, no secret
        said = ""
        while not stop.is_set():
            began_ms = monotonic_ms()
            try:
                await self._session(stop)
            except* LinkError as group:
                why = str(group.exceptions[0])
                if why != said:
                    log.warning("LED sign not reached", extra={"port": self._port, "why": why})
                said = why
            self._sent = self._neutral
            await wait(stop, backoff.delay_s((monotonic_ms() - began_ms) / _MS_PER_S))

    async def _session(self, stop: asyncio.Event) -> None:
        link = await open_link(self._port, self._serial)
        log.info("LED sign connected", extra={"port": self._port})
        try:
            async with asyncio.TaskGroup() as both:
                reading = both.create_task(_read(link), name="LED sign line")
                await self._send_on(link, stop)
                reading.cancel()
        finally:
            link.close()

    async def _send_on(self, link: Link, stop: asyncio.Event) -> None:
        try:
            await self._send_changes(link, stop)
        finally:
            # Also when the player fails: a cancelled task may still wait here.
            link.write(text_packet(led_neutral(self._settings.language)))
            await asyncio.sleep(_drain_s(self._serial.baud))

    async def _send_changes(self, link: Link, stop: asyncio.Event) -> None:
        sent, sent_ms = b"", 0
        while not stop.is_set():
            view = self._view
            packet = self._packet(view)
            if packet != sent or monotonic_ms() - sent_ms >= AGAIN_S * _MS_PER_S:
                link.write(packet)
                sent, sent_ms = packet, monotonic_ms()
            self._sent = view.pools
            await wait(stop, CHANGE_S)

    def _packet(self, view: SignView) -> bytes:
        """A hit on the stage runs through; else the pools stand still, in turn."""
        for hit in view.hits:
            if hit.on_stage:
                return text_packet(led_hit(self._settings, hit), Mode.ROTATE)
        turn_s = self._settings.rotate_s or TURN_S
        turn = monotonic_ms() // (turn_s * _MS_PER_S) % len(view.pools)
        return text_packet(led_pool(self._settings, view.pools[turn]))


async def blank(port: str, baud: int, language: Language) -> None:
    """Make every sign on a line neutral, once (law 3); LinkError where the line cannot be had."""
    link = await open_link(port, SerialSettings(baud, PARITY, DATA_BITS))
    try:
        link.write(text_packet(led_neutral(language)))
        await asyncio.sleep(_drain_s(baud))
    finally:
        link.close()


def _drain_s(baud: int) -> float:
    return 2 * _PACKET_BYTES * _BITS / baud


async def _read(link: Link) -> None:
    """Notice a line that is gone; a sign says nothing, and what comes is noise."""
    while True:
        await link.read()
