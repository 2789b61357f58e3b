"""A simulated one-port serial server (MOXA NPort class, raw TCP) with simulated devices behind it.

Laws
1. The serial side goes on without a client: what nobody reads is lost.
2. With `single_client` a second connection is closed at once, as the real ones do by default.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import TracebackType
from typing import Final, Self

from hardware.simulated.line import FaultyLine
from hardware.simulated.wire import PortDevice, Wire

_UNSENT_BYTES: Final = 65_536  # what a client may leave unread before its bytes are lost


class SerialServer:
    """A server, listening while the context lasts; for this machine alone unless `host` says more. `port` 0: any."""

    def __init__(
        self,
        devices: Sequence[PortDevice] = (),
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        single_client: bool = True,
        to_host: FaultyLine | None = None,
        to_devices: FaultyLine | None = None,
    ) -> None:
        self._host = host
        self._port = port
        self._single_client = single_client
        self._wire = Wire(devices, self._write, to_host=to_host, to_devices=to_devices)
        self._clients: list[asyncio.Transport] = []
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """What to open."""
        return f"socket://{self._host}:{self._port}"

    @property
    def clients(self) -> int:
        """How many are connected."""
        return len(self._clients)

    async def __aenter__(self) -> Self:
        """Listen."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Client(self), self._host, self._port)
        self._port = self._server.sockets[0].getsockname()[1]
        self._wire.open()
        return self

    async def __aexit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """Listen no more, and drop every client."""
        assert self._server is not None
        self._wire.close()
        self._server.close()
        self.disconnect()
        await self._server.wait_closed()

    def disconnect(self) -> None:
        """Drop every client, in mid-frame if need be."""
        for client in self._clients:
            client.abort()

    def send(self, data: bytes) -> None:
        """Bytes of a device that talks unasked."""
        self._wire.send(data)

    def admit(self, client: asyncio.Transport) -> None:
        """A client came."""
        if self._single_client and self._clients:
            client.close()
        else:
            self._clients.append(client)

    def heard(self, data: bytes) -> None:
        """An admitted client sent bytes; one that was turned away is read no more."""
        self._wire.heard(data)

    def left(self, client: asyncio.Transport) -> None:
        """A client went, admitted or not."""
        if client in self._clients:
            self._clients.remove(client)

    def _write(self, data: bytes) -> None:
        for client in self._clients:
            if client.get_write_buffer_size() + len(data) <= _UNSENT_BYTES:
                client.write(data)


class _Client(asyncio.Protocol):
    """One TCP connection."""

    def __init__(self, server: SerialServer) -> None:
        self._server = server
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._server.admit(transport)

    def data_received(self, data: bytes) -> None:
        self._server.heard(data)

    def connection_lost(self, _exc: Exception | None) -> None:
        assert self._transport is not None
        self._server.left(self._transport)
