"""What a start says first: to the ledger, and to a capture.

Laws
1. The first words are the controller's own and one commit: no table plays before it.
2. That the clock was set comes before anything is dated by it.
"""

from __future__ import annotations

from jackpotd.core.facts import ClockSaid, ControllerStarted, SiteConfigured
from jackpotd.daemon.capture_files import CaptureFiles
from jackpotd.daemon.capture_lines import Header
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.clock_watch import ClockWatch
from jackpotd.daemon.config_settings import CaptureSettings, Config
from jackpotd.daemon.cpu_latency import CpuLatency
from jackpotd.daemon.engine import Engine
from jackpotd.daemon.inbox import Inbox, Item
from jackpotd.daemon.metrics_page import Build
from jackpotd.daemon.outside import Outside
from jackpotd.daemon.recorder import Recorder
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.ledger.port import Head

_MS_PER_S = 1_000
_BYTES_PER_MIB = 1024 * 1024


def watch_clock(config: Config, outside: Outside) -> ClockWatch:
    """The watch over the machine's clock; where the site does not ask for a time service it is only seen being set."""
    asked = config.site.require_synchronised_clock
    return ClockWatch(outside.clock, outside.is_synchronised if asked else lambda: True)


def keep_awake(config: Config, outside: Outside, alarms: ShellAlarms, inbox: Inbox) -> CpuLatency | None:
    """The cores kept awake while the inbox is filled, where the site asks for it."""
    if not config.site.keep_cores_awake:
        return None
    bound = CpuLatency(outside.open_bound, alarms)
    inbox.stirred = bound.hold
    return bound


def first_words(config: Config, build: Build, clock: Clock, of_the_clock: ClockSaid | None = None) -> list[Item]:
    """What is recorded at a start."""
    now, now_ns = clock.utc_ms(), clock.monotonic_ns()
    started = ControllerStarted(build.version, build.config_hash, build.package_hash, now // _MS_PER_S)
    configured = SiteConfigured(config.pools, config.tables)
    return [Item("", "", word, now, now, now_ns) for word in (of_the_clock, started, configured) if word is not None]


def begin_capture(
    settings: CaptureSettings, recorder: Recorder, engine: Engine, before: Head, words: list[Item]
) -> None:
    """Begin a capture with the start itself, whose words the engine has had already."""
    began = engine.clock.now()
    start_ms = words[0].at_ms
    header = Header(
        start_ms=start_ms,
        epoch=engine.state.epoch,
        ledger=engine.writer.uuid,
        after=before.seq,
        head=before.hash.hex(),
        monotonic_ms=began.monotonic_ms - (began.utc_ms - start_ms),
        watch=True,
    )
    recorder.begin(CaptureFiles(settings.folder, settings.files), settings.file_mib * _BYTES_PER_MIB, header)
    for word in words:
        recorder.item(word)
