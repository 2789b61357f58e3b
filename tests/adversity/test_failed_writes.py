"""The ledger's disk fails a write or a sync (EIO), or may only be read (EROFS): nothing is acknowledged, all closes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.plays import JournaledPlay
from tests.support.until import until

_CALL = re.compile(r"^\d+ +(pwrite64|fdatasync|fsync)\(.*\) += (-?\d+)", re.MULTILINE)
# The start has made its commits, and some of the round's are done: a number that no step below knows.
_FIRST_FAILURE = {"pwrite64": 120, "fdatasync": 24}


@pytest.mark.parametrize(
    ("call", "error"),
    [
        pytest.param("pwrite64", "EIO", id="EIO on write"),
        pytest.param("fdatasync", "EIO", id="EIO on fdatasync"),
        pytest.param("pwrite64", "EROFS", id="read-only from now on, as the kernel makes a disk that has faults"),
    ],
)
def test_a_disk_that_fails_ends_the_service_in_order_and_costs_no_event(
    floor: Floor, tmp_path: Path, call: str, error: str
) -> None:
    play = JournaledPlay(floor)
    table, seen, trace = play.table, floor.seen, tmp_path / "trace"
    fail = f"inject={call}:error={error}:when={_FIRST_FAILURE[call]}+"
    log = floor.ledger.with_name("ledger.db-wal")
    floor.start("strace", "-D", "-f", "-o", str(trace), "-P", str(log), "-e", f"trace={call},fdatasync", "-e", fail)
    daemon = floor.daemon
    assert daemon is not None
    panel = table.boards["panel"]
    moves = 0
    while daemon.running:
        assert moves < 1_000, "the disk never failed"
        if moves % 2:
            table.take_back(1, "ante")
        else:
            table.place(1, "ante")
        moves += 1
        until(lambda: panel.journal.newest < panel.journal.oldest or not daemon.running, "an acknowledgement")
    assert daemon.ended() == 1
    floor.daemon = None
    seen.offline()
    said = [message.get("why", "") for topic, message in seen.history if topic == "table/T02/state"]
    assert said[-1] in ("the ledger cannot be written", "the ledger does not answer")
    assert f"jackpotd: writing the ledger {floor.ledger} failed: disk I/O error" in floor.said()
    assert "Traceback" not in floor.said()
    table.wait_shows(True)
    until(lambda: "+++ exited" in trace.read_text().splitlines()[-1], "the end of the trace")
    calls = _CALL.findall(trace.read_text())
    failed = next(at for at, (_, answer) in enumerate(calls) if answer == "-1")
    assert [name for name, _ in calls[failed + 1 :] if name == "fdatasync"] == [], "a sync was tried again"
    # The event that was not acknowledged is still the panel's, and comes again.
    assert panel.journal.newest >= panel.journal.oldest
    floor.start()
    until(lambda: panel.journal.newest < panel.journal.oldest, "all acknowledged")
    said = [row["seq"] for row in raw_ledger.rows(floor.ledger) if row.get("source") == panel.serial]
    assert said == list(range(1, panel.journal.newest + 1))
