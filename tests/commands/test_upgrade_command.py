"""`jackpotd upgrade check` as a person runs it, on a ledger that nobody has open."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jackpotd.cli import main
from jackpotd.core.money import format_amount
from jackpotd.ledger.rows import TODAY
from jackpotd.ledger.sqlite_tables import NEWEST_VERSION
from tests.ledger.golden.keeping import goldens
from tests.support.quiet_house import QuietHouse

GOLDEN = goldens()[-1]


@pytest.fixture
def house(tmp_path: Path) -> QuietHouse:
    """A house whose controller is off, and whose ledger is the newest golden one."""
    folder = tmp_path / "house"
    folder.mkdir()
    GOLDEN.put(folder)
    house = QuietHouse(folder)
    house.write_config()
    return house


def check(house: QuietHouse, *words: str) -> int:
    return main(["upgrade", "check", "--config", str(house.folder / "jackpotd.toml"), *words])


def found(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def looks(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns, path.read_bytes()) for path in folder.iterdir()}


def test_a_ledger_that_is_in_order_is_safe_to_switch(house: QuietHouse, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(house) == 0
    lines = capsys.readouterr().out.splitlines()
    rows, head = GOLDEN.about["rows"], GOLDEN.about["head"]
    assert lines[0] == f"{house.ledger}: {rows} rows, head {head}, last written by 1.0"
    assert f"file format {NEWEST_VERSION} does not change" in lines
    assert f"beside the snapshot of row {GOLDEN.about['snapshot']}: the same state" in lines
    meter = format_amount(GOLDEN.about["accounts"]["stud-main"]["pool"], 2)
    assert any(line.split() == [meter, "MOP", "stud-main"] for line in lines)
    assert lines[-2].startswith("going back is possible at any time, for a version that reads schema ")
    assert lines[-1] == "safe to switch"


def test_the_oldest_ledger_is_as_safe_and_what_ends_the_way_back_is_said(
    house: QuietHouse, capsys: pytest.CaptureFixture[str]
) -> None:
    goldens()[0].put(house.folder)
    assert check(house) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"newest schema in it 1; this version writes up to {TODAY.newest}" in lines
    assert f"file format 1 does not change, {NEWEST_VERSION} comes with the first archive" in lines
    assert lines[-2].startswith("going back is possible until the first start, for clock_said may come by itself, ")
    assert "facts_archived" in lines[-2]


def test_as_json_every_amount_of_every_pool_is_there(house: QuietHouse, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(house, "--json") == 0
    said = found(capsys)
    assert (said["ok"], said["reasons"], said["rows"]) == (True, [], GOLDEN.about["rows"])
    assert said["file_format"] == {"now": NEWEST_VERSION, "then": NEWEST_VERSION, "newest": NEWEST_VERSION}
    assert set(said["pools"]) == set(GOLDEN.about["accounts"])
    assert said["pools"]["other"]["house"] == "-904970.00"


def test_nothing_is_written_to_the_ledger_or_beside_it_and_no_copy_stays(
    house: QuietHouse, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spare = tmp_path / "spare"
    spare.mkdir()
    before = looks(house.folder)
    assert check(house, "--in", str(spare), "--json") == 0
    assert looks(house.folder) == before
    assert list(spare.iterdir()) == []
    del capsys


def test_a_ledger_that_is_not_in_order_is_not_safe_and_the_reason_is_said(
    house: QuietHouse, capsys: pytest.CaptureFixture[str]
) -> None:
    body = bytearray(house.ledger.read_bytes())
    at = body.index(b'"kind":"pool_adjusted"')
    body[at + 9] ^= 1
    house.ledger.write_bytes(body)
    assert check(house) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "NOT safe to switch"
    assert any(line.startswith("against it: row ") and "breaks the chain" in line for line in lines)
    assert check(house, "--json") == 1
    said = found(capsys)
    assert not said["ok"]
    assert any("unknown kind" in reason for reason in said["reasons"])


def test_a_configuration_that_this_version_refuses_is_told_like_everywhere(
    house: QuietHouse, capsys: pytest.CaptureFixture[str]
) -> None:
    config = house.folder / "jackpotd.toml"
    config.write_text(config.read_text() + '\n[weather]\nfair = "yes"\n')
    assert check(house, "--json") == 2
    said = found(capsys)
    assert not said["ok"]
    assert "weather" in said["error"]


def test_without_a_ledger_or_room_for_a_copy_the_answer_is_no(
    house: QuietHouse, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert check(house, "--in", str(tmp_path / "nowhere")) == 1
    assert "no copy of the ledger can be made" in capsys.readouterr().err
    assert check(house, "--in", str(house.folder)) == 1
    assert "would lie beside the ledger" in capsys.readouterr().err
    with monkeypatch.context() as patch:
        patch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=9))
        assert check(house, "--in", str(tmp_path), "--json") == 1
    assert found(capsys)["error"].startswith(f"{tmp_path} has 9 bytes free and the copy needs ")
    house.ledger.unlink()
    assert check(house) == 1
    assert capsys.readouterr().err == f"there is no ledger at {house.ledger}\n"


def test_a_person_at_a_terminal_sees_how_far_it_is(
    house: QuietHouse, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr("jackpotd.ledger.upgrade.PROGRESS_ROWS", 100)
    assert check(house) == 0
    shown = capsys.readouterr().err
    assert "pages copied" in shown
    assert f"500 of {GOLDEN.about['rows']} rows replayed" in shown
    assert shown.endswith("\r\x1b[K")


def test_what_a_killed_check_has_left_goes_with_the_next_but_what_is_in_use_or_new_stays(
    house: QuietHouse, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spare = tmp_path / "spare"
    for name in ("jackpotd-upgrade-left", "jackpotd-upgrade-used", "jackpotd-upgrade-new", "other"):
        (spare / name).mkdir(parents=True)
        (spare / name / "ledger.db").touch()
        if name != "jackpotd-upgrade-new":
            os.utime(spare / name, (0, 0))
    used = os.open(spare / "jackpotd-upgrade-used", os.O_RDONLY)
    try:
        fcntl.flock(used, fcntl.LOCK_EX)
        assert check(house, "--in", str(spare), "--json") == 0
    finally:
        os.close(used)
    assert sorted(path.name for path in spare.iterdir()) == ["jackpotd-upgrade-new", "jackpotd-upgrade-used", "other"]
    del capsys
