"""Every commit of the running daemon is on disk before anybody is told: one fdatasync each, never none (design 2)."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.floor import Floor
from tests.support.plays import BarePlay
from tests.support.until import until

_CALL = re.compile(r'(pwrite64|fdatasync)\(\d+<([^>]*)>(?:, "([^"]*)"(?:\.\.\.)?, (\d+))?')
_LOG_HEADER_BYTES, _FRAME_HEADER_BYTES = 32, 24
_SYNCED = {"ledger.db-wal": "S", "ledger.db": "D"}


def letters(trace: Path) -> str:
    """The trace in letters: H the log begun, C a frame that ends a commit, S the log synced, D the file synced."""
    found = []
    for name, path, data, length in _CALL.findall(trace.read_text()):
        file = Path(_bytes(path).decode()).name
        if name == "fdatasync" and file in _SYNCED:
            found.append(_SYNCED[file])
        elif file == "ledger.db-wal" and length == str(_LOG_HEADER_BYTES):
            found.append("H")
        # SQLite's file format, 4.1: bytes 4 to 7 of a frame are the database's size for a commit, else zero.
        elif file == "ledger.db-wal" and length == str(_FRAME_HEADER_BYTES) and any(_bytes(data)[4:8]):
            found.append("C")
    return "".join(found)


def _bytes(hexadecimal: str) -> bytes:
    return bytes.fromhex(hexadecimal.replace("\\x", ""))


def test_every_commit_of_the_daemon_makes_exactly_one_fdatasync(floor: Floor, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    options = ["-D", "-f", "-y", "-xx", "-s", str(_FRAME_HEADER_BYTES), "-o", str(trace)]
    play = BarePlay(floor)
    floor.start("strace", *options, "-e", "trace=pwrite64,fdatasync")
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    play.deal_some()
    play.deal_rest()
    floor.seen.table("T01", phase="dealt")
    play.finish()
    play.prizes()
    floor.seen.meter(play.pool, play.pencil.meter)
    counted = floor.metrics()["jackpotd_commit_seconds_count"]
    floor.stop()
    until(lambda: "+++ exited" in trace.read_text().splitlines()[-1], "the end of the trace")
    synced = letters(trace)
    made, log, running = synced.partition("H")
    assert (log, set(made)) == ("H", {"D"})
    assert re.fullmatch("S(CS|SD)*", running), running
    assert synced.count("C") >= counted > 5
