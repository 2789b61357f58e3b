"""What anybody's bytes reach: each target takes any bytes and ends in order, or with its module's own error.

Law: a target lets every other exception out: that is the find.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

from hardware.angel_eye import AngelEye
from hardware.bee_tek import BeeTek
from hardware.bus_codec import Frame, FrameReader
from hardware.bus_events import Kind
from hardware.bus_payloads import (
    PayloadError,
    decode_command,
    decode_events,
    decode_hello,
    decode_number,
    decode_open,
    decode_response,
)
from hardware.reports import StreamDriver
from hardware.simulated.alpha_sign import AlphaSign
from jackpotd.commands.adjudicate import Judge, answer, chosen, judge_of
from jackpotd.daemon.capture_lines import CaptureError, line_of, read_line
from jackpotd.daemon.config import ConfigError, parse
from jackpotd.ledger.port import LedgerError
from jackpotd.ledger.rows import decode_row
from jackpotd.messages import mqtt, relay
from jackpotd.messages.base import Message, MessageError, from_json
from jackpotd.messages.control import OPERATIONS, args_of, read_request
from tests.support.configs import config

Target = Callable[[bytes], None]
# Longer than any frame, and than what may wait of one.
MOST_HELD_BYTES = 256


def _stream(driver: StreamDriver, data: bytes) -> None:
    """Whole and byte by byte a driver says the same (devices.md: any split)."""
    whole = [*type(driver)().feed(data)]  # made without a past
    pieces = [item for at in range(len(data)) for item in driver.feed(data[at : at + 1])]
    assert [item for item in whole if not _is_noise(item)] == [item for item in pieces if not _is_noise(item)]
    driver.reopened()


def _is_noise(item: object) -> bool:
    return type(item).__name__ == "Noise"


def angel_eye(data: bytes) -> None:
    """An Angel Eye shoe's line."""
    _stream(AngelEye(), data)


def bee_tek(data: bytes) -> None:
    """A Bee-Tek shoe's line."""
    _stream(BeeTek(), data)


def bus_frames(data: bytes) -> None:
    """A table bus's line, and every payload that its frames may carry."""
    reader = FrameReader()
    for item in reader.feed(data):
        if isinstance(item, Frame):
            bus_payloads(item.payload)
    assert len(reader._held) <= MOST_HELD_BYTES


def bus_payloads(data: bytes) -> None:
    """Every decoder of a payload."""
    decoders: list[Callable[[bytes], object]] = [
        decode_hello,
        decode_open,
        decode_number,
        decode_command,
        decode_response,
    ]
    decoders += [lambda payload, kind=kind: decode_events(payload, kind, keyed=True) for kind in Kind]  # type: ignore[misc]
    for decode in decoders:
        with suppress(PayloadError):
            decode(data)


def led_sign(data: bytes) -> None:
    """The simulated LED sign, which checks what the player sends."""
    AlphaSign().feed(data, 0)


def ledger_row(data: bytes) -> None:
    """A row of a ledger that anybody may have written."""
    with suppress(LedgerError):
        decode_row(data)


def message(data: bytes) -> None:
    """A payload on a topic."""
    models: list[type[Message]] = [
        mqtt.Status,
        mqtt.Meter,
        mqtt.Hit,
        mqtt.TableState,
        mqtt.Alarm,
        mqtt.SignState,
        relay.RelayUp,
        relay.RelayDown,
    ]
    for model in models:
        with suppress(MessageError):
            from_json(model, data)


def control_line(data: bytes) -> None:
    """A line at the control socket."""
    with suppress(MessageError):
        request = read_request(data)
        model = OPERATIONS.get(request.op)
        if model is not None:
            args_of(request, model)


def capture_line(data: bytes) -> None:
    """A line of a capture, as its first and as any other; what is read is written and read again."""
    for first in (True, False):
        with suppress(CaptureError):
            record = read_line(data, first=first)
            assert read_line(line_of(record).rstrip(b"\n"), first=first) == record


def configuration(data: bytes) -> None:
    """A configuration file."""
    with suppress(ConfigError):
        parse(data, Path("/etc/jackpotd/jackpotd.toml"))


@cache
def _judges() -> tuple[Judge, ...]:
    shipped = config()
    return tuple(judge_of(*chosen(shipped, pool.pool, None)) for pool in shipped.pools if pool.rules)


def adjudicated(data: bytes) -> None:
    """A line to `adjudicate`."""
    for judge in _judges():
        record = answer(data, judge)
        assert "round" in record or "error" in record


TARGETS: dict[str, Target] = {
    target.__name__: target
    for target in (
        angel_eye,
        bee_tek,
        bus_frames,
        bus_payloads,
        led_sign,
        ledger_row,
        message,
        control_line,
        capture_line,
        configuration,
        adjudicated,
    )
}
