"""The schema of a capture's lines, for `jackpotd schema capture`: what a person may write, and what the daemon does."""

from __future__ import annotations

from typing import Any

from jackpotd.daemon.act_ops import OPS
from jackpotd.daemon.capture_lines import MAX_LINE_BYTES, NIL_UUID, LinkState

_T = {"type": "number", "description": "seconds after `start`; the daemon writes milliseconds"}
_DEVICE = {"type": "string", "pattern": r"^[^\s/]{1,64}/[^\s/]{1,64}$", "examples": ["T01/shoe"]}


def _line(title: str, says: str, required: list[str], **properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "title": title,
        "description": says,
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": False,
    }


def capture_schema() -> dict[str, Any]:
    """The JSON Schema of one line."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a capture",
        "description": f"UTF-8, at most {MAX_LINE_BYTES} bytes with its end. Several files of one start, and several "
        "starts of one ledger, follow one another in the order of their names.",
        "oneOf": [*_what_people_write(), *_what_the_daemon_adds()],
    }


def _what_people_write() -> list[dict[str, Any]]:
    header = _line(
        "header",
        "the first line, or none. `after`, `head`, `part` and `watch` are the daemon's: the ledger's last row before "
        "the capture, the file's number since the start, and that every word of the controller's own watch is in the "
        "capture. Without `watch` those words are derived from the bytes.",
        [],
        start={"type": "string", "format": "date-time", "default": "1970-01-01T00:00:00Z"},
        epoch={"type": "integer", "minimum": 1, "default": 1},
        ledger={"type": "string", "format": "uuid", "default": NIL_UUID},
        after={"type": "integer", "minimum": 0, "default": 0},
        head={"type": "string", "description": "hash of row `after`, in hex"},
        part={"type": "integer", "minimum": 1, "default": 1},
        monotonic_ms={"type": "integer", "minimum": 0, "default": 0, "description": "the monotonic clock at `start`"},
        watch={"type": "boolean", "default": False},
    )
    data = _line(
        "bytes",
        "bytes of a device's line, split anyhow. `skew_ms`: how much further the monotonic clock has gone than `t`.",
        ["t", "device", "hex"],
        t=_T,
        device=_DEVICE,
        dir={"enum": ["rx", "tx"], "default": "rx"},
        hex={"type": "string"},
        skew_ms={"type": "integer", "default": 0},
        past={"type": "boolean", "default": False, "description": "from before this file: where the line stands"},
    )
    act = _line(
        "act",
        "a person's act, with the arguments of the control socket's operation. `role` as the daemon verified it; "
        "without it the role that the ledger knows, else the one that the act takes.",
        ["t", "operator", "op"],
        t=_T,
        operator={"type": "string"},
        role={"type": "string"},
        op={"enum": list(OPS)},
        args={"type": "object", "default": {}},
    )
    return [header, data, act]


def _what_the_daemon_adds() -> list[dict[str, Any]]:
    word = _line(
        "word",
        "a word of the controller's own watch, as a fact's `what` in the ledger; about a device, a table, or itself",
        ["t", "word"],
        t=_T,
        device=_DEVICE,
        table={"type": "string"},
        word={"type": "object", "required": ["kind"]},
    )
    link = _line(
        "link",
        "a device's link: opened, lost, gone (served no more), anew (its session was given up)",
        ["t", "device", "link"],
        t=_T,
        device=_DEVICE,
        link={"enum": [state.value for state in LinkState]},
    )
    clock = _line(
        "clock",
        "what was known of a device's clock before this file: the offset of this window, of the one before, its begin",
        ["t", "device", "clock_ms"],
        t=_T,
        device=_DEVICE,
        clock_ms={"type": "array", "items": {"type": ["integer", "null"]}, "minItems": 3, "maxItems": 3},
    )
    return [word, link, clock]
