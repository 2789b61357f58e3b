"""The power fails, or the process is killed, after every single write, sync and rename of an archiving.

It begins with a file of version 1, so the migration is cut short too. Every prefix is rebuilt with all that was not
yet synced (a kill), with none of it and with a part of it; each opens, verifies, and goes on when the command is said
again. With `--log-cli-level=INFO` it says how many there were.
"""

from __future__ import annotations

import hashlib
import logging
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from jackpotd.ledger.archiving import archive
from jackpotd.ledger.open import open_ledger, read_ledger
from jackpotd.ledger.port import LedgerError, Row
from jackpotd.ledger.verify import verify, verify_url
from tests.support.archived import Hands
from tests.support.ledgers import SITE, all_rows, url_of
from tests.support.sources import ROOT
from tests.support.traced_disk import TRACED, TRACED_BYTES, Image, TracedDisk, calls

log = logging.getLogger(__name__)

_SAID = re.compile(rb"\w+ done (\d+)\n")


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Row]]:
    """A trace of the archiving, and every row as it was written."""
    folder = tmp_path_factory.mktemp("archiving")
    disk, trace = folder / "disk", folder / "trace"
    disk.mkdir()
    strace = ["strace", "-f", "-y", "-xx", "-s", str(TRACED_BYTES), "-o", str(trace), "-e", f"trace={TRACED}"]
    child = [sys.executable, "-m", "tests.support.archiving_child", str(disk)]
    subprocess.run([*strace, *child], cwd=ROOT, capture_output=True, check=True)
    with closing(read_ledger(url_of(disk / "ledger.db"), disk)) as filled:
        return trace, list(filled.rows())


def images(trace: Path) -> Iterator[tuple[str, Image, int]]:
    """What each cut leaves, from the moment on at which the days to archive are durable."""
    disk, rng = TracedDisk(trace.parent / "disk"), Random(61_2004)
    acknowledged = 0
    for moment, call in enumerate(calls(trace)):
        if call.path == "stdout" and (said := _SAID.fullmatch(call.data)):
            acknowledged = int(said[1])
        if disk.apply(call) and acknowledged:
            for kind, image in (
                ("killed", disk.everything()),
                ("synced only", disk.synced_only()),
                ("some", disk.some(rng)),
            ):
                yield f"{kind} after call {moment}", image, acknowledged


def gone_on(folder: Path, rows: list[Row]) -> int:
    """A cut's ledger opens, verifies, is archived to its end and proved with its archives; how many rows it had."""
    url = url_of(folder / "ledger.db")
    with closing(open_ledger(url, SITE)) as ledger:
        head = ledger.head.seq
        verdict = verify(ledger)
        assert verdict.ok, verdict.findings
        begun = len(ledger.archives())
        if verdict.archived:
            assert verify_url(url, folder).ok, "what left the rows must be in the files"
        archive(ledger, folder, None, Hands(ledger, chunk=500))
        assert len(ledger.archives()) == 2, f"{begun} were begun"
        assert verify(ledger).ok
        gone = sum(not row.body for row in all_rows(ledger))
        assert gone > 10
    with closing(read_ledger(url, folder)) as filled:
        found = list(filled.rows())
        assert found[:head] == rows[:head]
        assert verify(filled).ok
    return head


def test_an_archiving_cut_short_anywhere_leaves_a_ledger_that_verifies_and_goes_on(
    traced: tuple[Path, list[Row]], tmp_path: Path
) -> None:
    trace, rows = traced
    seen: dict[bytes, int] = {}
    for tried, (where, image, acknowledged) in enumerate(images(trace)):
        digest = hashlib.sha256(repr(sorted(image.items())).encode()).digest()
        if digest not in seen:
            folder = tmp_path / f"cut{tried}"
            folder.mkdir()
            for name, content in image.items():
                (folder / name).write_bytes(content)
            try:
                seen[digest] = gone_on(folder, rows)
            except (AssertionError, LedgerError) as error:
                raise AssertionError(f"{where}: {error}") from error
            shutil.rmtree(folder)
        assert seen[digest] >= acknowledged, where
    log.info("%d prefixes of an archiving, %d different disks", (tried + 1) // 3, len(seen))
    assert len(seen) > 150, "too few different disks to prove anything"
