"""A daemon that is too old for its ledger: it says so in one sentence, touches nothing, and `upgrade check` knew it."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from jackpotd.ledger.codec import canonical
from jackpotd.ledger.open import open_ledger
from jackpotd.ledger.rows import TODAY
from jackpotd.ledger.sqlite_tables import NEWEST_VERSION, VERSIONS
from tests.ledger.golden.keeping import goldens
from tests.support.ledgers import SITE, url_of
from tests.support.quiet_house import QuietHouse
from tests.support.raw_ledger import bodies
from tests.support.sources import ROOT

NEWER = TODAY.newest + 1
WHAT_TO_DO = "; start the newer version, or restore the backup made before the upgrade"


def checked(house: QuietHouse) -> list[str]:
    """The reasons of `upgrade check` against a switch."""
    command = [
        sys.executable,
        "-m",
        "jackpotd.cli",
        "upgrade",
        "check",
        "--json",
        "--config",
        str(house.write_config()),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    said = json.loads(done.stdout)
    reasons: list[str] = said.get("reasons") or [said["error"]]
    return reasons


def test_a_row_of_a_newer_schema_is_refused_by_its_number(tmp_path: Path) -> None:
    house = QuietHouse(tmp_path)
    goldens()[-1].put(tmp_path)
    with closing(open_ledger(url_of(house.ledger), SITE)) as ledger:
        ledger.append([canonical({"row": "entry", "kind": "clock_doubted", "schema": NEWER})], [])
        row = ledger.head.seq
    before = bodies(house.ledger)
    sentence = f"row {row} is of schema {NEWER}, kind 'clock_doubted': this jackpotd reads up to schema {NEWER - 1}"
    assert house.refused() == (1, [f"jackpotd: {sentence}{WHAT_TO_DO}"])
    assert bodies(house.ledger) == before
    assert checked(house) == [sentence + WHAT_TO_DO]


def test_a_file_of_a_newer_version_is_refused_like_it(tmp_path: Path) -> None:
    house = QuietHouse(tmp_path)
    goldens()[-1].put(tmp_path)
    with closing(sqlite3.connect(house.ledger)) as file:
        file.execute(f"PRAGMA user_version={NEWEST_VERSION + 1}")
    before = house.ledger.read_bytes()
    sentence = f" is a ledger of version {NEWEST_VERSION + 1}; this jackpotd reads {VERSIONS[0]} to {NEWEST_VERSION}"
    assert house.refused() == (1, [f"jackpotd: {house.ledger}{sentence}{WHAT_TO_DO}"])
    assert house.ledger.read_bytes() == before
    (reason,) = checked(house)
    assert reason.endswith(f"{sentence}{WHAT_TO_DO}")
