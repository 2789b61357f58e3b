"""The daemon as a service: ready, alive, stuck, stopping, and where its secrets come from."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jackpotd.daemon.clock_sync import TIMESYNCD_MARK, judge
from tests.conftest import StartBroker
from tests.support import raw_ledger
from tests.support.broker import program
from tests.support.daemon_process import DaemonProcess
from tests.support.floor import Floor
from tests.support.mqtt_client import MqttClient
from tests.support.people import ask
from tests.support.plays import BarePlay
from tests.support.quiet_house import QuietHouse
from tests.support.service_manager import ServiceManagerSim
from tests.support.sources import ROOT
from tests.support.until import until

# Four looks at the engine in this time; the engine itself comes round every second at least.
WATCHDOG_MS = 2_000


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[ServiceManagerSim]:
    with ServiceManagerSim(tmp_path) as hearing:
        yield hearing


@pytest.fixture
def house(tmp_path: Path) -> QuietHouse:
    return QuietHouse(tmp_path)


def test_ready_comes_after_the_start_is_recorded_and_people_can_ask(
    house: QuietHouse, manager: ServiceManagerSim
) -> None:
    daemon = house.start(manager)
    began = raw_ledger.entries(house.ledger, "epoch_began")
    asked = ask(house.control, "status")
    assert daemon.stop() == 0
    assert len(began) == 1
    assert asked["site"] == "lisboa"
    assert "STATUS=site lisboa, 1 tables" in manager.heard


def test_each_start_logs_its_version_configuration_and_package(house: QuietHouse, manager: ServiceManagerSim) -> None:
    assert house.start(manager).stop() == 0
    assert house.start(manager).stop() == 0
    starts = [line for line in house.said().splitlines() if line.startswith("<6>start ")]
    assert len(starts) == 2
    (began, again) = raw_ledger.entries(house.ledger, "epoch_began")
    for line, entry in zip(starts, (began, again), strict=True):
        assert f"version={entry['version']} config={entry['config_hash']} package={entry['package_hash']}" in line
    assert again["epoch"] > began["epoch"]


def test_an_idle_daemon_feeds_the_watchdog(house: QuietHouse, manager: ServiceManagerSim) -> None:
    daemon = house.start(manager, WATCHDOG_MS)
    for _ in range(3):
        manager.wait("WATCHDOG=1")
    assert daemon.stop() == 0


def test_a_daemon_without_a_watchdog_says_nothing_of_one(house: QuietHouse, manager: ServiceManagerSim) -> None:
    daemon = house.start(manager)
    assert daemon.stop() == 0
    manager.look()
    assert "WATCHDOG=1" not in manager.heard


def test_it_says_that_it_stops_and_ends_with_0(house: QuietHouse, manager: ServiceManagerSim) -> None:
    daemon = house.start(manager)
    assert daemon.stop() == 0
    assert manager.look()[-1] == "STOPPING=1"
    assert len([line for line in house.said().splitlines() if line.startswith("<6>stop seq=")]) == 1
    assert "Traceback" not in house.said()


def test_a_stuck_ledger_closes_the_tables_and_starves_the_watchdog(floor: Floor, manager: ServiceManagerSim) -> None:
    floor.pool("stud-main")
    table = floor.stud()
    floor.daemon = DaemonProcess(floor.write_config(), floor.log, environ=manager.environ(WATCHDOG_MS))
    floor.seen.online()
    table.wait_open()
    manager.wait("WATCHDOG=1")
    with closing(sqlite3.connect(floor.ledger, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # another program holds the file: no commit comes back
        table.place(3, "ante")
        floor.seen.meter("stud-main", "500000.00", "suspended")
        assert floor.seen.table("T01", progressive="closed")["why"] == "the ledger does not answer"
        table.wait_shows(True, 0, 0, 0, 0, 0, 0, 0)
        manager.look()
        # It gives the other program its five seconds and then gives up; all that time nobody is told that it lives.
        code = floor.daemon.ended()
        fed = manager.look()
    floor.daemon = None
    assert code == 1
    assert "WATCHDOG=1" not in fed
    assert "STOPPING=1" not in fed
    floor.seen.offline()
    last = floor.said().splitlines()[-1]
    assert last == f"jackpotd: writing the ledger {floor.ledger} failed: database is locked"
    assert "Traceback" not in floor.said()
    floor.start()
    floor.seen.table("T01", phase="open", seats={"3": ["ante"]}, progressive="open")


def test_a_ledger_that_is_stuck_for_a_moment_opens_the_tables_again(floor: Floor) -> None:
    floor.pool("stud-main")
    table = floor.stud()
    floor.start()
    table.wait_open()
    with closing(sqlite3.connect(floor.ledger, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        table.place(3, "ante")
        floor.seen.meter("stud-main", "500000.00", "suspended")
        other.execute("ROLLBACK")
    floor.seen.meter("stud-main", "500000.00", "live")
    floor.seen.table("T01", phase="open", seats={"3": ["ante"]}, progressive="open")
    table.wait_open()


def test_a_killed_daemon_is_said_to_be_offline_by_its_will_and_comes_back_with_a_higher_epoch(floor: Floor) -> None:
    floor.pool("stud-main")
    floor.stud()
    floor.start()
    before = floor.seen.epoch
    floor.kill()
    floor.seen.offline()
    floor.start()
    assert floor.seen.epoch > before


def test_the_password_comes_as_a_credential_of_the_service_manager(
    house: QuietHouse, manager: ServiceManagerSim, mosquitto: StartBroker
) -> None:
    broker = mosquitto(users={"jackpotd": "right", "looker": "on"})
    (house.folder / "mqtt-password").write_text("right\n", encoding="utf-8")
    mqtt = {"url": broker.url, "username": "jackpotd", "password_file": "credential:mqtt-password"}
    environ = manager.environ(CREDENTIALS_DIRECTORY=str(house.folder))
    daemon = DaemonProcess(house.write_config(mqtt=mqtt), house.log, environ=environ)
    with MqttClient(broker.host, broker.port, username="looker", password="on") as client:
        client.subscribe("jackpotd/lisboa/status/main")
        assert json.loads(client.next().payload)["state"] == "online"
        assert daemon.stop() == 0
        while json.loads(client.next().payload)["state"] != "offline":
            pass
    assert "right" not in house.said()


def test_a_secret_that_is_not_there_is_a_fault_of_the_configuration_and_nothing_is_made(house: QuietHouse) -> None:
    mqtt = {"url": "mqtt://127.0.0.1:1", "username": "jackpotd", "password_file": str(house.folder / "gone")}
    code, words = house.refused(mqtt=mqtt)
    assert code == 2
    assert words == [f"jackpotd: {house.folder / 'gone'} = (secret): cannot be read: No such file or directory"]
    assert not house.ledger.exists()


def test_the_unit_lets_the_daemon_make_every_system_call_that_it_makes(
    house: QuietHouse, manager: ServiceManagerSim
) -> None:
    assert house.start(manager).stop() == 0
    trace = house.folder / "trace"
    # The second start also checks the older chain, in a child. -D: the daemon keeps the process id that we started.
    strace = (program("strace"), "-D", "-f", "-q", "-o", str(trace))
    daemon = DaemonProcess(house.write_config(), house.log, strace, manager.environ(WATCHDOG_MS))
    manager.wait("READY=1")
    until(lambda: "older rows verified" in house.said(), "the check of the chain")
    ask(house.control, "status")
    assert daemon.stop() == 0
    ended = re.compile(rf"^{daemon.pid} +\+\+\+ exited with 0", re.MULTILINE)
    until(lambda: ended.search(trace.read_text()) is not None, "the end of the trace")
    made = set(re.findall(r"^\d+ +([a-z][a-z0-9_]*)\(", trace.read_text(), re.MULTILINE))
    assert {"fdatasync", "sched_setscheduler", "setpriority"} <= made
    # As root, which the service is not, SQLite also gives its files to the owner of the ledger.
    # ProtectClock= refuses to have the kernel asked about its clock, which is no fault: the next test.
    assert made - allowed() - {"fchown", "clock_adjtime"} == set()


def test_a_daemon_that_may_not_ask_the_kernel_about_its_clock_takes_the_mark_or_calls_the_day_provisional(
    house: QuietHouse, manager: ServiceManagerSim
) -> None:
    asked = house.folder / "asked"
    refused = ("-e", "trace=clock_adjtime", "-e", "inject=clock_adjtime:error=EPERM")
    strace = (program("strace"), "-D", "-f", "-q", "-o", str(asked), *refused)
    daemon = DaemonProcess(house.write_config(), house.log, strace, manager.environ())
    manager.wait("READY=1")
    found = ask(house.control, "status")
    wanted = [] if judge(None, TIMESYNCD_MARK, time.time) else ["unsynchronised"]
    assert [doubt["why"] for doubt in found["provisional"]] == wanted
    codes = [alarm["code"] for alarm in found["alarms"] if alarm["code"].startswith("clock")]
    assert codes == [f"clock_{why}" for why in wanted]
    assert daemon.stop() == 0
    until(lambda: "(INJECTED)" in asked.read_text(), "the refusal")


def test_of_all_devices_the_daemon_opens_its_configured_ports_and_no_other(floor: Floor, tmp_path: Path) -> None:
    play = BarePlay(floor)
    trace = tmp_path / "trace"
    floor.start(program("strace"), "-D", "-f", "-q", "-y", "-o", str(trace), "-e", "trace=open,openat,openat2")
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    floor.stop()
    until(lambda: "+++ exited" in trace.read_text().splitlines()[-1], "the end of the trace")
    opened = set(re.findall(r"= \d+<(/dev/[^>]+)>$", trace.read_text(), re.MULTILINE))
    ports = {play.table.bus.terminal, play.table.shoe_port.terminal}
    assert ports <= opened
    assert opened - ports <= {"/dev/null", "/dev/urandom"}


def allowed() -> set[str]:
    """The system calls that the unit's filter leaves: its lines add and take away, in order."""
    calls: set[str] = set()
    for line in (ROOT / "systemd" / "jackpotd.service").read_text(encoding="utf-8").splitlines():
        if line.startswith("SystemCallFilter="):
            value = line.removeprefix("SystemCallFilter=")
            named = set().union(*(members(name) for name in value.lstrip("~").split()))
            calls = calls - named if value.startswith("~") else calls | named
    return calls


def members(name: str) -> set[str]:
    """A system call, or those of a group, as systemd knows it."""
    if not name.startswith("@"):
        return {name}
    command = [program("systemd-analyze"), "syscall-filter", "--no-pager", name]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")
    names = [line.strip() for line in listed if line.startswith("    ") and not line.strip().startswith("#")]
    return set().union(*(members(one) for one in names))
