"""The operators' file: what it keeps, what it never shows, and what it refuses."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest

from jackpotd.daemon.operators import Operators, OperatorsError, Record

T = TypeVar("T")
PASSWORD = "correct horse"


def using(path: Path, work: Callable[[Operators], Awaitable[T]]) -> T:
    """Open the file, do something, and close it."""

    async def run() -> T:
        operators = await Operators.opened(path)
        try:
            return await work(operators)
        finally:
            await operators.close()

    return asyncio.run(run())


async def add(operators: Operators, name: str = "ana", password: str = PASSWORD) -> Record:
    record = Record(name, "supervisor", "", await operators.hashed(password), disabled=False)
    await operators.put(record)
    return record


def test_an_operator_is_there_after_the_file_was_closed(tmp_path: Path) -> None:
    path = tmp_path / "operators.db"
    record = using(path, add)
    assert using(path, lambda operators: asyncio.sleep(0, dict(operators.records))) == {"ana": record}
    assert using(path, lambda operators: operators.matches("ana", PASSWORD))
    assert not using(path, lambda operators: operators.matches("ana", "correct house"))


def test_only_the_services_user_may_open_the_file(tmp_path: Path) -> None:
    path = tmp_path / "operators.db"
    using(path, add)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    using(path, add)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_file_has_argon2ids_hash_and_nothing_shows_it_or_the_password(tmp_path: Path) -> None:
    path = tmp_path / "operators.db"
    record = using(path, add)
    assert record.secret.startswith("$argon2id$")
    assert "argon2" not in repr(record)
    assert PASSWORD.encode() not in path.read_bytes()


def test_the_same_password_of_two_operators_has_two_hashes(tmp_path: Path) -> None:
    async def both(operators: Operators) -> tuple[Record, Record]:
        return await add(operators), await add(operators, "rui")

    first, second = using(tmp_path / "operators.db", both)
    assert first.secret != second.secret


def test_nobody_and_an_operator_without_a_password_match_no_password(tmp_path: Path) -> None:
    async def tries(operators: Operators) -> list[bool]:
        await operators.put(Record("rui", "supervisor", "rui", "", disabled=False))
        return [await operators.matches(name, word) for name in ("nobody", "rui") for word in (PASSWORD, "", "$")]

    assert using(tmp_path / "operators.db", tries) == [False] * 6


def test_a_hash_that_was_damaged_matches_nothing(tmp_path: Path) -> None:
    path = tmp_path / "operators.db"
    using(path, add)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE operator SET secret = '$argon2id$v=19$broken'")
        connection.commit()
    assert not using(path, lambda operators: operators.matches("ana", PASSWORD))


@pytest.mark.parametrize("content", [b"not a database, and long enough to be looked at " * 50, b"\x00" * 4096])
def test_a_file_that_is_none_of_ours_is_left_alone_and_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "operators.db"
    path.write_bytes(content)
    with pytest.raises(OperatorsError, match=r"operators\.db cannot be used .*move it away"):
        using(path, add)
    assert path.read_bytes() == content


def test_a_database_of_something_else_is_not_taken_for_ours(tmp_path: Path) -> None:
    path = tmp_path / "operators.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version=7")
    with pytest.raises(OperatorsError, match="not a file of this version"):
        using(path, add)


def test_a_link_in_the_files_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").touch()
    (tmp_path / "operators.db").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OperatorsError, match="cannot be opened"):
        using(tmp_path / "operators.db", add)


def test_a_folder_that_is_not_there_is_said_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(OperatorsError, match="No such file"):
        using(tmp_path / "none" / "operators.db", add)
