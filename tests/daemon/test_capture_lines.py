"""The lines of a capture, both ways: whatever is written is read again, and whatever is not a line says so."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpotd.core.facts import ChainBroken, DeviceLost, TimedOut
from jackpotd.daemon.capture_lines import (
    Acted,
    Bytes,
    CaptureError,
    Clocked,
    Header,
    Linked,
    LinkState,
    Record,
    Worded,
    line_of,
    read_line,
    t_text,
)
from jackpotd.daemon.capture_schema import capture_schema

T_MS = st.integers(-10_000_000, 10_000_000_000)
LABEL = st.sampled_from(["T01/shoe", "B-2/panel_1"])
RECORDS = st.one_of(
    st.builds(Bytes, T_MS, LABEL, st.binary(max_size=300), st.booleans(), st.integers(-5, 5), st.booleans()),
    st.builds(Clocked, T_MS, LABEL, st.integers(0, 9), st.none() | st.integers(0, 9), st.integers(0, 9)),
    st.builds(Linked, T_MS, LABEL, st.sampled_from(LinkState)),
    st.builds(Acted, T_MS, st.just("ana"), st.sampled_from([None, "supervisor"]), st.just("day.close"), st.just({})),
    st.builds(Worded, T_MS, LABEL, st.builds(DeviceLost, st.text(max_size=20))),
    st.builds(Worded, T_MS, st.just("T01"), st.builds(TimedOut, st.just("deal"), st.integers(1, 9), st.integers(0, 9))),
    st.builds(Worded, T_MS, st.just(""), st.builds(ChainBroken, st.integers(1, 9), st.text(max_size=20))),
)


@given(record=RECORDS)
def test_what_is_written_is_read_again(record: Record) -> None:
    line = line_of(record)
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1
    assert read_line(line, first=False) == record


def test_a_header_comes_back_and_is_the_first_line_only() -> None:
    header = Header(1_796_025_600_123, 7, "00000000-0000-0000-0000-00000000002a", 12, "ab" * 32, 3, 99, watch=True)
    assert read_line(line_of(header), first=True) == header
    with pytest.raises(CaptureError, match="only the first line"):
        read_line(line_of(header), first=False)


def test_a_header_may_say_nothing() -> None:
    assert read_line(b"{}", first=True) == Header()


@pytest.mark.parametrize(("t_ms", "text"), [(0, "0.000"), (12_345, "12.345"), (-5, "-0.005"), (-61_001, "-61.001")])
def test_times_are_written_without_rounding(t_ms: int, text: str) -> None:
    assert t_text(t_ms) == text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
KEYS = [
    "t",
    "device",
    "hex",
    "dir",
    "skew_ms",
    "op",
    "operator",
    "role",
    "args",
    "word",
    "table",
    "link",
    "start",
    "clock_ms",
]


@given(line=st.binary(max_size=200), first=st.booleans())
def test_any_bytes_are_a_record_or_a_reason(line: bytes, first: bool) -> None:
    read_or_refused(line, first=first)


@given(fields=st.dictionaries(st.sampled_from(KEYS), JSON, max_size=7), first=st.booleans())
def test_any_values_under_the_known_keys_are_a_record_or_a_reason(fields: dict[str, object], first: bool) -> None:
    read_or_refused(json.dumps(fields).encode(), first=first)


@given(record=RECORDS, at=st.integers(0, 200), byte=st.integers(0, 255))
def test_a_spoilt_line_is_a_record_or_a_reason(record: Record, at: int, byte: int) -> None:
    line = bytearray(line_of(record))
    line[at % len(line)] = byte
    read_or_refused(bytes(line), first=False)


def read_or_refused(line: bytes, *, first: bool) -> None:
    try:
        record = read_line(line, first=first)
    except CaptureError:
        return  # any other error fails the test
    assert read_line(line_of(record), first=first) == record


@given(record=RECORDS)
def test_the_schema_names_every_key_that_is_written(record: Record) -> None:
    kinds = {Bytes: "bytes", Linked: "link", Acted: "act", Worded: "word", Header: "header", Clocked: "clock"}
    (schema,) = (one for one in capture_schema()["oneOf"] if one["title"] == kinds[type(record)])
    keys = json.loads(line_of(record)).keys()
    assert set(schema["required"]) <= keys <= schema["properties"].keys()
