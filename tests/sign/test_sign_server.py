"""The page's server, as anybody on the machine may ask it; and what the pages tell it."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from http.client import HTTPResponse
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from jackpotd.sign.screens import MAX_PAGES, MAX_REPORT_BYTES
from tests.support.controller_voice import SITE, ControllerVoice
from tests.support.mqtt_client import MqttClient
from tests.support.sign_stage import Stage, looking_at, show
from tests.support.until import until


def test_the_sign_reports_what_its_screens_show(shared: Stage, browser: Browser, voice: ControllerVoice) -> None:
    states: list[dict[str, Any]] = []

    def heard(screens: int, amount: str) -> bool:
        states.append(json.loads(listener.next().payload))
        return (states[-1]["screens"], states[-1]["amount"]) == (screens, amount)

    with MqttClient(shared.broker.host, shared.broker.port) as listener:
        listener.subscribe(f"jackpotd/{SITE}/sign/tv-1/state")
        with looking_at(browser, shared) as page:
            show(voice, page, 100_000)
            until(lambda: heard(1, "1000.00"), "a screen with the amount", lambda: repr(states))
            show(voice, page, 120_000)
            until(lambda: heard(1, "1200.00"), "a screen with the new amount", lambda: repr(states))
        until(lambda: heard(0, "1200.00"), "no screen", lambda: repr(states))


def test_a_page_too_many_is_turned_away_and_its_place_is_free_again(shared: Stage) -> None:
    # A page of an earlier test keeps its place until the player has noticed that it left.
    streams = [stream_of(shared) for _ in range(MAX_PAGES)]
    with pytest.raises(urllib.error.HTTPError, match="503"):
        urllib.request.urlopen(f"{shared.sign.where}events", timeout=20)
    for stream in streams:
        stream.close()
    stream_of(shared).close()


def test_a_page_that_was_turned_away_asks_again_until_there_is_a_place(shared: Stage, browser: Browser) -> None:
    streams = [stream_of(shared) for _ in range(MAX_PAGES)]
    context = browser.new_context()
    page = context.new_page()
    with page.expect_response(lambda answer: answer.url.endswith("events")) as refused:
        page.goto(shared.sign.where)
    assert refused.value.status == 503
    for stream in streams:
        stream.close()
    expect(page.locator("[data-pool]")).to_be_attached()
    context.close()


def stream_of(stage: Stage) -> HTTPResponse:
    """The player's stream of events, as soon as a place is free."""
    got: list[HTTPResponse] = []

    def is_let_in() -> bool:
        try:
            got.append(urllib.request.urlopen(f"{stage.sign.where}events", timeout=20))
        except urllib.error.HTTPError as refused:
            if refused.code != 503:
                raise
        return bool(got)

    until(is_let_in, "a free place")
    return got[0]


@pytest.mark.parametrize(
    ("content_type", "body", "code"),
    [
        ("text/plain", b"{}", 415),
        ("application/json", b"{}", 400),
        ("application/json", b"x" * (MAX_REPORT_BYTES + 1), 413),
        ("application/json", b'{"page":999999,"pools":[]}', 410),
    ],
)
def test_a_report_that_is_none_is_refused(shared: Stage, content_type: str, body: bytes, code: int) -> None:
    said = urllib.request.Request(f"{shared.sign.where}shown", body, {"Content-Type": content_type})
    with pytest.raises(urllib.error.HTTPError, match=str(code)):
        urllib.request.urlopen(said, timeout=20)


@pytest.mark.parametrize("path", ["nothing.js", "..%2Fsign%2Fbrowser.py", "page/sign.js", "shown"])
def test_nothing_else_is_served(shared: Stage, path: str) -> None:
    with pytest.raises(urllib.error.HTTPError, match=r"40[45]"):
        urllib.request.urlopen(f"{shared.sign.where}{path}", timeout=20)


def test_nothing_comes_from_elsewhere(voice: ControllerVoice, browser: Browser, shared: Stage) -> None:
    context = browser.new_context()
    page = context.new_page()
    asked: list[str] = []
    refused: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: refused.append(message.text))
    answer = page.goto(shared.sign.where)
    assert answer is not None
    show(voice, page, 100_000)
    assert all(url.startswith((shared.sign.where, "data:")) for url in asked), asked
    assert refused == []
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    context.close()
