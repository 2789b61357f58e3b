"""The control socket's lines: what is read, what is refused, and that no secret shows."""

from __future__ import annotations

import json

import pytest

from jackpotd.messages.base import MessageError, to_json
from jackpotd.messages.control import (
    MAX_REQUEST_BYTES,
    OPERATIONS,
    HitPayArgs,
    HitRejectArgs,
    LoginArgs,
    OperatorAddArgs,
    Request,
    Response,
    RoundCardArgs,
    args_of,
    control_schema,
    read_request,
)

GOOD = b'{"v":1,"id":7,"op":"hit.reject","args":{"hit":"h1","why":"the shoe was opened"},"token":"abc"}'
SECRET = "correct horse"


def request(op: str, **args: object) -> Request:
    return Request(id=1, op=op, args=args)


def test_a_request_and_its_arguments_are_read() -> None:
    found = read_request(GOOD)
    assert (found.id, found.op, found.token) == (7, "hit.reject", "abc")
    assert args_of(found, HitRejectArgs) == HitRejectArgs(hit="h1", why="the shoe was opened")


def test_an_id_may_be_a_text_and_arguments_and_token_may_be_absent() -> None:
    found = read_request(b'{"v":1,"id":"a-1","op":"status"}')
    assert (found.id, found.args, found.token) == ("a-1", {}, None)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b"[1]",
        b'{"v":2,"id":1,"op":"status"}',
        b'{"v":1,"op":"status"}',
        b'{"v":1,"id":-1,"op":"status"}',
        b'{"v":1,"id":1,"op":"Status"}',
        b'{"v":1,"id":1,"op":"status","args":[]}',
        b'{"v":1,"id":1,"op":"status","argument":{}}',
        b'{"v":1,"id":1,"op":"status","args":' + b"[" * 5_000,
        b" " * (MAX_REQUEST_BYTES + 1),
    ],
)
def test_a_line_that_is_no_request_is_refused(line: bytes) -> None:
    with pytest.raises(MessageError):
        read_request(line)


@pytest.mark.parametrize(
    ("args", "place"),
    [
        ({"hit": "h1"}, "why"),
        ({"hit": "h1", "why": "  x  "}, "why"),
        ({"hit": "h 1", "why": "because"}, "hit"),
        ({"hit": "h1", "why": "because", "force": True}, "force"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_by_name(args: dict[str, object], place: str) -> None:
    with pytest.raises(MessageError, match=rf"hit\.reject: {place}"):
        args_of(request("hit.reject", **args), HitRejectArgs)


@pytest.mark.parametrize("why", ["\x1b[2J wiped", "two\nlines", "a\x00b", "\u202edlos", "x\x85y"])
def test_a_reason_has_no_character_that_moves_a_terminal(why: str) -> None:
    with pytest.raises(MessageError, match=r"hit\.reject: why"):
        args_of(request("hit.reject", hit="h1", why=why), HitRejectArgs)
    with pytest.raises(MessageError, match=r"hit\.pay: slip"):
        args_of(request("hit.pay", hit="h1", slip=why), HitPayArgs)
    assert args_of(request("hit.reject", hit="h1", why="錯誤 não"), HitRejectArgs).why == "錯誤 não"


@pytest.mark.parametrize("card", ["1S", "8X", "8", "11H", "8s"])
def test_a_card_that_no_pack_has_is_refused(card: str) -> None:
    with pytest.raises(MessageError, match="card"):
        args_of(request("round.card", table="T01", hand="0", index=1, card=card), RoundCardArgs)


def test_ten_may_be_written_both_ways() -> None:
    for card in ("TS", "10S"):
        args = args_of(request("round.card", table="T01", hand="player", index=3, card=card), RoundCardArgs)
        assert args.card == card


def test_a_role_that_does_not_exist_is_refused() -> None:
    with pytest.raises(MessageError, match="role"):
        args_of(request("operator.add", name="ana", role="manager"), OperatorAddArgs)


def test_a_password_or_token_shows_in_no_repr_and_no_refusal() -> None:
    login = args_of(request("login", name="ana", password=SECRET), LoginArgs)
    assert SECRET not in repr(login)
    assert "abc" not in repr(read_request(GOOD))
    with pytest.raises(MessageError) as caught:
        args_of(request("login", name="an a", password=SECRET), LoginArgs)
    assert SECRET not in str(caught.value)


def test_a_response_is_one_line() -> None:
    line = to_json(Response(id=7, ok=False, error="two\nlines", code="refused"))
    assert b"\n" not in line
    assert json.loads(line) == {"id": 7, "ok": False, "result": None, "error": "two\nlines", "code": "refused"}


def test_the_schema_names_every_operation() -> None:
    found = json.loads(json.dumps(control_schema()))
    assert found["operations"].keys() == OPERATIONS.keys()
    assert all(schema["additionalProperties"] is False for schema in found["operations"].values())
    assert found["request"]["required"] == ["id", "op"]
