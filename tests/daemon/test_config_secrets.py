"""Secrets are read where they are needed, from a file or a systemd credential."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackpotd.daemon.config import ConfigError
from jackpotd.daemon.config_addresses import SecretFile, broker_address, host_port


def test_a_secret_is_the_line_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("hunter2 \n", encoding="utf-8")
    assert SecretFile(str(tmp_path / "password")).read({}) == "hunter2 "


def test_a_credential_is_found_in_the_folder_that_systemd_names(tmp_path: Path) -> None:
    (tmp_path / "mqtt-password").write_text("hunter2", encoding="utf-8")
    assert SecretFile("credential:mqtt-password").read({"CREDENTIALS_DIRECTORY": str(tmp_path)}) == "hunter2"


def test_a_credential_without_systemd_says_what_is_missing() -> None:
    with pytest.raises(ConfigError, match="LoadCredential"):
        SecretFile("credential:mqtt-password").read({})


@pytest.mark.parametrize("content", [b"", b"\n", b"\xff", b"x" * 4097])
def test_a_file_that_holds_no_secret_is_refused_without_showing_it(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "password"
    path.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        SecretFile(str(path)).read({})
    assert caught.value.faults[0].key == str(path)
    assert caught.value.faults[0].value == "(secret)"


def test_a_secret_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        SecretFile(str(tmp_path / "none")).read({})


def test_a_broker_has_the_usual_port_of_its_scheme() -> None:
    assert broker_address("mqtt://broker").port == 1883
    assert broker_address("mqtts://broker").port == 8883


def test_an_address_of_version_six_is_read_without_its_brackets() -> None:
    assert host_port("[::1]:9464").host == "::1"
    assert broker_address("mqtt://[::1]").loopback
