"""What the controller and the signs say over MQTT (design section 6).

Laws
1. Amounts are rounded down to the minor unit; `amount` and `amount_minor` of a message are the same amount.
2. (epoch, seq, beat) orders the messages of one topic: a reader drops what is not newer.
   `status` and `alarm` have no seq.
3. `beat` rises with every message, also when nothing changed.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, field_serializer, model_validator

from jackpotd.messages.base import SCHEMA, AmountText, Counter, Id, Message, MinorText, UtcText, Words, decimal_text

SeatKey = Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]{0,2}$")]


class Status(Message):
    """A controller is there, or not. An `offline` of the newest epoch counts until a newer `online`."""

    schema_: Literal[1] = Field(default=SCHEMA, alias="schema")
    state: Literal["online", "standby", "offline"]
    epoch: Counter
    beat: Counter
    version: Words


class Meter(Message):
    """What a pool holds; `pending` while a hit of the pool is."""

    schema_: Literal[1] = Field(default=SCHEMA, alias="schema")
    pool: Id
    amount: AmountText
    amount_minor: MinorText
    currency: str = Field(pattern=r"^[A-Z]{3}$")
    exponent: int = Field(ge=0, le=4)
    epoch: Counter
    seq: Counter
    beat: Counter
    ttl_ms: int = Field(gt=0)
    state: Literal["live", "pending", "suspended"]
    at: UtcText

    @model_validator(mode="after")
    def _one_amount(self) -> Self:
        if self.amount != decimal_text(int(self.amount_minor), self.exponent):
            raise ValueError("amount and amount_minor differ")
        return self


class Winner(Message):
    """A seat's part of a hit."""

    table: Id
    seat: int = Field(ge=1)
    amount: AmountText


class Hit(Message):
    """One tier of one round. `late`: decided after the fact, for example from a claim or a held round.

    `prize`: the pool's own name of what the tier wins; only a pool that tables of several games feed has such names.
    """

    schema_: Literal[1] = Field(default=SCHEMA, alias="schema")
    hit: Id
    pool: Id
    tier: Id
    prize: Id | None = Field(default=None, exclude_if=lambda prize: prize is None)
    amount: AmountText
    winners: tuple[Winner, ...]
    state: Literal["pending", "approved", "paid", "rejected"]
    late: bool
    epoch: Counter
    seq: Counter
    beat: Counter
    at: UtcText


class TableState(Message):
    """Where a table's round stands. `seats` and `carried` by seat number; `why` says why the progressive is closed."""

    schema_: Literal[1] = Field(default=SCHEMA, alias="schema")
    phase: Literal["open", "locked", "dealing", "dealt", "held", "closed"]
    progressive: Literal["open", "closed"]
    why: Words
    seats: dict[SeatKey, tuple[Id, ...]]
    carried: dict[SeatKey, tuple[Id, ...]]
    devices: dict[Id, Literal["online", "offline"]]
    round: Id
    epoch: Counter
    seq: Counter
    beat: Counter

    @field_serializer("seats", "carried")
    def _by_number(self, seats: dict[SeatKey, tuple[Id, ...]]) -> dict[SeatKey, tuple[Id, ...]]:
        return {seat: seats[seat] for seat in sorted(seats, key=int)}


class Alarm(Message):
    """Something a person must look at: what, where (or ""), since when, and what to do."""

    schema_: Literal[1] = Field(default=SCHEMA, alias="schema")
    alarm: Id
    code: Id
    text: Words
    table: Words
    device: Words
    since: UtcText
    todo: Words
    epoch: Counter
    beat: Counter


class ShownPool(Message):
    """A pool as a sign shows it; neither epoch, seq nor amount while it is neutral."""

    state: Literal["live", "pending", "suspended", "neutral"]
    pool: Id
    epoch: Counter | None = None
    seq: Counter | None = None
    amount: AmountText | None = None


class SignState(Message):
    """What a sign shows; nothing but the state when it is neutral or gone.

    `others`: the further pools of a sign that shows several. `screens`: browsers that show it, None on another face.
    `falls`: how often a meter fell without a hit or a new epoch since the sign started.
    """

    schema_: Literal[1] = Field(default=SCHEMA, alias="schema")
    state: Literal["live", "pending", "suspended", "neutral", "offline"]
    pool: Id | None = None
    epoch: Counter | None = None
    seq: Counter | None = None
    amount: AmountText | None = None
    others: tuple[ShownPool, ...] = ()
    screens: Counter | None = None
    falls: Counter | None = None
