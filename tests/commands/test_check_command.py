"""`jackpotd check` as a user runs it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from jackpotd.cli import main
from tests.support.configs import EXAMPLE, edited

PASSWORD, SEAL, BUS = "credential:mqtt-password", '# seal_key_file = "credential:seal-key"', "credential:bus-t01"


def test_a_file_in_order_prints_its_readings_and_exits_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(EXAMPLE)]) == 0
    out = capsys.readouterr().out
    assert "reading straight_flush_base = round" in out
    assert all("credential:" in line for line in out.splitlines() if line.startswith("warning"))


def test_the_file_may_be_named_by_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--config", str(EXAMPLE), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"] is True


def test_every_fault_is_a_line_and_the_exit_is_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(edited(("seats = 9", "seats = 0"), ('several_royals = "split_greater"', "")), encoding="utf-8")
    assert main(["check", str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert [line.split(" = ")[0] for line in captured.err.splitlines()] == [
        "pool[stud-main].several_royals",
        "table[B01].seats",
    ]


def test_faults_as_json_are_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(edited(("seats = 9", "seats = 0")), encoding="utf-8")
    assert main(["check", str(path), "--json"]) == 2
    found = json.loads(capsys.readouterr().out)
    assert (found["ok"], [one["key"] for one in found["faults"]]) == (False, ["table[B01].seats"])


def test_a_file_that_is_not_there_exits_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path / "none.toml")]) == 2
    assert "No such file" in capsys.readouterr().err


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    """A configuration whose secrets are files, all in order."""
    (tmp_path / "password").write_text("hunter2\n")
    (tmp_path / "seal").write_text("0f" * 32 + "\n")
    (tmp_path / "bus").write_text("0f" * 16 + "\n")
    path = tmp_path / "jackpotd.toml"
    text = edited((PASSWORD, f"{tmp_path}/password"), (SEAL, f'seal_key_file = "{tmp_path}/seal"'))
    path.write_text(text.replace(BUS, f"{tmp_path}/bus"), encoding="utf-8")
    return path


def test_secrets_in_order_are_not_mentioned_and_not_shown(secrets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(secrets)]) == 0
    out = capsys.readouterr().out
    assert all("hunter2" not in line and "0f0f" not in line for line in out.splitlines()), out
    assert str(secrets.parent / "bus") not in out


def test_a_credential_is_a_warning_for_only_the_service_has_it(
    secrets: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(secrets), "--json"]) == 0
    warnings = json.loads(capsys.readouterr().out)["warnings"]
    assert {one["key"] for one in warnings} == {"credential:bus-t02", "credential:bus-b01"}
    assert all(one["reason"].startswith("not looked at: systemd gives it to the service alone") for one in warnings)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("password", None, "cannot be read: No such file or directory"),
        ("password", "", "a secret is one line, neither empty nor over 4096 bytes"),
        ("seal", None, "cannot be read: No such file or directory"),
        ("seal", "no key", "a sealing key is 64 hexadecimal digits"),
        ("bus", None, "cannot be read: No such file or directory"),
        ("bus", "0f" * 32, "a bus key is 32 hexadecimal digits"),
    ],
)
def test_a_secret_that_is_missing_or_malformed_is_a_fault(
    secrets: Path, name: str, content: str | None, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = secrets.parent / name
    file.unlink()
    if content is not None:
        file.write_text(content)
    assert main(["check", str(secrets)]) == 2
    assert capsys.readouterr().err == f"{file} = (secret): {why}\n"


def test_a_secret_that_the_caller_may_not_read_is_a_warning_for_the_service_may(
    secrets: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    really, file = os.open, secrets.parent / "seal"

    def guarded(path: Any, *more: Any, **named: Any) -> int:
        if os.fspath(path) == str(file):
            raise PermissionError(13, "Permission denied", str(path))
        return really(path, *more, **named)

    monkeypatch.setattr(os, "open", guarded)
    assert main(["check", str(secrets)]) == 0
    assert f"warning: {file}: not looked at: cannot be read: Permission denied" in capsys.readouterr().out
