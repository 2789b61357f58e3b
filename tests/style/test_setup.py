"""The set-up that `make` does, where it cannot be done: it says what is missing and stops."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.sources import ROOT, tracked_files

SCRIPTS = [name for name in tracked_files() if name.startswith("scripts/") or name == ".ci/run"]
BASH = shutil.which("bash") or "/bin/bash"


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_can_be_run(name: str) -> None:
    assert os.access(ROOT / name, os.X_OK)
    assert subprocess.run([BASH, "-n", str(ROOT / name)], check=False, capture_output=True).stderr == b""


def test_without_apt_every_missing_program_is_named_with_its_package(tmp_path: Path) -> None:
    done = subprocess.run(
        [BASH, str(ROOT / "scripts" / "debian-packages.sh")],
        env={"PATH": str(tmp_path)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "strace (package strace)" in done.stderr
    assert "promtool (package prometheus)" in done.stderr
    assert "This machine has no apt-get. As root: apt-get install --no-install-recommends " in done.stderr


def test_an_old_python_is_refused_by_name(tmp_path: Path) -> None:
    for name in ("scripts/environment.sh", "pyproject.toml", "requirements/demo.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    old = tmp_path / "python-of-yore"
    old.write_text("#!/bin/sh\n[ \"$1\" = --version ] && echo 'Python 3.9.2' && exit\nexit 1\n", encoding="utf-8")
    old.chmod(0o755)
    done = subprocess.run(
        [BASH, str(tmp_path / "scripts" / "environment.sh"), "requirements/demo.txt"],
        env={**os.environ, "PYTHON": str(old)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert f"{old}: Python 3.9.2" in done.stderr
    assert "apt-get install python3 python3-venv" in done.stderr
    assert not (tmp_path / ".venv").exists()
