"""`jackpotd demo` as a user runs it: a process, a broker, real terminals; judged from outside."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.conftest import StartBroker
from tests.core import reference_baccarat, reference_stud
from tests.support.demo_process import DemoProcess, Ended, run_demo
from tests.support.mqtt_client import MqttClient
from tests.support.reckoning import Reckoning
from tests.support.until import until

ALTERNATE_SCREEN_OFF = b"\x1b[?1049l"
SHOW_CURSOR = b"\x1b[?25h"
SCRIPT = ("--rounds", "12", "--seed", "3")
PRIZED = {"flush", "full_house", "four_of_a_kind", "straight_flush", "royal_flush"}


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ended, Ended]:
    """The same seed at two speeds, side by side."""
    slow, fast = tmp_path_factory.mktemp("slow"), tmp_path_factory.mktemp("fast")
    with ThreadPoolExecutor(2) as pool:
        runs = [
            pool.submit(run_demo, folder, *SCRIPT, "--speed", speed, "--picture", str(folder / "view.svg"))
            for folder, speed in ((slow, "40"), (fast, "500"))
        ]
        return runs[0].result(), runs[1].result()


def test_a_script_ends_by_itself_with_its_meters_and_a_verified_ledger(twice: tuple[Ended, Ended]) -> None:
    for ended in twice:
        assert ended.code == 0, ended.text
        assert "ledger verified" in ended.text
        assert set(ended.meters) == {"stud-main", "bac-b"}
        assert len(ended.rounds) == 12
        assert "stacked" in ended.text.splitlines()[0]


def test_one_seed_gives_the_same_meters_at_any_speed(twice: tuple[Ended, Ended]) -> None:
    slow, fast = twice
    assert slow.meters == fast.meters
    assert sorted(map(_key, slow.rounds)) == sorted(map(_key, fast.rounds))


def test_the_meters_are_what_the_played_rounds_come_to(twice: tuple[Ended, Ended]) -> None:
    for ended in twice:
        config = tomllib.loads((ended.folder / "jackpotd.toml").read_text(encoding="utf-8"))
        pools = {pool["id"]: Reckoning(pool) for pool in config["pool"]}
        for played in ended.rounds:
            _reckon(pools[played["pool"]], played)
        assert {name: pool.meter for name, pool in pools.items()} == ended.meters


def test_a_top_prize_comes_within_the_first_minute(twice: tuple[Ended, Ended]) -> None:
    for table, top in (("T01", "royal_flush"), ("B01", "six_of_a_kind")):
        ours = [played for played in twice[0].rounds if played["table"] == table]
        ends_s = accumulate(played["seconds"] for played in ours)
        first_s = next(end_s for end_s, played in zip(ends_s, ours, strict=True) if top in _tiers(played))
        assert 10 < first_s < 50  # the rest of the minute is for the bus and between the rounds


def test_a_picture_of_the_view_is_taken_when_the_first_top_prize_is_pending(twice: tuple[Ended, Ended]) -> None:
    for ended in twice:
        picture = (ended.folder.parent / "view.svg").read_text(encoding="utf-8")
        assert picture.startswith("<svg")
        assert "pending" in picture
        assert "stacked" in picture


def test_another_seed_plays_other_rounds(twice: tuple[Ended, Ended], tmp_path: Path) -> None:
    other = run_demo(tmp_path, "--rounds", "2", "--seed", "8", "--speed", "500")
    assert other.code == 0, other.text
    assert not {_key(played) for played in other.rounds} & {_key(played) for played in twice[0].rounds}


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[DemoProcess]:
    with DemoProcess(tmp_path / "t", "--speed", "20") as running:
        yield running


def test_ctrl_c_ends_it_in_order_and_leaves_nothing_behind(demo: DemoProcess) -> None:
    demo.says(r"^T0\d-1: ")
    assert demo.leftovers()
    demo.interrupt()
    assert demo.ended() == 0, demo.text
    assert "ledger verified" in demo.text
    assert demo.leftovers() == []


def test_ctrl_c_at_its_first_word_ends_it_too(tmp_path: Path) -> None:
    with DemoProcess(tmp_path / "t") as demo:
        demo.says("stacked")
        demo.interrupt()
        assert demo.ended() == 0, demo.text
        assert demo.leftovers() == []


def test_it_ends_when_nobody_reads_what_it_says_any_more(tmp_path: Path) -> None:
    ours, its = os.pipe()
    with DemoProcess(tmp_path / "t", "--speed", "50", output=its) as demo:
        os.close(its)
        os.read(ours, 1)
        os.close(ours)
        assert demo.ended() == 0
        assert demo.leftovers() == []


def test_a_terminal_gets_the_live_view_and_is_given_back(tmp_path: Path) -> None:
    master, slave = os.openpty()
    with DemoProcess(tmp_path / "t", "--rounds", "2", "--speed", "500", output=slave) as demo:
        os.close(slave)
        shown = b"".join(iter(partial(_read, master), b""))
        assert demo.ended() == 0
    view, back, rest = shown.partition(ALTERNATE_SCREEN_OFF)
    assert b"stacked for the show" in view
    assert b"stud, shuffler" in view
    assert back
    assert SHOW_CURSOR in view + rest
    assert b"ledger verified" in rest


def test_any_mqtt_client_sees_the_meter_rise(demo: DemoProcess) -> None:
    broker = demo.says(r"mqtt://([\d.]+):(\d+)")
    demo.says(r"^T0\d-1: ")
    with MqttClient(broker[1], int(broker[2])) as client:
        client.subscribe("jackpotd/demo/pool/stud-main/meter")
        first = later = _meter(client)
        while later["amount_minor"] == first["amount_minor"]:
            later = _meter(client)
    assert (later["epoch"], later["currency"]) == (first["epoch"], "MOP")
    assert later["seq"] > first["seq"]


def test_the_metrics_page_is_at_the_address_it_prints(demo: DemoProcess) -> None:
    address = demo.says(r"metrics (http://\S+)")[1]
    demo.says(r"^T0\d-1: ")
    with urlopen(address, timeout=20) as page:
        assert b"jackpotd_frames_good_total" in page.read()


def test_a_sign_shows_the_pools_at_the_address_it_prints_and_ends_with_it(tmp_path: Path) -> None:
    with DemoProcess(tmp_path / "tmp") as demo:
        address = demo.says(r"sign (http://\S+)")[1]
        until(lambda: b"theme.css" in _page(address), "the sign's page", lambda: demo.text)
        demo.interrupt()
        assert demo.ended() == 0
        assert demo.leftovers() == []


def test_a_sign_ends_with_a_demo_that_is_killed(tmp_path: Path) -> None:
    with DemoProcess(tmp_path / "tmp") as demo:
        address = demo.says(r"sign (http://\S+)")[1]
        until(lambda: b"theme.css" in _page(address), "the sign's page", lambda: demo.text)
    until(lambda: "a process" not in demo.leftovers(), "the sign's end", lambda: demo.text)


def _page(address: str) -> bytes:
    """A page, or nothing while nobody serves it."""
    try:
        with urlopen(address, timeout=20) as page:
            content: bytes = page.read()
    except URLError:
        return b""
    return content


def test_without_a_supervisor_a_hit_waits_for_the_user_to_approve_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")  # no jackpotd there: the demo says where it is
    with DemoProcess(tmp_path / "t", "--speed", "50", "--no-supervisor") as demo:
        demo.says(r"HIT .* straight flush .*: pending")
        there = demo.says(r"^  (cd \S+; export \S+)")[1] + "; " + demo.says(r"^  (PATH=\S+)")[1]
        listing = demo.says(r"^  (jackpotd hit list)$")[1]
        hit = next(hit for hit in json.loads(_typed(f"{there}; {listing} --json")) if hit["tier"] == "straight_flush")
        assert (hit["status"], hit["approvals"]) == ("pending", [])
        for role in ("supervisor", "surveillance"):
            command = demo.says(rf"^  (jackpotd hit approve .*)  # {role}$")[1]
            _typed(f"{there}; {command}".replace("HIT", hit["hit"]))
        demo.says(r"HIT .* straight flush .*: approved by ana \(supervisor\) and bento \(surveillance\)")
        demo.interrupt()
        assert demo.ended() == 0, demo.text


def test_a_script_without_a_supervisor_ends_with_its_hits_pending(tmp_path: Path) -> None:
    ended = run_demo(tmp_path, "--rounds", "8", "--seed", "3", "--speed", "500", "--no-supervisor")
    assert ended.code == 0, ended.text
    assert re.search(r"HIT .* royal flush .*: pending", ended.text)
    assert not re.search(r"HIT .*: (approved by|paid)", ended.text)


def test_it_uses_the_broker_it_is_given(mosquitto: StartBroker, tmp_path: Path) -> None:
    broker = mosquitto()
    with MqttClient(broker.host, broker.port) as client:
        client.subscribe("jackpotd/demo/#")
        ended = run_demo(tmp_path, "--rounds", "2", "--speed", "500", "--broker", broker.url)
        assert ended.code == 0, ended.text
        topics: set[str] = set()
        states: list[str] = []
        while states[-1:] != ["offline"]:
            received = client.next()
            topics.add(received.topic)
            if received.topic.startswith("jackpotd/demo/status/") and received.payload:
                states.append(json.loads(received.payload)["state"])
    assert {"jackpotd/demo/pool/stud-main/meter", "jackpotd/demo/table/T01/state"} <= topics
    assert "online" in states


def test_a_broker_address_that_is_none_is_refused(tmp_path: Path) -> None:
    ended = run_demo(tmp_path, "--rounds", "1", "--broker", "http://127.0.0.1")
    assert ended.code == 2
    assert "mqtt.url" in ended.text


def test_a_folder_that_is_in_use_is_left_alone(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "ledger.db").write_text("somebody's", encoding="utf-8")
    ended = run_demo(tmp_path, "--rounds", "1")
    assert ended.code == 2
    assert [path.name for path in kept.iterdir()] == ["ledger.db"]


def _read(terminal: int) -> bytes:
    """The next bytes on a terminal; none when nobody has it open any more."""
    try:
        return os.read(terminal, 65_536)
    except OSError:
        return b""


def _meter(client: MqttClient) -> dict[str, Any]:
    """The next meter; the embedded broker also sends what others have subscribed to."""
    while not (received := client.next()).topic.endswith("/meter"):
        pass
    meter: dict[str, Any] = json.loads(received.payload)
    return meter


def _typed(line: str) -> str:
    """What a shell prints to a line that the user copied from the demo; it must be done."""
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True).stdout


def _key(played: dict[str, Any]) -> str:
    """A round, without the time it took."""
    return json.dumps(played | {"seconds": 0}, sort_keys=True)


def _tiers(played: dict[str, Any]) -> set[str]:
    """The tiers that its progressive bettors won, judged from the cards alone."""
    if "cards" in played["hands"]:
        return {reference_baccarat.of_a_kind(played["hands"]["cards"]) or ""} if played["progressive"] else set()
    return set(_stud_winners(played).values())


def _stud_winners(played: dict[str, Any]) -> dict[int, str]:
    named = {seat: reference_stud.described(played["hands"][str(seat)])[0] for seat in played["progressive"]}
    return {seat: name for seat, name in named.items() if name in PRIZED and seat not in played["folds"]}


def _reckon(pool: Reckoning, played: dict[str, Any]) -> None:
    pool.bets(len(played["progressive"]))
    if "cards" not in played["hands"]:
        if winners := _stud_winners(played):
            pool.stud(winners)
    elif tier := reference_baccarat.of_a_kind(played["hands"]["cards"]):
        pool.baccarat(tier, played["progressive"])
