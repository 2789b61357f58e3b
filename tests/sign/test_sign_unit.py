"""The sign's unit and example settings, judged by systemd's own tools and the player's own reader."""

from __future__ import annotations

import itertools
import subprocess
from pathlib import Path

import pytest

from jackpotd.sign.settings import read_settings
from jackpotd.sign.wording import WORDS
from tests.conftest import StartBroker
from tests.support.broker import program
from tests.support.service_manager import ServiceManagerSim
from tests.support.sign_process import SignProcess
from tests.support.sources import ROOT

UNIT = ROOT / "systemd" / "jackpotd-sign.service"
EXAMPLE = ROOT / "systemd" / "jackpotd-sign.toml"
# systemd's figure times ten, as for the controller.
EXPOSURE_LIMIT = 14


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The service, with a program that exists on every machine in place of the installed one."""
    text = UNIT.read_text(encoding="utf-8")
    changed = text.replace("/usr/bin/jackpotd", program("true"))
    assert changed != text
    copy = tmp_path / UNIT.name
    copy.write_text(changed, encoding="utf-8")
    return copy


def said(*command: str) -> tuple[int, str]:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_systemd_finds_no_fault_in_the_signs_unit(unit: Path) -> None:
    code, words = said(program("systemd-analyze"), "verify", "--man=no", str(unit))
    assert [line for line in words.splitlines() if "jackpotd" in line] == []
    assert code == 0


def test_the_signs_unit_is_exposed_to_no_more_than_it_needs(unit: Path) -> None:
    command = [program("systemd-analyze"), "security", "--no-pager", "--offline=yes"]
    code, words = said(*command, f"--threshold={EXPOSURE_LIMIT}", str(unit))
    assert code == 0, words


def test_the_drop_in_for_an_led_sign_is_read_by_systemd_and_takes_the_number_off(unit: Path) -> None:
    lines = unit.read_text(encoding="utf-8").splitlines()
    begin = next(at for at, line in enumerate(lines) if line.startswith("# An LED sign instead of a screen")) + 1
    block = itertools.takewhile(lambda line: line.startswith("#   "), lines[begin:])
    folder = unit.parent / f"{unit.name}.d"
    folder.mkdir()
    (folder / "led.conf").write_text("\n".join(line.removeprefix("#   ") for line in block), encoding="utf-8")
    code, words = said(program("systemd-analyze"), "verify", "--man=no", str(unit))
    assert [line for line in words.splitlines() if "jackpotd" in line] == []
    assert code == 0
    assert "ExecStopPost=-" in (folder / "led.conf").read_text(encoding="utf-8")


def test_systemd_hears_that_the_player_is_ready_and_lives(mosquitto: StartBroker, tmp_path: Path) -> None:
    options = ("--broker", mosquitto().url, "--site", "lisboa", "--pool", "p", "--listen", "127.0.0.1:0")
    with ServiceManagerSim(tmp_path) as manager:
        with SignProcess(tmp_path, *options, environ=dict(manager.environ(watchdog_ms=1_000))):
            manager.wait("READY=1")
            for _ in range(3):
                manager.wait("WATCHDOG=1")
        manager.wait("STOPPING=1")


def test_the_example_is_a_sign_whose_every_level_has_a_name() -> None:
    settings = read_settings(EXAMPLE, {})
    assert settings.id == "tv-1"
    for words in WORDS.values():
        assert {level.tier for pool in settings.pool for level in pool.levels} <= set(words.tiers)


def test_the_example_reads_the_secret_that_the_unit_loads() -> None:
    settings = read_settings(EXAMPLE, {})
    assert settings.password_file is not None
    assert settings.password_file.parts[-2:] == (UNIT.name, "mqtt-password")
    assert "LoadCredential=mqtt-password:" in UNIT.read_text(encoding="utf-8")
