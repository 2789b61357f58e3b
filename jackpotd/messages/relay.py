"""What a relay and its controller say to each other (design section 8).

Laws
1. Facts go up until they are acknowledged, at most 256 a message; the whole state comes down each time.
2. `mac` is the HMAC-SHA256, with the node's key, of topic, LF and the message without it.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from jackpotd.messages.base import SCHEMA, Counter, Id, Message

MAX_FACTS = 256
# A frame of the table bus has at most 221 bytes on the wire; other dialects have less.
_RawHex = Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{2}){0,256}$")]
_Mac = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
_Uuid = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
_Label = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,32}/[A-Za-z0-9_-]{1,32}$")]


class RelayFact(Message):
    """What a device said, as it stands in the relay's outbox."""

    device: _Label
    source: Id
    seq: Counter
    t_ms: Counter
    raw: _RawHex
    grade: Literal["journaled", "sequenced", "bare"]


class RelayUp(Message):
    """Facts from `first` on, of one outbox."""

    schema_: Literal[1] = Field(default=SCHEMA, alias="schema")
    node: Id
    outbox: _Uuid
    first: int = Field(ge=1)
    facts: tuple[RelayFact, ...] = Field(max_length=MAX_FACTS)
    mac: _Mac


class RelayTable(Message):
    """What a table of the relay shows: the progressive, a lamp a seat, the dealer's display."""

    open: bool
    lamps: tuple[Annotated[int, Field(ge=0, le=3)], ...] = Field(max_length=32)
    text: Annotated[str, StringConstraints(pattern=r"^[ -~]{0,32}$")]


class RelayDown(Message):
    """The highest fact committed, and what every table shows, for `ttl_ms`."""

    schema_: Literal[1] = Field(default=SCHEMA, alias="schema")
    epoch: Counter
    beat: Counter
    ack: Counter
    ttl_ms: int = Field(gt=0)
    tables: dict[Id, RelayTable]
    mac: _Mac
