"""`jackpotd check` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jackpotd.cli import main
from tests.support.configs import EXAMPLE, edited


def test_a_file_in_order_prints_its_readings_and_exits_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(EXAMPLE)]) == 0
    out = capsys.readouterr().out
    assert "reading straight_flush_base = round" in out
    assert "warning" not in out


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
