"""The codec: objects of the core to canonical JSON and back.

Laws
1. Canonical: UTF-8, keys sorted, no blanks, amounts as texts; the same object is always the same bytes.
2. Every row says its "schema" and its "kind", the snake_case name of its class.
3. Decoding gives back the object that was encoded or says in one sentence why not; it never guesses. A dict comes
   back in the order of its keys as text, so no rule may depend on the order of a dict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar, cast

import orjson

from jackpotd.ledger.port import LedgerError
from jackpotd.ledger.shapes import TAG, DataclassShape, ShapeError, Shapes, kind_of

SCHEMA = 1
_SCHEMA_KEY = "schema"

T = TypeVar("T")


def canonical(value: object) -> bytes:
    """Canonical JSON of plain JSON values. orjson, because this is the ledger's hot path."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def _nothing(_: type) -> Mapping[str, str]:
    return {}


class Codec(Generic[T]):
    """Encodes objects of the registered classes; `beside`: what the rows of a class say beside its fields."""

    def __init__(self, classes: Sequence[type[T]], beside: Callable[[type], Mapping[str, str]] = _nothing) -> None:
        """TypeError when a class cannot be told apart or has a field without a shape: a bug, found at start."""
        shapes = Shapes()
        shapes.tagged(list(classes))
        self._encoders: dict[type, Callable[[Any], dict[str, Any]]] = {}
        self._by_kind: dict[str, tuple[DataclassShape, Mapping[str, str | int]]] = {}
        for cls in classes:
            shape = shapes.dataclass(cls)
            words: dict[str, str | int] = {_SCHEMA_KEY: SCHEMA, **beside(cls)}
            taken = {TAG, *words}.intersection(shape.names)
            if taken:
                raise TypeError(f"{cls.__name__} has a field called {taken.pop()!r}, which rows use themselves")
            self._encoders[cls] = shape.compile_encode({TAG: shape.kind, **words})
            self._by_kind[shape.kind] = shape, words

    def encode(self, value: T) -> bytes:
        """Canonical JSON with schema and kind; LedgerError "unfit" for what JSON or this codec does not know."""
        encoder = self._encoders.get(type(value))
        if encoder is None:
            raise LedgerError("unfit", f"{type(value).__name__} is not a row of this ledger")
        try:
            return orjson.dumps(encoder(value))
        except TypeError as error:
            raise LedgerError("unfit", f"{kind_of(type(value))} cannot be written: {error}") from error

    def decode(self, body: bytes, *, must_be_canonical: bool = False) -> T:
        """The object of a row; LedgerError "corrupt" for anything that `encode` would not have written."""
        try:
            fields = orjson.loads(body)
        except orjson.JSONDecodeError as error:
            raise LedgerError("corrupt", f"a row is not JSON: {error}") from error
        if type(fields) is not dict:
            raise LedgerError("corrupt", "a row is not a JSON object")
        if must_be_canonical and canonical(fields) != body:
            raise LedgerError("corrupt", "a row is not canonical JSON")
        if type(fields.get(_SCHEMA_KEY)) is not int or fields[_SCHEMA_KEY] != SCHEMA:
            raise LedgerError("corrupt", f"a row is not of schema {SCHEMA}, the only one this version reads")
        kind = fields.pop(TAG, None)
        shape, words = self._by_kind.get(kind, (None, {})) if type(kind) is str else (None, {})
        if shape is None:
            raise LedgerError("corrupt", f"a row is of the unknown kind {kind!r}")
        for name, word in words.items():
            if fields.pop(name, None) != word:
                raise LedgerError("corrupt", f"a row of the kind {kind!r} says no {name!r}: {word!r}")
        try:
            return cast("T", shape.decode(fields))
        except ShapeError as error:
            raise LedgerError("corrupt", f"a row cannot be read: {error}") from error
