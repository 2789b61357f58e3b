"""The brokers that other tests rely on do what they say."""

from __future__ import annotations

import socket
import ssl
import subprocess
from pathlib import Path

import pytest

from tests.conftest import StartBroker
from tests.support.broker import BrokerError, Mosquitto, program
from tests.support.certificates import write_certificates
from tests.support.mqtt_client import MqttClient, RefusedError


def test_two_brokers_are_two_worlds(mosquitto: StartBroker) -> None:
    first, second = mosquitto(), mosquitto()
    with MqttClient(first.host, first.port) as one, MqttClient(second.host, second.port) as other:
        one.subscribe("#")
        other.publish("a", b"elsewhere")
        one.publish("a", b"here")
        assert one.next().payload == b"here"


def test_a_broker_stopped_and_started_comes_back_on_its_port(mosquitto: StartBroker) -> None:
    broker = mosquitto()
    port = broker.port
    broker.stop()
    with pytest.raises(ConnectionRefusedError), MqttClient(broker.host, port):
        pass
    broker.start()
    assert broker.port == port
    with MqttClient(broker.host, port) as client:
        client.publish("a")


def test_a_wrong_password_is_refused(mosquitto: StartBroker) -> None:
    broker = mosquitto(users={"jackpotd": "right"})
    with MqttClient(broker.host, broker.port, username="jackpotd", password="right"):
        pass
    for username, password in (("jackpotd", "wrong"), (None, None)):
        with pytest.raises(RefusedError), MqttClient(broker.host, broker.port, username=username, password=password):
            pass


def test_a_broker_with_tls_is_only_trusted_by_its_own_authority(mosquitto: StartBroker, tmp_path: Path) -> None:
    tls = write_certificates(tmp_path / "ours")
    broker = mosquitto(tls=tls)
    with MqttClient(broker.host, broker.port, ca=tls[0]) as client:
        client.publish("a")
    stranger, _, _ = write_certificates(tmp_path / "theirs")
    context = ssl.create_default_context(cafile=str(stranger))
    with socket.create_connection((broker.host, broker.port)) as plain, pytest.raises(ssl.SSLCertVerificationError):
        context.wrap_socket(plain, server_hostname=broker.host)


def test_a_broker_that_cannot_start_says_why(tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path, extra="no_such_option true")
    with pytest.raises(BrokerError, match="no_such_option"):
        broker.start()


def test_an_independent_client_program_is_served_too(mosquitto: StartBroker) -> None:
    broker = mosquitto()
    command = [program("mosquitto_pub"), "-h", broker.host, "-p", str(broker.port), "-t", "a", "-m", "x", "-q", "1"]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0
