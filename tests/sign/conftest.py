"""The sign that its tests look at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.conftest import StartBroker
from tests.support.broker import Mosquitto
from tests.support.chromium import chromium
from tests.support.controller_voice import ControllerVoice
from tests.support.sign_process import SignProcess
from tests.support.sign_stage import Stage, controller, looking_at, options, wait_for_sign


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One for all tests that end nothing: each has an epoch of its own, before which nothing counts."""
    folder = tmp_path_factory.mktemp("sign")
    broker = Mosquitto(folder / "broker")
    broker.start()
    try:
        with SignProcess(folder, *options(broker, "tv-1")) as sign:
            wait_for_sign(broker, "tv-1")
            yield Stage(broker, sign)
    finally:
        broker.kill()


@pytest.fixture
def own(mosquitto: StartBroker, tmp_path: Path) -> Iterator[Stage]:
    """For a test that ends its broker or player."""
    broker = mosquitto()
    with SignProcess(tmp_path, *options(broker, "tv-1")) as sign:
        wait_for_sign(broker, "tv-1")
        yield Stage(broker, sign)


@pytest.fixture
def voice(shared: Stage) -> Iterator[ControllerVoice]:
    with controller(shared) as voice:
        yield voice


@pytest.fixture
def page(browser: Browser, shared: Stage, voice: ControllerVoice) -> Iterator[Page]:
    with looking_at(browser, shared) as page:
        yield page
