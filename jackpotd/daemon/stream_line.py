"""What a device that talks unasked says, from its bytes to the inbox; the bytes are a port's or a capture's.

Laws
1. Every report keeps the bytes that carried it. Noise is counted, never passed on.
2. A line on which nothing but noise comes is another device's: it is offline until something is understood again.
3. Nothing here waits and nothing reads a clock: the same bytes at the same times are the same items.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardware.drivers import find_driver
from hardware.reports import Noise, Said, StreamDriver
from jackpotd.core.facts import DeviceBack, DeviceLost
from jackpotd.core.parameters import TableParams
from jackpotd.daemon.capture_lines import LinkState
from jackpotd.daemon.clock import Instant
from jackpotd.daemon.config_settings import DeviceSettings
from jackpotd.daemon.inbox import Item
from jackpotd.daemon.ports import Shell, watched
from jackpotd.daemon.words import Words

# Bytes or frames of noise, one after the other: more than a burst on the line, less than another shoe's two coups.
STRANGE_NOISE = 128
# More than two of the longest tokens or frames that a driver keeps: somewhere in it a new decoder finds its way.
_TAIL_BYTES = 256


class StreamLine:
    """One shoe's line."""

    def __init__(self, shell: Shell, device: DeviceSettings, table: TableParams) -> None:
        self._shell = shell
        self._device = device
        self._words = Words(table)
        self._driver, self._replacements = self._begun()
        self._up = False
        self._tail = b""
        self._noise = 0  # since something was understood

    def _begun(self) -> tuple[StreamDriver, int]:
        """A decoder that knows what the ledger has of this device, and which of its place's devices it is."""
        device, state = self._device, self._shell.state
        last = state.last_frames.get(device.label)
        driver = find_driver(device.driver)(last=bytes.fromhex(last) if last else None)
        return driver, state.tables[device.table].devices[device.name].replacements

    def _renew(self) -> None:
        """Another device stands here since people said so: nothing that the old one said counts for it."""
        place = self._shell.state.tables[self._device.table].devices.get(self._device.name)
        if place is not None and place.replacements != self._replacements:
            self._driver, self._replacements = self._begun()
            self._tail = b""

    def opened(self, now: Instant) -> None:
        """The link is open, for the first time or again: half a frame of before is given up."""
        self._up = True
        self._tail = b""
        self._noise = 0
        self._shell.metrics.link(self._device.label, up=True)
        self._shell.inbox.put_now(watched(self._device, DeviceBack(), now))
        self._shell.recorder.link(self._device.label, LinkState.OPEN, now)
        self._put(self._driver.reopened(), now)

    def heard(self, data: bytes, now: Instant) -> None:
        """Bytes from the line."""
        self._renew()
        self._tail = (self._tail + data)[-_TAIL_BYTES:]
        self._put(self._driver.feed(data), now)

    def past(self, now: Instant) -> None:
        """Have recorded what a replay that begins now has to know: what brings a decoder to where this one is."""
        self._renew()
        if self._tail:
            self._shell.recorder.past(self._device.label, self._tail, now, sent=False)

    def lost(self, why: str, now: Instant) -> None:
        """The link ended, or could not be opened."""
        self._shell.metrics.link(self._device.label, up=False)
        if self._up:
            self._up = False
            self._shell.recorder.link(self._device.label, LinkState.LOST, now)
            self._shell.inbox.put_now(watched(self._device, DeviceLost(why), now))

    def _put(self, found: Sequence[Said | Noise], now: Instant) -> None:
        shell, device = self._shell, self._device
        items: list[Item] = []
        for one in found:
            if isinstance(one, Noise):
                shell.metrics.frames_bad(device.label, one.reason, one.count)
                items += self._noisy(one.count, now)
                continue
            shell.metrics.frames_good(device.label, 1)
            if self._noise >= STRANGE_NOISE:
                items.append(watched(device, DeviceBack(), now))
            self._noise = 0
            word, at_ms = self._words.word(one.what), now.utc_ms
            items.append(Item(device.table, device.name, word, at_ms, at_ms, now.monotonic_ns, None, one.raw))
        shell.inbox.put(items)

    def _noisy(self, count: int, now: Instant) -> list[Item]:
        """Law 2: the word that a line is another device's, once."""
        was_ours = self._noise < STRANGE_NOISE
        self._noise += count
        if not (was_ours and self._noise >= STRANGE_NOISE):
            return []
        why = f"its bytes fit no frame of {self._device.driver}: is another device on this line?"
        return [watched(self._device, DeviceLost(why), now)]
