"""The log: one line an occurrence, whatever a device, a person or a broker put into it."""

from __future__ import annotations

import logging
import subprocess
import sys

import pytest

from jackpotd.daemon.logs import MAX_LINE_CHARACTERS, MAX_LINES_A_SECOND, FloodGate, JournalFormatter
from tests.support.sources import ROOT


def record(words: str, level: int = logging.INFO, **fields: object) -> logging.LogRecord:
    made = logging.makeLogRecord({"msg": words, "levelno": level, "levelname": logging.getLevelName(level)})
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def line(words: str, level: int = logging.INFO, **fields: object) -> str:
    return JournalFormatter().format(record(words, level, **fields))


def test_a_line_has_its_priority_words_and_fields() -> None:
    assert line("hit locked", logging.WARNING, hit="T01-17", seats="3 6") == '<4>hit locked hit=T01-17 seats="3 6"'


@pytest.mark.parametrize(
    "nasty",
    ["a\nb", "a\r\nb", "a\x00b", "a\x1b[2Jb", "a\x85b", "a\u2028b", "a\u2029b", "a\x7fb", "a\udc80b", "a\vb\fc"],
)
def test_nothing_that_came_from_outside_breaks_a_line(nasty: str) -> None:
    for made in (line(nasty), line("device said", text=nasty), line("topic", topic=f'"{nasty}"=')):
        assert made.isprintable()
        assert len(made.splitlines()) == 1


def test_a_value_cannot_forge_a_field() -> None:
    assert line("device said", text='x" amount="1') == '<6>device said text="x\\" amount=\\"1"'


def test_a_trace_is_one_line() -> None:
    error = ValueError("first\nsecond")
    made = JournalFormatter().format(record("fault", logging.ERROR, exc_info=(ValueError, error, None)))
    assert made.isprintable()
    assert "ValueError" in made


def test_a_line_has_an_end_however_much_was_said() -> None:
    made = line("x" * 1_000_000)
    assert len(made) < MAX_LINE_CHARACTERS + 100
    assert made.endswith(f"... cut_characters={1_000_000 - MAX_LINE_CHARACTERS}")


class Second:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_a_flood_is_cut_and_counted() -> None:
    clock = Second()
    gate = FloodGate(clock)
    through = [gate.filter(record("noise")) for _ in range(MAX_LINES_A_SECOND + 30)]
    assert through.count(True) == MAX_LINES_A_SECOND
    clock.now_s += 1
    after = record("next")
    assert gate.filter(after)
    assert line("next", dropped_lines=vars(after)["dropped_lines"]) == "<6>next dropped_lines=30"
    assert gate.filter(again := record("and again"))
    assert "dropped_lines" not in vars(again)


def test_a_flood_hides_no_error() -> None:
    gate = FloodGate(Second())
    for _ in range(MAX_LINES_A_SECOND * 2):
        gate.filter(record("noise"))
    assert gate.filter(record("the ledger failed", logging.CRITICAL))


def test_errors_have_a_bound_too() -> None:
    gate = FloodGate(Second())
    through = [gate.filter(record("error", logging.ERROR)) for _ in range(MAX_LINES_A_SECOND * 2)]
    assert through.count(True) == MAX_LINES_A_SECOND


def test_what_ends_the_process_is_one_line() -> None:
    program = "from jackpotd.daemon.logs import set_up_logs; set_up_logs(); raise RuntimeError('one\\ntwo')"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("<2>a fault of the program ends it trace=")
    assert "RuntimeError" in done.stderr
