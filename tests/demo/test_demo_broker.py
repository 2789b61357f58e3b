"""The demo's own broker: a port that was free a moment ago may be somebody else's now."""

from __future__ import annotations

import asyncio
import socket

import pytest

from jackpotd.demo import broker


def test_a_port_that_somebody_takes_in_the_last_moment_costs_another_try(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as somebody:
        taken = somebody.getsockname()[1]
        found = iter([taken, taken])
        real = broker.free_port
        monkeypatch.setattr(broker, "free_port", lambda usual: next(found, None) or real(0))

        async def run() -> str:
            async with broker.embedded_broker() as url:
                return url

        url = asyncio.run(run())
    assert url.startswith("mqtt://127.0.0.1:")
    assert url != f"mqtt://127.0.0.1:{taken}"
    assert next(found, None) is None
