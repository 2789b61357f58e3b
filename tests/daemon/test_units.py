"""The units that are shipped, judged by systemd's own tools; systemd itself need not run."""

from __future__ import annotations

import configparser
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.support.broker import program
from tests.support.sources import ROOT

SYSTEMD = ROOT / "systemd"
# systemd's figure times ten. What is left is what the daemon is for: serial lines, the network, and who is calling.
EXPOSURE_LIMIT = 14


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The service, with a program that exists on every machine in place of the installed one."""
    text = (SYSTEMD / "jackpotd.service").read_text(encoding="utf-8")
    changed = text.replace("/usr/bin/jackpotd", program("true"))
    assert changed != text
    copy = tmp_path / "jackpotd.service"
    copy.write_text(changed, encoding="utf-8")
    return copy


def said(*command: str) -> tuple[int, str]:
    """Exit status and everything printed."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_systemd_finds_no_fault_in_the_service(unit: Path) -> None:
    code, words = said(program("systemd-analyze"), "verify", "--man=no", str(unit))
    # Only what is said about our unit counts: the machine's own units may have faults of theirs.
    assert [line for line in words.splitlines() if "jackpotd" in line] == []
    assert code == 0


def test_a_fault_in_the_service_would_be_found(unit: Path) -> None:
    unit.write_text(unit.read_text(encoding="utf-8").replace("WatchdogSec=15s", "WatchdogSec=soon"), encoding="utf-8")
    _, words = said(program("systemd-analyze"), "verify", "--man=no", str(unit))
    assert "ignoring: soon" in words


def test_the_service_is_exposed_to_no_more_than_it_needs(unit: Path) -> None:
    command = [program("systemd-analyze"), "security", "--no-pager", "--offline=yes"]
    code, words = said(*command, f"--threshold={EXPOSURE_LIMIT}", str(unit))
    assert code == 0, words
    assert said(*command, "--threshold=1", str(unit))[0] != 0, "the threshold is not looked at"


def test_the_kernel_may_be_asked_about_its_clock_by_the_two_lines_that_the_service_names(unit: Path) -> None:
    text = unit.read_text(encoding="utf-8")
    named = re.findall(r"^#   (ProtectClock=no|SystemCallFilter=.*clock_adjtime.*)$", text, re.MULTILINE)
    assert len(named) == 2
    unit.write_text(text + "\n[Service]\n" + "\n".join(named) + "\n", encoding="utf-8")
    code, words = said(program("systemd-analyze"), "verify", "--man=no", str(unit))
    assert (code, [line for line in words.splitlines() if "jackpotd" in line]) == (0, [])
    _, words = said(program("systemd-analyze"), "security", "--no-pager", "--offline=yes", str(unit))
    refused = [line for line in words.splitlines() if "clock" in line.lower() and line.startswith("✓")]
    assert [line for line in refused if "adjtimex" in line or "ProtectClock" in line] == []


def service() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(SYSTEMD / "jackpotd.service", encoding="utf-8")
    return parser["Service"]


def test_the_service_runs_commands_that_the_package_installs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for key in ("ExecStart", "ExecReload"):
        assert Path(service()[key].split()[0]).name in project["scripts"]


def test_the_service_begins_no_new_ledger_when_the_disk_of_its_own_is_not_mounted() -> None:
    assert service()["ExecStart"].split()[1:3] == ["run", "--existing-ledger"]


def test_a_controller_that_ends_comes_back_unless_its_configuration_is_at_fault() -> None:
    assert service()["Restart"] == "always"
    assert service()["RestartPreventExitStatus"] == "2"
    assert service()["Type"] == "notify"


def test_the_service_user_reaches_serial_lines(tmp_path: Path) -> None:
    # As on Debian, where the group has been there all along.
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "group").write_text("dialout:x:20:\n", encoding="utf-8")
    code, words = said(program("systemd-sysusers"), f"--root={tmp_path}", str(SYSTEMD / "jackpotd.sysusers"))
    assert code == 0, words
    assert "dialout:x:20:jackpotd" in (tmp_path / "etc" / "group").read_text(encoding="utf-8")
    user = (tmp_path / "etc" / "passwd").read_text(encoding="utf-8")
    assert re.search(r"^jackpotd:x:\d+:\d+:.*:/var/lib/jackpotd:/usr/sbin/nologin$", user, re.MULTILINE)


def test_the_service_reaches_serial_lines_and_no_other_device() -> None:
    text = (SYSTEMD / "jackpotd.service").read_text(encoding="utf-8")
    assert re.findall(r"^DevicePolicy=(.*)$", text, re.MULTILINE) == ["closed"]
    allowed = re.findall(r"^DeviceAllow=(.*)$", text, re.MULTILINE)
    assert allowed == ["char-ttyUSB rw", "char-ttyACM rw", "char-ttyS rw"]


def test_systemd_reads_every_line_of_the_folders(tmp_path: Path) -> None:
    # Given a prefix that nothing has, every line is checked and none is carried out.
    command = (program("systemd-tmpfiles"), "--create", "--prefix=/nowhere")
    shipped = SYSTEMD / "jackpotd.tmpfiles"
    assert said(*command, str(shipped)) == (0, "")
    broken = tmp_path / "broken.conf"
    broken.write_text(shipped.read_text(encoding="utf-8").replace("d /etc", "9 /etc"), encoding="utf-8")
    assert said(*command, str(broken))[0] != 0


def test_every_device_rule_matches_something_and_sets_something() -> None:
    term = re.compile(r'([A-Z]+(?:\{[A-Za-z_/]+\})?)(==|!=|\+=|=)"([^"]*)"')
    text = (SYSTEMD / "99-jackpotd.rules").read_text(encoding="utf-8")
    rules = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert rules
    for rule in rules:
        terms = [term.fullmatch(part) for part in rule.split(", ")]
        assert all(terms), rule
        operators = {match[2] for match in terms if match is not None}
        assert "==" in operators, rule
        assert "=" in operators, rule
