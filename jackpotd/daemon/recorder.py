"""Recording what a controller is told, so that `jackpotd replay` can tell it again (design 4).

Laws
1. It sees every byte of a line, every act and every word of the controller's own, in the order in which the engine
   does; a device's event is in its bytes and is not said twice. No key, password or token comes here.
2. Nobody waits for it: lines are kept, and written by another thread; what it cannot write ends the capture with an
   alarm, and money goes on.
3. A part ends only between two commits with nothing waiting, so that the next one begins at a row of the ledger.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

from jackpotd.core.facts import Act
from jackpotd.daemon.act_ops import op_of
from jackpotd.daemon.capture_files import CaptureFiles
from jackpotd.daemon.capture_lines import Acted, Bytes, Clocked, Header, Linked, LinkState, Record, Worded, line_of
from jackpotd.daemon.clock import Clock, Instant
from jackpotd.daemon.inbox import Item
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.ledger.port import Head
from jackpotd.ledger.words import ControllerWord

# A kill loses no more than this of a capture.
FLUSH_S = 0.2
# Some seconds of a hundred busy devices: a disk that is behind by more would be written to for ever.
MAX_KEPT_BYTES = 16 * 1024 * 1024
# On a floor that never rests for a moment a part may grow to this many times its size before the capture ends.
_LATE = 4
_TODO = "Look at the folder's disk and rights; a restart of the service begins a new capture."


class Recorder:
    """Takes down what happens, from `begin` on; without it, nothing."""

    def __init__(self, clock: Clock, alarms: ShellAlarms) -> None:
        self._now = clock.now
        self._alarms = alarms
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="capture")
        self._files: CaptureFiles | None = None
        self._part_bytes = 0
        self._header = Header()
        self._lines: list[bytes] = []
        self._kept = 0  # bytes of them
        self._written = 0  # bytes of the part under way that were handed over

    def begin(self, files: CaptureFiles, part_bytes: int, header: Header) -> None:
        """Record from now on; parts end when they have `part_bytes`."""
        self._files, self._part_bytes, self._header = files, part_bytes, header
        try:
            files.begin(header.epoch, header.part, line_of(header))
        except OSError as error:
            self._end(error.strerror or str(error))

    # ---- what happens

    def heard(self, device: str, data: bytes, now: Instant) -> None:
        """Bytes from a device's line."""
        if self._files is not None:
            self._keep(self._bytes(device, data, now, sent=False))

    def sent(self, device: str, data: bytes, now: Instant) -> None:
        """Bytes to a device."""
        if self._files is not None:
            self._keep(self._bytes(device, data, now, sent=True))

    def past(self, device: str, data: bytes, now: Instant, *, sent: bool) -> None:
        """Bytes from before the part that begins now, which say where a line stands."""
        if self._files is not None:
            self._keep(replace(self._bytes(device, data, now, sent=sent), past=True))

    def device_clock(self, device: str, known: tuple[int, int | None, int], now: Instant) -> None:
        """What is known of a device's clock when a part begins."""
        if self._files is not None:
            self._keep(Clocked(self._t_ms(now.utc_ms), device, *known))

    def link(self, device: str, state: LinkState, now: Instant) -> None:
        """What became of a device's link."""
        if self._files is not None:
            self._keep(Linked(self._t_ms(now.utc_ms), device, state))

    def item(self, item: Item) -> None:
        """What came into the inbox: an act, or a word of the controller's own."""
        if self._files is None or item.raw:
            return
        t_ms = self._t_ms(item.at_ms)
        if isinstance(item.what, Act):
            op, args = op_of(item.what)
            by = item.what.by
            self._keep(Acted(t_ms, by.name, by.role, op, args))
        else:
            assert isinstance(item.what, ControllerWord), "a device's word without its bytes"
            about = f"{item.table}/{item.device}" if item.device else item.table
            self._keep(Worded(t_ms, about, item.what))

    def _bytes(self, device: str, data: bytes, now: Instant, *, sent: bool) -> Bytes:
        t_ms = self._t_ms(now.utc_ms)
        skew_ms = now.monotonic_ms - self._header.monotonic_ms - t_ms
        return Bytes(t_ms, device, data, sent, skew_ms)

    def _t_ms(self, utc_ms: int) -> int:
        return utc_ms - self._header.start_ms

    def _keep(self, record: Record) -> None:
        line = line_of(record)
        self._lines.append(line)
        self._kept += len(line)
        if self._kept > MAX_KEPT_BYTES:
            self._end("the disk is too slow for it")

    # ---- writing it down

    async def run(self, at_rest: Callable[[], Head | None], past: Callable[[Instant], None]) -> None:
        """Write what was taken down, until the capture ends.

        `at_rest`: the ledger's last row, if nothing waits; `past` has the lines say where they stand.
        """
        while self._files is not None:
            await asyncio.sleep(FLUSH_S)
            await self._write(self._following(at_rest), past)

    async def close(self) -> None:
        """Write the rest, and end the last part."""
        await self._write(None, _nothing)
        if self._files is not None:
            await self._in_thread(self._files.close)
        self._files = None
        self._thread.shutdown(wait=True)

    def _following(self, at_rest: Callable[[], Head | None]) -> Header | None:
        """The header of the part that begins now, if the one under way is full (law 3)."""
        if self._written + self._kept < self._part_bytes:
            return None
        head = at_rest()
        if head is None:
            if self._written > _LATE * self._part_bytes:
                self._end("the tables never rested for a moment, so no other part could begin")
            return None
        now, before = self._now(), self._header
        return replace(
            before,
            start_ms=now.utc_ms,
            monotonic_ms=now.monotonic_ms,
            part=before.part + 1,
            after=head.seq,
            head=head.hash.hex(),
        )

    async def _write(self, following: Header | None, past: Callable[[Instant], None]) -> None:
        """Hand over what was kept; what comes from now on belongs to the following part, if there is one."""
        files, lines = self._files, b"".join(self._lines)
        if files is None:
            return
        self._lines.clear()
        self._kept = 0
        self._written += len(lines)
        if following is not None:
            self._header = following
            self._written = 0
            past(self._now())
        try:
            await self._in_thread(partial(_write, files, lines, following))
        except OSError as error:
            self._end(error.strerror or str(error))

    async def _in_thread(self, work: Callable[[], None]) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _end(self, why: str) -> None:
        """The capture ends; everything else goes on (law 2)."""
        files, self._files = self._files, None
        self._lines.clear()
        if files is not None:
            self._thread.submit(
                files.close
            )  # behind what is still being written; the alarm says all that there is to say
        self._alarms.raise_alarm("capture_stopped", "capture", f"nothing is recorded any more: {why}", _TODO)


def _nothing(_: Instant) -> None:
    """No part begins."""


def _write(files: CaptureFiles, lines: bytes, following: Header | None) -> None:
    files.write(lines)
    if following is not None:
        files.begin(following.epoch, following.part, line_of(following))
