"""Drivers by name: ours, a plug-in's, and what is refused."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.angel_eye import AngelEye
from hardware.bee_tek import BeeTek
from hardware.drivers import GROUP, DriverError, find_driver, installed
from hardware.reports import Grade, Noise

PLUG_IN = """
from hardware.reports import Grade, Noise
class Good:
    grade = Grade.BARE
    def __init__(self, last=None): self.last = last
    def feed(self, data): return [Noise("junk", len(data))]
    def reopened(self): return []
class WithoutGrade:
    def feed(self, data): return []
    def reopened(self): return []
"""
ENTRIES = """
[{group}]
vendor-shoe = vendor_shoe:Good
angel-eye = vendor_shoe:Good
table-bus = vendor_shoe:Good
no-grade = vendor_shoe:WithoutGrade
no-module = vendor_shoe_missing:Good
twice = vendor_shoe:Good
"""


def install(folder: Path, name: str, entries: str) -> None:
    (folder / f"{name}-1.0.dist-info").mkdir()
    (folder / f"{name}-1.0.dist-info" / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (folder / f"{name}-1.0.dist-info" / "entry_points.txt").write_text(entries)


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "vendor_shoe.py").write_text(PLUG_IN)
    install(tmp_path, "vendor", ENTRIES.format(group=GROUP))
    install(tmp_path, "other", f"[{GROUP}]\ntwice = vendor_shoe:WithoutGrade\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    yield
    sys.modules.pop("vendor_shoe", None)


def test_our_own_drivers_are_found_by_name() -> None:
    assert find_driver("angel-eye") is AngelEye
    assert find_driver("bee-tek") is BeeTek
    assert {"angel-eye", "bee-tek", "table-bus"} <= set(installed())


def test_a_vendors_driver_is_found_without_touching_the_project(plug_in: None) -> None:
    driver = find_driver("vendor-shoe")
    assert driver.grade is Grade.BARE
    assert driver(last=b"x").feed(b"abc") == [Noise("junk", 3)]
    assert "vendor-shoe" in installed()


def test_a_plug_in_cannot_take_over_a_name_of_ours(plug_in: None) -> None:
    assert find_driver("angel-eye") is AngelEye


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nobody", r"'nobody' is no installed stream driver; installed: .*angel-eye, bee-tek, .*table-bus"),
        ("table-bus", "is no installed stream driver"),
        ("no-grade", "needs grade, feed and reopened"),
        ("no-module", "does not load: No module named 'vendor_shoe_missing'"),
        ("twice", "is installed by more than one package"),
    ],
)
def test_a_driver_that_does_not_fit_is_refused_with_the_reason(plug_in: None, name: str, why: str) -> None:
    with pytest.raises(DriverError, match=why):
        find_driver(name)
