"""The access list and broker configuration that are shipped, in a real Mosquitto, as each role."""

from __future__ import annotations

import getpass
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import StartBroker
from tests.support.broker import Mosquitto, free_port
from tests.support.certificates import write_certificates
from tests.support.mqtt_client import MqttClient, Received, RefusedError
from tests.support.sources import ROOT

ACL = ROOT / "systemd" / "mosquitto.acl"
CONFIGURATION = ROOT / "systemd" / "mosquitto.conf"
NAMES = ("jackpotd", "led-1", "led-2", "pit-1", "pit-2", "observer")
USERS = {name: f"secret of {name}" for name in NAMES}

METER = "jackpotd/lisboa/pool/stud-main/meter"
HIT = "jackpotd/lisboa/pool/stud-main/hit/h1"
TABLE = "jackpotd/lisboa/table/T01/state"
STATUS = "jackpotd/lisboa/status/main"
ALARM = "jackpotd/lisboa/alarm/a1"
ALL_OF_THE_CONTROLLER = (METER, HIT, TABLE, STATUS, ALARM)


@pytest.fixture
def broker(mosquitto: StartBroker, tmp_path: Path) -> Mosquitto:
    # The observer exists here only: somebody must see what the broker lets through.
    acl = tmp_path / "acl"
    acl.write_text(ACL.read_text(encoding="utf-8") + "\nuser observer\ntopic read #\n", encoding="utf-8")
    return mosquitto(users=USERS, acl=acl)


def client(broker: Mosquitto, name: str) -> MqttClient:
    return MqttClient(broker.host, broker.port, username=name, password=USERS[name])


@pytest.fixture
def observer(broker: Mosquitto) -> Iterator[MqttClient]:
    with client(broker, "observer") as observer:
        observer.subscribe("#")
        yield observer


def passes(broker: Mosquitto, observer: MqttClient, name: str, topic: str) -> bool:
    """Whether the broker lets `name` publish on `topic`: what the observer sees before a marker of the controller.

    A refused publication is acknowledged like any other, so only the other side can tell.
    """
    with client(broker, name) as sender, client(broker, "jackpotd") as controller:
        sender.publish(topic, b"tried")
        controller.publish(STATUS, b"marker")
    first = observer.next()
    if first == Received(STATUS, b"marker", retain=False):
        return False
    assert first == Received(topic, b"tried", retain=False)
    assert observer.next().payload == b"marker"
    return True


@pytest.mark.parametrize("topic", [*ALL_OF_THE_CONTROLLER, "jackpotd/lisboa/relay/pit-1/down"])
def test_the_controller_says_pools_tables_status_alarms_and_orders(
    broker: Mosquitto, observer: MqttClient, topic: str
) -> None:
    assert passes(broker, observer, "jackpotd", topic)


@pytest.mark.parametrize("name", ["led-1", "pit-1"])
@pytest.mark.parametrize(
    "topic", [*ALL_OF_THE_CONTROLLER, "jackpotd/lisboa/relay/pit-1/down", "jackpotd/lisboa/anything", "elsewhere"]
)
def test_no_device_says_what_only_the_controller_knows(
    broker: Mosquitto, observer: MqttClient, name: str, topic: str
) -> None:
    assert not passes(broker, observer, name, topic)


def test_a_sign_says_its_own_state_and_no_others(broker: Mosquitto, observer: MqttClient) -> None:
    assert passes(broker, observer, "led-1", "jackpotd/lisboa/sign/led-1/state")
    assert not passes(broker, observer, "led-1", "jackpotd/lisboa/sign/led-2/state")
    assert not passes(broker, observer, "led-1", "jackpotd/lisboa/sign/led-1/state/more")


def test_a_relay_says_its_own_facts_and_no_others(broker: Mosquitto, observer: MqttClient) -> None:
    assert passes(broker, observer, "pit-1", "jackpotd/lisboa/relay/pit-1/up")
    assert not passes(broker, observer, "pit-1", "jackpotd/lisboa/relay/pit-2/up")


def test_the_controller_forges_no_facts_of_a_relay_and_no_state_of_a_sign(
    broker: Mosquitto, observer: MqttClient
) -> None:
    assert not passes(broker, observer, "jackpotd", "jackpotd/lisboa/relay/pit-1/up")
    assert not passes(broker, observer, "jackpotd", "jackpotd/lisboa/sign/led-1/state")


def heard(broker: Mosquitto, name: str, said: list[tuple[str, str]]) -> list[str]:
    """The topics that `name` hears of what the users say; it asks for everything."""
    with client(broker, name) as listener:
        listener.subscribe("#")
        for speaker, topic in said:
            with client(broker, speaker) as sender:
                sender.publish(topic, b"x")
        with client(broker, "jackpotd") as controller:
            controller.publish("jackpotd/lisboa/status/end", b"x")
        topics = []
        while (topic := listener.next().topic) != "jackpotd/lisboa/status/end":
            topics.append(topic)
        return topics


def test_a_sign_hears_the_controller_and_neither_relays_nor_other_signs(broker: Mosquitto) -> None:
    said = [("jackpotd", topic) for topic in ALL_OF_THE_CONTROLLER]
    private = [
        ("jackpotd", "jackpotd/lisboa/relay/pit-1/down"),
        ("pit-1", "jackpotd/lisboa/relay/pit-1/up"),
        ("led-2", "jackpotd/lisboa/sign/led-2/state"),
    ]
    assert heard(broker, "led-1", private + said) == list(ALL_OF_THE_CONTROLLER)


def test_a_relay_hears_its_own_orders_and_not_another_relays(broker: Mosquitto) -> None:
    orders = [("jackpotd", f"jackpotd/lisboa/relay/{node}/down") for node in ("pit-2", "pit-1")]
    facts = [("pit-2", "jackpotd/lisboa/relay/pit-2/up")]
    assert heard(broker, "pit-1", orders + facts) == ["jackpotd/lisboa/relay/pit-1/down"]


def test_the_controller_hears_relays_signs_and_what_it_said_before_a_restart(broker: Mosquitto) -> None:
    with client(broker, "jackpotd") as before:
        before.publish(HIT, b"{}", retain=True)
    said = [("pit-1", "jackpotd/lisboa/relay/pit-1/up"), ("led-1", "jackpotd/lisboa/sign/led-1/state")]
    assert heard(broker, "jackpotd", said) == [HIT, *(topic for _, topic in said)]


def test_nobody_comes_in_without_a_password(broker: Mosquitto) -> None:
    for name, password in ((None, None), ("jackpotd", None), ("jackpotd", "guess"), ("stranger", "guess")):
        stranger = MqttClient(broker.host, broker.port, username=name, password=password)
        with pytest.raises(RefusedError), stranger:
            pass


# ---- the broker's configuration


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[Mosquitto, int, Path]]:
    """A broker with the shipped configuration, its port for the floor, and the authority that signs trust."""
    ca, certificate, key = write_certificates(tmp_path / "certs")
    floor = free_port()
    folder = tmp_path / "site"

    def configuration(port: int) -> str:
        text = CONFIGURATION.read_text(encoding="utf-8")
        for shipped, here in (
            ("/etc/mosquitto/jackpotd.passwd", str(folder / "passwords")),
            ("/etc/mosquitto/jackpotd.acl", str(ACL)),
            ("listener 1883 127.0.0.1\n", f"listener {port} 127.0.0.1\n"),
            ("listener 8883\n", f"listener {floor} 127.0.0.1\n"),
            ("/etc/mosquitto/certs/ca.pem", str(ca)),
            ("/etc/mosquitto/certs/server.pem", str(certificate)),
            ("/etc/mosquitto/certs/server.key", str(key)),
        ):
            assert shipped in text
            text = text.replace(shipped, here)
        return f"user {getpass.getuser()}\n{text}"

    broker = Mosquitto(folder, users=USERS, configuration=configuration)
    broker.start()
    yield broker, floor, ca
    broker.kill()


def test_a_sign_on_the_floor_hears_the_controller_on_the_machine(site: tuple[Mosquitto, int, Path]) -> None:
    broker, floor, ca = site
    sign = MqttClient(broker.host, floor, username="led-1", password=USERS["led-1"], ca=ca)
    with sign, client(broker, "jackpotd") as controller:
        sign.subscribe("jackpotd/lisboa/pool/#")
        controller.publish(METER, b"{}", retain=True)
        assert sign.next().topic == METER


def test_the_floor_has_no_way_in_without_tls_and_password(site: tuple[Mosquitto, int, Path]) -> None:
    broker, floor, ca = site
    for port, trusted in ((floor, ca), (broker.port, None)):
        with pytest.raises(RefusedError), MqttClient(broker.host, port, ca=trusted):
            pass
    with socket.create_connection((broker.host, floor)) as plain:
        plain.sendall(bytes.fromhex("10 0c 00 04") + b"MQTT" + bytes.fromhex("04 02 00 3c 00 00"))
        try:
            answer = plain.recv(1)
        except ConnectionResetError:
            answer = b""
    assert answer != b"\x20", "an MQTT answer without TLS"


def test_the_shipped_broker_serves_no_websockets() -> None:
    assert "websockets" not in CONFIGURATION.read_text(encoding="utf-8")
