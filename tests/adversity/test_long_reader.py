"""A program that reads the ledger without an end: the log grows, an alarm says so, and it is cut when that ends."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from jackpotd.daemon.clock import Clock
from jackpotd.daemon.health import LogWatch
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.daemon.writer import LedgerWriter
from jackpotd.ledger.open import open_ledger, read_ledger
from jackpotd.ledger.port import Mark
from jackpotd.ledger.sqlite_file import KEPT_LOG_BYTES, log_of
from tests.support.ledgers import SITE, UUID, bet, fact, url_of

# The log of 50,000 rows without a checkpoint: more than both bounds together.
WRITES, WRITES_A_COMMIT = 50_000, 100


async def write(writer: LedgerWriter, journal: int) -> None:
    """50,000 rows, in commits with the engine's own tidying after each."""
    for first in range(1, WRITES // 2, WRITES_A_COMMIT // 2):
        seqs = range(first, first + WRITES_A_COMMIT // 2)
        bodies = [body for seq in seqs for body in (fact("BP-0001", journal, seq, raw="00" * 32), bet(seq))]
        await writer.append(bodies, [Mark("BP-0001", journal, seq) for seq in seqs])
        await writer.tidy(idle=False)


def test_a_read_held_open_for_fifty_thousand_writes_is_an_alarm_until_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    alarms = ShellAlarms(Clock())

    async def story() -> None:
        writer = await LedgerWriter.opened(lambda: open_ledger(url_of(path), SITE, create=UUID))
        watch = LogWatch(writer, alarms)
        await write(writer, journal=1)
        watch.tick()
        assert alarms.active == {}
        assert log_of(path).stat().st_size <= KEPT_LOG_BYTES
        with closing(sqlite3.connect(path, isolation_level=None)) as report:
            report.execute("BEGIN")
            report.execute("SELECT count(*) FROM row").fetchone()
            await write(writer, journal=2)
            watch.tick()
            assert set(alarms.active) == {"log_kept-ledger"}
            assert log_of(path).stat().st_size > KEPT_LOG_BYTES
        await write(writer, journal=3)
        watch.tick()
        assert alarms.active == {}
        assert log_of(path).stat().st_size <= KEPT_LOG_BYTES
        await writer.close()

    asyncio.run(story())


def test_a_reader_of_ours_that_stops_half_way_keeps_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"

    async def story() -> None:
        writer = await LedgerWriter.opened(lambda: open_ledger(url_of(path), SITE, create=UUID))
        await write(writer, journal=1)
        with closing(read_ledger(url_of(path))) as report:
            rows = iter(report.rows())
            next(rows)
            await write(writer, journal=2)
            assert writer.kept_logs == 0
            assert log_of(path).stat().st_size <= KEPT_LOG_BYTES
            assert next(rows).seq == 2
        await writer.close()

    asyncio.run(story())
