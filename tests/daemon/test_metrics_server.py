"""GET /metrics against clients that ask, stall, flood, and a port that somebody else has."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection

import pytest

from jackpotd.daemon import metrics_server
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.config_addresses import HostPort
from jackpotd.daemon.metrics_server import MAX_CLIENTS, MAX_REQUEST_BYTES, MetricsServer
from jackpotd.daemon.shell_alarms import ShellAlarms
from tests.support.broker import free_port
from tests.support.until import until

PAGE = b"jackpotd_up 1\n"


class Serving:
    """A server in a thread of its own."""

    def __init__(self) -> None:
        self.port = free_port()
        self.alarms = ShellAlarms(Clock())
        self._server = MetricsServer(HostPort("127.0.0.1", self.port), lambda: PAGE, self.alarms)
        self._loop = asyncio.new_event_loop()
        self._task = self._loop.create_task(self._server.run())
        self._thread = threading.Thread(target=self._run, name="metrics page")

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join()
        self._loop.close()

    def listening(self) -> None:
        until(self._accepts, "the metrics page")
        assert self.get()[0] == 200  # served in order: whoever looked before has been seen
        until(lambda: self._server._clients == 0, "the end of the looking")

    def get(self, path: str = "/metrics", method: str = "GET") -> tuple[int, bytes]:
        client = HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            client.request(method, path)
            response = client.getresponse()
            return response.status, response.read()
        finally:
            client.close()

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def _accepts(self) -> bool:
        try:
            self.connect().close()
        except OSError:
            return False
        return True

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            left = asyncio.all_tasks(self._loop)
            for task in left:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))


@pytest.fixture
def serving() -> Iterator[Serving]:
    made = Serving()
    yield made
    made.stop()


def closed_by_server(client: socket.socket) -> bool:
    """Whether the server ends the connection, having said nothing more."""
    try:
        return client.recv(1_000) == b""
    except ConnectionResetError:
        return True


def test_the_page_is_served(serving: Serving) -> None:
    serving.start()
    serving.listening()
    assert serving.get() == (200, PAGE)
    assert serving.get("/metrics?name=x") == (200, PAGE)


def test_anything_else_is_refused(serving: Serving) -> None:
    serving.start()
    serving.listening()
    assert serving.get("/")[0] == 404
    assert serving.get("/metrics", "POST")[0] == 405


def test_a_request_without_end_is_cut_off(serving: Serving) -> None:
    serving.start()
    serving.listening()
    with serving.connect() as client:
        client.sendall(b"GET /metrics HTTP/1.1\r\nX: " + b"x" * (2 * MAX_REQUEST_BYTES))
        assert closed_by_server(client)
    assert serving.get()[0] == 200


def test_a_client_that_says_nothing_is_cut_off(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics_server, "CLIENT_LIMIT_S", 0.1)
    serving.start()
    serving.listening()
    with serving.connect() as client:
        client.sendall(b"GET /met")
        assert closed_by_server(client)
    assert serving.get()[0] == 200


def test_too_many_clients_are_turned_away_and_the_next_is_served(serving: Serving) -> None:
    serving.start()
    serving.listening()
    with ExitStack() as stack:
        waiting = [stack.enter_context(serving.connect()) for _ in range(MAX_CLIENTS)]
        for client in waiting:
            client.sendall(b"GET /metrics HTTP/1.1\r\n")
        until(lambda: turned_away(serving), "one client too many")
        for client in waiting:
            client.sendall(b"\r\n")
            assert client.recv(1_000).startswith(b"HTTP/1.1 200 OK")
    until(lambda: not turned_away(serving), "room again")


def turned_away(serving: Serving) -> bool:
    with serving.connect() as client:
        try:
            client.sendall(b"GET /metrics HTTP/1.1\r\n\r\n")
            return client.recv(1_000) == b""
        except ConnectionError:
            return True


def test_a_port_that_somebody_has_alarms_and_is_taken_once_it_is_free(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics_server, "BIND_AGAIN_S", 0.05)
    with socket.socket() as other:
        other.bind(("127.0.0.1", serving.port))
        other.listen()
        serving.start()
        until(lambda: "metrics-page" in serving.alarms.active, "an alarm about the port")
        assert "cannot be served at 127.0.0.1" in serving.alarms.active["metrics-page"].text
    until(lambda: not serving.alarms.active, "the end of the alarm")
    assert serving.get() == (200, PAGE)
