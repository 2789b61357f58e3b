"""The power fails after every single write, sync and rename of a ledger's life: it opens, verifies, has what it said.

Every prefix of what the ledger asked of the disk is rebuilt three times: with all that was not yet synced, with none of
it, and with a part of it drawn by chance. Each is opened as the daemon opens it. With `--log-cli-level=INFO` it says
how many there were.
"""

from __future__ import annotations

import hashlib
import logging
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from jackpotd.ledger.open import open_ledger, read_ledger
from jackpotd.ledger.verify import verify_url
from tests.support.ledgers import SITE, UUID, url_of
from tests.support.sources import ROOT
from tests.support.traced_disk import TRACED, TRACED_BYTES, Image, TracedDisk, calls

log = logging.getLogger(__name__)

# Appends, snapshots, the log moved into the file, the ledger closed and opened again.
LIFE = "aasacaarascaaasracaa"
_SAID = re.compile(rb"\w+ done (\d+)\n")


@dataclass(frozen=True, slots=True)
class Cut:
    """What one power cut left. acknowledged: the number of the last row that the ledger had said is durable."""

    moment: int
    kind: str
    image: Image
    acknowledged: int


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[bytes]]:
    """A trace of a whole life, and the rows that the ledger had in the end."""
    folder = tmp_path_factory.mktemp("life")
    (folder / "disk").mkdir()
    trace, ledger = folder / "trace", url_of(folder / "disk" / "ledger.db")
    strace = ["strace", "-f", "-y", "-xx", "-s", str(TRACED_BYTES), "-o", str(trace), "-e", f"trace={TRACED}"]
    child = [sys.executable, "-m", "tests.support.ledger_child", ledger, LIFE]
    subprocess.run([*strace, *child], cwd=ROOT, capture_output=True, check=True)
    reader = read_ledger(ledger)
    rows = [row.body for row in reader.rows()]
    reader.close()
    return trace, rows


def cuts(trace: Path, forgotten: str = "") -> Iterator[Cut]:
    """Every cut there can be; on a disk that forgets the syncs of the files whose names end so."""
    disk, rng = TracedDisk(trace.parent / "disk"), Random(61_2004)
    acknowledged = 0
    for moment, call in enumerate(calls(trace)):
        if call.path == "stdout" and (said := _SAID.fullmatch(call.data)):
            acknowledged = int(said[1])
        if forgotten and call.name == "fdatasync" and call.path.endswith(forgotten):
            continue
        if disk.apply(call):
            yield Cut(moment, "everything", disk.everything(), acknowledged)
            yield Cut(moment, "synced only", disk.synced_only(), acknowledged)
            yield Cut(moment, "some", disk.some(rng), acknowledged)


def rows_left(folder: Path, image: Image) -> list[bytes]:
    """The rows of what a cut left, opened and verified as by the daemon's start."""
    folder.mkdir()
    for name, content in image.items():
        (folder / name).write_bytes(content)
    url = url_of(folder / "ledger.db")
    ledger = open_ledger(url, SITE, create=UUID)
    try:
        verdict = verify_url(url)
        assert verdict.ok, verdict.findings
        return [row.body for row in ledger.rows()]
    finally:
        ledger.close()


def test_after_every_prefix_the_ledger_opens_verifies_and_holds_what_it_acknowledged(
    lived: tuple[Path, list[bytes]], tmp_path: Path
) -> None:
    trace, rows = lived
    left: dict[bytes, int] = {}
    tried = kept = 0
    moments: set[int] = set()
    for cut in cuts(trace):
        moments.add(cut.moment)
        digest = hashlib.sha256(repr(sorted(cut.image.items())).encode()).digest()
        if digest not in left:
            folder = tmp_path / f"cut{tried}"
            found = rows_left(folder, cut.image)
            assert found == rows[: len(found)], f"{cut.kind} after call {cut.moment}: rows that nobody wrote"
            left[digest] = len(found)
            tried += 1
            shutil.rmtree(folder)
        kept = left[digest]
        assert kept >= cut.acknowledged, f"{cut.kind} after call {cut.moment}: {kept} of {cut.acknowledged} rows"
    log.info("%d prefixes of a ledger's life, %d different disks", len(moments), tried)
    assert kept == len(rows), "the whole life was not looked at"
    assert tried > 300, "too few different disks to prove anything"


def test_a_disk_that_forgets_the_syncs_of_the_log_is_found_out(lived: tuple[Path, list[bytes]], tmp_path: Path) -> None:
    trace, _ = lived
    said = next(cut for cut in cuts(trace, forgotten="ledger.db-wal") if cut.acknowledged and cut.kind == "synced only")
    assert len(rows_left(tmp_path / "forgetful", said.image)) < said.acknowledged
