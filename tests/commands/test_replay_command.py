"""`jackpotd replay` on captures written by hand: bytes and acts alone (design 4)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardware.bee_tek import encode_card
from hardware.reports import BetsLocked, RoundEnded
from hardware.simulated.angel_eye_shoe import AngelEyeShoe
from jackpotd.daemon.capture_lines import MAX_LINE_BYTES
from tests.support.hand_capture import HEADER, KEY, Line, Panel, acted, bets, said, write, write_config
from tests.support.replaying import Replayed, replay

PROGRESSIVE, MAIN = 0, 1
NOTHING = {"meters": {"bac-b": "100000.00", "stud-main": "500000.00"}, "held": []}
FIVE_ACES = ["AS", "AH", "AD", "2C", "AC", "AS"]


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return write_config(tmp_path)


def coup(at: float) -> list[Line]:
    shoe = AngelEyeShoe(FIVE_ACES)
    return [said(at + number, "B01/shoe", message) for number, message in enumerate(shoe.coup())]


def baccarat() -> list[Line]:
    """Seat 3 bets on the Player and on the pool, the dealer locks, five aces are dealt."""
    panel = Panel("B01/panel", KEY)
    return [
        *panel.greeting(0.5),
        panel.poll(0.6),
        panel.events(0.61),
        panel.poll(0.7),
        panel.events(1, *bets(3, MAIN, PROGRESSIVE)),
        panel.poll(1.1),
        panel.events(2, BetsLocked()),
        panel.poll(2.1),
        panel.events(2.11),
        *coup(10),
    ]


def test_the_frame_of_the_design_is_a_card_of_the_player(config: Path, tmp_path: Path) -> None:
    line = {"t": 12.345, "device": "B01/shoe", "dir": "rx", "hex": "05 31 44 81 b8 03 34 46"}
    done = replay(config, write(tmp_path / "one.jsonl", line))
    assert done.code == 0
    (read,) = done.words("card_read")
    assert (read["at_ms"], read["source"], read["raw"]) == (12_345, "B01/shoe", "05314481b8033446")
    assert (read["what"]["card"], read["what"]["target"], read["what"]["index"]) == ("8S", "player", 1)
    # A table whose panel nobody has heard of cannot be counted.
    assert done.last == NOTHING | {"held": ["B01-1"]}


def test_an_empty_capture_is_the_start_and_the_seeds(config: Path, tmp_path: Path) -> None:
    done = replay(config, write(tmp_path / "empty.jsonl"))
    assert (done.code, done.last) == (0, NOTHING)
    assert done.entries("epoch_began")[0]["epoch"] == 1


def test_the_breakers_of_its_pools_are_armed_from_the_start(config: Path, tmp_path: Path) -> None:
    on = config.read_text(encoding="utf-8").replace(
        'breaker = "off"', 'breaker = { one_in = 10000000, window = "24h" }'
    )
    config.write_text(on, encoding="utf-8")
    done = replay(config, write(tmp_path / "empty.jsonl"))
    assert [row["limits"]["params"]["pool"] for row in done.entries("breaker_armed")] == ["bac-b", "stud-main"]
    assert done.out == replay(config, tmp_path / "empty.jsonl").out


def test_a_bet_and_a_coup_from_bytes_and_an_act_from_a_person(config: Path, tmp_path: Path) -> None:
    hit = "B01.1.bac-b.five_of_a_kind"
    acts = [
        acted(20, "root", "operator.add", name="ana", role="supervisor"),
        acted(21, "ana", "hit.approve", hit=hit),
        acted(22, "ana", "hit.pay", hit=hit, slip="004711"),
        acted(23, "ana", "hit.pay", hit=hit, slip="004712"),
    ]
    done = replay(config, write(tmp_path / "coup.jsonl", HEADER, *baccarat(), *acts))
    assert done.code == 0
    assert done.said.startswith("refused: ana: ")
    assert done.last == NOTHING | {"meters": {"bac-b": "92007.00", "stud-main": "500000.00"}}
    assert done.entries("epoch_began")[0]["epoch"] == 7
    (paid,) = done.entries("hit_paid")
    assert (paid["slip"], paid["by"], paid["at_ms"]) == (
        "004711",
        {"name": "ana", "role": "supervisor"},
        1_796_025_600_000 + 22_000,
    )


def test_the_same_capture_gives_the_same_bytes(config: Path, tmp_path: Path) -> None:
    capture = write(tmp_path / "coup.jsonl", HEADER, *baccarat())
    first, second = replay(config, capture), replay(config, capture)
    assert first.out == second.out
    assert first.code == 0


def without_daemon(lines: list[Line], *, opens: bool) -> list[Line]:
    """The same line, of what was sent at most the first frame kept, and of the answers those that say something."""
    sent = [line for line in lines if line.get("dir") == "tx"]
    return [line for line in lines if line not in sent[1 if opens else 0 :]]


def test_a_capture_needs_of_what_was_sent_only_the_nonce(config: Path, tmp_path: Path) -> None:
    lines = without_daemon(baccarat(), opens=True)
    done = replay(config, write(tmp_path / "coup.jsonl", *lines))
    assert (done.code, done.last["meters"]["bac-b"], done.last["held"]) == (0, "92007.00", [])


def test_nothing_of_a_device_with_a_key_is_believed_without_the_nonce(config: Path, tmp_path: Path) -> None:
    lines = without_daemon(baccarat(), opens=False)
    done = replay(config, write(tmp_path / "coup.jsonl", *lines))
    assert (done.last["meters"]["bac-b"], done.last["held"]) == ("100000.00", ["B01-1"])
    assert done.words("bet_moved") == []


def test_a_device_without_a_key_needs_no_nonce(config: Path, tmp_path: Path) -> None:
    panel = Panel("T01/panel")
    lines = without_daemon(
        [*panel.greeting(0), panel.events(1, *bets(2, MAIN, PROGRESSIVE)), panel.events(3, BetsLocked())], opens=False
    )
    hands = ["2S", "2D", "4S", "3D", "6S", "4D", "8S", "5S", "TS", "7S"]
    lines += [said(10 + index, "T01/shoe", encode_card(card)) for index, card in enumerate(hands)]
    done = replay(config, write(tmp_path / "stud.jsonl", *lines, panel.events(30, RoundEnded())))
    assert (done.code, done.last["held"]) == (0, [])
    assert done.last["meters"]["stud-main"] == "499507.00"  # 7.00 in, a flush of 500.00 out


def test_a_deal_that_takes_too_long_by_the_captures_clock_is_held(config: Path, tmp_path: Path) -> None:
    lines = baccarat()[:-3]
    late = said(400, "T01/shoe", b"\n")
    done = replay(config, write(tmp_path / "late.jsonl", *lines, late))
    (word,) = done.words("timed_out")
    assert (word["what"]["wait"], word["at_ms"]) == ("deal", 193_000)
    assert done.last["held"] == ["B01-1"]


def test_a_link_that_is_lost_while_cards_are_dealt_holds_the_round(config: Path, tmp_path: Path) -> None:
    lost = [{"t": 13.5, "device": "B01/shoe", "link": "lost"}, {"t": 14, "device": "B01/shoe", "link": "open"}]
    done = replay(config, write(tmp_path / "lost.jsonl", *baccarat()[:-3], *lost))
    assert [word["what"]["kind"] for word in done.words("device_lost")] == ["device_lost"]
    assert done.last["held"] == ["B01-1"]


TIMED_OUT = {"kind": "timed_out", "wait": "deal", "round": 1, "since_ms": 0}
GOOD = {"t": 1, "device": "B01/shoe", "hex": "05"}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "not JSON"),
        ("[1]", "not a JSON object"),
        ({"device": "B01/shoe", "hex": "05"}, 'no "t"'),
        (GOOD | {"t": "1"}, '"t" is no number of seconds'),
        (GOOD | {"t": True}, '"t" is no number of seconds'),
        (GOOD | {"t": 1e30}, '"t" is no number of seconds'),
        (GOOD | {"hex": "0g"}, '"hex" is no bytes'),
        (GOOD | {"hex": 5}, '"hex" is no text'),
        (GOOD | {"dir": "up"}, '"dir" is rx or tx'),
        (GOOD | {"device": "B01"}, '"device" is written like T01/shoe'),
        (GOOD | {"device": "B01/camera"}, "there is no device B01/camera in the configuration"),
        (GOOD | {"who": "me"}, "unknown: who"),
        ({"t": 1}, "says neither hex, op, word, link nor clock_ms"),
        ({"t": 1, "op": "day.close"}, 'no "operator"'),
        ({"t": 1, "operator": "ana", "op": "hit.list"}, "there is no act 'hit.list'"),
        ({"t": 1, "operator": "ana", "op": "hit.pay", "args": {}}, "hit.pay: pay_hit misses hit, slip"),
        ({"t": 1, "device": "B01/shoe", "link": "cut"}, '"link" is one of open, lost, gone, anew'),
        ({"t": 1, "device": "B01/shoe", "link": "anew"}, "has no session"),
        ({"t": 1, "device": "B02/panel", "word": {"kind": "drained"}}, "there is no B02/panel in the ledger yet"),
        ({"t": 1, "table": "B01", "word": {"kind": "drained"}}, "Drained is about a table's device"),
        ({"t": 1, "word": {"kind": "device_back"}}, "DeviceBack is about a table's device"),
        ({"t": 1, "device": "B01/shoe", "word": TIMED_OUT}, "TimedOut is about a table"),
        (
            {"t": 1, "table": "B01", "word": {"kind": "chain_broken", "row": 1, "why": "x"}},
            "ChainBroken is about no table",
        ),
        ({"t": 1, "word": {"kind": "card_read"}}, "expected one of"),
        (HEADER, 'no "t"; only the first line may be without one'),
    ],
)
def test_a_line_that_does_not_fit_is_named_with_its_number(config: Path, tmp_path: Path, line: Any, why: str) -> None:
    path = tmp_path / "bad.jsonl"
    text = line if isinstance(line, str) else json.dumps(line)
    path.write_text(f"{json.dumps(GOOD)}\n\n{text}\n", encoding="utf-8")
    done = replay(config, path)
    assert done.code == 2
    assert done.said.startswith(f"{path}, line 3: ")
    assert why in done.said
    assert "Traceback" not in done.said


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"start": "yesterday"}, '"start" is no UTC time'),
        ({"epoch": 0}, '"epoch" is not between'),
        ({"ledger": "mine"}, '"ledger" is no uuid'),
        ({"after": 5, "head": "00"}, "begins after row 5, and the ledger before it is missing"),
        ({"part": 2}, "is part 2, and says not after which row it begins"),
        ({"colour": "red"}, "unknown: colour"),
    ],
)
def test_a_header_that_does_not_fit_is_line_one(config: Path, tmp_path: Path, change: dict[str, Any], why: str) -> None:
    done = replay(config, write(tmp_path / "bad.jsonl", HEADER | change))
    assert done.code == 2
    assert "line 1: " in done.said
    assert why in done.said


def test_a_line_without_end_is_refused_before_it_fills_the_memory(config: Path, tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_bytes(b" " * (MAX_LINE_BYTES + 1))
    done = replay(config, path)
    assert (done.code, done.said) == (2, f"{path}, line 1: longer than {MAX_LINE_BYTES} bytes\n")


def says(done: Replayed, text: str) -> bool:
    return done.code == 2 and text in done.said and "Traceback" not in done.said


def test_files_that_are_none_are_usage_errors(config: Path, tmp_path: Path) -> None:
    none = tmp_path / "none.jsonl"
    assert replay(config, none).said == f"{none}: No such file or directory\n"
    assert says(replay(tmp_path / "none.toml", tmp_path), "cannot be read")
    folder = tmp_path / "captures"
    folder.mkdir()
    assert says(replay(config, folder), "no capture in this folder")
    first, second = write(tmp_path / "1.jsonl", GOOD), write(tmp_path / "2.jsonl", HEADER)
    assert says(replay(config, first, second), "2.jsonl, line 1: only captures that a controller recorded")
