"""A ledger's file of version 1, as the program before archives made it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from jackpotd.ledger.sqlite_file import APPLICATION_ID
from jackpotd.ledger.sqlite_tables import STATEMENTS
from tests.support.ledgers import SITE, UUID


def make_version_1(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("PRAGMA journal_mode=WAL")
        file.execute(f"PRAGMA application_id={APPLICATION_ID}")
        file.execute("PRAGMA user_version=1")
        for statement in STATEMENTS[1]:
            file.execute(statement)
        file.execute("INSERT INTO ledger VALUES (1, ?, ?)", (SITE, UUID))
