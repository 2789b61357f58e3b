"""Operators: who they are and what proves it, in a small file beside the ledger (design 4).

Laws
1. A secret is kept as argon2id's hash alone, in a file that only the service's user may open; it is never shown.
2. The file is written before the ledger, and an operator may act only as both of them say: a change that was cut
   short, or made in one of them behind the other's back, gives nobody anything.
3. One thread owns the file and does the hashing: one password at a time, so that guessing takes neither the memory
   nor the time that the tables need.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import TypeVar

FILE_NAME = "operators.db"
FILE_MODE = 0o600
FILE_VERSION = 1
APPLICATION_ID = 0x4A504C4F  # "JPLO"
# A casino has some hundreds of supervisors; more in the file is a mistake, and each is held in memory.
MAX_OPERATORS = 10_000

_TABLE = """CREATE TABLE operator (name TEXT PRIMARY KEY, role TEXT NOT NULL, unix_user TEXT NOT NULL,
secret TEXT NOT NULL, disabled INTEGER NOT NULL) STRICT, WITHOUT ROWID"""

T = TypeVar("T")


class OperatorsError(Exception):
    """The operators' file cannot be used; one sentence."""


@dataclass(frozen=True, slots=True)
class Record:
    """An operator as the file has him. secret "": no password; unix_user "": no Unix user."""

    name: str
    role: str
    unix_user: str
    secret: str = field(repr=False)
    disabled: bool


class Operators:
    """All records, in memory and on disk. Use `opened` to make one."""

    def __init__(self, thread: ThreadPoolExecutor, connection: sqlite3.Connection, records: dict[str, Record]) -> None:
        self._thread = thread
        self._connection = connection
        self._records = records

    @classmethod
    async def opened(cls, path: Path) -> Operators:
        """Read the file, which is made where there is none. OperatorsError when it cannot be used."""
        thread = ThreadPoolExecutor(1, thread_name_prefix="operators")
        try:
            connection, records = await asyncio.get_running_loop().run_in_executor(thread, _open, path)
        except BaseException:
            thread.shutdown(wait=False)
            raise
        return cls(thread, connection, records)

    @property
    def records(self) -> Mapping[str, Record]:
        """By name."""
        return self._records

    async def run(self, work: Callable[[], T]) -> T:
        """Do something slow in the operators' own thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def put(self, record: Record) -> None:
        """Keep a new or changed record, durably."""
        if record.name not in self._records and len(self._records) >= MAX_OPERATORS:
            raise OperatorsError(f"there are {MAX_OPERATORS} operators already")
        await self.run(lambda: _put(self._connection, record))
        self._records[record.name] = record

    async def set_secret(self, name: str, secret: str) -> None:
        """Exchange the hash of a record that is there."""
        await self.put(replace(self._records[name], secret=secret))

    async def hashed(self, password: str) -> str:
        """What is kept of a password."""
        return await self.run(lambda: _passwords().hashed(password))

    async def matches(self, name: str, password: str) -> bool:
        """Whether it is the operator's password; takes as long when there is no such operator or no password."""
        record = self._records.get(name)
        secret = record.secret if record is not None else ""
        return await self.run(lambda: _matches(secret, password))

    async def close(self) -> None:
        """Let the file go."""
        await self.run(self._connection.close)
        self._thread.shutdown(wait=True)


def _passwords() -> ModuleType:
    from jackpotd.daemon import passwords  # noqa: PLC0415  # the daemon starts without argon2

    return passwords


def _matches(secret: str, password: str) -> bool:
    passwords = _passwords()
    return bool(passwords.verify(secret or passwords.nobodys(), password) and secret)


def _open(path: Path) -> tuple[sqlite3.Connection, dict[str, Record]]:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, FILE_MODE)
        with closing(os.fdopen(descriptor)):
            os.fchmod(descriptor, FILE_MODE)
    except OSError as error:
        raise OperatorsError(f"the operators' file {path} cannot be opened: {error.strerror}") from error
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        return connection, _read(connection)
    except (sqlite3.Error, OperatorsError) as error:
        connection.close()
        raise OperatorsError(
            f"the operators' file {path} cannot be used ({error}): move it away and add the operators again"
        ) from error


def _read(connection: sqlite3.Connection) -> dict[str, Record]:
    connection.execute("PRAGMA synchronous=EXTRA")
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if not application_id and not version:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(_TABLE)
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version={FILE_VERSION}")
        connection.execute("COMMIT")
    elif (application_id, version) != (APPLICATION_ID, FILE_VERSION):
        raise OperatorsError("it is not a file of this version's operators")
    rows = connection.execute("SELECT name, role, unix_user, secret, disabled FROM operator").fetchmany(MAX_OPERATORS)
    return {name: Record(name, role, user, secret, bool(disabled)) for name, role, user, secret, disabled in rows}


def _put(connection: sqlite3.Connection, record: Record) -> None:
    values = (record.name, record.role, record.unix_user, record.secret, int(record.disabled))
    try:
        connection.execute("INSERT OR REPLACE INTO operator VALUES (?, ?, ?, ?, ?)", values)
    except sqlite3.Error as error:
        raise OperatorsError(f"the operators' file cannot be written: {error}") from error
