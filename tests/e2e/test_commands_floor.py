"""What people do at a terminal, each command a process of its own, against a daemon with tables and a broker."""

from __future__ import annotations

import getpass
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.floor import Floor
from tests.support.people import PASSWORD
from tests.support.sim_tables import BeeTekTable
from tests.support.sources import ROOT
from tests.support.terminal import DONE, NO, UNREACHABLE, USAGE, Terminal

ROYAL = {1: "TS JS QS KS AS", 2: "9H 2H 3C 4D 6S", 0: "2D 3D 4S 5S 7S"}
HIT = "T01.1.stud-main.royal_flush"
NOBODY_UID = 65_534


@pytest.fixture
def table(floor: Floor) -> BeeTekTable:
    """The one table of a floor whose pool wants two persons above 50,000.00."""
    floor.pool("stud-main", auto_pay_below="1000.00", two_person_above="50000.00")
    return floor.stud()


@pytest.fixture
def terminal(floor: Floor) -> Terminal:
    """A terminal of the floor; the daemon is started by the test."""
    return Terminal(floor.config)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every Unix user reaches, which those of pytest are not."""
    with tempfile.TemporaryDirectory(prefix="jackpotd-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        yield folder


def royal_flush(floor: Floor, table: BeeTekTable) -> None:
    """A round with a royal flush, which wants two persons."""
    floor.bet(table, 1, 2)
    table.deal_hands(ROYAL)
    floor.seen.table("T01", phase="dealt")
    table.end_round()
    floor.seen.hit("stud-main", HIT, "pending")


def test_a_large_hit_takes_two_persons_of_two_roles_at_one_terminal(
    floor: Floor, table: BeeTekTable, terminal: Terminal
) -> None:
    floor.start()
    for name, role in (("ana", "supervisor"), ("rui", "surveillance"), ("eva", "supervisor"), ("tec", "technician")):
        terminal.add(name, role)
    royal_flush(floor, table)
    typed = f"{PASSWORD}\n"

    assert "no operator" in terminal.no("hit", "approve", HIT)
    assert "name or password is wrong" in terminal.no("hit", "approve", HIT, "--as", "ana", typed="guess\n")
    assert "this takes" in terminal.no("hit", "approve", HIT, "--as", "tec", typed=typed)
    assert terminal.done("hit", "approve", HIT, "--as", "ana", typed=typed)["status"] == "pending"
    assert "the second person must be another" in terminal.no("hit", "approve", HIT, "--as", "ana", typed=typed)
    assert "must have another role" in terminal.no("hit", "approve", HIT, "--as", "eva", typed=typed)
    assert "cannot become paid" in terminal.no("hit", "pay", HIT, "--slip", "1", "--as", "ana", typed=typed)

    approved = terminal.done("hit", "approve", HIT, "--as", "rui", typed=typed)
    assert (approved["status"], approved["approvals"]) == ("approved", ["ana (supervisor)", "rui (surveillance)"])
    floor.seen.hit("stud-main", HIT, "approved")
    assert "cannot become approved" in terminal.no("hit", "approve", HIT, "--as", "rui", typed=typed)

    paid = terminal.done("hit", "pay", HIT, "--slip", "004711", "--as", "ana", typed=typed)
    assert (paid["status"], paid["slip"]) == ("paid", "004711")
    listed = terminal.run("hit", "list").stdout.splitlines()
    assert listed[0].split()[0] == "HIT"
    assert listed[1].startswith(HIT)
    assert terminal.done("hit", "list")[0]["status"] == "paid"


def test_a_rejected_hit_gives_the_pool_its_money_back(floor: Floor, table: BeeTekTable, terminal: Terminal) -> None:
    floor.start()
    terminal.add("ana", "supervisor")
    royal_flush(floor, table)
    why = ("--why", "the pack was not complete")
    typed = f"{PASSWORD}\n"
    assert terminal.done("hit", "reject", HIT, *why, "--as", "ana", typed=typed)["status"] == "rejected"
    floor.seen.meter("stud-main", "500014.00", "live")


def test_the_unix_user_at_the_socket_is_the_operator(floor: Floor, table: BeeTekTable, open_folder: Path) -> None:
    assert os.geteuid() == 0, "to call as another Unix user this test must be root"
    socket = {"socket": str(open_folder / "control.sock")}
    floor.start(control=socket)
    config = open_folder / "jackpotd.toml"
    config.write_text(f'[control]\nsocket = "{socket["socket"]}"\n', encoding="utf-8")
    root, nobody = Terminal(config), Terminal(config, NOBODY_UID)

    assert "the Unix user nobody is no operator" in nobody.no("table", "close", "T01")
    assert "neither root nor" in nobody.no("operator", "disable", "ana")
    assert "neither root nor" in nobody.no("reload")
    root.done("operator", "add", "ana", "--role", "supervisor", "--unix-user", "nobody")
    assert nobody.done("table", "close", "T01")["phase"] == "closed"
    floor.seen.table("T01", phase="closed")
    assert "the Unix user root is no operator" in root.no("table", "open", "T01")
    root.done("operator", "disable", "ana")
    assert "is no operator" in nobody.no("table", "open", "T01")

    (open_folder / "control.sock").chmod(0o600)
    assert nobody.run("status").returncode == UNREACHABLE


def test_a_table_closes_for_the_day_and_the_day_names_what_it_leaves_open(
    floor: Floor, table: BeeTekTable, terminal: Terminal
) -> None:
    floor.start()
    terminal.add("ana", "supervisor")
    royal_flush(floor, table)
    typed = f"{PASSWORD}\n"
    assert terminal.done("table", "close", "T01", "--as", "ana", typed=typed)["progressive"] == "closed"
    assert "closed already" in terminal.no("table", "close", "T01", "--as", "ana", typed=typed)
    assert "there is no table T09" in terminal.no("table", "open", "T09", "--as", "ana", typed=typed)
    closed = terminal.done("day", "close", "--as", "ana", typed=typed)
    assert closed["meters"] == [{"pool": "stud-main", "opening": "500000.00", "closing": "500000.00"}]
    assert closed["pending_hits"] == [HIT]
    shown = terminal.run("status").stdout
    assert "gaming day 2" in shown
    assert "hits: 1 pending" in shown
    assert terminal.done("table", "open", "T01", "--as", "ana", typed=typed)["phase"] == "open"


def test_a_held_round_is_listed_voided_and_its_bets_carry(floor: Floor, table: BeeTekTable, terminal: Terminal) -> None:
    floor.start()
    terminal.add("ana", "supervisor")
    floor.bet(table, 1)
    table.lock()
    floor.seen.table("T01", phase="locked")
    typed = f"{PASSWORD}\n"
    leaving = ("--why", "the player leaves", "--as", "ana")
    assert "is not held" in terminal.no("round", "confirm", "T01", "--why", "looked", "--as", "ana", typed=typed)
    voided = terminal.done("round", "void", "T01", "--why", "wrong order", "--as", "ana", typed=typed)
    assert (voided["phase"], voided["carried"]) == ("open", {"1": ["stud-main"]})
    assert "no carried bet" in terminal.no("round", "refund", "T01", "2", "stud-main", *leaving, typed=typed)
    refunded = terminal.done("round", "refund", "T01", "1", "stud-main", *leaving, typed=typed)
    assert refunded["carried"] == {}
    floor.seen.table("T01", phase="open", carried={})


def test_a_daemon_that_is_not_there_is_exit_code_3(floor: Floor, table: BeeTekTable, terminal: Terminal) -> None:
    floor.start()
    assert terminal.run("status").returncode == DONE
    floor.stop()
    for words in (("status",), ("hit", "list"), ("reload",), ("table", "open", "T01")):
        found = terminal.run(*words)
        assert (found.returncode, found.stdout) == (UNREACHABLE, "")
        assert "the daemon is not reached" in found.stderr
    assert json.loads(terminal.run("status", "--json").stdout)["code"] == "unreachable"


def test_what_cannot_be_asked_so_is_exit_code_2(floor: Floor, table: BeeTekTable, terminal: Terminal) -> None:
    floor.start()
    terminal.done("operator", "add", "me", "--role", "supervisor", "--unix-user", getpass.getuser())
    for words in (
        ("hit",),
        ("hit", "approve"),
        ("hit", "reject", "h"),
        ("operator", "add", "ana", "--role", "boss"),
        ("round", "card", "T01", "0", "1", "1Z"),
        ("table", "close", "no table"),
        ("table", "open", "T01", "--as", "ana", "--password-file", "/nowhere"),
    ):
        found = terminal.run(*words)
        assert (found.returncode, found.stdout) == (USAGE, ""), found
        assert "Traceback" not in found.stderr


def test_a_configuration_that_says_nothing_of_a_socket_is_exit_code_2(tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("[control", encoding="utf-8")
    for config in (broken, tmp_path / "none.toml"):
        assert Terminal(config).run("status").returncode == USAGE


def test_a_second_daemon_does_not_take_the_socket_or_the_ledger(
    floor: Floor, table: BeeTekTable, terminal: Terminal, tmp_path: Path
) -> None:
    floor.start()
    same = terminal.run("run")
    assert same.returncode == NO
    assert "in use by another process" in same.stderr
    other = tmp_path / "other.toml"
    (tmp_path / "other").mkdir()
    text = floor.config.read_text(encoding="utf-8").replace("ledger.db", "other/ledger.db")
    other.write_text(text, encoding="utf-8")
    found = Terminal(other).run("run")
    assert found.returncode == NO
    assert "another daemon answers on it" in found.stderr
    assert terminal.run("status").returncode == DONE


def test_the_socket_of_a_killed_daemon_is_taken_over(floor: Floor, table: BeeTekTable, terminal: Terminal) -> None:
    floor.start()
    terminal.add("ana", "supervisor")
    floor.kill()
    assert floor.control.exists()
    floor.start()
    assert terminal.done("table", "close", "T01", "--as", "ana", typed=f"{PASSWORD}\n")["phase"] == "closed"


def test_verification_needs_no_daemon_and_names_the_row_of_a_flipped_bit(
    floor: Floor, table: BeeTekTable, terminal: Terminal, tmp_path: Path
) -> None:
    floor.start()
    royal_flush(floor, table)
    running = terminal.done("ledger", "verify")
    assert (running["ok"], running["sum"], running["findings"]) == (True, "0.00", [])
    floor.stop()
    stopped = terminal.run("ledger", "verify")
    assert stopped.returncode == DONE
    assert "pool:stud-main" in stopped.stdout
    assert stopped.stdout.endswith("in order\n")

    copy = tmp_path / "copy"
    copy.mkdir()
    with closing(sqlite3.connect(floor.ledger)) as source, closing(sqlite3.connect(copy / "ledger.db")) as target:
        source.backup(target)
        (body,) = target.execute("SELECT CAST(body AS BLOB) FROM row WHERE seq = 7").fetchone()
    data = bytearray((copy / "ledger.db").read_bytes())
    data[data.index(body) + len(body) // 2] ^= 1
    (copy / "ledger.db").write_bytes(data)
    config = copy / "jackpotd.toml"
    text = floor.config.read_text(encoding="utf-8").replace(str(floor.ledger), str(copy / "ledger.db"))
    config.write_text(text, encoding="utf-8")
    found = Terminal(config).run("ledger", "verify", "--json")
    assert found.returncode == NO
    verdict = json.loads(found.stdout)
    assert verdict["ok"] is False
    assert [finding["row"] for finding in verdict["findings"]] == [7]


def test_a_ledger_that_is_not_there_does_not_verify(floor: Floor, table: BeeTekTable, terminal: Terminal) -> None:
    floor.write_config()
    assert "there is no ledger" in terminal.no("ledger", "verify")
    floor.start()


def test_status_watches_until_it_is_interrupted(floor: Floor, table: BeeTekTable) -> None:
    floor.start()
    hearing = ("env", "--default-signal=INT")  # tests in the background pass on that they are deaf to it
    command = [*hearing, sys.executable, "-m", "jackpotd.cli", "status", "--watch", "--config", str(floor.config)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as watching:
        assert watching.stdout is not None
        heads = (line for line in iter(watching.stdout.readline, "") if line.startswith("site lisboa"))
        assert next(heads).split(",")[1] == next(heads).split(",")[1] == " node main"
        watching.send_signal(signal.SIGINT)
        watching.stdout.read()  # a reader that leaves first is another story
    assert watching.returncode == DONE


def test_commands_help_with_examples(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "none.toml")
    for words in (("hit", "approve"), ("round", "card"), ("operator", "add"), ("ledger", "verify"), ("day", "close")):
        found = terminal.run(*words, "--help")
        assert found.returncode == DONE
        assert f"  jackpotd {' '.join(words)}" in found.stdout
    overview = terminal.run("--help").stdout
    assert "approve, reject and pay" in overview


def test_an_operator_is_seen_in_the_list_and_never_his_secret(
    floor: Floor, table: BeeTekTable, terminal: Terminal
) -> None:
    floor.start()
    terminal.add("ana", "supervisor")
    assert terminal.done("operator", "list") == [
        {"name": "ana", "role": "supervisor", "unix_user": None, "password": True, "active": True}
    ]
    assert "ana" in terminal.run("operator", "list").stdout
    assert "ana" in floor.said()
    assert PASSWORD not in floor.said()
    assert "argon2" not in floor.said()
