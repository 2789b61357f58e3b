"""The controller's connections to the broker, as its configuration says."""

from __future__ import annotations

import ssl
from pathlib import Path

import aiomqtt

from jackpotd.daemon.config_settings import MqttSettings
from jackpotd.messages.connection import PromptClient

# What the broker keeps of hits and alarms comes at once after subscribing: a shift's worth, and no more in memory.
MAX_KEPT = 4_096
# For CONNACK and for the end of a connection: a stopping service has 15 s.
HANDSHAKE_TIMEOUT_S = 5.0
KEEPALIVE_S = 10


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
