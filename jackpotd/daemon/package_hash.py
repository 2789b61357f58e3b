"""What code runs: one hash over the installed package, logged and recorded at each start."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

_PACKAGES = ("jackpotd", "hardware")


@cache
def package_hash() -> str:
    """SHA-256 over the names and bytes of all Python files of the product; a process runs what it began with."""
    top = Path(__file__).resolve().parents[2]
    digest = sha256()
    for package in _PACKAGES:
        for path in sorted((top / package).rglob("*.py")):
            digest.update(str(path.relative_to(top)).encode() + b"\0")
            digest.update(path.read_bytes())
    return digest.hexdigest()
