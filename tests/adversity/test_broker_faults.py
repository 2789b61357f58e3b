"""What a broker may do to a controller: lose acknowledgements, go silent, fight over a name, remember wrongly."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest

from jackpotd.daemon import publisher
from jackpotd.daemon.board import MeterView
from jackpotd.daemon.publisher import MAX_IN_FLIGHT
from jackpotd.messages.base import from_json
from jackpotd.messages.mqtt import Hit, Meter, Status
from jackpotd.sign.model import SignModel
from tests.conftest import StartBroker
from tests.support.controller_voice import hit as said_hit
from tests.support.controller_voice import meter, status
from tests.support.deaf_proxy import PUBACK, DeafProxy
from tests.support.floor import Floor
from tests.support.mqtt_client import MqttClient, RefusedError
from tests.support.plays import JournaledPlay
from tests.support.publishing import HIT_ID, POOL, Publishing, pending_hit, retained
from tests.support.sources import ROOT
from tests.support.until import until

PREFIX = "jackpotd/lisboa"
METER, STATUS = f"{PREFIX}/pool/{POOL}/meter", f"{PREFIX}/status/main"
HIT = f"{PREFIX}/pool/{POOL}/hit/{HIT_ID}"


class Watching:
    """A sign's own model, fed with what a broker delivers, message by message."""

    def __init__(self, client: MqttClient) -> None:
        self.model = SignModel((POOL,))
        self.model.connected()
        self.shown: list[int] = []
        self.celebrated: set[str] = set()
        self.heard: list[str] = []
        self._client = client
        client.subscribe(f"{PREFIX}/pool/#", f"{PREFIX}/status/#")

    def until(self, topic: str, **wanted: Any) -> None:
        """Take messages until one of this topic says all of these."""
        while True:
            heard, said = self._next()
            if heard == topic and all(said[key] == value for key, value in wanted.items()):
                return

    def until_shown(self, amount_minor: int) -> None:
        """Take messages until the sign shows this: a meter and a controller that is online, in whatever order."""
        while self.shown[-1:] != [amount_minor]:
            self._next()

    def _next(self) -> tuple[str, dict[str, Any]]:
        while not (got := self._client.next()).payload:
            pass
        self.heard.append(got.topic)
        said: dict[str, Any] = orjson.loads(got.payload)
        self._hear(got.topic, said, retained=got.retain)
        return got.topic, said

    def _hear(self, topic: str, said: dict[str, Any], *, retained: bool) -> None:
        if topic == METER:
            self.model.heard_meter(POOL, from_json(Meter, orjson.dumps(said)), 1_000, retained=retained)
        elif topic == STATUS:
            self.model.heard_status("main", from_json(Status, orjson.dumps(said)))
        else:
            self.model.heard_hit(POOL, from_json(Hit, orjson.dumps(said)), 1_000, retained=retained)
        view = self.model.view(1_000)
        amount = view.pools[0].amount
        if amount is not None and self.shown[-1:] != [amount.minor]:
            self.shown.append(amount.minor)
        self.celebrated |= {one.hit for one in view.hits}


def test_acknowledgements_that_are_lost_make_signs_hear_twice_and_show_once(
    mosquitto: StartBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "PUBACK_TIMEOUT_S", 0.5)
    broker = mosquitto()
    with (
        DeafProxy((broker.host, broker.port)) as proxy,
        MqttClient(broker.host, broker.port) as client,
        Publishing(broker, port=proxy.port) as voice,
    ):
        sign = Watching(client)
        sign.until_shown(50_000_000)
        proxy.losing = PUBACK

        def win() -> None:
            voice.board.hits["h"] = pending_hit()
            voice.board.meters[POOL] = MeterView(POOL, 49_950_000, "pending", "MOP", 2, 2, 0)

        voice.act(win)
        for _ in range(3):  # each time it is said again, since nobody said that it arrived
            sign.until(HIT)
        proxy.losing = None
        until(lambda: voice.publisher.connected and not voice.alarms.active, "the end of the alarm")
    assert proxy.lost >= 3
    assert sign.heard.count(HIT) >= 3
    assert sign.shown == [50_000_000, 49_950_000]
    assert sign.celebrated == {HIT_ID}


def test_one_acknowledgement_that_is_lost_keeps_no_other_topic_waiting(
    mosquitto: StartBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "PUBACK_TIMEOUT_S", 3_600.0)  # nobody gives the lost one up
    broker = mosquitto()
    topics = {f"pool-{number:03}": f"{PREFIX}/pool/pool-{number:03}/meter" for number in range(4 * MAX_IN_FLIGHT)}
    with DeafProxy((broker.host, broker.port)) as proxy, MqttClient(broker.host, broker.port) as client:
        voice = Publishing(broker, port=proxy.port)

        def all_at(amount_minor: int, seq: int) -> None:
            for pool in topics:
                voice.board.meters[pool] = MeterView(pool, amount_minor, "live", "MOP", 2, seq, 0)

        def hear(amount: str, least: int) -> None:
            heard: set[str] = set()
            while len(heard) < least:
                got = client.next()
                if json.loads(got.payload)["amount"] == amount:
                    heard.add(got.topic)

        all_at(100, 1)
        client.subscribe(*topics.values())
        with voice:
            hear("1.00", len(topics))
            proxy.most, proxy.losing = 1, PUBACK
            until(lambda: proxy.lost == 1, "a lost acknowledgement")
            voice.act(lambda: all_at(200, 2))
            hear("2.00", len(topics) - 1)  # whichever it was, it alone waits
            assert voice.publisher.connected


def test_another_client_of_our_name_is_fought_with_growing_patience_and_outlived(mosquitto: StartBroker) -> None:
    broker = mosquitto()
    with Publishing(broker) as voice, MqttClient(broker.host, broker.port) as client:
        voice.connected()
        client.subscribe(STATUS)
        for _ in range(4):
            with MqttClient(broker.host, broker.port, client_id="jackpotd-lisboa-main"):
                until(lambda: not voice.publisher.connected, "being cut off")
                voice.refused()
            voice.connected()
        until(lambda: not voice.alarms.active, "the end of the alarm")
        voice.act(lambda: voice.board.meters.update({POOL: MeterView(POOL, 50_000_001, "live", "MOP", 2, 9, 0)}))
        until(lambda: retained(broker, METER)[METER]["amount"] == "500000.01", "the newest amount")
        assert retained(broker, STATUS)[STATUS]["state"] == "online"


def test_the_will_of_a_connection_that_was_cut_is_unsaid_by_the_next(mosquitto: StartBroker) -> None:
    broker = mosquitto()
    with Publishing(broker) as voice, MqttClient(broker.host, broker.port) as client:
        voice.connected()
        client.subscribe(STATUS)
        with MqttClient(broker.host, broker.port, client_id="jackpotd-lisboa-main"):
            while json.loads(client.next().payload)["state"] != "offline":
                pass
        while json.loads(client.next().payload)["state"] != "online":
            pass
        assert retained(broker, STATUS)[STATUS]["state"] == "online"


def test_more_pools_than_may_be_under_way_at_once_are_all_said(mosquitto: StartBroker) -> None:
    broker = mosquitto()
    pools = [f"pool-{number:03}" for number in range(4 * MAX_IN_FLIGHT)]
    voice = Publishing(broker)
    for pool in pools:
        voice.board.meters[pool] = MeterView(pool, 100, "live", "MOP", 2, 1, 0)
    with voice:
        said = retained(broker, *(f"{PREFIX}/pool/{pool}/meter" for pool in pools))
    assert {message["amount"] for message in said.values()} == {"1.00"}
    assert len(said) == len(pools)


@pytest.mark.parametrize("role", ["led-1", "pit-1", None], ids=["a sign", "a relay", "nobody"])
def test_a_forged_meter_of_a_huge_epoch_is_impossible_under_the_shipped_access_list(
    mosquitto: StartBroker, role: str | None
) -> None:
    passwords = {name: f"pw of {name}" for name in ("jackpotd", "led-1", "led-2", "pit-1")}
    broker = mosquitto(users=passwords, acl=ROOT / "systemd" / "mosquitto.acl")
    later = {"epoch": 1 << 62, "seq": 1 << 62, "beat": 1 << 62}
    forged = {
        METER: orjson.dumps(meter(99_999_999) | later),
        STATUS: orjson.dumps(status(epoch=1 << 62, beat=1 << 62)),
        HIT: orjson.dumps(said_hit(HIT_ID) | later),
    }
    with (
        MqttClient(broker.host, broker.port, username="led-2", password=passwords["led-2"]) as client,
        Publishing(broker, username="jackpotd", password=passwords["jackpotd"]) as voice,
    ):
        sign = Watching(client)
        sign.until_shown(50_000_000)
        forger = MqttClient(broker.host, broker.port, username=role, password=role and passwords[role])
        if role is None:
            with pytest.raises(RefusedError), forger:
                pass
        else:
            with forger:
                for topic, payload in forged.items():
                    forger.publish(topic, payload, retain=True)
        voice.act(lambda: voice.board.meters.update({POOL: MeterView(POOL, 50_000_100, "live", "MOP", 2, 2, 0)}))
        sign.until_shown(50_000_100)
        with MqttClient(broker.host, broker.port, username="led-1", password=passwords["led-1"]) as late:
            late.subscribe(METER)
            assert orjson.loads(late.next().payload)["epoch"] == voice.board.epoch
    assert sign.shown == [50_000_000, 50_000_100]
    assert sign.celebrated == set()


def test_a_broker_that_goes_silent_costs_the_tables_nothing(floor: Floor) -> None:
    play = JournaledPlay(floor)
    table = play.table
    floor.start()
    play.bets()
    with floor.broker.frozen():
        play.lock()
        until(lambda: "2 PROGRESSIVE" in table.shows()[2], "the dealer's display", lambda: str(table.shows()))
        play.deal_some()
        play.deal_rest()
        journal = table.boards["shuffler"].journal
        until(lambda: journal.newest < journal.oldest, "every card acknowledged")
        play.finish()
        until(lambda: table.shows()[2].startswith("HIT "), "the hit on the display", lambda: str(table.shows()))
    play.pencil.bets(2)
    play.prizes()
    floor.seen.meter(play.pool, play.pencil.meter)
    floor.seen.hit(play.pool, play.hit, "pending")
