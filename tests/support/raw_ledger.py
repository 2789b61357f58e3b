"""A ledger file read with SQLite and JSON alone: what anybody finds in it without a line of the program's own."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def rows(path: Path) -> list[Row]:
    """Every row, in order, as written; one whose payload is in an archive says so."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        return [
            json.loads(body) if body else {"row": "archived"}
            for (body,) in file.execute("SELECT body FROM row ORDER BY seq")
        ]


def entries(path: Path, *kinds: str) -> list[Row]:
    """The entries of these kinds."""
    return [row for row in rows(path) if row["row"] == "entry" and row["kind"] in kinds]


def words(path: Path, kind: str) -> list[Row]:
    """The facts in which this was said."""
    return [row for row in rows(path) if row["row"] == "fact" and row["what"]["kind"] == kind]


def balances(path: Path) -> Counter[str]:
    """What every account holds, in atoms; each entry is seen to balance."""
    accounts: Counter[str] = Counter()
    for row in rows(path):
        posted = {posting["account"]: int(posting["atoms"]) for posting in row.get("postings", ())}
        assert sum(posted.values()) == 0, row
        accounts.update(posted)
    return accounts


def repeated_facts(path: Path) -> list[tuple[str, int, int]]:
    """Facts that are there twice: none, ever."""
    named = Counter((row["source"], row["journal"], row["seq"]) for row in rows(path) if row["row"] == "fact")
    return [name for name, count in named.items() if count > 1]


def bodies(path: Path) -> list[bytes]:
    """Every row, in order, as the bytes that are there."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        return [bytes(body) for (body,) in file.execute("SELECT CAST(body AS BLOB) FROM row ORDER BY seq")]
