"""Fixtures that tests of several packages share."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

import hypothesis
import pytest
import uvloop

from tests.support.broker import Mosquitto
from tests.support.floor import Floor

# No test fails because the machine is busy: examples have no deadline.
hypothesis.settings.register_profile("jackpotd", deadline=None, print_blob=True)
hypothesis.settings.load_profile("jackpotd")


class StartBroker(Protocol):
    """Starts a broker of its own; see `Mosquitto` for the options."""

    def __call__(
        self,
        *,
        users: Mapping[str, str] | None = None,
        acl: Path | None = None,
        tls: tuple[Path, Path, Path] | None = None,
        extra: str = "",
    ) -> Mosquitto: ...


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[StartBroker]:
    """Call it for a running broker on a free loopback port; all of them end with the test."""
    started: list[Mosquitto] = []

    def start(
        *,
        users: Mapping[str, str] | None = None,
        acl: Path | None = None,
        tls: tuple[Path, Path, Path] | None = None,
        extra: str = "",
    ) -> Mosquitto:
        broker = Mosquitto(tmp_path / f"broker-{len(started)}", users=users, acl=acl, tls=tls, extra=extra)
        started.append(broker)
        broker.start()
        return broker

    yield start
    for broker in started:
        broker.kill()


@pytest.fixture(params=["asyncio", "uvloop"])
def each_loop(request: pytest.FixtureRequest) -> Iterator[None]:
    """On the loop of the sign and the demo, and on the daemon's: errors reach them in different ways."""
    if request.param == "uvloop":
        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    yield
    asyncio.set_event_loop_policy(None)


@pytest.fixture
def floor(tmp_path: Path, mosquitto: StartBroker) -> Iterator[Floor]:
    """An empty floor with a broker of its own."""
    with Floor(tmp_path, mosquitto()) as empty:
        yield empty
