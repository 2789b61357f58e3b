"""The sign in real Chromium with real Mosquitto: what players see, frame by frame."""

from __future__ import annotations

import signal
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.support.chromium import (
    Frame,
    expect_amount,
    expect_state,
    record,
    recorded,
    roll_past,
)
from tests.support.controller_voice import SITE, ControllerVoice
from tests.support.mqtt_client import MqttClient
from tests.support.sign_process import SignProcess
from tests.support.sign_stage import Stage, controller, looking_at, options, show


def assert_honest(frames: list[Frame], committed: list[int]) -> None:
    """Every frame is monotonic between falls and never above what the page was told; digits agree with the amount."""
    assert frames
    for frame in frames:
        assert frame.minor is not None
        assert frame.target in committed
        assert frame.minor <= frame.target
        assert frame.digits * 100 <= frame.minor + 1
    for before, after in pairwise(frames):
        assert before.minor is not None
        assert after.minor is not None
        if after.target is not None and before.target is not None and after.target >= before.target:
            assert after.minor >= before.minor
            assert after.digits >= before.digits


# Every frame is looked at: the amount is there for a short time only.
_LIVE_THEN_NEUTRAL = """() => new Promise((done) => {
  const watch = () => {
    const states = window.frames.map((frame) => frame[0]);
    if (states.indexOf("neutral", states.indexOf("live") + 1) > 0 && states.includes("live")) done();
    else requestAnimationFrame(watch);
  };
  watch();
})"""


def rolling(frames: list[Frame]) -> int:
    """How many frames lie between two amounts."""
    return len({frame.minor for frame in frames if frame.minor != frame.target})


@pytest.mark.parametrize(
    ("first", "second"),
    [(0, 1_000), (9_999, 10_000), (99, 100), (50_000_000, 50_012_345), (99_999_999_999_900, 99_999_999_999_999)],
)
def test_the_digits_roll_up_and_never_pass_what_is_committed(
    voice: ControllerVoice, page: Page, first: int, second: int
) -> None:
    show(voice, page, first)
    record(page)
    show(voice, page, second)
    frames = recorded(page)
    assert_honest(frames, [first, second])
    assert frames[-1].minor == second
    assert second - first < 10 or rolling(frames) > 0


def test_a_million_units_roll_up_at_once(voice: ControllerVoice, page: Page) -> None:
    show(voice, page, 0)
    record(page)
    show(voice, page, 100_000_000)
    assert_honest(recorded(page), [0, 100_000_000])


def test_a_new_target_in_mid_roll_is_rolled_to_from_where_the_digits_are(voice: ControllerVoice, page: Page) -> None:
    show(voice, page, 10_000)
    record(page)
    voice.meter(20_000)
    roll_past(page, 12_000)
    show(voice, page, 30_000)
    frames = recorded(page)
    assert_honest(frames, [10_000, 20_000, 30_000])
    turned = next(frame.minor for frame in frames if frame.target == 30_000)
    assert turned is not None
    assert turned < 30_000


def test_a_fall_to_the_seed_in_mid_roll_is_shown_at_once(voice: ControllerVoice, page: Page) -> None:
    show(voice, page, 60_000_000)
    record(page)
    voice.meter(70_000_000)
    roll_past(page, 62_000_000)
    show(voice, page, 50_000_000)
    frames = recorded(page)
    assert_honest(frames, [60_000_000, 70_000_000, 50_000_000])
    assert all(frame.minor == 50_000_000 for frame in frames if frame.target == 50_000_000)


def test_repeats_reordering_and_yesterdays_messages_change_nothing(voice: ControllerVoice, page: Page) -> None:
    old = voice.meter(90_000)
    now = voice.meter(100_000)
    expect_amount(page, 100_000)
    record(page)
    voice.say_again(now)
    voice.say_again(old)
    voice.meter(500_000, epoch=voice.epoch - 86_400)
    voice.meter(600_000, seq=now["seq"], beat=now["beat"] - 1)
    show(voice, page, 100_100)
    assert {frame.target for frame in recorded(page)} == {100_000, 100_100}


def test_what_the_broker_remembers_from_yesterday_is_shown_to_nobody(
    voice: ControllerVoice, shared: Stage, browser: Browser, tmp_path: Path
) -> None:
    voice.meter(123_400)
    voice.hit("remembered")
    broker = shared.broker
    with MqttClient(broker.host, broker.port) as listener:
        listener.subscribe(f"jackpotd/{SITE}/sign/tv-2/state")
        with SignProcess(tmp_path, *options(broker, "tv-2")) as sign:
            assert b'"state":"neutral"' in listener.next().payload
            with looking_at(browser, Stage(broker, sign)) as page:
                expect_state(page, "neutral")
                assert page.locator("[data-hit]").count() == 0
                assert page.locator(".column").count() == 0
                show(voice, page, 123_500)
                expect(page.locator('[data-hit="remembered"]')).to_be_attached()


def test_a_lost_controller_leaves_a_neutral_face_until_it_is_back(voice: ControllerVoice, page: Page) -> None:
    show(voice, page, 100_000)
    voice.status("offline", beat=1)  # the will, written when it connected
    expect_state(page, "neutral")
    assert page.locator("[data-pool]").get_attribute("data-amount-minor") is None
    assert page.locator(".column").count() == 0
    expect(page.locator(".neutral")).to_be_visible()
    voice.epoch += 60
    voice.status()
    show(voice, page, 100_100)


def test_a_lost_broker_leaves_a_neutral_face_until_a_live_amount(own: Stage, browser: Browser) -> None:
    with looking_at(browser, own) as page:
        with controller(own) as voice:
            show(voice, page, 100_000)
            own.broker.kill()
            expect_state(page, "neutral")
        own.broker.start()
        with controller(own) as back:
            # Said until the sign, which comes back in its own time, hears it live.
            while page.locator("[data-pool]").get_attribute("data-state") != "live":
                back.meter(100_100)
                page.wait_for_timeout(200)
            expect_amount(page, 100_100)


def test_an_amount_that_is_too_old_is_not_shown(voice: ControllerVoice, page: Page) -> None:
    record(page)
    voice.meter(100_000, ttl_ms=1_500)
    page.evaluate(_LIVE_THEN_NEUTRAL)
    assert page.locator(".column").count() == 0


def test_a_page_that_hears_nothing_from_its_player_turns_neutral(own: Stage, browser: Browser) -> None:
    with controller(own) as voice, looking_at(browser, own) as page:
        show(voice, page, 100_000)
        own.sign.send(signal.SIGSTOP)
        expect_state(page, "neutral")
        own.sign.send(signal.SIGCONT)
        show(voice, page, 100_100)
        own.sign.kill()
        expect_state(page, "neutral")


@pytest.mark.parametrize("days", [1, -1])
def test_the_wall_clock_may_go_where_it_likes(voice: ControllerVoice, page: Page, days: int) -> None:
    show(voice, page, 100_000)
    page.clock.set_system_time(page.evaluate(f"Date.now() + {days} * 86400000"))
    record(page)
    show(voice, page, 100_500)
    assert_honest(recorded(page), [100_000, 100_500])


def test_a_hit_is_celebrated_once_pending_then_paid(own: Stage, browser: Browser) -> None:
    with controller(own) as voice, looking_at(browser, own) as page:
        celebrate(voice, page)


def celebrate(voice: ControllerVoice, page: Page) -> None:
    show(voice, page, 100_000)
    said = voice.hit("h1")
    celebration = page.locator('[data-hit="h1"]')
    expect(celebration).to_have_attribute("data-hit-state", "pending")
    expect(celebration).to_have_attribute("data-stage", "on")
    for text in ("Royal flush", "MOP$800,000", "Table T01 · Seat 6", "Being verified"):
        expect(celebration.get_by_text(text)).to_be_visible()
    voice.say_hit_again(said)
    voice.hit("h1", "paid")
    expect(celebration).to_have_attribute("data-hit-state", "paid")
    expect(celebration.get_by_text("Paid")).to_be_visible()
    assert page.locator("[data-hit]").count() == 1
    voice.clear_hit("h1")
    expect(celebration).to_have_count(0)
    voice.say_hit_again(said)
    show(voice, page, 100_100)
    expect(celebration).to_have_count(0)


def test_a_page_that_loads_anew_shows_the_hits_that_are_still_shown(voice: ControllerVoice, page: Page) -> None:
    show(voice, page, 100_000)
    voice.hit("h2", "paid")
    expect(page.locator('[data-hit="h2"]')).to_be_attached()
    page.reload()
    expect(page.locator('[data-hit="h2"]')).to_have_count(1)


def test_pending_and_suspended_are_told_to_the_players(voice: ControllerVoice, page: Page) -> None:
    voice.meter(100_000, state="pending")
    expect_state(page, "pending")
    voice.meter(100_000, state="suspended")
    expect_state(page, "suspended")
    expect(page.get_by_text("Suspended")).to_be_visible()


_MILLION_FRAMES = """async (frames) => {
  const { Roll } = await import("./roll.js");
  const { Odometer } = await import("./odometer.js");
  const box = document.createElement("div");
  const odometer = new Odometer(box);
  const roll = new Roll(0n, 100n);
  let now = 0;
  for (let step = 1; step <= frames; step += 1) {
    if (step % 10 === 1) roll.aim(BigInt(step) * 137n, now);
    now += 16;
    roll.frame(now);
    odometer.shape({ symbol: "MOP$", symbol_first: true, separator: ",", least: 1 }, String(roll.target / 100n).length);
    odometer.turn(roll.whole, roll.part);
  }
  return box.querySelectorAll("*").length;
}"""


def heap_bytes(session: CDPSession) -> int:
    session.send("HeapProfiler.collectGarbage")
    used: int = session.send("Runtime.getHeapUsage")["usedSize"]
    return used


def test_a_million_steps_leave_the_pages_memory_as_it_was(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    page.evaluate(_MILLION_FRAMES, 10_000)  # what is compiled and kept once
    before = heap_bytes(session)
    page.evaluate(_MILLION_FRAMES, 1_000_000)
    # A single byte kept a step would be four times as much.
    assert heap_bytes(session) - before < 256 * 1024


def test_a_reader_who_wants_no_motion_sees_none(voice: ControllerVoice, browser: Browser, shared: Stage) -> None:
    with looking_at(browser, shared, reduced_motion="reduce") as page:
        show(voice, page, 100_000)
        record(page)
        show(voice, page, 900_000)
        assert rolling(recorded(page)) == 0
        voice.hit("h3")
        expect(page.locator('[data-hit="h3"]')).to_be_attached()
        assert page.evaluate("document.getAnimations().length") == 0
