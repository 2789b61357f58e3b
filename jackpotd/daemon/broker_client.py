"""One connection to the broker: aiomqtt's client, made to send in the very turn in which it is asked to.

Laws
1. `publish` sends when it is called; whoever awaits it waits for the broker's acknowledgement. It raises only there.
2. What the socket does not take at once, and what is said from another thread, goes aiomqtt's own way.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Coroutine
from pathlib import Path
from threading import get_ident
from typing import Any

import aiomqtt
import paho.mqtt.client as paho

from jackpotd.daemon.config_settings import MqttSettings

# What the broker keeps of hits and alarms comes at once after subscribing: a shift's worth, and no more in memory.
MAX_KEPT = 4_096
# For CONNACK and for the end of a connection: a stopping service has 15 s.
HANDSHAKE_TIMEOUT_S = 5.0
KEEPALIVE_S = 10


class PromptClient(aiomqtt.Client):
    """A connection that loses no turns of the loop: none before it is asked to send, none before the socket is ready.

    Together they were a quarter of the way from a card to the sign. aiomqtt has no other places to say so.
    """

    def __init__(self, hostname: str, port: int, **options: Any) -> None:
        """As `aiomqtt.Client`; on the event loop that will use it."""
        super().__init__(hostname, port, **options)
        self._loop_thread = get_ident()

    def publish(  # type: ignore[override]  # fewer options; called as aiomqtt's
        self, /, topic: str, payload: bytes, *, qos: int, retain: bool, timeout: float
    ) -> Coroutine[Any, Any, None]:
        """Send now; the answer is to be awaited. MqttError there: not sent, or not acknowledged within `timeout` s."""
        info = self._client.publish(topic, payload, qos, retain)
        acknowledged = asyncio.Event()
        self._pending_publishes[info.mid] = acknowledged
        return self._acknowledged(info, acknowledged, timeout)

    async def _acknowledged(self, info: paho.MQTTMessageInfo, acknowledged: asyncio.Event, timeout_s: float) -> None:
        try:
            if info.rc != paho.MQTT_ERR_SUCCESS:
                raise aiomqtt.MqttCodeError(info.rc, "Could not publish message")
            async with asyncio.timeout(timeout_s):
                await acknowledged.wait()
        except TimeoutError:
            raise aiomqtt.MqttError("Operation timed out") from None
        finally:
            self._pending_publishes.pop(info.mid, None)

    def _on_socket_register_write(self, client: paho.Client, userdata: Any, sock: Any) -> None:
        """Something is to be written."""
        if get_ident() == self._loop_thread:
            try:
                client.loop_write()
            except Exception as error:  # noqa: BLE001  # as aiomqtt: whatever it is, the connection is over
                if not self._disconnected.done():
                    self._disconnected.set_exception(error)
                return
            if not client.want_write():
                return
        super()._on_socket_register_write(client, userdata, sock)


def broker_client(settings: MqttSettings, password: str | None, client_id: str, will: aiomqtt.Will) -> aiomqtt.Client:
    """A client for one connection."""
    broker = settings.broker
    return PromptClient(
        broker.host,
        broker.port,
        username=settings.username,
        password=password,
        identifier=client_id,
        protocol=aiomqtt.ProtocolVersion.V5 if settings.protocol == "5" else aiomqtt.ProtocolVersion.V311,
        will=will,
        keepalive=KEEPALIVE_S,
        timeout=HANDSHAKE_TIMEOUT_S,
        max_queued_incoming_messages=MAX_KEPT,
        tls_context=_tls(settings.ca_file) if broker.tls else None,
    )


def _tls(ca_file: Path | None) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(ca_file) if ca_file is not None else None)
