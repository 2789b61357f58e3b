"""The lock files fix every byte that is installed, and nothing about the machine that wrote them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.support.sources import ROOT

LOCKS = ("runtime.txt", "demo.txt", "dev.txt", "fuzz.txt")

_PINNED = re.compile(r"([a-z0-9-]+)==([^ ;]+)(?: ; .+)?")
_HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def requirements(lock: str) -> dict[str, tuple[str, list[str]]]:
    """Name -> version and hashes; fails on any line that is something else."""
    text = (ROOT / "requirements" / lock).read_text(encoding="utf-8").replace("\\\n", "")
    found: dict[str, tuple[str, list[str]]] = {}
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        pin, *options = re.split(r"\s+(?=--)", line.strip())
        match = _PINNED.fullmatch(pin)
        assert match is not None, line
        assert all(_HASH.fullmatch(option) for option in options), line
        found[match[1]] = match[2], options
    return found


@pytest.mark.parametrize("lock", LOCKS)
def test_every_requirement_has_a_version_and_hashes_and_nothing_else(lock: str) -> None:
    found = requirements(lock)
    assert found
    assert [name for name, (_, hashes) in found.items() if not hashes] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_no_lock_names_an_index_or_a_folder(lock: str) -> None:
    text = (ROOT / "requirements" / lock).read_text(encoding="utf-8")
    assert re.findall(r"https?:|file:|--index|--extra-index|--find-links|--trusted| @ ", text) == []


@pytest.mark.parametrize("lock", ["runtime.txt", "demo.txt"])
def test_the_smaller_locks_agree_with_the_development_lock(lock: str) -> None:
    development = requirements("dev.txt")
    assert {name: one for name, one in requirements(lock).items() if development.get(name) != one} == {}


@pytest.mark.parametrize(
    ("lock", "extras"), [("runtime.txt", ()), ("demo.txt", ("demo", "build")), ("dev.txt", ("demo", "build", "dev"))]
)
def test_a_lock_holds_every_dependency_that_the_project_names(lock: str, extras: tuple[str, ...]) -> None:
    project = tomllib.loads(Path(ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = list(project["dependencies"])
    for extra in extras:
        wanted += project["optional-dependencies"][extra]
    names = {normal(re.split(r"[<>=!~\[ ;]", one, maxsplit=1)[0]) for one in wanted}
    assert names - requirements(lock).keys() == set()
