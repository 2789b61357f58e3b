"""An LED sign on a real pseudo-terminal, played by the player as a process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hardware.simulated.alpha_sign import AlphaSign
from hardware.simulated.pty_port import PtyPort
from jackpotd.sign.led_text import led_hit, led_pool
from jackpotd.sign.settings import Settings, read_settings
from jackpotd.sign.views import Amount, HitView, Place, PoolView
from tests.conftest import StartBroker
from tests.support.controller_voice import POOL, SITE, ControllerVoice
from tests.support.mqtt_client import MqttClient
from tests.support.sign_process import SignProcess
from tests.support.sim_thread import SimThread
from tests.support.until import LIMIT_S, until


@dataclass(frozen=True, slots=True)
class Board:
    """A simulated LED sign, the player that drives it, and the controller."""

    led: AlphaSign
    port: PtyPort
    devices: SimThread
    voice: ControllerVoice
    player: SignProcess

    def shows(self, text: str) -> None:
        """Wait for the text."""
        until(lambda: self.led.text == text, text, lambda: repr(self.led.text))


@pytest.fixture
def board(mosquitto: StartBroker, tmp_path: Path) -> Iterator[Board]:
    broker = mosquitto()
    led = AlphaSign()
    port = PtyPort([led], link=tmp_path / "led")
    with SimThread() as devices, MqttClient(broker.host, broker.port) as client:
        devices.enter(port)
        voice = ControllerVoice(client)
        voice.status()
        options = ("--broker", broker.url, "--site", SITE, "--pool", POOL, "--id", "led-1", "--language", "en")
        with SignProcess(tmp_path, *options, "--led", "alpha", "--port", str(tmp_path / "led")) as player:
            voice.wait_for_sign("led-1")
            yield Board(led, port, devices, voice, player)


def test_the_amount_is_on_the_led_sign_in_whole_packets_only(board: Board) -> None:
    board.shows("PROGRESSIVE JACKPOT")
    board.voice.meter(123_456_789)
    board.shows("MOP 1,234,567")
    assert (board.led.bad_sums, board.led.bad_packets, board.led.timeouts) == (0, 0, 0)


def test_a_sign_that_was_swapped_gets_the_amount_again(board: Board) -> None:
    board.voice.meter(100_000)
    board.shows("MOP 1,000")

    def forget() -> None:
        board.led.text = ""

    board.devices.call(forget)
    board.shows("MOP 1,000")


def test_a_line_that_was_unplugged_is_opened_again(board: Board) -> None:
    board.voice.meter(100_000)
    board.shows("MOP 1,000")
    board.devices.call(board.port.unplug)
    board.voice.meter(110_000)
    board.devices.call(board.port.plug)
    board.shows("MOP 1,100")


def test_a_hit_runs_through_and_the_amount_comes_back(board: Board) -> None:
    board.voice.meter(100_000)
    board.shows("MOP 1,000")
    board.voice.hit("h1")
    board.shows("ROYAL FLUSH MOP 800,000 TABLE T01 SEAT 6 BEING VERIFIED")
    assert board.led.mode == "a"
    board.voice.clear_hit("h1")
    board.shows("MOP 1,000")
    assert board.led.mode == "b"


def test_a_lost_controller_and_a_player_that_ends_leave_no_number(board: Board) -> None:
    board.voice.meter(100_000)
    board.shows("MOP 1,000")
    board.voice.status("offline")
    board.shows("PROGRESSIVE JACKPOT")
    board.voice.status()
    board.shows("MOP 1,000")
    assert board.player.stop() == 0
    board.shows("PROGRESSIVE JACKPOT")


def test_what_a_killed_player_left_is_taken_off_by_the_units_last_command(board: Board, tmp_path: Path) -> None:
    board.voice.meter(100_000)
    board.shows("MOP 1,000")
    board.player.kill()
    command = (sys.executable, "-m", "jackpotd.cli", "sign", "--blank", "--led", "alpha", "--port")
    gone = subprocess.run([*command, str(tmp_path / "gone")], check=False, capture_output=True, timeout=LIMIT_S)
    assert (gone.returncode, b"Traceback" in gone.stderr) == (1, False)
    assert board.led.text == "MOP 1,000"
    assert subprocess.run([*command, str(tmp_path / "led")], check=False, timeout=LIMIT_S).returncode == 0
    board.shows("PROGRESSIVE JACKPOT")


def settings(language: str, *pools: str) -> Settings:
    given = {"broker": "mqtt://127.0.0.1", "site": SITE, "language": language, "pool": pools or (POOL,)}
    return read_settings(None, given)


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "MOP 1,234,567"), ("pt", "MOP 1 234 567"), ("zh-Hant", "MOP 1,234,567")],
)
def test_an_led_sign_has_ascii_only(language: str, text: str) -> None:
    view = PoolView(POOL, "live", Amount(123_456_789, "MOP", 2), 1, 1)
    assert led_pool(settings(language), view) == text


def test_accents_are_dropped() -> None:
    hit = HitView("h", POOL, "straight_flush", Amount(100, "EUR", 2), (Place("T01", 1),), "pending", on_stage=True)
    assert led_hit(settings("pt"), hit) == "SEQUENCIA DE COR EUR 1 MESA T01 LUGAR 1 EM VERIFICACAO"


def test_several_pools_are_told_apart_by_name() -> None:
    view = PoolView(POOL, "suspended", Amount(100_00, "JPY", 0), 1, 1)
    assert led_pool(settings("en", POOL, "bac-b"), view) == "stud-main JPY 10,000 Suspended"
