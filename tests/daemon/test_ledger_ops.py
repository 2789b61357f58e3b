"""The control socket's operations on the ledger: an archive is registered, then payloads go between the commits."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from jackpotd.core import entries as e
from jackpotd.core.facts import StorageSaid
from jackpotd.daemon.identity import RefusedError
from jackpotd.daemon.inbox import Item
from jackpotd.ledger.archives import Leaving, rows_digest
from jackpotd.ledger.port import Ledger, LedgerError
from jackpotd.ledger.restore import encode_state, restore
from jackpotd.ledger.verify import verify
from tests.support.desk import CONSOLE, ROOT, Room, room
from tests.support.until import LIMIT_S


async def close_day(here: Room) -> int:
    """Ada closes the day: the row that says so."""
    await here.add("eva", "accounting")
    await here.add("ada", "accounting")
    await here.ask(CONSOLE, "day.close", await here.token("ada"))
    return here.writer.head.seq


async def archive_of(here: Room, closed: int) -> tuple[dict[str, Any], list[int]]:
    """What the command would say of an archive, and the rows that go."""
    leaving = Leaving()
    for row in await here.writer.run(lambda ledger: list(ledger.rows(0, closed))):
        leaving.take(row.seq, row.body)
    seqs = leaving.seqs()
    file = f"facts-{1:012}-{closed:012}.jsonl"
    said = {"day": 1, "first": 1, "last": closed, "closed": closed, "facts": len(seqs), "rows": rows_digest(seqs)}
    return said | {"sha256": "0" * 64, "file": file}, seqs


async def refusal(here: Room, op: str, **args: Any) -> str:
    with pytest.raises(RefusedError) as caught:
        await here.ask(ROOT, op, **args)
    assert caught.value.code == "refused"
    return str(caught.value)


def test_an_archive_is_registered_by_an_administrator_and_then_its_rows_are_emptied(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        said, seqs = await archive_of(here, await close_day(here))
        assert seqs
        assert "is in no registered archive" in await refusal(here, "ledger.drop", rows=seqs)
        assert (await here.ask(ROOT, "ledger.archive", **said)) == {"file": said["file"]}
        (archived,) = (row for row in await here.rows() if isinstance(row, e.FactsArchived))
        assert (archived.by.name, archived.by.role, archived.facts) == ("root", "admin", len(seqs))
        assert (await here.ask(ROOT, "ledger.drop", rows=seqs)) == {"rows": len(seqs)}
        await here.add("vic")
        verdict = await here.writer.run(verify)
        assert verdict.ok, verdict.findings
        assert verdict.archived == len(seqs)
        state = await here.writer.run(lambda ledger: restore(ledger, "another").state)
        assert encode_state(state) == encode_state(here.desk.engine.state)

    room(tmp_path, work)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"day": 2}, "row {closed} does not close day 2"),
        ({"closed": 9_999}, "row 9999 does not close day 1"),
        ({"last": 9_999}, "rows 1 to 9999 are not the next to be archived, after row 0"),
        ({"first": 9_998, "last": 9_997}, "are not the next to be archived"),
    ],
)
def test_an_archive_that_is_not_the_next_of_a_closed_day_is_refused_and_the_daemon_goes_on(
    tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    async def work(here: Room) -> None:
        closed = await close_day(here)
        said, _ = await archive_of(here, closed)
        head = here.writer.head
        assert words.format(closed=closed) in await refusal(here, "ledger.archive", **said | changes)
        assert here.writer.head == head
        await here.ask(ROOT, "ledger.archive", **said)
        assert f"after row {closed}" in await refusal(here, "ledger.archive", **said)

    room(tmp_path, work)


def test_what_people_say_while_payloads_go_is_committed_between_two_chunks(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        order: list[str] = []
        engine, loop = here.desk.engine, asyncio.get_running_loop()
        engine.observers.append(lambda *_: order.append("commit"))

        def first(_: Ledger) -> None:
            order.append("first")
            say = Item("", "", StorageSaid(low=True, free_bytes=1, bound_bytes=2), 1, 1, 1)
            loop.call_soon_threadsafe(here.desk.inbox.put_now, say)

        def second(_: Ledger) -> None:
            order.append("second")

        await asyncio.gather(engine.between_commits(first), engine.between_commits(second))
        assert order == ["first", "commit", "second"]

    room(tmp_path, work)


def test_a_chunk_that_is_refused_stops_nobody(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        def unfit(_: Ledger) -> None:
            raise LedgerError("unfit", "not this")

        with pytest.raises(LedgerError, match="not this"):
            await here.desk.engine.between_commits(unfit)
        await here.add("eve")

    room(tmp_path, work)


def test_a_chunk_that_cannot_be_written_ends_the_engine_as_a_failed_commit_does(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        def full(_: Ledger) -> None:
            raise LedgerError("full", "the disk is full")

        with pytest.raises(LedgerError, match="the disk is full"):
            await here.desk.engine.between_commits(full)
        await asyncio.sleep(LIMIT_S)

    with pytest.raises(BaseExceptionGroup) as ended:
        room(tmp_path, work)
    assert ended.group_contains(LedgerError, match="the disk is full")


def test_a_chunk_that_nobody_waits_for_any_more_is_left_out(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        done: list[str] = []
        engine = here.desk.engine
        gone = asyncio.ensure_future(engine.between_commits(lambda _: done.append("gone")))
        await asyncio.sleep(0)
        gone.cancel()
        await engine.between_commits(lambda _: done.append("asked"))
        assert done == ["asked"]

    room(tmp_path, work)
