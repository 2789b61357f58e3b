"""What is said over MQTT, and how often, on a clock that the test moves."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from jackpotd.core.state import Alarm
from jackpotd.daemon.board import Board, HitView, MeterView, TableView, WinnerView
from jackpotd.daemon.bulletin import AGAIN_MS, RATE_INTERVAL_MS, Bulletin
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.outputs import closed_outputs
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.messages import topics
from jackpotd.messages.asyncapi import MODELS
from jackpotd.messages.base import from_json

EPOCH = 1_764_489_600
START_MS = EPOCH * 1_000
POOL = "stud-main"
METER = f"jackpotd/lisboa/pool/{POOL}/meter"
STATUS = "jackpotd/lisboa/status/main"
TABLE = "jackpotd/lisboa/table/T01/state"
HIT = f"jackpotd/lisboa/pool/{POOL}/hit/T01.1.{POOL}.flush"


class StillClock(Clock):
    """Stands until it is moved."""

    def __init__(self) -> None:
        self.ms = 0

    def utc_ms(self) -> int:
        return START_MS + self.ms

    def monotonic_ms(self) -> int:
        return self.ms


class Hall:
    """A bulletin, its board, and everything it has said: (when, topic, message or None where it cleared)."""

    def __init__(self) -> None:
        self.clock = StillClock()
        self.board = Board(epoch=EPOCH, seq=1)
        self.alarms = ShellAlarms(self.clock)
        self.bulletin = Bulletin("lisboa", "main", "0.1.0", self.board, self.alarms, self.clock)
        self.said: list[tuple[int, str, dict[str, Any] | None]] = []
        self.meter(500_000)

    def meter(self, amount_minor: int, state: str = "live") -> None:
        self.board.seq += 1
        self.board.meters[POOL] = MeterView(POOL, amount_minor, state, "MOP", 2, self.board.seq, 0)

    def say(self) -> list[tuple[int, str, dict[str, Any] | None]]:
        """Everything that may be said now."""
        self.bulletin.refresh()
        now = []
        for slot in self.bulletin.due(self.clock.ms)[0]:
            payload = slot.take(self.clock.ms, self.bulletin.next_beat())
            slot.arrived()
            now.append((self.clock.ms, slot.topic, json.loads(payload) if payload else None))
            if slot.over:
                self.bulletin.forget(slot)
        self.said += now
        return now

    def run(self, ms: int, each: Callable[[int], None] = lambda _: None) -> None:
        """Let time pass, millisecond by millisecond."""
        for _ in range(ms):
            self.clock.ms += 1
            each(self.clock.ms)
            self.say()

    def about(self, topic: str) -> list[tuple[int, dict[str, Any] | None]]:
        return [(ms, message) for ms, said, message in self.said if said == topic]


def hit_view(status: str, decided_ms: int = 0) -> HitView:
    return HitView(
        hit=HIT.rpartition("/")[2],
        pool=POOL,
        tier="flush",
        prize="flush",
        table="T01",
        round=1,
        at_ms=START_MS,
        amount_minor=50_000,
        exponent=2,
        winners=(WinnerView("T01", 3, 50_000),),
        status=status,
        late=False,
        decided_ms=decided_ms,
        approvals=(),
        rejections=(),
        slip="",
        why="",
        show_for_ms=600_000,
        seq=2,
    )


def table_view(phase: str, changed_ms: int) -> TableView:
    return TableView(
        table="T01",
        game="stud",
        phase=phase,
        why="",
        seats={},
        carried={},
        deals="shoe",
        devices={"shoe": "online"},
        round="T01-1",
        hands={},
        noted=(),
        claims=(),
        key_used=False,
        last_outcome="",
        last_hands={},
        outputs=closed_outputs(7),
        waiting=(),
        changed_ms=changed_ms,
        deal_timeout_ms=180_000,
        seq=changed_ms,
    )


def test_a_meter_that_rises_every_millisecond_is_said_five_times_a_second() -> None:
    hall = Hall()
    hall.run(10_000, hall.meter)
    times = [ms for ms, _ in hall.about(METER)]
    assert len(times) == 50
    assert min(later - earlier for earlier, later in pairwise(times)) >= RATE_INTERVAL_MS
    last = hall.about(METER)[-1][1]
    assert last is not None
    assert last["amount_minor"] == str(times[-1]), "what is said is the newest amount, not one that waited"


def test_a_table_is_said_at_most_five_times_a_second() -> None:
    hall = Hall()
    hall.run(10_000, lambda ms: hall.board.tables.update({"T01": table_view("dealing", ms)}))
    assert len(hall.about(TABLE)) == 50


def test_twenty_busy_pools_and_ten_tables_starve_nobody() -> None:
    hall = Hall()
    names = [f"pool-{number}" for number in range(20)]

    def move(ms: int) -> None:
        for number, name in enumerate(names):
            hall.board.meters[name] = MeterView(name, ms + number, "live", "MOP", 2, ms, 0)

    hall.run(2_000, move)
    said = Counter(topic for _, topic, _ in hall.said if topic.endswith("/meter"))
    assert {said[f"jackpotd/lisboa/pool/{name}/meter"] for name in names} == {10}


def test_nothing_new_is_said_again_within_five_seconds_with_a_higher_beat() -> None:
    hall = Hall()
    hall.run(21_000)
    for topic in (METER, STATUS):
        said = hall.about(topic)
        times = [ms for ms, _ in said]
        assert len(times) == 1 + 21_000 // AGAIN_MS
        assert max(later - earlier for earlier, later in pairwise(times)) == AGAIN_MS < 5_000
        beats = [message["beat"] for _, message in said if message is not None]
        assert beats == sorted(set(beats)), "a beat does not rise"
    amounts = {message["amount"] for _, message in hall.about(METER) if message is not None}
    assert amounts == {"5000.00"}


def next_look(hall: Hall) -> int:
    return hall.bulletin.due(hall.clock.ms)[1]


def test_nobody_is_woken_before_somebody_may_speak() -> None:
    hall = Hall()
    hall.say()
    assert next_look(hall) == hall.clock.ms + AGAIN_MS
    hall.meter(7)
    hall.bulletin.refresh()
    assert next_look(hall) == hall.clock.ms + RATE_INTERVAL_MS
    hall.clock.ms += RATE_INTERVAL_MS
    assert METER in {slot.topic for slot in hall.bulletin.due(hall.clock.ms)[0]}


def test_a_topic_says_nothing_more_until_what_it_said_has_arrived_and_then_the_newest() -> None:
    hall = Hall()
    hall.bulletin.refresh()
    (meter,) = [slot for slot in hall.bulletin.due(0)[0] if slot.topic == METER]
    meter.take(0, hall.bulletin.next_beat())
    for ms in range(1, 10_000, 100):
        hall.clock.ms = ms
        hall.meter(ms)
        assert METER not in {topic for _, topic, _ in hall.say()}
        assert next_look(hall) > ms, "what is under way keeps the publisher awake"
    meter.arrived()
    said = {topic: message for _, topic, message in hall.say()}[METER]
    assert said is not None
    assert said["amount_minor"] == "9901"


def test_order_by_epoch_seq_and_beat_is_the_order_in_which_it_was_said() -> None:
    hall = Hall()
    hall.run(10_000, lambda ms: hall.meter(ms // 700))
    keys = [(m["epoch"], m["seq"], m["beat"]) for _, m in hall.about(METER) if m is not None]
    assert keys == sorted(set(keys))


def test_a_ledger_that_does_not_answer_suspends_every_meter_and_closes_every_table_at_once() -> None:
    hall = Hall()
    hall.board.tables["T01"] = table_view("open", 1)
    hall.run(RATE_INTERVAL_MS + 1)
    hall.board.suspend("the ledger does not answer")
    said = {topic: message for _, topic, message in hall.say()}
    meter, table = said[METER], said[TABLE]
    assert meter is not None
    assert table is not None
    assert (meter["state"], meter["amount"]) == ("suspended", "5000.00")
    assert (table["progressive"], table["why"]) == ("closed", "the ledger does not answer")
    hall.board.suspend("")
    hall.run(RATE_INTERVAL_MS)
    last = hall.about(METER)[-1][1]
    assert last is not None
    assert last["state"] == "live"


def test_a_hit_is_cleared_when_it_has_been_shown_long_enough() -> None:
    hall = Hall()
    hall.board.hits["h"] = hit_view("pending")
    hall.run(1_000)
    hall.board.hits["h"] = hit_view("paid", decided_ms=hall.clock.utc_ms())
    hall.clock.ms += 599_000
    hall.say()
    assert [message and message["state"] for _, message in hall.about(HIT)] == ["pending", "paid"]
    hall.clock.ms += 1_000
    hall.run(1_000)
    assert hall.about(HIT)[-1][1] is None
    assert len(hall.about(HIT)) == 3, "it is cleared once"
    assert not hall.bulletin.knows(HIT)


def test_a_pending_hit_is_never_cleared() -> None:
    hall = Hall()
    hall.board.hits["h"] = hit_view("pending")
    hall.run(500)
    hall.clock.ms += 30 * 24 * 3_600_000
    hall.run(500)
    assert [message and message["state"] for _, message in hall.about(HIT)] == ["pending"]


def test_an_alarm_is_said_while_it_lasts_and_comes_back_with_its_new_reason() -> None:
    hall = Hall()
    topic = "jackpotd/lisboa/alarm/broker-mqtt"
    for text in ("no route", "no route", "refused"):
        hall.alarms.raise_alarm("broker", "mqtt", text, "look")
        hall.run(300)
    hall.alarms.clear("broker", "mqtt")
    hall.run(300)
    hall.alarms.raise_alarm("broker", "mqtt", "refused", "look")
    hall.run(300)
    assert [message and message["text"] for _, message in hall.about(topic)] == [
        "no route",
        "refused",
        None,
        "refused",
    ]


def test_an_alarm_that_comes_back_before_it_is_cleared_is_not_lost() -> None:
    hall = Hall()
    topic = "jackpotd/lisboa/alarm/held-T01"
    alarm = Alarm("held-T01", "held", "the round is held", "T01", "", START_MS, "look")
    hall.board.alarms["held-T01"] = alarm
    hall.say()
    del hall.board.alarms["held-T01"]
    hall.bulletin.refresh()
    hall.board.alarms["held-T01"] = alarm
    hall.run(1_000)
    assert hall.about(topic)[-1][1] is not None


def test_a_new_connection_hears_everything_again() -> None:
    hall = Hall()
    hall.board.tables["T01"] = table_view("open", 1)
    hall.board.hits["h"] = hit_view("pending")
    hall.run(300)
    before = {topic for _, topic, _ in hall.said}
    hall.said.clear()
    hall.bulletin.say_all_again()
    hall.clock.ms += RATE_INTERVAL_MS
    hall.say()
    assert {topic for _, topic, _ in hall.said} == before == {METER, STATUS, TABLE, HIT}


def test_everything_said_is_the_message_that_the_document_describes() -> None:
    hall = Hall()
    hall.board.tables["T01"] = table_view("open", 1)
    hall.board.hits["h"] = hit_view("pending")
    hall.alarms.raise_alarm("broker", "mqtt", "refused", "look")
    hall.run(300)
    seen = set()
    for _, topic, message in hall.said:
        (described,) = [one for one in topics.TOPICS if one.ids_of(topic) is not None]
        assert described.writer is topics.Writer.CONTROLLER
        from_json(MODELS[described.message], json.dumps(message).encode())
        seen.add(described.name)
    assert seen == {"status", "meter", "table", "hit", "alarm"}


def test_only_what_is_this_controllers_is_looked_through_for_what_is_over() -> None:
    assert Hall().bulletin.passing_filters() == ["jackpotd/lisboa/alarm/+", f"jackpotd/lisboa/pool/{POOL}/hit/+"]


def test_the_goodbye_is_newer_than_everything_said_before() -> None:
    hall = Hall()
    hall.run(1_000)
    goodbye = json.loads(hall.bulletin.offline())
    assert (goodbye["state"], goodbye["epoch"]) == ("offline", EPOCH)
    assert goodbye["beat"] > max(message["beat"] for _, _, message in hall.said if message is not None)


# ---- a pool that is retired


def test_a_retired_pool_shows_its_fall_for_as_long_as_a_hit_is_shown_and_is_then_cleared_once() -> None:
    hall = Hall()
    hall.run(300)
    hall.board.meters[POOL] = MeterView(
        POOL, 0, "suspended", "MOP", 2, 9, 0, retired_ms=hall.clock.utc_ms(), show_for_ms=10_000
    )
    hall.run(9_000)
    shown = hall.about(METER)[-1][1]
    assert shown is not None
    assert (shown["amount"], shown["state"]) == ("0.00", "suspended")
    hall.run(20_000)
    assert [message for _, message in hall.about(METER)].count(None) == 1
    assert hall.about(METER)[-1][1] is None


def test_a_broker_that_comes_back_with_the_meter_of_a_retired_pool_is_cleared_again() -> None:
    hall = Hall()
    hall.board.meters[POOL] = MeterView(POOL, 0, "suspended", "MOP", 2, 9, 0, retired_ms=1, show_for_ms=1)
    hall.run(1_000)
    hall.bulletin.say_all_again()
    hall.run(1_000)
    assert [message for _, message in hall.about(METER)] == [None, None]
