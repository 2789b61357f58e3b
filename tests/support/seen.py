"""What an independent MQTT client sees of a controller: every message, the newest of each topic, and waiting for one.

Laws
1. Only messages of the controller's present epoch count as news: `latest` knows no other.
2. Messages of one topic never go back: (epoch, seq, beat) rises with each, as the signs rely on.
"""

from __future__ import annotations

import json
import queue
import time
from collections.abc import Callable
from typing import Any

from tests.support.mqtt_client import MqttClient
from tests.support.until import LIMIT_S

Message = dict[str, Any]
_LOOK_S = 0.25


class Seen:
    """A view of all topics of a site. `client` is connected and subscribed to them."""

    def __init__(self, client: MqttClient, site: str) -> None:
        self._client = client
        self._prefix = f"jackpotd/{site}/"
        self._order: dict[str, tuple[int, ...]] = {}
        self.epoch = 0
        self.latest: dict[str, Message] = {}
        self.history: list[tuple[str, Message]] = []
        self.explain: Callable[[], str] = str  # added to a failure: the controller's own log
        self.is_well: Callable[[], bool] = lambda: True  # nothing more is awaited of a controller that broke down

    # ---- waiting

    def wait(self, condition: Callable[[], object], what: str) -> None:
        """Take messages until the condition holds; AssertionError when it never does."""
        deadline = time.monotonic() + LIMIT_S
        self.look()
        while not condition():
            assert self.is_well(), f"the controller broke down before {what}\n{self._told()}"
            assert time.monotonic() < deadline, f"never came: {what}\n{self._told()}"
            self._take(timeout_s=_LOOK_S)

    def look(self) -> None:
        """Take what has arrived."""
        while self._take(timeout_s=0):
            pass

    def online(self) -> None:
        """Wait for a controller that started after all seen before."""
        before = self.epoch
        self.wait(lambda: self.epoch > before, f"a controller with an epoch above {before}")

    def offline(self) -> None:
        """Wait until the controller is said to be gone, by itself or by its will."""
        self.wait(lambda: self._said("status/main").get("state") == "offline", "status offline")

    def table(self, table: str, **wanted: object) -> Message:
        """Wait until a table's topic says all of these; a value may be a function that judges it."""
        topic = f"table/{table}/state"
        expected = wanted.get("phase", "held")
        self.look()
        if "held" in (expected, self._said(topic).get("phase")):
            return self._topic(topic, wanted)
        return self._topic(topic, wanted, lambda: self._said(topic).get("phase") == "held")

    def meter(self, pool: str, amount: str, state: str | None = None) -> Message:
        """Wait until a pool's meter shows an amount."""
        return self._topic(f"pool/{pool}/meter", {"amount": amount, "state": state or (lambda _: True)})

    def hit(self, pool: str, hit: str, state: str) -> Message:
        """Wait until a hit stands so."""
        return self._topic(f"pool/{pool}/hit/{hit}", {"state": state})

    def alarm(self, alarm: str) -> Message:
        """Wait until an alarm is active."""
        return self._topic(f"alarm/{alarm}", {})

    def no_alarm(self, alarm: str) -> None:
        """Wait until an alarm is not active any more."""
        self.wait(lambda: f"alarm/{alarm}" not in self.latest, f"the end of alarm {alarm}")

    # ---- what was seen

    def amounts(self, pool: str) -> list[str]:
        """The amounts that a pool's meter showed, in order, each once until it changes."""
        self.look()
        shown: list[str] = []
        for topic, message in self.history:
            if topic == f"pool/{pool}/meter" and shown[-1:] != [message["amount"]]:
                shown.append(message["amount"])
        return shown

    def hits(self) -> dict[str, Message]:
        """The hits shown now, by id."""
        self.look()
        return {topic.rpartition("/")[2]: message for topic, message in self.latest.items() if "/hit/" in topic}

    def alarms(self) -> dict[str, Message]:
        """The alarms shown now, by id."""
        self.look()
        return {topic.rpartition("/")[2]: said for topic, said in self.latest.items() if topic.startswith("alarm/")}

    # ---- taking

    def _topic(self, topic: str, wanted: dict[str, object], never: Callable[[], bool] = lambda: False) -> Message:
        def holds() -> bool:
            message = self.latest.get(topic)
            return message is not None and all(
                judge(message[key]) if callable(judge) else message[key] == judge for key, judge in wanted.items()
            )

        self.wait(lambda: holds() or never(), f"{topic} with {wanted}")
        assert holds(), f"{topic} without {wanted}\n{self._told()}"
        return self.latest[topic]

    def _take(self, timeout_s: float) -> bool:
        try:
            got = self._client.messages.get(block=timeout_s > 0, timeout=timeout_s or None)
        except queue.Empty:
            return False
        topic = got.topic.removeprefix(self._prefix)
        if topic.startswith("sign/"):
            return True  # what signs say is no word of a controller
        if not got.payload:
            self.latest.pop(topic, None)
            return True
        message = json.loads(got.payload)
        if topic == "status/main" and message["state"] == "online" and message["epoch"] > self.epoch:
            self.epoch = message["epoch"]
            self.latest.clear()
        self.history.append((topic, message))
        if message["epoch"] == self.epoch:
            self._check_order(topic, message)
            self.latest[topic] = message
        return True

    def _check_order(self, topic: str, message: Message) -> None:
        if message.get("state") == "offline":
            return  # the will was written at connect
        order = (message["epoch"], message.get("seq", 0), message["beat"])
        assert order > self._order.get(topic, ()), f"{topic} goes back: {order} after {self._order[topic]}"
        self._order[topic] = order

    def _said(self, topic: str) -> Message:
        return self.latest.get(topic, {})

    def _told(self) -> str:
        shown = "\n".join(f"  {topic}: {json.dumps(message)}" for topic, message in sorted(self.latest.items()))
        return f"epoch {self.epoch}, seen now:\n{shown}\n{self.explain()}"
