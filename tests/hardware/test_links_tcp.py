"""Links to serial servers over real TCP: opening, losing, holding back."""

from __future__ import annotations

import asyncio
import os
import socket
import struct

import pytest

from hardware.links import LinkError, SerialSettings, open_link
from hardware.simulated.serial_server import SerialServer
from tests.support.reading import read_exactly

SETTINGS = SerialSettings(9600)
EVERY_BYTE = bytes(range(256))


class Echo:
    """A device that says what it hears."""

    def feed(self, data: bytes, now_ms: int) -> bytes:
        return data

    def tick(self, now_ms: int) -> None:
        """No clock."""


def test_every_byte_passes_unchanged_in_both_directions() -> None:
    async def check() -> None:
        async with SerialServer([Echo()]) as server:
            link = await open_link(server.url, SETTINGS)
            link.write(EVERY_BYTE)
            assert await read_exactly(link, 256) == EVERY_BYTE
            link.close()

    asyncio.run(check())


def test_a_host_with_several_addresses_is_tried_at_each() -> None:
    async def check() -> None:
        async with SerialServer([Echo()]) as server:
            found = [
                (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 1)),
                (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", int(server.url.rpartition(":")[2]))),
            ]

            async def several(*_: object, **__: object) -> list[object]:
                return list(found)

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(asyncio.get_running_loop(), "getaddrinfo", several)
                link = await open_link("socket://shoes.example:4001", SETTINGS)
            link.write(b"ping")
            assert await read_exactly(link, 4) == b"ping"
            link.close()

    asyncio.run(check())


def test_a_dead_server_is_noticed_by_the_socket_itself() -> None:
    async def check() -> None:
        async with SerialServer() as server:
            link = await open_link(server.url, SETTINGS)
            with socket.socket(fileno=os.dup(link._fd)) as same:
                assert same.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
                assert same.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 5
                assert same.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 10_000
                assert same.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1
            link.close()

    asyncio.run(check())


def test_a_server_that_drops_the_connection_ends_the_link() -> None:
    async def check() -> None:
        async with SerialServer([Echo()]) as server:
            link = await open_link(server.url, SETTINGS)
            link.write(b"half a fra")
            assert await read_exactly(link, 10) == b"half a fra"
            server.disconnect()
            with pytest.raises(LinkError) as lost:
                await link.read()
            assert lost.value.kind in {"lost", "closed_by_peer"}
            link.close()
            link = await open_link(server.url, SETTINGS)
            link.write(b"me")
            assert await read_exactly(link, 2) == b"me"
            link.close()

    asyncio.run(check())


@pytest.mark.usefixtures("each_loop")
def test_a_connection_that_is_reset_is_lost() -> None:
    async def check() -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            link = await open_link(f"socket://127.0.0.1:{server.getsockname()[1]}", SETTINGS)
            accepted, _ = server.accept()
            accepted.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            accepted.close()
            with pytest.raises(LinkError) as lost:
                await link.read()
            assert lost.value.kind == "lost"
            link.close()

    asyncio.run(check())


@pytest.mark.usefixtures("each_loop")
def test_a_server_that_closes_in_order_ends_the_link_after_its_last_bytes() -> None:
    async def check() -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            link = await open_link(f"socket://127.0.0.1:{server.getsockname()[1]}", SETTINGS)
            accepted, _ = server.accept()
            accepted.sendall(EVERY_BYTE)
            accepted.close()
            assert await read_exactly(link, 256) == EVERY_BYTE
            with pytest.raises(LinkError) as lost:
                await link.read()
            assert lost.value.kind == "closed_by_peer"
            link.close()

    asyncio.run(check())


def test_a_false_alarm_of_the_poll_breaks_nothing() -> None:
    async def check() -> None:
        async with SerialServer([Echo()]) as server:
            link = await open_link(server.url, SETTINGS)
            reading = asyncio.create_task(link.read())
            await asyncio.sleep(0)
            link._readable()
            link.write(b"ok")
            assert await reading == b"ok"
            link.close()

    asyncio.run(check())


def test_a_client_that_does_not_read_loses_bytes_and_fills_no_memory() -> None:
    async def check() -> None:
        async with SerialServer([Echo()]) as server:
            link = await open_link(server.url, SETTINGS)
            link.write(b"1")
            assert await read_exactly(link, 1) == b"1"
            for _ in range(2000):
                server.send(bytes(10_000))
            assert server._clients[0].get_write_buffer_size() <= 65_536
            link.close()

    asyncio.run(check())


def test_a_second_client_of_a_one_client_server_is_turned_away() -> None:
    async def check() -> None:
        async with SerialServer([Echo()]) as server:
            first = await open_link(server.url, SETTINGS)
            first.write(b"1")
            assert await read_exactly(first, 1) == b"1"
            second = await open_link(server.url, SETTINGS)
            with pytest.raises(LinkError) as turned_away:
                await second.read()
            assert turned_away.value.kind == "closed_by_peer"
            second.close()
            assert server.clients == 1
            first.close()

    asyncio.run(check())


def test_a_server_for_several_clients_says_the_same_to_all() -> None:
    async def check() -> None:
        async with SerialServer([Echo()], single_client=False) as server:
            links = [await open_link(server.url, SETTINGS) for _ in range(2)]
            links[1].write(b"both")
            assert [await read_exactly(link, 4) for link in links] == [b"both"] * 2
            for link in links:
                link.close()

    asyncio.run(check())


def test_a_server_that_is_not_there_is_unreachable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: nobody answers, nobody else takes the port
        with pytest.raises(LinkError, match="unreachable"):
            asyncio.run(open_link(f"socket://127.0.0.1:{taken.getsockname()[1]}", SETTINGS))


def test_a_server_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*_: object) -> socket.socket:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr("hardware.links._connect", never)
    monkeypatch.setattr("hardware.links._CONNECT_S", 0.01)
    with pytest.raises(LinkError, match="no answer within"):
        asyncio.run(open_link("socket://127.0.0.1:4001", SETTINGS))


@pytest.mark.parametrize(
    "port", ["socket://", "socket://host", "socket://:4001", "socket://host:x", "socket://h:99999"]
)
def test_an_address_without_host_or_port_is_refused(port: str) -> None:
    with pytest.raises(LinkError, match="bad_port"):
        asyncio.run(open_link(port, SETTINGS))


def test_a_caller_that_does_not_read_holds_the_server_back_and_loses_nothing() -> None:
    size = 64 << 20  # more than both sockets' buffers ever take
    done = asyncio.Event()

    async def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(64):
            writer.write(b"x" * (size // 64))
            await writer.drain()
        done.set()
        writer.close()

    async def check() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server:
            link = await open_link(f"socket://127.0.0.1:{server.sockets[0].getsockname()[1]}", SETTINGS)
            got = len(await link.read())
            for _ in range(200):
                await asyncio.sleep(0.001)
            assert not done.is_set()
            while got < size:
                got += len(await link.read())
            with pytest.raises(LinkError, match="closed_by_peer"):
                await link.read()
            assert got == size
            link.close()

    asyncio.run(check())
