"""The repository's own files, for the tests that check how it is written."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("jackpotd", "hardware")


@dataclass(frozen=True, slots=True)
class Module:
    """One Python file: where it lies, its dotted name, its text and its syntax tree."""

    path: str
    name: str
    text: str
    tree: ast.Module

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return len(self.text.splitlines())

    def within(self, *packages: str) -> bool:
        """Whether it is one of these packages, or inside one."""
        return any(self.name == package or self.name.startswith(f"{package}.") for package in packages)


@cache
def modules(*folders: str) -> tuple[Module, ...]:
    """Every Python file under the folders, in order of path."""
    found = []
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            relative = path.relative_to(ROOT)
            parts = relative.with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            text = path.read_text(encoding="utf-8")
            found.append(Module(str(relative), name, text, ast.parse(text)))
    return tuple(found)


def product() -> tuple[Module, ...]:
    """The modules that are shipped."""
    return modules(*PRODUCT)


def everything() -> tuple[Module, ...]:
    """The shipped modules and the tests."""
    return modules(*PRODUCT, "tests")


def tracked_files() -> tuple[str, ...]:
    """Paths of all files under version control."""
    listing = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return tuple(name for name in listing.stdout.split("\0") if name and (ROOT / name).is_file())


def imports(module: Module) -> Iterator[str]:
    """Every dotted name that the module imports; for `from a import b` both a and a.b."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def calls(module: Module) -> Iterator[tuple[int, str, ast.Call]]:
    """Line, dotted name and node of every call of a plain name or attribute, e.g. `asyncio.create_task`."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            yield node.lineno, ast.unparse(node.func), node
