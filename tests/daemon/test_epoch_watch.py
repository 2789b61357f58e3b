"""Another controller of our site and node under a higher epoch is an alarm; nothing else on our topic is."""

from __future__ import annotations

import json

import pytest

from jackpotd.daemon.board import Board
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.epoch_watch import EpochWatch
from jackpotd.daemon.shell_alarms import ShellAlarms

TOPIC = "jackpotd/lisboa/status/main"
ALARM = "higher_epoch-controller"
OWN = 1_764_489_600


def status(epoch: object, **more: object) -> bytes:
    fields = {"schema": 1, "state": "online", "epoch": epoch, "beat": 1, "version": "0.1.0", **more}
    return json.dumps(fields).encode()


class Watched:
    """A watch that has just connected."""

    def __init__(self) -> None:
        self.alarms = ShellAlarms(Clock())
        self.watch = EpochWatch(TOPIC, Board(epoch=OWN), self.alarms)
        self.watch.connected()

    def hear(self, payload: bytes) -> bool:
        """Whether there is the alarm then."""
        assert self.watch.heard(TOPIC, payload)
        return ALARM in self.alarms.active


@pytest.fixture
def here() -> Watched:
    return Watched()


@pytest.mark.parametrize("state", ["online", "offline", "standby"])
def test_a_higher_epoch_is_an_alarm_that_says_what_happened_and_what_to_do(here: Watched, state: str) -> None:
    assert here.hear(status(OWN + 1, state=state))
    alarm = here.alarms.active[ALARM]
    assert alarm.text == (
        f"another controller says {TOPIC} under epoch {OWN + 1}, above this one's {OWN}: signs show its amounts and not"
        " ours"
    )
    assert "Find the other controller" in alarm.todo
    assert "newer ledger" in alarm.todo


def test_our_own_epoch_and_those_before_are_none(here: Watched) -> None:
    assert not here.hear(status(OWN - 1, state="offline"))
    assert not here.hear(status(OWN))
    assert not here.watch.heard("jackpotd/lisboa/status/other", status(OWN + 1))
    assert not here.alarms.active


def test_our_own_words_do_not_end_it_and_the_next_connection_without_the_other_does(here: Watched) -> None:
    here.hear(status(OWN + 1))
    assert here.hear(status(OWN)), "what we have just said ourselves"
    here.watch.connected()
    assert here.hear(status(OWN + 1, state="offline")), "the other has said it again meanwhile"
    here.watch.connected()
    assert not here.hear(status(OWN))
    assert here.hear(status(OWN + 9)), "it comes again, without a connection between"


def test_one_that_says_ever_higher_epochs_is_told_once(here: Watched) -> None:
    told: list[str] = []
    here.alarms.listeners.append(lambda: told.append("told"))
    for epoch in range(OWN + 1, OWN + 1_000):
        here.hear(status(epoch))
    assert told == ["told"]


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xff\x00",
        b"[" * 100_000,
        b"{}",
        status(str(OWN + 1)),
        status(OWN + 0.5),
        status(-1),
        status(1 << 63),
        status(10**4_000),
        status(OWN + 1, state="king"),
        status(OWN + 1, version="x" * 1_001),
        status(OWN + 1, pad="x" * 600_000),
    ],
    ids=["empty", "binary", "deep", "nothing", "text", "fraction", "below 0", "huge", "vast", "king", "wordy", "long"],
)
def test_what_is_no_status_does_nothing(here: Watched, payload: bytes) -> None:
    assert not here.hear(payload)
    assert here.hear(status(OWN + 1))
    here.watch.connected()
    assert here.hear(payload), "nor does it end the alarm"
