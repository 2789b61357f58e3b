"""A connection to a real broker: what leaves when, and what becomes of what does not."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import aiomqtt
import pytest
import uvloop

from jackpotd.daemon.broker_client import broker_client
from jackpotd.daemon.config_addresses import BrokerAddress
from jackpotd.daemon.config_settings import MqttSettings
from tests.conftest import StartBroker
from tests.support.broker import Mosquitto
from tests.support.certificates import write_certificates
from tests.support.mqtt_client import MqttClient

TOPIC = "jackpotd/lisboa/said"
WILL = aiomqtt.Will("jackpotd/lisboa/status", b"", qos=1)
LIMIT_S = 20.0
LARGE = bytes(range(256)) * (32 * 1024)  # more than both sockets take


def connected(broker: Mosquitto, act: Callable[[aiomqtt.Client], Awaitable[None]], ca: Path | None = None) -> None:
    """Do something with a connection, on a loop of its own."""
    address = BrokerAddress("localhost" if ca else broker.host, broker.port, tls=ca is not None)

    async def session() -> None:
        settings = MqttSettings(address, "3.1.1", None, None, ca)
        async with broker_client(settings, None, "voice", WILL) as client:
            await act(client)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(session())


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
