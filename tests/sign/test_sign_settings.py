"""What a sign is told, from the command line and a file; every fault at once."""

from __future__ import annotations

import argparse
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from jackpotd.cli import main
from jackpotd.commands.sign import add_arguments, settings_of
from jackpotd.sign.browser import BrowserFace, themes
from jackpotd.sign.settings import MAX_POOLS, Settings, SignError

LEAST = ("--broker", "mqtt://127.0.0.1:1883", "--site", "lisboa", "--pool", "stud-main")
ELSEWHERE = ("--broker", "mqtts://broker.lisboa:8883", "--site", "lisboa", "--pool", "stud-main")

FILE = """
broker = "mqtt://127.0.0.1:1883"
site = "lisboa"
language = "pt"
rotate_s = 20

[[pool]]
id = "stud-main"
name = { "zh-Hant" = "金鳳", pt = "Fénix", en = "Phoenix" }
levels = [{ tier = "royal_flush", prize = "100%" }, { tier = "four_of_a_kind", prize = "5,000" }]

[[pool]]
id = "bac-b"
name = "Dragon"
"""


def told(*words: str) -> Settings:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return settings_of(parser.parse_args(words))


def faults(*words: str) -> list[str]:
    with pytest.raises(SignError) as refused:
        told(*words)
    return str(refused.value).splitlines()


def test_the_least_that_a_sign_needs_makes_a_page_on_this_machine() -> None:
    settings = told(*LEAST)
    assert (settings.face, settings.listen, settings.theme, settings.language) == (
        "browser",
        "127.0.0.1:8090",
        "classic",
        "zh-Hant",
    )
    assert settings.pools == ("stud-main",)
    assert settings.id


def test_a_sign_is_called_by_its_user_name(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("of the sign\n", encoding="utf-8")
    settings = told(*ELSEWHERE, "--username", "tv-1", "--password-file", str(secret))
    assert settings.id == "tv-1"
    assert settings.password() == "of the sign"
    assert "user name" in faults(*LEAST, "--username", "tv-1", "--id", "tv-2")[0]


def test_a_file_names_pools_and_levels_and_the_command_line_stands_in_front(tmp_path: Path) -> None:
    file = tmp_path / "sign.toml"
    file.write_text(FILE, encoding="utf-8")
    settings = told("--config", str(file), "--language", "en")
    assert settings.language == "en"
    assert settings.rotate_s == 20
    assert [pool.title("en") for pool in settings.pool] == ["Phoenix", "Dragon"]
    assert settings.pool[0].levels[1].tier == "four_of_a_kind"
    assert told("--config", str(file), "--pool", "bac-b").pools == ("bac-b",)


def test_every_fault_is_told_at_once_with_its_key(tmp_path: Path) -> None:
    file = tmp_path / "sign.toml"
    file.write_text('site = "li/sboa"\nlanguage = "fr"\nlisten = "nowhere"\nthemes = "x"\n[[pool]]\nid=""\n', "utf-8")
    lines = faults("--config", str(file), "--rotate", "-1")
    for key in ("broker", "site", "language", "listen", "themes", "pool.0.id", "rotate_s"):
        assert [line for line in lines if line.startswith(f"{key}: ")], (key, lines)


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ((*LEAST, "--pool", "stud-main"), "pool"),
        ((*LEAST, "--led", "alpha"), "led"),
        ((*LEAST, "--listen", "127.0.0.1:99999"), "listen"),
        ((*LEAST, "--broker", "http://127.0.0.1"), "broker"),
        ((*LEAST, "--password-file", "/nowhere"), "password_file"),
        (ELSEWHERE, "broker"),
        (("--broker", "mqtt://10.0.0.1", "--site", "s", "--pool", "p", "--username", "u"), "broker"),
        (("--broker", "mqtt://127.0.0.1", "--site", "s"), "pool"),
    ],
)
def test_what_does_not_fit_together_is_refused(words: tuple[str, ...], key: str) -> None:
    assert faults(*words)[0].startswith(f"{key}: ")


def test_a_board_has_room_for_so_many_pools() -> None:
    many = [word for number in range(MAX_POOLS + 1) for word in ("--pool", f"p{number}")]
    assert faults("--broker", "mqtt://127.0.0.1", "--site", "s", *many)[0].startswith("pool: ")


def test_a_broker_elsewhere_without_secrets_must_be_asked_for() -> None:
    assert told(*ELSEWHERE, "--insecure").insecure
    assert told("--broker", "mqtt://localhost", "--site", "s", "--pool", "p").broker.host == "localhost"


@pytest.mark.parametrize("content", ["", "\n", None])
def test_a_password_that_is_not_there_is_told(tmp_path: Path, content: str | None) -> None:
    secret = tmp_path / "secret"
    if content is not None:
        secret.write_text(content, encoding="utf-8")
    settings = told(*LEAST, "--username", "tv-1", "--password-file", str(secret))
    with pytest.raises(SignError, match="password_file"):
        settings.password()


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    assert faults("--config", str(tmp_path / "none.toml"))[0].startswith(str(tmp_path))


def test_two_themes_ship_and_a_house_may_have_its_own(tmp_path: Path) -> None:
    assert len(themes()) >= 2
    with pytest.raises(SignError, match="classic"):
        BrowserFace(told(*LEAST, "--theme", str(tmp_path / "none.css"), "--listen", "127.0.0.1:0"))


def test_a_sign_that_cannot_start_says_why_and_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sign", "--site", "lisboa"]) == 2
    assert "broker: " in capsys.readouterr().err


def test_help_shows_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["sign", "--help"])
    said = capsys.readouterr().out
    assert "jackpotd sign --broker mqtt://127.0.0.1:1883 --site lisboa --pool stud-main --listen 127.0.0.1:8090" in said


def ended(*words: str) -> tuple[int, str]:
    """How a player that cannot start ends, and what it says."""
    command = [sys.executable, "-m", "jackpotd.cli", "sign", *LEAST, "--id", "tv-1", *words]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


def test_a_port_that_somebody_else_has_may_be_free_later_and_is_no_fault_of_the_settings() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, said = ended("--listen", f"127.0.0.1:{taken.getsockname()[1]}")
    assert code == 1, "systemd tries again"
    assert said.startswith("listen: 127.0.0.1:")
    assert "Traceback" not in said


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_an_authority_that_is_none_is_told(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    words = ("--broker", "mqtts://127.0.0.1", "--insecure", "--ca-file", str(file), "--listen", "127.0.0.1:0")
    code, said = ended(*words)
    assert code == 2
    assert said.startswith(f"ca_file: {file}: ")
    assert "Traceback" not in said
