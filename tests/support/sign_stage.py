"""A player on its broker, pages that look at it, and a controller that speaks to it: what tests of the sign share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

from playwright.sync_api import Browser, Page

from tests.support.broker import Mosquitto
from tests.support.chromium import expect_amount, open_sign
from tests.support.controller_voice import EPOCH, POOL, SITE, ControllerVoice
from tests.support.mqtt_client import MqttClient
from tests.support.sign_process import SignProcess


@dataclass(frozen=True, slots=True)
class Stage:
    """A broker, a player and the pages that tests have open on it."""

    broker: Mosquitto
    sign: SignProcess


def options(broker: Mosquitto, name: str) -> tuple[str, ...]:
    where = ("--broker", broker.url, "--site", SITE, "--pool", POOL)
    return (*where, "--id", name, "--language", "en", "--listen", "127.0.0.1:0")


def wait_for_sign(broker: Mosquitto, name: str) -> None:
    with MqttClient(broker.host, broker.port) as client:
        ControllerVoice(client).wait_for_sign(name)


epochs = count(EPOCH, 86_400 * 7)


@contextmanager
def controller(stage: Stage) -> Iterator[ControllerVoice]:
    with MqttClient(stage.broker.host, stage.broker.port) as client:
        voice = ControllerVoice(client, epoch=next(epochs))
        voice.status()
        yield voice


@contextmanager
def looking_at(browser: Browser, stage: Stage, **options: Any) -> Iterator[Page]:
    page = open_sign(browser, stage.sign.where, **options)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    page.context.close()
    assert faults == []


def show(voice: ControllerVoice, page: Page, minor: int) -> None:
    voice.meter(minor)
    expect_amount(page, minor)
