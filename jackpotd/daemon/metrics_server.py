"""GET /metrics over HTTP, for Prometheus: one answer a connection, nothing else.

Laws
1. Clients, requests and the time they may take are bounded; who passes a bound is cut off, and nobody else waits.
2. A page that cannot be served stops no money: an alarm says so, and it is tried again.
"""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable

from jackpotd.daemon.config_addresses import HostPort
from jackpotd.daemon.shell_alarms import ShellAlarms

# A Prometheus and its twin, and a technician with a browser.
MAX_CLIENTS = 8
# A browser's request with all its headers is half of this.
MAX_REQUEST_BYTES = 8_192
CLIENT_LIMIT_S = 5.0
# Another program has the port: people need a while to see to it.
BIND_AGAIN_S = 10.0
_TEXT = "text/plain; version=0.0.4; charset=utf-8"


class MetricsServer:
    """Serves what `page` returns."""

    def __init__(self, address: HostPort, page: Callable[[], bytes], alarms: ShellAlarms) -> None:
        self._address = address
        self._page = page
        self._alarms = alarms
        self._clients = 0

    async def run(self) -> None:
        """Serve for ever."""
        address = self._address
        where = f"{address.host}:{address.port}"
        while True:
            try:
                server = await asyncio.start_server(
                    self._client, address.host, address.port, limit=MAX_REQUEST_BYTES, backlog=MAX_CLIENTS
                )
            except OSError as error:
                text = f"the metrics page cannot be served at {where}: {error.strerror or error}"
                self._alarms.raise_alarm("metrics", "page", text, "Free the port, or name another in [metrics] listen.")
                await asyncio.sleep(BIND_AGAIN_S)
                continue
            self._alarms.clear("metrics", "page")
            async with server:
                await server.serve_forever()

    async def _client(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._clients += 1
        try:
            if self._clients <= MAX_CLIENTS:
                async with asyncio.timeout(CLIENT_LIMIT_S):
                    await self._answer(reader, writer)
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            writer.transport.abort()  # it went away, or passed a bound: its own affair, and no occurrence here
        finally:
            self._clients -= 1
            writer.close()

    async def _answer(self, reader: StreamReader, writer: StreamWriter) -> None:
        request = await reader.readuntil(b"\r\n\r\n")
        method, _, rest = request.partition(b" ")
        path = rest.partition(b" ")[0].partition(b"?")[0]
        if method != b"GET":
            writer.write(_response("405 Method Not Allowed", b"only GET\n"))
        elif path != b"/metrics":
            writer.write(_response("404 Not Found", b"the page is /metrics\n"))
        else:
            writer.write(_response("200 OK", self._page()))
        await writer.drain()


def _response(status: str, body: bytes) -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {_TEXT}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return head.encode() + body
