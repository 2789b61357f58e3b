"""Messages over MQTT: to the letter of design section 6, made and read without loss, refused when they are not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpotd.messages.asyncapi import MODELS
from jackpotd.messages.base import Message, MessageError, decimal_text, from_json, to_json
from jackpotd.messages.mqtt import Meter, SignState
from tests.support.messages import SAMPLES


def read(name: str, content: dict[str, Any]) -> Message:
    return from_json(MODELS[name], json.dumps(content).encode())


def test_there_is_a_sample_of_every_message() -> None:
    assert SAMPLES.keys() == MODELS.keys()


@pytest.mark.parametrize("name", SAMPLES)
def test_a_message_read_and_written_is_the_same_message(name: str) -> None:
    text = to_json(read(name, SAMPLES[name]))
    assert json.loads(text) == SAMPLES[name]
    assert to_json(from_json(MODELS[name], text)) == text


@pytest.mark.parametrize("name", SAMPLES)
def test_a_message_is_written_compactly_with_the_keys_in_the_designs_order(name: str) -> None:
    assert to_json(read(name, SAMPLES[name])) == json.dumps(SAMPLES[name], separators=(",", ":")).encode()


@pytest.mark.parametrize("name", SAMPLES)
def test_a_reader_ignores_a_key_of_a_newer_writer(name: str) -> None:
    assert read(name, {**SAMPLES[name], "news": 1}) == read(name, SAMPLES[name])


@pytest.mark.parametrize(
    ("name", "key"), [(name, key) for name, sample in SAMPLES.items() for key in sample if key != "schema"]
)
def test_a_message_without_one_of_its_keys_is_refused(name: str, key: str) -> None:
    less = {kept: value for kept, value in SAMPLES[name].items() if kept != key}
    if name == "SignState" and key != "state":
        assert to_json(read(name, less))
        return
    with pytest.raises(MessageError, match=key):
        read(name, less)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_message_of_another_schema_is_refused(name: str) -> None:
    with pytest.raises(MessageError, match="schema"):
        read(name, {**SAMPLES[name], "schema": 2})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("amount", "1234567.8"),
        ("amount", "1,234,567.80"),
        ("amount", 1234567.80),
        ("amount_minor", "123456781"),
        ("amount_minor", 123456780),
        ("amount_minor", "-1"),
        ("exponent", 3),
        ("currency", "mop"),
        ("epoch", -1),
        ("seq", "10422"),
        ("ttl_ms", 0),
        ("state", "hidden"),
        ("at", "2026-11-30 08:00:00"),
        ("pool", "stud/main"),
    ],
)
def test_a_meter_that_contradicts_itself_or_the_design_is_refused(key: str, value: object) -> None:
    with pytest.raises(MessageError):
        read("Meter", {**SAMPLES["Meter"], key: value})


def test_a_meter_cannot_be_made_with_two_amounts() -> None:
    with pytest.raises(ValueError, match="amount and amount_minor differ"):
        Meter(**{**SAMPLES["Meter"], "amount": "1234567.81"})


def test_seats_are_written_in_the_order_of_their_numbers() -> None:
    seats = {"10": ["ante"], "9": ["ante"], "1": ["ante"]}
    state = read("TableState", {**SAMPLES["TableState"], "seats": seats})
    assert list(json.loads(to_json(state))["seats"]) == ["1", "9", "10"]


@pytest.mark.parametrize("seat", ["0", "x", "01", ""])
def test_a_seat_is_a_number_from_one(seat: str) -> None:
    with pytest.raises(MessageError, match="seats"):
        read("TableState", {**SAMPLES["TableState"], "seats": {seat: ["ante"]}})


def test_a_sign_that_is_gone_says_nothing_else() -> None:
    assert json.loads(to_json(SignState(state="offline"))) == {
        "schema": 1,
        "state": "offline",
        "pool": None,
        "epoch": None,
        "seq": None,
        "amount": None,
        "others": [],
        "screens": None,
        "falls": None,
    }


@pytest.mark.parametrize(
    "payload",
    [b"", b"{", b"\xff", b"null", b"[]", b"[" * 10_000, b" " * 600_000, b'{"schema":1e999}', b'{"schema":NaN}'],
)
def test_bytes_that_are_no_message_are_refused_with_a_short_reason(payload: bytes) -> None:
    with pytest.raises(MessageError) as caught:
        from_json(Meter, payload)
    assert len(str(caught.value)) < 300


@given(st.binary(max_size=300))
def test_no_bytes_make_anything_but_a_refusal(payload: bytes) -> None:
    with pytest.raises(MessageError):
        from_json(Meter, payload)


def test_a_refusal_repeats_nothing_of_what_was_said() -> None:
    with pytest.raises(MessageError) as caught:
        read("Meter", {**SAMPLES["Meter"], "pool": "secret\nline"})
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("amount_minor", "exponent", "text"),
    [(123456780, 2, "1234567.80"), (5, 2, "0.05"), (0, 2, "0.00"), (7, 0, "7"), (1, 3, "0.001")],
)
def test_an_amount_is_written_with_the_currencys_decimals(amount_minor: int, exponent: int, text: str) -> None:
    assert decimal_text(amount_minor, exponent) == text
