"""The MQTT broker inside the demo, on the loopback address, for anybody on this machine.

Law: for a demo only; everywhere else it is Mosquitto. This one has no will on silence, keeps nothing over a restart,
and greets a new client with retained messages that only others have subscribed to.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

log = logging.getLogger(__name__)

_USUAL_PORT = 1883
# It waits for every client to end, also for one whose greeting was cut short; the process ends them all anyway.
GOODBYE_S = 2.0
_HOST = "127.0.0.1"
_TRIES = 5


def free_port(usual: int) -> int:
    """The usual port on the loopback address if nobody has it, else any."""
    for port in (usual, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the broker does
            try:
                probe.bind((_HOST, port))
            except OSError:
                continue
            found: int = probe.getsockname()[1]
            return found
    raise OSError("no loopback port is free")


@asynccontextmanager
async def embedded_broker() -> AsyncIterator[str]:
    """A running broker's url."""
    broker, bind = await _started()
    try:
        yield f"mqtt://{bind}"
    finally:
        try:
            async with asyncio.timeout(GOODBYE_S):
                await broker.shutdown()
        except TimeoutError:
            log.warning("the embedded broker waits for a client that does not end", extra={"after_s": GOODBYE_S})


async def _started() -> tuple[Any, str]:
    """A broker that listens, and where. A port that was free may be somebody else's a moment later: then another."""
    from amqtt.broker import Broker  # type: ignore[import-untyped]  # noqa: PLC0415  # slow, and only for the demo
    from amqtt.errors import BrokerError  # type: ignore[import-untyped]  # noqa: PLC0415  # the same

    logging.getLogger("amqtt").setLevel(logging.CRITICAL)  # it tells every packet, and what is told here anyway
    logging.getLogger("transitions").setLevel(logging.WARNING)
    for usual in (_USUAL_PORT, *(0,) * (_TRIES - 1)):
        bind = f"{_HOST}:{free_port(usual)}"
        broker = Broker(
            {
                "listeners": {"default": {"type": "tcp", "bind": bind}},
                "plugins": {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
            }
        )
        try:
            await broker.start()
        except BrokerError as error:
            log.warning("the embedded broker takes another port", extra={"taken": bind, "why": str(error)})
        else:
            return broker, bind
    raise OSError(f"no port for the embedded broker in {_TRIES} tries")
