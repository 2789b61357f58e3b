"""The codec: objects of the core to canonical JSON and back.

Laws
1. Canonical: UTF-8, keys sorted, no blanks, amounts as texts; the same object is always the same bytes.
2. Every row says its "kind", the snake_case name of its class, and the "schema" in which that last changed: see
   schemas.py. A row of a schema that is newer than all that this version knows is refused, whatever it holds.
3. Decoding gives back the object that was encoded or says in one sentence why not; it never guesses. A dict comes
   back in the order of its keys as text, so no rule may depend on the order of a dict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar, cast

import orjson

from jackpotd.ledger.port import USE_THE_NEWER, LedgerError
from jackpotd.ledger.schemas import Change, Ladder, newest_of
from jackpotd.ledger.shapes import TAG, DataclassShape, ShapeError, Shapes, kind_of, words_in

_SCHEMA_KEY = "schema"

T = TypeVar("T")


def canonical(value: object) -> bytes:
    """Canonical JSON of plain JSON values. orjson, because this is the ledger's hot path."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def _nothing(_: type) -> Mapping[str, str]:
    return {}


class _Form:
    """How the rows of one class look: what they say beside its fields, and in which schemas they were written."""

    def __init__(self, shape: DataclassShape, beside: Mapping[str, str], changes: Sequence[Change]) -> None:
        """TypeError when rows of the class cannot be written."""
        self.shape = shape
        self.beside = beside
        self.ladder = Ladder(changes, shape.cls)
        words = words_in(shape.cls)
        if len(words) > 1:
            raise TypeError(f"{shape.cls.__name__} has several fields that hold words: {', '.join(words)}")
        self._field: str | None = next(iter(words), None)
        classes = words.get(self._field or "", ())
        self._ladders = {kind_of(word): Ladder(changes, shape.cls, self._field, word) for word in classes}
        self._numbers = {word: self._ladders[kind_of(word)].newest for word in classes}

    def encoder(self) -> Callable[[Any], dict[str, Any]]:
        """Makes the row's object."""
        constants: dict[str, str | int] = {TAG: self.shape.kind, _SCHEMA_KEY: self.ladder.newest, **self.beside}
        if self._field is None or set(self._numbers.values()) == {self.ladder.newest}:
            return self.shape.compile_encode(constants)
        return self.shape.compile_encode(constants, {_SCHEMA_KEY: (self._field, self._numbers)})

    def kind_in(self, fields: Mapping[str, Any]) -> str:
        """The kind of a row's word if it holds one, else its own."""
        said = None if self._field is None else fields.get(self._field)
        kind = said.get(TAG) if type(said) is dict else None
        return kind if type(kind) is str else self.shape.kind

    def numbers(self) -> Iterator[tuple[str, int]]:
        """The kinds of its rows, or of the words in them, with the schemas that these say."""
        if self._field is None:
            yield self.shape.kind, self.ladder.newest
        yield from ((kind, ladder.newest) for kind, ladder in self._ladders.items())

    def decode(self, schema: int, fields: dict[str, Any]) -> Any:
        """The object; ShapeError says what does not fit."""
        ladder = self.ladder if self._field is None else self._ladders.get(self.kind_in(fields), self.ladder)
        return self.shape.decode(fields if schema == ladder.newest else ladder.climb(schema, fields))


class Codec(Generic[T]):
    """Encodes objects of the registered classes; `beside`: what the rows of a class say beside its fields."""

    def __init__(
        self,
        classes: Sequence[type[T]],
        beside: Callable[[type], Mapping[str, str]] = _nothing,
        changes: Sequence[Change] = (),
        newest: int | None = None,
    ) -> None:
        """`newest`: the highest schema that is read, that of the last of `changes` unless said.

        TypeError when a class cannot be told apart or has a field without a shape: a bug, found at start.
        """
        shapes = Shapes()
        shapes.tagged(list(classes))
        self.newest = newest_of(changes) if newest is None else newest
        self._encoders: dict[type, Callable[[Any], dict[str, Any]]] = {}
        self._forms: dict[str, _Form] = {}
        for cls in classes:
            form = _Form(shapes.dataclass(cls), beside(cls), changes)
            taken = {TAG, _SCHEMA_KEY, *form.beside}.intersection(form.shape.names)
            if taken:
                raise TypeError(f"{cls.__name__} has a field called {taken.pop()!r}, which rows use themselves")
            self._encoders[cls] = form.encoder()
            self._forms[form.shape.kind] = form

    def encode(self, value: T) -> bytes:
        """Canonical JSON with schema and kind; LedgerError "unfit" for what JSON or this codec does not know."""
        encoder = self._encoders.get(type(value))
        if encoder is None:
            raise LedgerError("unfit", f"{type(value).__name__} is not a row of this ledger")
        try:
            return orjson.dumps(encoder(value))
        except TypeError as error:
            raise LedgerError("unfit", f"{kind_of(type(value))} cannot be written: {error}") from error

    def decode(self, body: bytes, row: int | None = None, *, must_be_canonical: bool = False) -> T:
        """The object of a row; `row`: its number, for the refusals.

        LedgerError: "newer" for a schema that this version does not know, "corrupt" for anything else that `encode`
        would not have written, now or in an older version.
        """
        try:
            fields = orjson.loads(body)
        except orjson.JSONDecodeError as error:
            raise _refusal(row, f"is not JSON: {error}") from error
        if type(fields) is not dict:
            raise _refusal(row, "is not a JSON object")
        if must_be_canonical and canonical(fields) != body:
            raise _refusal(row, "is not canonical JSON")
        schema, kind = fields.pop(_SCHEMA_KEY, None), fields.pop(TAG, None)
        form = self._forms.get(kind) if type(kind) is str else None
        if type(schema) is not int:
            raise _refusal(row, "says no schema")
        if schema > self.newest:
            raise self._newer(row, schema, kind if form is None else form.kind_in(fields))
        if form is None:
            raise _refusal(row, f"is of the unknown kind {kind!r}")
        for name, word in form.beside.items():
            if fields.pop(name, None) != word:
                raise _refusal(row, f"of the kind {kind!r} says no {name!r}: {word!r}")
        try:
            return cast("T", form.decode(schema, fields))
        except ShapeError as error:
            raise _refusal(row, f"cannot be read: {error}") from error

    def kinds_above(self, schema: int) -> list[str]:
        """The kinds that are written with a higher schema."""
        kinds = {kind for form in self._forms.values() for kind, number in form.numbers() if number > schema}
        return sorted(kinds)

    def _newer(self, row: int | None, schema: int, kind: object) -> LedgerError:
        text = f"is of schema {schema}, kind {kind!r}: this jackpotd reads up to schema {self.newest}; {USE_THE_NEWER}"
        return _refusal(row, text, "newer")


def _refusal(row: int | None, text: str, kind: str = "corrupt") -> LedgerError:
    return LedgerError(kind, f"{'a row' if row is None else f'row {row}'} {text}")
