"""The sign's page at 1080p while its digits roll: script a frame, and the longest task, from a Chromium trace."""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

from tests.bench.figures import Figure
from tests.support.broker import Mosquitto
from tests.support.chromium import chromium, expect_state, open_sign
from tests.support.controller_voice import POOL, SITE, ControllerVoice
from tests.support.mqtt_client import MqttClient
from tests.support.sign_process import SignProcess

_SETTLE_MS = 2_000  # fonts, first layout, compiled script
_ROLL_S, _A_SECOND = 10, 5  # as long, and as often as a controller says a meter
_CATEGORIES = ["devtools.timeline", "toplevel", "disabled-by-default-devtools.timeline"]
_US_A_MS = 1_000
_KIB_A_MIB = 1_024


def measure(folder: Path) -> list[Figure]:
    """Play a rising meter, and read the trace."""
    broker = Mosquitto(folder / "broker")
    broker.start()
    options = ("--broker", broker.url, "--site", SITE, "--pool", POOL, "--id", "tv-1", "--listen", "127.0.0.1:0")
    try:
        with SignProcess(folder, *options) as sign, MqttClient(broker.host, broker.port) as client:
            voice = ControllerVoice(client)
            voice.wait_for_sign("tv-1")
            voice.status()
            events = _traced(sign, voice)
            resident_mib = sign.resident_kib / _KIB_A_MIB
    finally:
        broker.stop()
    main = _main_thread(events)
    frames_ms = [event["dur"] / _US_A_MS for event in main if event["name"] == "FireAnimationFrame"]
    tasks = [event for event in main if event["name"].endswith("RunTask")]
    return [
        Figure("script a frame, p50", statistics.median(frames_ms), "ms", asked=4, at_most=True),
        Figure("longest task", max(event["dur"] for event in tasks) / _US_A_MS, "ms", asked=50, at_most=True),
        Figure("most processor time of a task", max(event.get("tdur", 0) for event in tasks) / _US_A_MS, "ms"),
        Figure("frames a second", len(frames_ms) / _ROLL_S, "frames"),
        Figure("resident memory of the player", resident_mib, "MiB", asked=48, at_most=True),
    ]


def _traced(sign: SignProcess, voice: ControllerVoice) -> list[dict[str, Any]]:
    """The trace's events while the meter rises."""
    with chromium() as browser:
        page = open_sign(browser, sign.where, width=1920, height=1080)
        voice.meter(123_456_700)
        expect_state(page, "live")
        page.wait_for_timeout(_SETTLE_MS)
        browser.start_tracing(page=page, categories=_CATEGORIES)
        for step in range(_ROLL_S * _A_SECOND):
            voice.meter(123_456_700 + step * 12_345)
            page.wait_for_timeout(1_000 / _A_SECOND)
        trace = browser.stop_tracing()
    events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
    return events


def _main_thread(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The timed events of the thread that runs the page's script, from the first frame on."""
    frames = [event for event in events if event.get("name") == "FireAnimationFrame"]
    assert frames, "no frame in the trace"
    where, began = {(event["pid"], event["tid"]) for event in frames}, min(event["ts"] for event in frames)
    timed = [event for event in events if (event.get("pid"), event.get("tid")) in where and "dur" in event]
    return [event for event in timed if event["ts"] >= began]
