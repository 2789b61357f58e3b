"""What is installed is what is in the tree."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

from tests.support.sources import ROOT, product


def test_the_wheel_holds_every_module_the_command_and_the_drivers(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    built = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("jackpotd-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (entries,) = (archive.read(name).decode() for name in names if name.endswith("entry_points.txt"))
    assert {one.path for one in product()} - set(names) == set()
    assert [name for name in names if name.startswith("tests/")] == []
    page = {str(path.relative_to(ROOT)) for path in (ROOT / "jackpotd" / "sign" / "page").iterdir()}
    assert page
    assert page - set(names) == set()
    assert "jackpotd = jackpotd.cli:main" in entries
    assert "[jackpotd.drivers]" in entries
