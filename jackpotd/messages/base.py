"""What all messages share: strict models, compact JSON, one error.

Laws
1. A message is checked when it is made and when it is read; there is no third way to get one.
2. One value has one text: compact JSON, keys in the model's order, seats by number.
3. A reader ignores keys that it does not know, so that a newer writer does not silence an older sign.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

# The `schema` of every message: it rises when a reader of today would misread what is written.
SCHEMA: Final = 1
# The largest message is a relay's 256 facts of at most 221 bytes on the wire, hex, with their names.
MAX_MESSAGE_BYTES = 512 * 1024

Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,128}$")]
# Text for people: bounded, so that nobody's display or log is flooded.
Words = Annotated[str, StringConstraints(max_length=1_000)]
# Whole minor units; as text, since a year of wagers passes what JSON readers hold in a number.
MinorText = Annotated[str, StringConstraints(pattern=r"^(0|[1-9][0-9]{0,30})$")]
AmountText = Annotated[str, StringConstraints(pattern=r"^(0|[1-9][0-9]{0,30})(\.[0-9]{1,4})?$")]
UtcText = Annotated[
    str, StringConstraints(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$")
]
Counter = Annotated[int, Field(ge=0)]


class MessageError(Exception):
    """Bytes that are no message of the expected kind; the text says why, without repeating them."""


class Message(BaseModel):
    """A message or a part of one."""

    model_config = ConfigDict(
        defer_build=True,  # by its first use: a daemon uses few of them, and has to be ready soon
        frozen=True,
        strict=True,
        extra="ignore",
        populate_by_name=True,
        serialize_by_alias=True,
        ser_json_inf_nan="null",
    )


M = TypeVar("M", bound=Message)


def to_json(message: Message) -> bytes:
    """The message as it goes out (law 2)."""
    return message.__pydantic_serializer__.to_json(message, by_alias=True)


def from_json(model: type[M], payload: bytes | bytearray) -> M:
    """The message that came in; MessageError when it is not one."""
    if len(payload) > MAX_MESSAGE_BYTES:
        raise MessageError(f"{model.__name__}: longer than {MAX_MESSAGE_BYTES} bytes")
    try:
        return model.model_validate_json(payload)
    except ValidationError as error:
        raise MessageError(f"{model.__name__}: {first_fault(error)}") from None


def first_fault(error: ValidationError) -> str:
    """The first thing wrong with a message, in a bounded line that repeats nothing of its values."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"][:4]).encode("unicode_escape").decode("ascii")
    return f"{place[:64] or 'content'}: {first['msg'][:200]}"


def decimal_text(amount_minor: int, exponent: int) -> str:
    """Whole minor units, not negative, with the currency's decimals: 123456780 with 2 is "1234567.80"."""
    if not exponent:
        return str(amount_minor)
    digits = str(amount_minor).rjust(exponent + 1, "0")
    return f"{digits[:-exponent]}.{digits[-exponent:]}"
