"""The player as a process with a real Mosquitto: passwords, TLS, the access list, and what it says of itself."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import StartBroker
from tests.support.broker import Mosquitto
from tests.support.certificates import write_certificates
from tests.support.controller_voice import EPOCH, POOL, SITE, ControllerVoice
from tests.support.mqtt_client import MqttClient
from tests.support.sign_process import SignProcess
from tests.support.sources import ROOT
from tests.support.until import until

ACL = ROOT / "systemd" / "mosquitto.acl"
USERS = {"jackpotd": "of the controller", "tv-1": "of the sign"}
STATE = f"jackpotd/{SITE}/sign/tv-1/state"
MOST_MIB = 48
# Generous: only a failing test waits this long.
LIMIT_S = 30.0


def options(broker: Mosquitto, *more: str) -> tuple[str, ...]:
    where = ("--broker", broker.url, "--site", SITE, "--pool", POOL)
    return (*where, "--id", "tv-1", "--listen", "127.0.0.1:0", *more)


def heard(client: MqttClient, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The first state of the sign that is wanted; AssertionError when it never comes."""
    deadline = time.monotonic() + LIMIT_S
    while True:
        state: dict[str, Any] = json.loads(client.next().payload)
        if wanted(state):
            return state
        assert time.monotonic() < deadline, state


@pytest.fixture
def guarded(mosquitto: StartBroker, tmp_path: Path) -> tuple[Mosquitto, Path]:
    """A broker with TLS, users and the access list that ships; and its authority."""
    ca, certificate, key = write_certificates(tmp_path / "certs")
    return mosquitto(users=USERS, acl=ACL, tls=(ca, certificate, key)), ca


def secrets(tmp_path: Path, ca: Path, password: str) -> tuple[str, ...]:
    secret = tmp_path / "secret"
    secret.write_text(f"{password}\n", encoding="utf-8")
    return ("--username", "tv-1", "--password-file", str(secret), "--ca-file", str(ca))


def controller(broker: Mosquitto, ca: Path | None = None) -> MqttClient:
    if ca is None:
        return MqttClient(broker.host, broker.port)
    return MqttClient(broker.host, broker.port, username="jackpotd", password=USERS["jackpotd"], ca=ca)


def test_a_sign_with_its_password_over_tls_says_what_it_shows(guarded: tuple[Mosquitto, Path], tmp_path: Path) -> None:
    broker, ca = guarded
    with controller(broker, ca) as client:
        client.subscribe(STATE)
        voice = ControllerVoice(client)
        voice.status()
        with SignProcess(tmp_path, *options(broker, *secrets(tmp_path, ca, USERS["tv-1"]))) as sign:
            heard(client, lambda state: state["state"] == "neutral")
            voice.meter(123_456)
            state = heard(client, lambda state: state["state"] == "live")
            assert state == {
                "schema": 1,
                "state": "live",
                "pool": POOL,
                "epoch": EPOCH,
                "seq": 1,
                "amount": "1234.56",
                "others": [],
                "screens": 0,
                "falls": 0,
            }
            assert sign.resident_kib <= MOST_MIB * 1024
        assert heard(client, lambda state: state["state"] == "offline")["pool"] is None


def test_a_sign_with_a_wrong_password_says_why_and_keeps_trying(
    guarded: tuple[Mosquitto, Path], tmp_path: Path
) -> None:
    broker, ca = guarded
    with SignProcess(tmp_path, *options(broker, *secrets(tmp_path, ca, "guessed"))) as sign:
        until(lambda: "broker not reached" in sign.said, "its log", lambda: sign.said)
        assert "state=neutral" in sign.said
        assert sign.said.count("broker not reached") == 1, "the same fault is said once"


def test_a_sign_does_not_speak_to_a_broker_that_another_authority_vouches_for(
    guarded: tuple[Mosquitto, Path], tmp_path: Path
) -> None:
    broker, _ = guarded
    other, _, _ = write_certificates(tmp_path / "other")
    with SignProcess(tmp_path, *options(broker, *secrets(tmp_path, other, USERS["tv-1"]))) as sign:
        until(lambda: "CERTIFICATE_VERIFY_FAILED" in sign.said, "its log", lambda: sign.said)


def test_a_sign_cannot_say_a_meter(guarded: tuple[Mosquitto, Path]) -> None:
    broker, ca = guarded
    with (
        controller(broker, ca) as client,
        MqttClient(broker.host, broker.port, username="tv-1", password=USERS["tv-1"], ca=ca) as sign,
    ):
        client.subscribe(f"jackpotd/{SITE}/pool/#", STATE)
        sign.publish(f"jackpotd/{SITE}/pool/{POOL}/meter", b"tried")
        sign.publish(STATE, b"allowed")
        assert client.next().payload == b"allowed"


def test_a_sign_that_loses_its_power_is_said_to_be_off(mosquitto: StartBroker, tmp_path: Path) -> None:
    broker = mosquitto()
    with controller(broker) as client:
        client.subscribe(STATE)
        with SignProcess(tmp_path, *options(broker)) as sign:
            heard(client, lambda state: state["state"] == "neutral")
            sign.kill()
            heard(client, lambda state: state["state"] == "offline")


def test_a_sign_says_itself_again_at_least_every_five_seconds(mosquitto: StartBroker, tmp_path: Path) -> None:
    broker = mosquitto()
    with controller(broker) as client, SignProcess(tmp_path, *options(broker)):
        client.subscribe(STATE)
        heard(client, lambda state: state["state"] == "neutral")
        heard(client, lambda state: state["state"] == "neutral")


def test_what_is_no_message_is_shown_nowhere_and_ends_nothing(mosquitto: StartBroker, tmp_path: Path) -> None:
    broker = mosquitto()
    with controller(broker) as client, SignProcess(tmp_path, *options(broker)) as sign:
        voice = ControllerVoice(client)
        voice.wait_for_sign("tv-1")
        voice.status()
        client.subscribe(STATE)
        for topic in (f"pool/{POOL}/meter", "status/main", f"pool/{POOL}/hit/h1"):
            client.publish(f"jackpotd/{SITE}/{topic}", b'{"schema":2}')
        voice.say_hit_again(voice.hit("h2") | {"hit": "h1"})
        voice.meter(500)
        assert heard(client, lambda state: state["state"] == "live")["amount"] == "5.00"
        assert sign.said.count("no message of its topic") == 3


def test_a_broker_that_keeps_its_connections_and_answers_nothing_leaves_a_neutral_face(
    mosquitto: StartBroker, tmp_path: Path
) -> None:
    broker = mosquitto()
    with controller(broker) as client, SignProcess(tmp_path, *options(broker)) as sign:
        voice = ControllerVoice(client)
        voice.wait_for_sign("tv-1")
        voice.status()
        voice.meter(100)
        until(lambda: "state=live" in sign.said, "the amount", lambda: sign.said)
        with broker.frozen():
            until(lambda: sign.said.count("state=neutral") == 2, "a neutral face", lambda: sign.said)


def test_two_signs_of_one_id_are_told_of(mosquitto: StartBroker, tmp_path: Path) -> None:
    broker = mosquitto()
    (tmp_path / "other").mkdir()
    with SignProcess(tmp_path, *options(broker)) as sign, SignProcess(tmp_path / "other", *options(broker)) as other:
        until(lambda: "another sign this id" in sign.said + other.said, "a warning", lambda: sign.said + other.said)


def test_falls_without_a_hit_are_reported(mosquitto: StartBroker, tmp_path: Path) -> None:
    broker = mosquitto()
    with controller(broker) as client, SignProcess(tmp_path, *options(broker)):
        voice = ControllerVoice(client)
        voice.wait_for_sign("tv-1")
        voice.status()
        voice.meter(100_000)
        voice.meter(60_000)
        client.subscribe(STATE)
        assert heard(client, lambda state: state["falls"] == 1)["amount"] == "600.00"


def test_several_pools_are_reported_together(mosquitto: StartBroker, tmp_path: Path) -> None:
    broker = mosquitto()
    with controller(broker) as client, SignProcess(tmp_path, *options(broker, "--pool", "bac-b")):
        voice = ControllerVoice(client)
        voice.wait_for_sign("tv-1")
        client.subscribe(STATE)
        voice.status()
        voice.meter(100)
        voice.meter(200, pool="bac-b")
        state = heard(client, lambda state: state["state"] == "live" and state["others"][0]["state"] == "live")
        assert (state["amount"], state["others"][0]["amount"]) == ("1.00", "2.00")


def test_a_player_stays_small_over_thousands_of_messages(mosquitto: StartBroker, tmp_path: Path) -> None:
    broker = mosquitto()
    with controller(broker) as client, SignProcess(tmp_path, *options(broker)) as sign:
        voice = ControllerVoice(client)
        voice.wait_for_sign("tv-1")
        voice.status()
        client.subscribe(STATE)
        for number in range(3_000):  # faster than a controller speaks: some are lost on the way
            voice.meter(number)
            if number % 10 == 0:
                voice.hit(f"h{number}")

        def newest(state: dict[str, Any]) -> bool:
            voice.meter(3_000)
            return bool(state["amount"] == "30.00")

        heard(client, newest)
        assert sign.resident_kib <= MOST_MIB * 1024


def test_a_sign_stops_in_order_and_at_once(mosquitto: StartBroker, tmp_path: Path) -> None:
    broker = mosquitto()
    with SignProcess(tmp_path, *options(broker)) as sign:
        assert sign.stop() == 0, "systemd would have to kill it"
        assert sign.said.count("Traceback") == 0
