"""Which sources a result of the simulation holds for: what a broken-off run has done is done for these only."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DONE = ROOT / ".simulation"
SOURCES = ("jackpotd", "hardware", "tests/simulation", "tests/core")


def sources_hash(but: Sequence[str] = ()) -> str:
    """All sources that a run is made of, `but` modules of these names."""
    digest = sha256()
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path.name not in but:
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
