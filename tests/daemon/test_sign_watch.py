"""The controller's watch over its signs: a difference of five seconds is an alarm."""

from __future__ import annotations

from typing import Any

import pytest

from jackpotd.daemon.board import Board, MeterView
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.daemon.sign_watch import DIFFERENCE_MS, LOOK_S, MAX_NAME_CHARACTERS, MAX_SIGNS, SILENCE_MS, SignWatch
from jackpotd.messages.base import to_json
from jackpotd.messages.mqtt import SignState
from jackpotd.messages.topics import ALARM

POOL = "stud-main"
SIGN = "jackpotd/lisboa/sign/tv-1/state"
LOOK_MS = int(LOOK_S * 1_000)


class TestClock(Clock):
    """A clock that the test moves."""

    __test__ = False
    now_ms = 100_000

    def monotonic_ms(self) -> int:
        return self.now_ms


class House:
    """A controller of one pool, its broker, and a sign that speaks every second."""

    def __init__(self) -> None:
        self.clock = TestClock()
        self.alarms = ShellAlarms(self.clock)
        self.board = Board(epoch=7, seq=1)
        self.watch = SignWatch("lisboa", self.board, self.alarms, self.clock)
        self.sign: dict[str, Any] | None = {"state": "live", "pool": POOL, "epoch": 7, "seq": 1, "amount": "1000.00"}
        self.meter(100_000)
        self.watch.connected()
        self.spend(DIFFERENCE_MS)

    def meter(self, minor: int, state: str = "live") -> None:
        self.board.meters[POOL] = MeterView(POOL, minor, state, "MOP", 2, 1, 0)

    def say(self, *, retained: bool = False, **changes: Any) -> None:
        """The sign's word from now on."""
        self.sign = (self.sign or {}) | changes
        self.watch.heard(SIGN, to_json(SignState(**self.sign)), retained=retained)

    def spend(self, ms: int) -> None:
        """Let time pass, with a look every half a second and the sign's word before each."""
        for _ in range(ms // LOOK_MS):
            self.clock.now_ms += LOOK_MS
            if self.sign is not None:
                self.say()
            self.watch.look()

    @property
    def alarm(self) -> str:
        """What the alarm about the sign says; "" without one."""
        return "; ".join(alarm.text for alarm in self.alarms.active.values())


def test_a_sign_that_shows_what_is_said_raises_nothing() -> None:
    house = House()
    house.spend(60_000)
    assert house.alarm == ""


@pytest.mark.parametrize("extra", [0, 1, 128 - MAX_NAME_CHARACTERS])
def test_a_sign_of_too_long_a_name_is_none_of_ours_and_every_alarm_has_its_topic(extra: int) -> None:
    house = House()
    name = "s" * (MAX_NAME_CHARACTERS + extra)
    state = to_json(SignState(state="offline"))
    assert house.watch.heard(f"jackpotd/lisboa/sign/{name}/state", state, retained=True)
    house.spend(2 * DIFFERENCE_MS)
    assert list(house.alarms.active) == ([] if extra else [f"sign-{name}"])
    for alarm in house.alarms.active:
        assert ALARM.at("lisboa", alarm)


def test_a_sign_that_does_not_follow_is_an_alarm_after_five_seconds_and_not_before() -> None:
    house = House()
    house.meter(110_000)
    house.spend(DIFFERENCE_MS)
    assert house.alarm == ""
    house.spend(2 * LOOK_MS)
    assert house.alarm == "sign tv-1 shows 1000.00 for stud-main"
    house.say(amount="1100.00")
    house.watch.look()
    assert house.alarm == ""


def test_a_sign_in_mid_roll_is_right() -> None:
    house = House()
    for step in range(100):
        house.meter(100_000 + step * 1_000)
        house.say(amount=f"{1_000 + max(0, step - 3) * 10}.50")
        house.spend(LOOK_MS)
    assert house.alarm == ""


def test_a_sign_that_is_above_what_was_committed_is_an_alarm_at_once() -> None:
    house = House()
    house.say(amount="1000.01")
    house.spend(LOOK_MS)
    assert house.alarm == "sign tv-1 shows 1000.01 for stud-main"


def test_a_sign_that_still_shows_the_old_amount_after_a_hit_is_an_alarm() -> None:
    house = House()
    house.meter(50_000)
    house.spend(DIFFERENCE_MS)
    assert house.alarm == ""
    house.spend(2 * LOOK_MS)
    assert "1000.00" in house.alarm


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"state": "offline", "pool": None}, "is off"),
        ({"state": "neutral", "amount": None, "epoch": None, "seq": None}, "shows a neutral face for stud-main"),
        ({"epoch": 6}, "shows stud-main as it was under another start of the controller"),
        ({"others": [{"state": "neutral", "pool": POOL}]}, "shows a neutral face for stud-main"),
    ],
)
def test_what_may_pass_is_an_alarm_when_it_lasts(changes: dict[str, Any], text: str) -> None:
    house = House()
    house.sign = SignState.model_validate({**(house.sign or {}), **changes}, strict=False).model_dump()
    house.spend(DIFFERENCE_MS)
    assert house.alarm == ""
    house.spend(2 * LOOK_MS)
    assert house.alarm == f"sign tv-1 {text}"


def test_a_screen_that_went_dark_is_an_alarm() -> None:
    house = House()
    house.say(screens=0)
    house.spend(2 * DIFFERENCE_MS)
    assert house.alarm == "", "nobody has looked at it yet"
    house.say(screens=1)
    house.say(screens=0)
    house.spend(DIFFERENCE_MS)
    assert house.alarm == ""
    house.spend(2 * LOOK_MS)
    assert house.alarm == "sign tv-1 is on no screen any more"


def test_a_sign_that_says_live_while_the_meter_is_suspended_is_an_alarm() -> None:
    house = House()
    house.board.suspended = "the ledger does not answer"
    house.spend(DIFFERENCE_MS)
    assert house.alarm == ""
    house.spend(2 * LOOK_MS)
    assert house.alarm == "sign tv-1 shows stud-main as live"


def test_a_sign_that_says_nothing_more_is_an_alarm() -> None:
    house = House()
    house.sign = None
    house.spend(SILENCE_MS)
    assert house.alarm == ""
    house.spend(2 * LOOK_MS)
    assert house.alarm == "sign tv-1 says nothing"


def test_nothing_is_judged_before_the_broker_has_been_there_for_five_seconds() -> None:
    house = House()
    house.say(amount="9.00")
    house.watch.disconnected()
    assert house.alarm == ""
    house.watch.connected()
    house.spend(DIFFERENCE_MS - LOOK_MS)
    assert house.alarm == ""
    house.spend(LOOK_MS)
    assert house.alarm != ""


def test_what_the_broker_remembers_of_an_amount_is_not_judged() -> None:
    house = House()
    house.say(amount="9.00", retained=True)
    house.sign = None
    house.spend(DIFFERENCE_MS)
    assert house.alarm == ""


def test_a_sign_that_is_cleared_at_the_broker_is_forgotten() -> None:
    house = House()
    house.say(amount="9.00")
    house.watch.look()
    assert house.alarm != ""
    house.sign = None
    assert house.watch.heard(SIGN, b"", retained=False)
    house.spend(SILENCE_MS * 2)
    assert house.alarm == ""


def test_a_pool_of_another_controller_is_not_judged() -> None:
    house = House()
    house.say(pool="bac-b", amount="5.00")
    house.spend(2 * DIFFERENCE_MS)
    assert house.alarm == ""


def test_what_is_no_sign_state_is_no_sign() -> None:
    house = House()
    assert not house.watch.heard("jackpotd/lisboa/pool/stud-main/hit/h1", b"{}", retained=True)
    assert house.watch.heard("jackpotd/lisboa/sign/tv-2/state", b"\xff", retained=False)
    house.spend(SILENCE_MS * 2)
    assert house.alarm == ""


def test_signs_are_bounded() -> None:
    house = House()
    for number in range(MAX_SIGNS + 5):
        topic = f"jackpotd/lisboa/sign/s{number}/state"
        house.watch.heard(topic, to_json(SignState(state="offline")), retained=True)
    house.sign = None
    house.spend(2 * DIFFERENCE_MS)
    assert len(house.alarms.active) <= MAX_SIGNS
