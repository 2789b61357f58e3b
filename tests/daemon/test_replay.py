"""The replay itself: bytes split anyhow mean the same, and whatever a line carries, the replay goes on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.reports import BetMoved, BetsLocked
from hardware.simulated.angel_eye_shoe import AngelEyeShoe
from jackpotd.core.facts import ControllerStarted, DeviceBack, DeviceLost, SiteConfigured
from jackpotd.daemon.capture_lines import Bytes, Header, Linked, LinkState, Record, Worded, read_line
from jackpotd.daemon.config import Config, load
from jackpotd.daemon.replay import Replay
from jackpotd.daemon.stream_line import STRANGE_NOISE
from tests.support.hand_capture import KEY, Line, Panel, acted, bets, said, write_config

BOTH = (("tom", "technician"), ("ana", "supervisor"))


@cache
def config() -> Config:
    with TemporaryDirectory() as folder:
        return load(write_config(Path(folder)))


def told(records: Sequence[Record]) -> tuple[list[bytes], dict[str, Any]]:
    """The rows of a replay, and its last line."""
    rows: list[bytes] = []
    replay = Replay(config(), {"B01/panel": KEY}, rows.extend, lambda _: None)
    for record in records:
        replay.hear(record)
    last = replay.end()
    return rows, last


def records(lines: Sequence[Line]) -> list[Record]:
    return [read_line(json.dumps(line).encode(), first=False) for line in lines]


def a_coup() -> list[Record]:
    """Seats 3 and 5 bet on the pool, the dealer locks, five aces are dealt."""
    panel, shoe = Panel("B01/panel", KEY), AngelEyeShoe(["AS", "AH", "AD", "2C", "AC", "AS"])
    lines = [*panel.greeting(0), panel.poll(0.1), panel.events(0.2)]
    answers: list[list[BetMoved | BetsLocked]] = [
        [*bets(3, 1, 0)],
        [*bets(4, 2)],
        [*bets(5, 0, 1, 3)],
        [BetsLocked()],
        [],
    ]
    for number, events in enumerate(answers, start=1):
        lines += [panel.poll(number), panel.events(number + 0.05, *events)]
    lines += [said(10, "B01/shoe", message) for message in shoe.coup()]
    return records(lines)


COUP = a_coup()
WHOLE = told(COUP)


def test_the_coup_is_one_of_a_prize() -> None:
    rows, last = WHOLE
    assert last == {"meters": {"bac-b": "92014.00", "stud-main": "500000.00"}, "held": []}
    assert any(b'"kind":"prize_locked"' in row for row in rows)


@settings(max_examples=60)
@given(data=st.data())
def test_bytes_split_anyhow_give_the_same_rows(data: st.DataObject) -> None:
    pieces: list[Record] = []
    for record in COUP:
        assert isinstance(record, Bytes)
        cuts = data.draw(st.lists(st.integers(0, len(record.data)), max_size=4).map(sorted))
        for start, end in zip([0, *cuts], [*cuts, len(record.data)], strict=True):
            pieces.append(Bytes(record.t_ms, record.device, record.data[start:end], record.sent))
    assert told(pieces) == WHOLE


LABELS = st.sampled_from(["B01/shoe", "B01/panel", "T01/shoe", "T01/panel"])
NOISE = st.builds(Bytes, st.integers(0, 400_000), LABELS, st.binary(max_size=40), st.booleans())
LINKS = st.builds(Linked, st.integers(0, 400_000), LABELS, st.sampled_from([LinkState.OPEN, LinkState.LOST]))


@settings(max_examples=60)
@given(noise=st.lists(NOISE | LINKS, max_size=8), at=st.integers(0, len(COUP)))
def test_whatever_the_lines_carry_the_replay_ends_and_ends_the_same(noise: list[Record], at: int) -> None:
    mixed = [*COUP[:at], *noise, *COUP[at:]]
    rows, last = told(mixed)
    assert (rows, last) == told(mixed)
    assert last["meters"].keys() == {"bac-b", "stud-main"}


def test_a_device_that_is_gone_begins_anew_when_it_is_served_again() -> None:
    gone = [Linked(11_000, label, LinkState.GONE) for label in ("B01/panel", "B01/shoe")]
    rows, _ = told([*COUP, *gone, *COUP[:2]])
    assert sum(b'"kind":"device_hello"' in row for row in rows) == 2


def ages_ms(lines: Sequence[Line]) -> list[tuple[str, int]]:
    """Whose each bet that was heard is, and how old it was."""
    rows, _ = told(records(lines))
    facts = [json.loads(row) for row in rows if b'"kind":"bet_moved"' in row]
    return [(fact["source"], fact["at_ms"] - fact["said_ms"]) for fact in facts]


def test_the_clock_of_a_board_that_was_replaced_says_nothing_of_the_new_ones_events() -> None:
    """Both have booted once. By the old one's clock what the new one says would be 100 s old: made before any lock."""
    old, new = Panel("B01/panel", KEY), Panel("B01/panel", KEY, "B01-P2", booted=100)
    replaced = {"table": "B01", "device": "panel", "why": "a broken place"}
    lines = [*old.greeting(0), old.poll(0.1), old.events(0.2), old.poll(1), old.events(1.05, *bets(3, 1))]
    lines += new.greeting(101)
    lines += [{**acted(102, name, "device.replace", **replaced), "role": role} for name, role in BOTH]
    lines += [*new.greeting(103), new.poll(103.1), new.events(103.2), new.poll(104), new.events(104.05, *bets(4, 1))]
    assert ages_ms(lines) == [("B01-P1", 0), ("B01-P2", 0)]


def test_a_board_that_lost_its_journal_counts_its_boots_and_its_time_anew() -> None:
    before, after = Panel("B01/panel", KEY), Panel("B01/panel", KEY, booted=100)
    lines = [*before.greeting(0), before.poll(0.1), before.events(0.2), before.poll(1)]
    lines += [before.events(1.05, *bets(3, 1)), *after.greeting(103), after.poll(103.1), after.events(103.2)]
    lines += [after.poll(104), after.events(104.05, *bets(4, 1))]
    assert ages_ms(lines) == [("B01-P1", 0), ("B01-P1", 0)]


def test_words_between_the_events_of_one_read_keep_their_place() -> None:
    """So much noise that the line is called lost, and a card: the word that it is back comes before the card."""
    card = next(AngelEyeShoe(["AS", "AH", "AD", "AC"]).coup())
    words: list[DeviceLost | DeviceBack] = [
        DeviceLost("its bytes fit no frame of angel-eye: is another device on this line?"),
        DeviceBack(),
    ]
    capture: list[Record] = [
        Header(watch=True),
        *_start_words(),
        Worded(1, "B01/shoe", DeviceBack()),
        Linked(1, "B01/shoe", LinkState.OPEN),
        Bytes(2, "B01/shoe", b"\xff" * STRANGE_NOISE + card),
        *(Worded(2, "B01/shoe", word) for word in words),
    ]
    rows, _ = told(capture)
    kinds = [json.loads(row)["what"]["kind"] for row in rows if b'"row":"fact"' in row]
    assert kinds[-3:] == ["device_lost", "device_back", "card_read"]


def _start_words() -> list[Record]:
    return [
        Worded(0, "", ControllerStarted("1", "c", "p", 7)),
        Worded(0, "", SiteConfigured(config().pools, config().tables)),
    ]
