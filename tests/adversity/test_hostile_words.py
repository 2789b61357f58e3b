"""What devices, topics and people say, made to break a log line, a path, SQL, a topic or a terminal: it stays text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from jackpotd.daemon.sign_watch import MAX_NAME_CHARACTERS
from tests.conftest import StartBroker
from tests.support import raw_ledger
from tests.support.floor import SITE, Floor
from tests.support.mqtt_client import MqttClient
from tests.support.people import NoError, ask
from tests.support.plays import BarePlay, JournaledPlay
from tests.support.publishing import Publishing
from tests.support.terminal import Terminal
from tests.support.until import until

# Printable, and as long as a serial number may be: quotes, SQL, formats, a path, a field of the log.
SERIAL = "';--\"%n{0}/../=<"
FORGED = "\n<0>forged\x1b[2J"
WHY = '"; DROP TABLE row;-- amount="1" %s {0} \\u000a ../../etc'
LONGEST_SIGN = "s" * MAX_NAME_CHARACTERS
# A topic of 128 characters fits a level, an alarm about it would not.
SIGNS = (
    *('led"9', "';DROP TABLE row;--", "%s%n{0}", "..", " ", "$SYS", "\u00e9", "\u202egnp"),
    *(LONGEST_SIGN, "s" * 123, "s" * 124, "s" * 128, "s" * 5_000),
)
SAID = (FORGED.encode(), b'{"state":"\\n<0>forged"}', b"\xff" * 9_000, b'{"schema":1,"state":"offline"}')
_LINE = re.compile(r"<[0-7]>[^\x00-\x1f\x7f-\x9f]*")


def check_log(log: Path) -> None:
    """Every line is one of the daemon's own, without anything that moves a terminal."""
    for line in log.read_text(encoding="utf-8").split("\n")[:-1]:
        assert _LINE.fullmatch(line), repr(line)
        assert not line.startswith("<0>"), line


def bad_frames(floor: Floor, device: str) -> int:
    """What the metrics count of a device's frames that were refused."""
    return sum(count for name, count in floor.metrics().items() if "frames_bad" in name and device in name)


def test_a_hostile_serial_number_is_a_name_and_nothing_more(floor: Floor) -> None:
    play = JournaledPlay(floor)
    play.table.boards["panel"].serial = SERIAL
    floor.start()
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    play.deal_some()
    floor.kill()
    floor.start()
    play.deal_rest()
    floor.seen.table("T02", phase="dealt")
    play.finish()
    play.prizes()
    floor.seen.hit(play.pool, play.hit, "pending")
    assert SERIAL in {taken["serial"] for taken in raw_ledger.entries(floor.ledger, "device_taken")}
    assert SERIAL in {word["source"] for word in raw_ledger.words(floor.ledger, "bet_moved")}
    assert json.dumps(SERIAL) in json.dumps(Terminal(floor.config).done("device", "list"))
    check_log(floor.log)
    assert 'serial="\';--\\"%n{0}/../=<"' in floor.said()


def test_a_serial_number_of_control_characters_is_no_device_and_reaches_no_log_line(floor: Floor) -> None:
    play = BarePlay(floor)
    panel = play.table.boards["panel"]
    true, panel.serial = panel.serial, FORGED
    floor.start()
    floor.seen.table("T01", progressive="closed", devices=lambda devices: devices["keypad"] == "online")
    until(lambda: bad_frames(floor, "T01/panel") > 0, "a frame that is refused")
    assert "forged" not in floor.said()
    panel.serial = true
    floor.seen.table("T01", progressive="open")
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    assert FORGED not in {taken["serial"] for taken in raw_ledger.entries(floor.ledger, "device_taken")}
    check_log(floor.log)


def test_hostile_signs_and_what_they_say_cost_the_tables_nothing(floor: Floor) -> None:
    play = BarePlay(floor)
    with MqttClient(floor.broker.host, floor.broker.port) as client:

        def say(*, retain: bool) -> None:
            for sign in SIGNS:
                for said in SAID:
                    client.publish(f"jackpotd/{SITE}/sign/{sign}/state", said, retain=retain)

        say(retain=True)
        floor.start()
        floor.seen.alarm(f"sign-{LONGEST_SIGN}")
        say(retain=False)
        play.bets()
        play.lock()
        floor.seen.meter(play.pool, play.pencil.bets(2))
    check_log(floor.log)
    assert "a sign says no state" in floor.said()
    assert "forged" not in floor.said()


def test_hostile_topics_that_a_broker_keeps_are_cleared_and_break_no_connection(mosquitto: StartBroker) -> None:
    broker = mosquitto()
    topics = {f"jackpotd/{SITE}/alarm/{name}" for name in SIGNS}
    with MqttClient(broker.host, broker.port) as client:
        for topic in topics:
            client.publish(topic, FORGED.encode(), retain=True)
        client.subscribe(f"jackpotd/{SITE}/alarm/+")
        assert {client.next().topic for _ in topics} == topics
        with Publishing(broker) as voice:
            cleared: set[str] = set()
            while cleared != topics:
                message = client.next()
                assert message.payload == b""
                cleared.add(message.topic)
            assert voice.publisher.connected


def test_a_hostile_reason_or_name_is_kept_as_written_or_refused(floor: Floor) -> None:
    play = BarePlay(floor)
    floor.start()
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    ana = floor.person("ana", "supervisor")
    for why in (f"a reason{FORGED}", "a reason\u2028and", "a reason\u202eand", "\x00\x00\x00"):
        with pytest.raises(NoError):
            ana.does("round.void", table="T01", why=why)
    for name in (f"bob{FORGED}", "'; DROP TABLE operator;--", "../root", ""):
        with pytest.raises(NoError):
            ask(floor.control, "operator.add", name=name, role="supervisor", password="long enough for it")
    ana.does("pool.suspend", pool=play.pool, why=WHY)
    assert WHY in floor.seen.alarm(f"suspended-{play.pool}")["text"]
    (suspended,) = raw_ledger.entries(floor.ledger, "pool_suspended")
    assert WHY in suspended["why"]
    check_log(floor.log)
    assert 'amount=\\"1\\"' in floor.said()
    assert "forged" not in floor.said()
