"""A connection to a real broker: what leaves when, and what becomes of what does not."""

from __future__ import annotations

import asyncio
import gc
import socket
import ssl
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import aiomqtt
import pytest
import uvloop

from jackpotd.daemon import broker_client as broker_client_module
from jackpotd.daemon.broker_client import broker_client
from jackpotd.daemon.config_addresses import BrokerAddress
from jackpotd.daemon.config_settings import MqttSettings
from tests.conftest import StartBroker
from tests.support.certificates import write_certificates
from tests.support.mqtt_client import MqttClient

TOPIC = "jackpotd/lisboa/said"
WILL = aiomqtt.Will("jackpotd/lisboa/status", b"", qos=1)
LIMIT_S = 20.0
LARGE = bytes(range(256)) * (32 * 1024)  # more than both sockets take


class Listening(Protocol):
    """A broker, or what looks like one."""

    host: str
    port: int


def connected(
    broker: Listening,
    act: Callable[[aiomqtt.Client], Awaitable[None]],
    ca: Path | None = None,
    protocol: str = "3.1.1",
) -> None:
    """Do something with a connection, on a loop of its own."""
    address = BrokerAddress("localhost" if ca else broker.host, broker.port, tls=ca is not None)

    async def session() -> None:
        settings = MqttSettings(address, protocol, None, None, ca)
        async with broker_client(settings, None, "voice", WILL) as client:
            await act(client)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(session())


async def nothing(_: aiomqtt.Client) -> None:
    """Nobody comes so far."""
    raise AssertionError("connected to a broker that did not greet")


def test_words_leave_in_the_turn_in_which_they_are_said(mosquitto: StartBroker) -> None:
    """A subscriber has them although the loop does not turn until he does."""
    broker = mosquitto()
    with MqttClient(broker.host, broker.port) as seen:
        seen.subscribe(TOPIC)

        async def say_twice(client: aiomqtt.Client) -> None:
            for word in (b"one", b"two"):
                answer = client.publish(TOPIC, word, qos=1, retain=True, timeout=LIMIT_S)
                assert seen.next().payload == word
                await answer

        connected(broker, say_twice)


def test_what_the_socket_does_not_take_at_once_follows_whole_and_in_order(mosquitto: StartBroker) -> None:
    broker = mosquitto()
    with MqttClient(broker.host, broker.port) as seen:
        seen.subscribe(TOPIC)

        async def say_to_one_who_sleeps(client: aiomqtt.Client) -> None:
            with broker.frozen():
                answers = [
                    client.publish(TOPIC, payload, qos=1, retain=True, timeout=LIMIT_S)
                    for payload in (b"before", LARGE, b"after")
                ]
            await asyncio.gather(*answers)

        connected(broker, say_to_one_who_sleeps)
        assert [seen.next().payload for _ in range(3)] == [b"before", LARGE, b"after"]


def test_a_large_message_over_tls_arrives_whole(mosquitto: StartBroker, tmp_path: Path) -> None:
    certificates = write_certificates(tmp_path)
    broker = mosquitto(tls=certificates)
    with MqttClient("localhost", broker.port, ca=certificates[0]) as seen:
        seen.subscribe(TOPIC)

        async def say(client: aiomqtt.Client) -> None:
            await client.publish(TOPIC, LARGE, qos=1, retain=True, timeout=LIMIT_S)

        connected(broker, say, certificates[0])
        assert seen.next().payload == LARGE


def test_a_broker_that_is_silent_is_told_where_the_answer_is_awaited(mosquitto: StartBroker) -> None:
    broker = mosquitto()

    async def say(client: aiomqtt.Client) -> None:
        with broker.frozen():
            answer = client.publish(TOPIC, b"x", qos=1, retain=True, timeout=0.1)
            with pytest.raises(aiomqtt.MqttError, match="timed out"):
                await answer
        await client.publish(TOPIC, b"y", qos=1, retain=True, timeout=LIMIT_S)  # the connection lives on

    connected(broker, say)


def test_a_broker_that_has_gone_is_told_where_the_answer_is_awaited(mosquitto: StartBroker) -> None:
    """The first words after its end may still find a socket, those after them do not; nothing is raised when said."""
    broker = mosquitto()

    async def say(client: aiomqtt.Client) -> None:
        broker.stop()
        limit = time.monotonic() + LIMIT_S
        while time.monotonic() < limit:
            answer = client.publish(TOPIC, b"x", qos=1, retain=True, timeout=0.1)
            with pytest.raises(aiomqtt.MqttError) as told:
                await answer
            if isinstance(told.value, aiomqtt.MqttCodeError):
                return
        raise AssertionError("it is still thought to be there")

    connected(broker, say)


# ---- brokers that are none

CONNACK = b"\x20\x02\x00\x00"
NO_TOPIC = bytes.fromhex("30060002FFFE7B7D")  # its topic is no UTF-8


class FalseBroker:
    """Answers CONNECT with these bytes, then waits for the other side to close. `closed`: it did.

    `flood`: what it sends again and again until `stop`, or the test's limit. `tls`: CA, certificate, key.
    """

    def __init__(
        self, answer: bytes, *, closes: bool = False, flood: bytes = b"", tls: tuple[Path, Path, Path] | None = None
    ) -> None:
        self.host = "127.0.0.1"
        self.closed = threading.Event()
        self.stop = threading.Event()
        self.tired = threading.Event()  # it has flooded until its limit
        self._answer = answer
        self._closes = closes
        self._flood = flood
        self._context: ssl.SSLContext | None = None
        if tls is not None:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(tls[1], tls[2])
        self._connection: socket.socket | None = None
        self._listener = socket.create_server((self.host, 0))
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """It ends the connection, in the middle of whatever it is."""
        assert self._connection is not None
        self._connection.shutdown(socket.SHUT_RDWR)
        self.closed.wait(LIMIT_S)

    def end(self) -> None:
        """Its socket is closed and its thread over."""
        self.stop.set()
        self._listener.close()
        self._thread.join(LIMIT_S)
        assert not self._thread.is_alive()

    def _serve(self) -> None:
        connection, _ = self._listener.accept()
        if self._context is not None:
            connection = self._context.wrap_socket(connection, server_side=True)
        self._connection = connection
        connection.settimeout(LIMIT_S)
        with connection, suppress(OSError):
            connection.recv(4096)
            connection.sendall(self._answer)
            limit = time.monotonic() + LIMIT_S
            while self._flood and not self.stop.is_set() and not self.tired.is_set():
                connection.sendall(self._flood)
                if time.monotonic() > limit:
                    self.tired.set()
            while not self._closes and connection.recv(4096):
                pass
        self.closed.set()


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(CONNACK + 3 * NO_TOPIC, id="words that are no MQTT"),
        pytest.param(CONNACK + b"\x90\xff\xff\xff\x7f" + bytes(65_536), id="a packet of 256 MiB"),
    ],
)
def test_a_broker_that_sends_what_nobody_could_mean_is_left_at_once(answer: bytes) -> None:
    """The socket is closed while the connection's end is not even awaited: nothing reads the same bytes for ever."""
    broker = FalseBroker(answer)

    async def listen(client: aiomqtt.Client) -> None:
        await asyncio.to_thread(broker.closed.wait, LIMIT_S)
        assert broker.closed.is_set()
        await anext(aiter(client.messages))

    with pytest.raises(aiomqtt.MqttError):
        connected(broker, listen)
    assert broker.closed.wait(LIMIT_S)
    broker.end()


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(b"\x20\xff\xff\xff\x7f" + bytes(65_536), id="a greeting of 256 MiB"),
        pytest.param(b"\x20\x02\x00", id="half a greeting and the end"),
        pytest.param(b"", id="nothing and the end"),
    ],
)
def test_a_greeting_that_cannot_come_is_not_waited_for(answer: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker_client_module, "HANDSHAKE_TIMEOUT_S", 10 * LIMIT_S)
    broker = FalseBroker(answer, closes=len(answer) < 1_000)
    with pytest.raises(aiomqtt.MqttError, match=r"was closed|was given up"):
        connected(broker, nothing)
    assert broker.closed.wait(LIMIT_S)
    broker.end()


def test_a_broker_that_closes_before_it_lets_us_hear_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker_client_module, "HANDSHAKE_TIMEOUT_S", 10 * LIMIT_S)
    broker = FalseBroker(CONNACK, closes=True)

    async def hear(client: aiomqtt.Client) -> None:
        await client.subscribe(TOPIC)

    with pytest.raises(aiomqtt.MqttError):
        connected(broker, hear)
    broker.end()


def test_a_connection_that_breaks_while_something_is_said_leaves_nothing_behind() -> None:
    """No callback fails, and no exception is left for the collector to tell."""
    faults: list[dict[str, Any]] = []
    broker = FalseBroker(CONNACK)

    async def say(client: aiomqtt.Client) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
        broker.close()
        for _ in range(3):
            with pytest.raises(aiomqtt.MqttError):
                await client.publish(TOPIC, LARGE, qos=1, retain=True, timeout=0.2)

    connected(broker, say)
    broker.end()
    gc.collect()
    assert faults == []


def test_words_that_the_access_list_refuses_are_one_line_in_the_log(
    mosquitto: StartBroker, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rights = tmp_path / "rights"
    rights.write_text("topic read #\n", encoding="utf-8")
    broker = mosquitto(acl=rights)

    async def say_twice(client: aiomqtt.Client) -> None:
        for word in (b"one", b"two"):
            await client.publish(TOPIC, word, qos=1, retain=True, timeout=LIMIT_S)

    connected(broker, say_twice, protocol="5")
    told = [record for record in caplog.records if "access list" in record.getMessage()]
    assert [(record.levelname, record.__dict__["topic"]) for record in told] == [("ERROR", TOPIC)]


def test_a_flood_over_tls_leaves_the_loop_its_turns(tmp_path: Path) -> None:
    """Packets that lie across the records: there is always a piece of the next one, so that nobody finds an end."""
    word = b"\x30\x1e\x00\x01x" + bytes(27)
    record = 16_384  # as much as TLS puts into one
    shift = (record - 5) % len(word)
    words = word * (record // len(word) + 2)
    certificates = write_certificates(tmp_path)
    broker = FalseBroker(
        CONNACK + b"\x30\x03\x00\x01x" + words[: record - 5],
        flood=words[shift : shift + record],
        tls=certificates,
    )

    async def take_turns(_: aiomqtt.Client) -> None:
        for _turn in range(20):
            await asyncio.sleep(0)
        assert not broker.tired.is_set(), "the loop had its turns only when the flood was over"
        broker.stop.set()

    connected(broker, take_turns, certificates[0])
    broker.end()
