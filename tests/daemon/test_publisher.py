"""The publisher against a real broker: what it keeps, what it loses, whom it lets in."""

from __future__ import annotations

import gc
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from jackpotd.core.state import Alarm
from jackpotd.daemon import broker_client, publisher
from jackpotd.daemon.board import MeterView
from tests.conftest import StartBroker
from tests.support.broker import Mosquitto
from tests.support.certificates import write_certificates
from tests.support.controller_voice import status
from tests.support.mqtt_client import MqttClient, Received
from tests.support.publishing import HIT_ID, POOL, Publishing, pending_hit, retained
from tests.support.until import until

PREFIX = "jackpotd/lisboa"
METER, STATUS = f"{PREFIX}/pool/{POOL}/meter", f"{PREFIX}/status/main"
HIT = f"{PREFIX}/pool/{POOL}/hit/{HIT_ID}"


@pytest.fixture
def errors(caplog: pytest.LogCaptureFixture) -> Iterator[list[str]]:
    """What the alarms' log says, as it grows."""
    said: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.levelno >= logging.ERROR:
                said.append(record.getMessage())

    handler, logger = Collector(), logging.getLogger("jackpotd.daemon.shell_alarms")
    logger.addHandler(handler)
    yield said
    logger.removeHandler(handler)


def next_on(client: MqttClient, topic: str) -> Received:
    while True:
        message = client.next()
        if message.topic == topic:
            return message


def test_meters_and_status_are_kept_by_the_broker(mosquitto: StartBroker) -> None:
    broker = mosquitto()
    with Publishing(broker):
        kept = retained(broker, METER, STATUS)
    assert kept[METER]["amount"] == "500000.00"
    assert kept[STATUS]["state"] == "online"


def test_mqtt_5_carries_the_same(mosquitto: StartBroker) -> None:
    broker = mosquitto()
    with Publishing(broker, protocol="5"):
        assert retained(broker, METER)[METER]["amount"] == "500000.00"


def test_a_broker_that_lost_everything_is_told_everything_again(mosquitto: StartBroker) -> None:
    broker = mosquitto()
    with Publishing(broker) as voice:
        voice.board.hits["h"] = pending_hit()
        retained(broker, METER, STATUS, HIT)
        broker.stop()
        until(lambda: not voice.publisher.connected, "the loss of the broker")
        broker.start()
        again = retained(broker, METER, STATUS, HIT)
    assert again[METER]["amount"] == "500000.00"
    assert again[HIT]["state"] == "pending"


def test_while_the_broker_is_away_only_the_newest_amount_waits(mosquitto: StartBroker) -> None:
    broker = mosquitto()
    with Publishing(broker) as voice:
        voice.connected()
        broker.stop()
        until(lambda: not voice.publisher.connected, "the loss of the broker")

        def rise() -> None:
            for seq in range(2, 50):
                voice.board.meters[POOL] = MeterView(POOL, 50_000_000 + seq, "live", "MOP", 2, seq, 0)

        voice.act(rise)
        broker.start()
        with MqttClient(broker.host, broker.port) as client:
            client.subscribe(METER)
            first = json.loads(next_on(client, METER).payload)
    assert first["amount"] == "500000.49"


def test_another_controller_of_our_name_under_a_higher_epoch_is_an_alarm_until_the_broker_has_it_no_more(
    mosquitto: StartBroker,
) -> None:
    broker = mosquitto()
    with MqttClient(broker.host, broker.port) as client:
        client.subscribe(STATUS)
        client.publish(STATUS, json.dumps(status(epoch=8, beat=1)).encode(), retain=True)
        client.next()
        with Publishing(broker) as voice:
            until(lambda: "higher_epoch-controller" in voice.alarms.active, "the alarm")
            assert json.loads(next_on(client, STATUS).payload)["epoch"] == voice.board.epoch, "we speak on"
            retained(broker, f"{PREFIX}/alarm/higher_epoch-controller")
            broker.stop()
            until(lambda: not voice.publisher.connected, "the loss of the broker")
            broker.start()
            until(lambda: "higher_epoch-controller" not in voice.alarms.active, "the end of the alarm")


def test_what_an_earlier_run_left_of_hits_and_alarms_is_cleared_and_nothing_else(mosquitto: StartBroker) -> None:
    broker = mosquitto()
    over_hit, over_alarm = f"{PREFIX}/pool/{POOL}/hit/T01.1.{POOL}.flush", f"{PREFIX}/alarm/held-T01"
    others = f"{PREFIX}/pool/another-controllers/hit/T09.1.x.flush"
    alarm_topic = f"{PREFIX}/alarm/held-T02"
    with MqttClient(broker.host, broker.port) as client:
        for topic in (over_hit, over_alarm, others, HIT, alarm_topic):
            client.publish(topic, b'{"old":true}', retain=True)
        client.subscribe(over_hit, over_alarm, others, HIT, alarm_topic)
        for _ in range(5):
            assert client.next().retain
        voice = Publishing(broker)
        voice.board.hits["h"] = pending_hit()
        voice.board.alarms["held-T02"] = Alarm("held-T02", "held", "still held", "T02", "", 1, "look")
        seen: dict[str, list[bytes]] = {over_hit: [], over_alarm: [], others: [], HIT: [], alarm_topic: []}
        with voice:
            while not (seen[over_hit] and seen[over_alarm] and seen[HIT] and seen[alarm_topic]):
                message = client.next()
                seen[message.topic].append(message.payload)
    assert seen[over_hit] == seen[over_alarm] == [b""]
    assert seen[others] == []
    assert all(seen[HIT]), "a hit that is pending was cleared, if only for a moment"
    assert all(seen[alarm_topic])


def test_the_will_says_offline_when_the_connection_is_cut(mosquitto: StartBroker) -> None:
    broker = mosquitto()
    with Publishing(broker) as voice, MqttClient(broker.host, broker.port) as client:
        voice.connected()
        client.subscribe(STATUS)
        online = json.loads(next_on(client, STATUS).payload)
        # Another client of the same name: the broker cuts the first off, as it would a dead one.
        with MqttClient(broker.host, broker.port, client_id="jackpotd-lisboa-main"):
            while (goodbye := json.loads(next_on(client, STATUS).payload))["state"] == "online":
                pass
    assert goodbye["state"] == "offline"
    assert goodbye["epoch"] == online["epoch"] == 7


def test_user_and_password_are_given(mosquitto: StartBroker) -> None:
    broker = mosquitto(users={"jackpotd": "right"})
    with Publishing(broker, username="jackpotd", password="right") as voice:
        voice.connected()


def test_a_wrong_password_alarms_and_is_logged_once_however_often_it_is_tried(
    mosquitto: StartBroker, errors: list[str]
) -> None:
    broker = mosquitto(users={"jackpotd": "right"})
    with Publishing(broker, username="jackpotd", password="wrong") as voice:
        text = voice.refused()
        until(lambda: attempts(broker) >= 4, "four attempts")
    assert "not authori" in text.lower()
    assert errors == [text]


def attempts(broker: Mosquitto) -> int:
    """How often somebody came to the broker and was turned away."""
    said = broker.log.read_text(encoding="utf-8", errors="replace")
    return said.count("not authorised")


def test_the_right_authority_is_let_in(mosquitto: StartBroker, tmp_path: Path) -> None:
    tls = write_certificates(tmp_path / "pki")
    broker = mosquitto(tls=tls, users={"jackpotd": "right"})
    with Publishing(broker, tls=True, ca=tls[0], username="jackpotd", password="right") as voice:
        voice.connected()


# paho leaves a socket whose handshake failed to the garbage collector, which says so.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("another authority", "certificate verify failed"),
        ("an expired certificate", "certificate has expired"),
        ("another name", "certificate is not valid for"),
        ("no such file", "No such file"),
    ],
)
def test_a_broker_that_cannot_prove_itself_is_not_spoken_to(
    mosquitto: StartBroker, tmp_path: Path, errors: list[str], fault: str, words: str
) -> None:
    tls = write_certificates(tmp_path / "pki", ("another.example",), expired=fault == "an expired certificate")
    broker = mosquitto(tls=tls)
    ca = tls[0]
    if fault == "another authority":
        ca = write_certificates(tmp_path / "other")[0]
    elif fault == "no such file":
        ca = tmp_path / "gone.pem"
    with Publishing(broker, tls=True, ca=ca, host="localhost" if fault == "another name" else "127.0.0.1") as voice:
        text = voice.refused()
        assert not voice.publisher.connected
    assert text.startswith(
        f"the broker mqtts://{'localhost' if fault == 'another name' else '127.0.0.1'}:{broker.port} "
    )
    assert words in text
    assert errors == [text]
    del voice
    gc.collect()  # now, while it is expected


def test_a_broker_that_comes_later_ends_the_alarm(mosquitto: StartBroker) -> None:
    broker = mosquitto()
    broker.stop()
    with Publishing(broker) as voice:
        assert "not reached" in voice.refused()
        broker.start()
        voice.connected()
        until(lambda: not voice.alarms.active, "the end of the alarm")


def test_a_broker_that_freezes_is_left_and_found_again(mosquitto: StartBroker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publisher, "PUBACK_TIMEOUT_S", 0.5)
    monkeypatch.setattr(broker_client, "HANDSHAKE_TIMEOUT_S", 0.5)
    broker = mosquitto()
    with Publishing(broker) as voice:
        voice.connected()
        with broker.frozen():
            voice.act(lambda: voice.board.suspend("something to say"))
            until(lambda: not voice.publisher.connected, "giving up the silent broker")
        voice.connected()
