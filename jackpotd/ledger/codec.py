"""The codec: objects of the core to canonical JSON and back.

Laws
1. Canonical: UTF-8, keys sorted, no blanks, amounts as texts; the same object is always the same bytes.
2. Every row says its "schema" and its "kind", the snake_case name of its class.
3. Decoding gives back the object that was encoded or says in one sentence why not; it never guesses. A dict comes
   back in the order of its keys as text, so no rule may depend on the order of a dict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

import orjson

from jackpotd.ledger.port import LedgerError
from jackpotd.ledger.shapes import TAG, DataclassShape, ShapeError, Shapes

SCHEMA = 1
_SCHEMA_KEY = "schema"

T = TypeVar("T")


def canonical(value: object) -> bytes:
    """Canonical JSON of plain JSON values. orjson, because this is the ledger's hot path."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


class Codec(Generic[T]):
    """Encodes objects of the registered classes; `extra` names keys that a row may carry beside its object."""

    def __init__(self, classes: Sequence[type[T]], extra: Sequence[str] = ()) -> None:
        """TypeError when a class cannot be told apart or has a field without a shape: a bug, found at start."""
        shapes = Shapes()
        shapes.tagged(list(classes))
        self._by_class: dict[type, DataclassShape] = {cls: shapes.dataclass(cls) for cls in classes}
        self._by_kind = {shape.kind: shape for shape in self._by_class.values()}
        self._extra = frozenset(extra)
        for shape in self._by_class.values():
            taken = {_SCHEMA_KEY, TAG, *extra}.intersection(shape.names)
            if taken:
                raise TypeError(f"{shape.cls.__name__} has a field called {taken.pop()!r}, which rows use themselves")

    def encode(self, value: T, **extra: object) -> bytes:
        """Canonical JSON with schema and kind; LedgerError "unfit" for what JSON or this codec does not know."""
        shape = self._by_class.get(type(value))
        if shape is None:
            raise LedgerError("unfit", f"{type(value).__name__} is not a row of this ledger")
        fields = shape.encode_tagged(value)
        fields[_SCHEMA_KEY] = SCHEMA
        if extra:
            if not extra.keys() <= self._extra:
                raise LedgerError("unfit", f"{', '.join(sorted(extra.keys() - self._extra))}: rows have no such key")
            fields.update(extra)
        try:
            return orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)
        except TypeError as error:
            raise LedgerError("unfit", f"{shape.kind} cannot be written: {error}") from error

    def decode(self, body: bytes, *, must_be_canonical: bool = False) -> T:
        """The object of a row; LedgerError "corrupt" for anything that `encode` would not have written."""
        return self.decode_with_extra(body, must_be_canonical=must_be_canonical)[0]

    def decode_with_extra(self, body: bytes, *, must_be_canonical: bool = False) -> tuple[T, Mapping[str, object]]:
        """The object, and the extra keys beside it, as JSON has them."""
        try:
            fields = orjson.loads(body)
        except orjson.JSONDecodeError as error:
            raise LedgerError("corrupt", f"a row is not JSON: {error}") from error
        if type(fields) is not dict:
            raise LedgerError("corrupt", "a row is not a JSON object")
        if must_be_canonical and canonical(fields) != body:
            raise LedgerError("corrupt", "a row is not canonical JSON")
        schema = fields.pop(_SCHEMA_KEY, None)
        if type(schema) is not int or schema != SCHEMA:
            raise LedgerError("corrupt", f"a row is not of schema {SCHEMA}, the only one this version reads")
        kind = fields.pop(TAG, None)
        shape = self._by_kind.get(kind) if type(kind) is str else None
        if shape is None:
            raise LedgerError("corrupt", f"a row is of the unknown kind {kind!r}")
        extra: dict[str, Any] = {name: fields.pop(name) for name in self._extra & fields.keys()}
        try:
            return shape.decode(fields), extra
        except ShapeError as error:
            raise LedgerError("corrupt", f"a row cannot be read: {error}") from error
