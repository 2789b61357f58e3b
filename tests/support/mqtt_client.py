"""A small MQTT client for tests that shares no code with the daemon's: paho in a thread, messages in a queue.

Laws
1. `subscribe` returns when the broker has granted it, `publish` when the broker has acknowledged it.
2. Nothing is dropped: every message received waits in `messages` until it is taken.
"""

from __future__ import annotations

import queue
import ssl
import threading
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

# Generous: only a failing test waits this long.
ANSWER_LIMIT_S = 20.0


@dataclass(frozen=True, slots=True)
class Received:
    """One message as the broker delivered it."""

    topic: str
    payload: bytes
    retain: bool


class RefusedError(Exception):
    """The broker refused the connection or a subscription."""


class MqttClient:
    """Connected from `with` to its end."""

    def __init__(
        self,
        host: str,
        port: int,
        *,
        client_id: str = "",
        username: str | None = None,
        password: str | None = None,
        ca: Path | None = None,
    ) -> None:
        self.messages: queue.SimpleQueue[Received] = queue.SimpleQueue()
        self.address = (host, port)
        self._connected = threading.Event()
        self._refusal: str | None = None
        self._granted: queue.SimpleQueue[list[ReasonCode]] = queue.SimpleQueue()
        self._paho = paho.Client(CallbackAPIVersion.VERSION2, client_id=client_id)
        if username is not None:
            self._paho.username_pw_set(username, password)
        if ca is not None:
            self._paho.tls_set_context(ssl.create_default_context(cafile=str(ca)))
        self._paho.on_connect = self._on_connect
        self._paho.on_subscribe = self._on_subscribe
        self._paho.on_message = self._on_message

    def __enter__(self) -> Self:
        self._paho.connect(*self.address)
        self._paho.loop_start()
        if not self._connected.wait(ANSWER_LIMIT_S):
            self._refusal = "no answer"
        if self._refusal is not None:
            self._close()
            raise RefusedError(self._refusal)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def subscribe(self, *filters: str) -> None:
        """Subscribe at QoS 1; RefusedError when the broker refuses one of them."""
        self._paho.subscribe([(one, 1) for one in filters])
        if any(code.is_failure for code in self._granted.get(timeout=ANSWER_LIMIT_S)):
            raise RefusedError(f"not all granted: {filters}")

    def publish(self, topic: str, payload: bytes = b"", *, retain: bool = False) -> None:
        """Publish at QoS 1 and wait for the broker's acknowledgement."""
        said = self._paho.publish(topic, payload, qos=1, retain=retain)
        said.wait_for_publish(ANSWER_LIMIT_S)
        if not said.is_published():
            raise RefusedError(f"{topic} was not acknowledged")

    def next(self) -> Received:
        """The next message; queue.Empty when none comes."""
        return self.messages.get(timeout=ANSWER_LIMIT_S)

    def _close(self) -> None:
        self._paho.disconnect()
        self._paho.loop_stop()
        # paho closes its own pair of sockets when it is deleted: at once only if nothing refers back to it.
        self._paho.on_connect = self._paho.on_subscribe = self._paho.on_message = None

    def _on_connect(
        self, client: paho.Client, userdata: object, flags: paho.ConnectFlags, code: ReasonCode, more: Properties | None
    ) -> None:
        if code.is_failure:
            self._refusal = str(code)
        self._connected.set()

    def _on_subscribe(
        self, client: paho.Client, userdata: object, mid: int, codes: list[ReasonCode], more: Properties | None
    ) -> None:
        self._granted.put(codes)

    def _on_message(self, client: paho.Client, userdata: object, message: paho.MQTTMessage) -> None:
        self.messages.put(Received(message.topic, bytes(message.payload), message.retain))
