"""One connection to the broker: aiomqtt's client, made to send in the very turn in which it is asked to.

Laws
1. `publish` sends when it is called; whoever awaits it waits for the broker's acknowledgement. It raises only there.
2. What the socket does not take at once follows when it does.
3. However a connection ends, its socket is closed and nothing watches it; a broker that sends what is no MQTT, or a
   packet that nobody could mean, ends it.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Coroutine
from threading import get_ident
from types import TracebackType
from typing import Any, Self

import aiomqtt
import paho.mqtt.client as paho
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

log = logging.getLogger(__name__)

# Far more than any message of ours or a sign's; the shipped broker takes 256 KiB from anybody.
MAX_PACKET_BYTES = 1024 * 1024
# Some milliseconds of work.
MAX_READS_A_TURN = 32


class PromptClient(aiomqtt.Client):
    """A connection that loses no turns of the loop: none before it is asked to send, none before the socket is ready.

    Together they were a quarter of the way from a card to the sign. aiomqtt has no other places to say so, nor to say
    what is to become of a broken connection: it would leave the socket open, and watched, until the broker is missed.
    """

    def __init__(self, hostname: str, port: int, **options: Any) -> None:
        """As `aiomqtt.Client`; on the event loop that will use it."""
        super().__init__(hostname, port, **options)
        self._loop_thread = get_ident()
        self._topics: dict[int, str] = {}  # of what the broker has not answered
        self._is_refusal_told = False

    async def __aenter__(self) -> Self:
        """Connect; MqttError when the broker refuses, or does not answer."""
        try:
            await super().__aenter__()
            self._require_open()
        except BaseException:
            self._let_go()
            raise
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        """Disconnect, as far as the broker still hears it."""
        try:
            await super().__aexit__(exc_type, exc, tb)
        finally:
            self._let_go()

    def publish(  # type: ignore[override]  # fewer options; called as aiomqtt's
        self, /, topic: str, payload: bytes, *, qos: int, retain: bool, timeout: float | None = None
    ) -> Coroutine[Any, Any, None]:
        """Send now; the answer is to be awaited. MqttError there: not sent, or not acknowledged within `timeout` s.

        Without one of its own, the connection's.
        """
        info = self._client.publish(topic, payload, qos, retain)
        acknowledged = asyncio.Event()
        self._pending_publishes[info.mid] = acknowledged
        self._topics[info.mid] = topic
        return self._acknowledged(info, acknowledged, self.timeout if timeout is None else timeout)

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
            self._topics.pop(info.mid, None)

    # ---- what paho tells

    def _on_publish(
        self, client: paho.Client, userdata: Any, mid: int, reason_code: ReasonCode, properties: Properties
    ) -> None:
        """The broker has answered; one of MQTT 3.1.1 cannot say no."""
        if reason_code.is_failure and not self._is_refusal_told:
            self._is_refusal_told = True
            refused = {"topic": self._topics.get(mid, ""), "reason": str(reason_code)}
            log.error("the broker refuses what is said: look at its access list", extra=refused)
        super()._on_publish(client, userdata, mid, reason_code, properties)

    def _on_disconnect(
        self,
        client: paho.Client,
        userdata: Any,
        flags: paho.DisconnectFlags,
        reason_code: ReasonCode,
        properties: Properties | None = None,
    ) -> None:
        """The connection is over: whoever waits for the broker's first answers need not wait for their time to pass."""
        super()._on_disconnect(client, userdata, flags, reason_code, properties)
        self._give_up(aiomqtt.MqttError(f"the connection was closed: {reason_code}"))

    def _on_socket_open(self, client: paho.Client, userdata: Any, sock: Any) -> None:
        """Comes from the thread in which paho connects."""
        super()._on_socket_open(client, userdata, sock)
        self._loop.call_soon_threadsafe(self._watch, client, sock)

    def _on_socket_register_write(self, client: paho.Client, userdata: Any, sock: Any) -> None:
        """Something is to be written."""
        if get_ident() != self._loop_thread:
            super()._on_socket_register_write(client, userdata, sock)
            return
        self._write(client)
        now = client.socket()
        if now is not None and now is sock and client.want_write():
            self._loop.add_writer(now.fileno(), self._write, client)

    # ---- the socket

    def _watch(self, client: paho.Client, sock: Any) -> None:
        now = client.socket()
        if now is not None and now is sock:
            self._loop.add_reader(now.fileno(), self._read, client)  # in place of aiomqtt's

    def _read(self, client: paho.Client) -> None:
        """What has come. Of a flood over TLS the rest waits for the loop's next turn, so that tables have theirs."""
        try:
            for _ in range(MAX_READS_A_TURN):
                client.loop_read()
                sock = client.socket()
                if not (isinstance(sock, ssl.SSLSocket) and sock.pending()):
                    break  # of what TLS has taken from the socket already, the loop would not hear
            else:
                self._loop.call_soon(self._read, client)
        except Exception as error:  # noqa: BLE001  # bytes that are no MQTT raise whatever they happen to
            self._break(error)
        if client._in_packet["remaining_length"] > MAX_PACKET_BYTES:  # noqa: SLF001  # paho itself takes 256 MiB
            self._break(aiomqtt.MqttError(f"the broker sends a packet of more than {MAX_PACKET_BYTES} bytes"))

    def _write(self, client: paho.Client) -> None:
        try:
            client.loop_write()
        except Exception as error:  # noqa: BLE001  # as aiomqtt: whatever it is, the connection is over
            self._break(error)

    def _break(self, error: Exception) -> None:
        """End it for our own reasons, now: what is wrong with it would be wrong again at once."""
        if self._connected.done() and not self._disconnected.done():
            self._disconnected.set_exception(error)
        self._give_up(aiomqtt.MqttError(f"the connection was given up: {error}"))
        self._client._sock_close()  # noqa: SLF001  # paho's public ways all speak to the broker first

    def _give_up(self, error: aiomqtt.MqttError) -> None:
        waited_for: list[asyncio.Future[Any]] = [self._connected, *self._pending_subscribes.values()]
        for waiting in waited_for:
            if not waiting.done():
                waiting.set_exception(error)
        for told in (*waited_for, self._disconnected):
            if told.done() and not told.cancelled():
                told.exception()  # it need not be told by the collector too: whoever waits is told

    def _require_open(self) -> None:
        """MqttError where it ended between its greeting and its first use, of which aiomqtt keeps nothing."""
        if self._client.socket() is None:
            raise aiomqtt.MqttError("the connection was closed as soon as it was made")

    def _let_go(self) -> None:
        """Whatever ended it: no socket is left, and nobody who watches one."""
        self._client._sock_close()  # noqa: SLF001
        self._give_up(aiomqtt.MqttError("the connection is over"))
