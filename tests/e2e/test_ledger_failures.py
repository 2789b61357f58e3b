"""Ledgers that cannot be used, at the start and in the middle of a round: no start, no ack, one sentence."""

from __future__ import annotations

import json
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.support import raw_ledger
from tests.support.broker import free_port, program
from tests.support.daemon_process import DaemonProcess
from tests.support.floor import Floor
from tests.support.quiet_house import QuietHouse
from tests.support.service_manager import ServiceManagerSim
from tests.support.until import until

# A blank at the end: another row, though it says the same.
FORGE = "UPDATE row SET body = CAST(body || ' ' AS BLOB) WHERE seq = ?"


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[ServiceManagerSim]:
    with ServiceManagerSim(tmp_path) as hearing:
        yield hearing


@pytest.fixture
def house(tmp_path: Path) -> QuietHouse:
    return QuietHouse(tmp_path)


def falsify(path: Path, what: str, *values: bytes | int) -> None:
    """Change the file as somebody would who has it in his hands: the guards are taken off and put back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        guards = file.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            file.execute(f"DROP TRIGGER {name}")
        file.execute(what, values)
        for _, sql in guards:
            file.execute(sql)


def used(house: QuietHouse, manager: ServiceManagerSim, times: int = 1) -> None:
    """The house's ledger after some starts, each of which left a snapshot."""
    for _ in range(times):
        assert house.start(manager).stop() == 0


# ---- at the start


def test_a_folder_that_is_not_there_is_no_start(house: QuietHouse) -> None:
    house.ledger = house.folder / "none" / "ledger.db"
    code, words = house.refused()
    assert code == 1
    assert words == [f"jackpotd: the ledger's lock {house.ledger}.lock cannot be opened: No such file or directory"]


@pytest.mark.parametrize("made", [False, True])
def test_a_disk_that_takes_nothing_is_no_start(house: QuietHouse, manager: ServiceManagerSim, made: bool) -> None:
    if made:
        used(house, manager)
    # Through a pipe, since the log's own file may not grow either.
    shell = ("sh", "-c", f'prlimit --fsize=0 "$@" 2>&1 | {program("cat")} >"$LOG"; exit 1', "sh")
    code, _ = house.refused(*shell, environ={"LOG": str(house.folder / "piped.log")})
    words = [line for line in (house.folder / "piped.log").read_text().splitlines() if not line.startswith("<")]
    assert code == 1
    (sentence,) = words
    assert sentence.startswith("jackpotd: ")
    assert str(house.ledger) in sentence


def test_the_ledger_of_another_site_is_no_start(house: QuietHouse, manager: ServiceManagerSim) -> None:
    used(house, manager)
    code, words = house.refused(site={"id": "sands", "currency": "MOP", "timezone": "Asia/Macau"})
    assert code == 1
    assert words == [f"jackpotd: the ledger {house.ledger} is of site 'lisboa', not 'sands'"]


def test_a_ledger_that_another_daemon_has_is_no_start(house: QuietHouse, manager: ServiceManagerSim) -> None:
    first = house.start(manager)
    second = QuietHouse(house.folder)
    second.control, second.log = house.folder / "second.sock", house.folder / "second.log"
    code, words = second.refused()
    assert first.stop() == 0
    assert code == 1
    assert words == [f"jackpotd: the ledger {house.ledger} is in use by another process"]


def test_a_file_that_is_no_ledger_is_no_start(house: QuietHouse) -> None:
    house.ledger.write_bytes(b"certainly no database" * 100)
    code, words = house.refused()
    assert code == 1
    (sentence,) = words
    assert sentence.startswith(f"jackpotd: opening the ledger {house.ledger} failed")
    assert house.ledger.read_bytes() == b"certainly no database" * 100


def test_a_chain_broken_since_the_last_snapshot_is_no_start_and_names_the_row(
    house: QuietHouse, manager: ServiceManagerSim
) -> None:
    daemon = house.start(manager)
    daemon.kill()  # no snapshot is left: every row is new
    row = len(raw_ledger.rows(house.ledger))
    falsify(house.ledger, FORGE, row)
    code, words = house.refused()
    assert code == 1
    assert words == [f"jackpotd: row {row} of the ledger does not follow from the rows before it"]
    assert len(raw_ledger.rows(house.ledger)) == row, "something was written to a broken ledger"


def test_a_damaged_snapshot_is_passed_over_for_the_one_before(house: QuietHouse, manager: ServiceManagerSim) -> None:
    used(house, manager, times=2)
    with closing(sqlite3.connect(house.ledger)) as file:
        newest, before = (seq for (seq,) in file.execute("SELECT seq FROM snapshot ORDER BY seq DESC"))
    falsify(house.ledger, "UPDATE snapshot SET body = ? WHERE seq = ?", b"{}", newest)
    used(house, manager)
    read = [line for line in house.said().splitlines() if "ledger read" in line]
    assert read[-1].endswith(f"seq={newest} replayed={newest - before} snapshot={before}")


def test_a_snapshot_of_another_shape_of_the_state_is_passed_over_and_the_rows_are_read(
    house: QuietHouse, manager: ServiceManagerSim
) -> None:
    used(house, manager, times=2)
    with closing(sqlite3.connect(house.ledger)) as file:
        newest, before = (seq for (seq,) in file.execute("SELECT seq FROM snapshot ORDER BY seq DESC"))
        ((body,),) = file.execute("SELECT body FROM snapshot WHERE seq = ?", (newest,)).fetchall()
    state = json.loads(body)
    del state["storage_low"]  # as a build that did not know it yet would have kept it
    other = json.dumps(state).encode()
    falsify(
        house.ledger,
        "UPDATE snapshot SET body = ?, state_hash = ? WHERE seq = ?",
        other,
        sha256(other).digest(),
        newest,
    )
    used(house, manager)
    read = [line for line in house.said().splitlines() if "ledger read" in line]
    assert read[-1].endswith(f"seq={newest} replayed={newest - before} snapshot={before}")


def test_without_any_sound_snapshot_everything_is_read(house: QuietHouse, manager: ServiceManagerSim) -> None:
    used(house, manager, times=2)
    falsify(house.ledger, "UPDATE snapshot SET body = ?", b"{}")
    rows = len(raw_ledger.rows(house.ledger))
    used(house, manager)
    read = [line for line in house.said().splitlines() if "ledger read" in line]
    assert read[-1].endswith(f"seq={rows} replayed={rows} snapshot=0")


def test_a_ledger_that_is_gone_is_no_start_and_no_pool_begins_at_its_seed_again(
    house: QuietHouse, manager: ServiceManagerSim
) -> None:
    used(house, manager)
    house.ledger.rename(house.folder / "elsewhere.db")
    code, words = house.refused()
    operators = house.folder / "operators.db"
    assert code == 1
    assert words == [
        f"jackpotd: the ledger {house.ledger} is gone: put it back, or move {operators} away to begin with a new one"
    ]
    assert not house.ledger.exists()
    (house.folder / "elsewhere.db").rename(house.ledger)
    used(house, manager)


# ---- behind the daemon's back


def test_a_break_before_the_snapshot_is_found_while_it_serves_and_suspends_the_pools_for_good(floor: Floor) -> None:
    floor.pool("stud-main")
    table = floor.stud()
    floor.start()
    table.wait_open()
    floor.stop()
    sound = floor.folder / "sound.db"
    shutil.copy(floor.ledger, sound)
    falsify(floor.ledger, FORGE, 2)
    port = free_port()
    floor.start(metrics={"listen": f"127.0.0.1:{port}"})
    why = "the ledger's chain breaks at row 2"
    floor.seen.meter("stud-main", "500000.00", "suspended")
    floor.seen.table("T01", progressive="closed", why=f"pool stud-main suspended: {why}")
    assert why in floor.seen.alarm("suspended-stud-main")["text"]
    table.wait_shows(True, 0, 0, 0, 0, 0, 0, 0)
    until(lambda: 'ledger_chain="broken"} 1.0' in page(port), "the metric")
    floor.stop()
    floor.start()
    floor.seen.meter("stud-main", "500000.00", "suspended")
    assert "the ledger's chain is broken row=2" in floor.said()
    floor.stop()
    shutil.copy(sound, floor.ledger)  # so that the floor's own check at the end has something sound


def page(port: int) -> str:
    client = HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        client.request("GET", "/metrics")
        return client.getresponse().read().decode()
    finally:
        client.close()


# ---- in the middle of a round


def test_a_disk_that_fills_up_closes_everything_and_acknowledges_nothing(floor: Floor) -> None:
    floor.pool("stud-main")
    table = floor.stud()
    floor.start()
    floor.bet(table, 3)
    daemon = floor.daemon
    assert daemon is not None
    fill_up(daemon, floor)
    table.place(5, "ante")
    code = daemon.ended()
    floor.daemon = None
    assert code == 1
    floor.seen.offline()
    last = floor.said().splitlines()[-1]
    assert last.startswith(f"jackpotd: writing the ledger {floor.ledger} failed: ")
    assert "Traceback" not in floor.said()
    table.wait_shows(True, 0, 0, 0, 0, 0, 0, 0)
    # What was not acknowledged is still in the panel's journal, and counts once.
    floor.start()
    floor.seen.table("T01", phase="open", seats={"3": ["ante", "progressive"], "5": ["ante"]}, progressive="open")


def test_a_ledger_that_is_removed_under_the_daemon_closes_everything_and_acknowledges_nothing(floor: Floor) -> None:
    floor.pool("stud-main")
    table = floor.stud()
    floor.start()
    floor.bet(table, 3)
    daemon = floor.daemon
    assert daemon is not None
    aside = floor.folder / "aside"
    aside.mkdir()
    files = [path.rename(aside / path.name) for path in floor.folder.glob("ledger.db*")]
    table.place(5, "ante")
    assert daemon.ended() == 1
    floor.daemon = None
    floor.seen.offline()
    assert floor.said().splitlines()[-1] == f"jackpotd: the ledger {floor.ledger} was removed or exchanged while in use"
    table.wait_shows(True, 0, 0, 0, 0, 0, 0, 0)
    for path in files:
        path.rename(floor.folder / path.name)
    floor.start()
    floor.seen.table("T01", phase="open", seats={"3": ["ante", "progressive"], "5": ["ante"]}, progressive="open")


def fill_up(daemon: DaemonProcess, floor: Floor) -> None:
    """No file of the daemon's may grow any more; the log, which is smaller than the ledger's, still may."""
    wal = floor.ledger.with_name(floor.ledger.name + "-wal")
    size = wal.stat().st_size
    assert floor.log.stat().st_size + 8_192 < size, "the log would be cut off too"
    resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE, (size, size))


def test_money_figures_survive_a_restart(floor: Floor) -> None:
    floor.pool("stud-main")
    table = floor.stud()
    port = free_port()
    floor.start(metrics={"listen": f"127.0.0.1:{port}"})
    floor.bet(table, 1, 2, 6)
    table.lock()
    floor.seen.meter("stud-main", "500021.00")
    before = money(port)
    checked = subprocess.run(
        [program("promtool"), "check", "metrics"], input=page(port).encode(), check=False, capture_output=True
    )
    assert (checked.returncode, checked.stdout, checked.stderr.strip()) == (0, b"", b"")
    floor.kill()
    floor.start(metrics={"listen": f"127.0.0.1:{port}"})
    assert money(port) == before
    assert 'jackpotd_contributions_minor_total{pool="stud-main"} 2100.0' in before


def money(port: int) -> list[str]:
    until(lambda: accepts(port), "the metrics page")
    return [line for line in page(port).splitlines() if "_minor" in line and not line.startswith("#")]


def accepts(port: int) -> bool:
    try:
        page(port)
    except OSError:
        return False
    return True
