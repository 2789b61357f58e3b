"""Shapes: how a type of the core looks in JSON, compiled once from its hints.

Laws
1. An amount (`Atoms`) is a decimal text; bytes are hex; an enum is its value; None is null; a tuple is an array.
2. A dataclass is an object of exactly its fields; in a union of dataclasses it also says its "kind".
3. Decoding refuses whatever encoding would not have written: a missing or unknown field, another type, "007", "-0".
4. A type that has no shape is refused when the codec is built, never when money is waiting.
5. Every object is made with its keys in the order of canonical JSON, so that nothing has to be sorted afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, KeysView, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, NamedTuple, NewType, Union, get_args, get_origin, get_type_hints

from jackpotd.core.limits import Parts
from jackpotd.core.money import Atoms

TAG = "kind"


class ShapeError(Exception):
    """A value that does not look like its type; the text says where and what was expected."""


class Shape(NamedTuple):
    """`encode` None: JSON carries the value as it is. `decode` raises ShapeError."""

    encode: Callable[[Any], Any] | None
    decode: Callable[[Any], Any]


def kind_of(cls: type) -> str:
    """The snake_case name of a class: its kind in JSON."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


def words_in(cls: type) -> dict[str, tuple[type, ...]]:
    """The fields of a dataclass that hold one of several dataclasses, with those."""
    found = {}
    for name, hint in get_type_hints(cls).items():
        members = get_args(hint) if get_origin(hint) in (UnionType, Union) else ()
        classes = tuple(member for member in members if isinstance(member, type) and is_dataclass(member))
        if len(classes) > 1:
            found[name] = classes
    return found


def _expected(what: str, value: object) -> ShapeError:
    return ShapeError(f"expected {what}, found {str(value)[:40]!r} ({type(value).__name__})")


def _exactly(cls: type, what: str) -> Callable[[Any], Any]:
    def decode(value: Any) -> Any:
        if type(value) is not cls:
            raise _expected(what, value)
        return value

    return decode


def _decode_atoms(value: Any) -> Atoms:
    try:
        atoms = int(value)
    except (TypeError, ValueError):
        raise _expected("an amount as text", value) from None
    if str(atoms) != value:
        raise _expected("an amount as text", value)
    return Atoms(atoms)


def _decode_bytes(value: Any) -> bytes:
    try:
        data = bytes.fromhex(value)
    except (TypeError, ValueError):
        raise _expected("bytes in hex", value) from None
    if data.hex() != value:
        raise _expected("bytes in hex", value)
    return data


def _decode_int_key(value: str) -> int:
    try:
        return int(_decode_atoms(value))
    except ShapeError:
        raise _expected("a whole number as a key", value) from None


_PLAIN: dict[Any, Shape] = {
    str: Shape(None, _exactly(str, "text")),
    int: Shape(None, _exactly(int, "a whole number")),
    bool: Shape(None, _exactly(bool, "true or false")),
    NoneType: Shape(None, _exactly(NoneType, "null")),
    Atoms: Shape(str, _decode_atoms),
    Parts: Shape(str, _decode_atoms),
    bytes: Shape(bytes.hex, _decode_bytes),
}


class DataclassShape:
    """The object of a dataclass: exactly its fields.

    Encoding and building are compiled to one expression each, a third of the time of a loop over the fields; every
    fact and entry passes here.
    """

    def __init__(self, cls: type, shapes: dict[str, Shape]) -> None:
        """`shapes`: field name to shape."""
        self.cls = cls
        self.kind = kind_of(cls)
        self._shapes = shapes
        self._fields = shapes.keys()
        self.encode = self.compile_encode({})
        self.encode_tagged = self.compile_encode({TAG: self.kind})
        self._build = self._compile_build()

    @property
    def names(self) -> KeysView[str]:
        """The names of the fields."""
        return self._fields

    def decode(self, value: Any) -> Any:
        """The object again; ShapeError names the field."""
        if type(value) is not dict:
            raise _expected(f"an object ({self.kind})", value)
        if value.keys() != self._fields:
            raise ShapeError(self._wrong_fields(set(value)))
        try:
            return self._build(value)
        except ShapeError as error:
            raise self._wrong_value(value) from error

    def compile_encode(
        self, constants: Mapping[str, str | int], said: Mapping[str, tuple[str, Mapping[type, int]]] | None = None
    ) -> Callable[[Any], dict[str, Any]]:
        """An encoder whose objects also say these constants, and by `said` a number for the class in a field."""
        parts = {name: repr(value) for name, value in constants.items()}
        functions: dict[str, Any] = {}
        for name, (field, numbers) in (said or {}).items():
            functions[f"numbers_{name}"] = numbers
            parts[name] = f"numbers_{name}[type(value.{field})]"
        for name, shape in self._shapes.items():
            if shape.encode is None:
                parts[name] = f"value.{name}"
            else:
                functions[f"encode_{name}"] = shape.encode
                parts[name] = f"encode_{name}(value.{name})"
        return _compile(f"{{{', '.join(f'{name!r}: {parts[name]}' for name in sorted(parts))}}}", functions)

    def _compile_build(self) -> Callable[[Any], Any]:
        functions: dict[str, Any] = {f"decode_{name}": shape.decode for name, shape in self._shapes.items()}
        arguments = [f"{name}=decode_{name}(value[{name!r}])" for name in self._fields]
        return _compile(f"cls({', '.join(arguments)})", {"cls": self.cls, **functions})

    def _wrong_fields(self, found: set[str]) -> str:
        missing = ", ".join(sorted(self._fields - found))
        unknown = ", ".join(sorted(found - self._fields))
        parts = [f"{word} {names}" for word, names in (("misses", missing), ("has the unknown", unknown)) if names]
        return f"{self.kind} {' and '.join(parts)}"

    def _wrong_value(self, value: dict[str, Any]) -> ShapeError:
        """Says which field; found by a second look, so that the first need not keep count."""
        for name, shape in self._shapes.items():
            try:
                shape.decode(value[name])
            except ShapeError as error:
                return ShapeError(f"{self.kind}.{name}: {error}")
        raise AssertionError(f"{self.kind} can be read after all")


def _compile(expression: str, names: dict[str, Any]) -> Callable[[Any], Any]:
    """A function of `value`. The expression is made of field names of our own classes, never of data."""
    function: Callable[[Any], Any] = eval(f"lambda value: {expression}", names)  # noqa: S307
    return function


class Shapes:
    """Every type met so far, each compiled once."""

    def __init__(self) -> None:
        """None yet."""
        self._dataclasses: dict[type, DataclassShape] = {}
        self._open: set[type] = set()

    def of(self, hint: Any) -> Shape:
        """The shape of a hint; TypeError when it has none (law 4)."""
        if hint in _PLAIN:
            return _PLAIN[hint]
        if isinstance(hint, NewType):
            return self.of(hint.__supertype__)
        origin, arguments = get_origin(hint), get_args(hint)
        if origin in (UnionType, Union):
            return self._union(arguments)
        if origin is list or (origin is tuple and arguments[1:] == (...,)):
            return self._sequence(origin, arguments[0])
        if origin is dict:
            return self._mapping(*arguments)
        if isinstance(hint, type) and issubclass(hint, Enum):
            return _enum(hint)
        if isinstance(hint, type) and is_dataclass(hint):
            shape = self.dataclass(hint)
            return Shape(shape.encode, shape.decode)
        raise TypeError(f"{hint} has no shape in the ledger")

    def dataclass(self, cls: type) -> DataclassShape:
        """The shape of a dataclass; TypeError when a field of it has none."""
        if cls in self._open:
            raise TypeError(f"{cls.__name__} contains itself")
        if cls not in self._dataclasses:
            self._open.add(cls)
            hints = get_type_hints(cls)
            self._dataclasses[cls] = DataclassShape(
                cls, {field.name: self._field(cls, field.name, hints) for field in fields(cls)}
            )
            self._open.remove(cls)
        return self._dataclasses[cls]

    def _field(self, cls: type, name: str, hints: dict[str, Any]) -> Shape:
        try:
            return self.of(hints[name])
        except TypeError as error:
            raise TypeError(f"{cls.__name__}.{name}: {error}") from error

    def _union(self, members: tuple[Any, ...]) -> Shape:
        others = [member for member in members if member is not NoneType]
        inner = self.of(others[0]) if len(others) == 1 else self.tagged(others)
        return inner if len(others) == len(members) else _optional(inner)

    def tagged(self, classes: list[type]) -> Shape:
        """A union of dataclasses, told apart by kind; TypeError unless they can be."""
        shapes = {}
        for cls in classes:
            if not is_dataclass(cls):
                raise TypeError(f"{cls} in a union: only dataclasses can be told apart")
            shapes[cls] = self.dataclass(cls)
            if TAG in shapes[cls].names:
                raise TypeError(f"{cls.__name__} has a field called {TAG!r}, which says what it is in a union")
        encodes = {cls: shape.encode_tagged for cls, shape in shapes.items()}
        decodes = {shape.kind: shape.decode for shape in shapes.values()}
        if len(decodes) < len(encodes):
            raise TypeError(f"two classes of one kind among {sorted(shape.kind for shape in shapes.values())}")

        def decode(value: Any) -> Any:
            if type(value) is not dict:
                raise _expected("an object", value)
            rest = dict(value)
            kind = rest.pop(TAG, None)
            if type(kind) is not str or kind not in decodes:
                raise _expected(f"one of {', '.join(decodes)} as {TAG}", kind)
            return decodes[kind](rest)

        return Shape(lambda value: encodes[type(value)](value), decode)

    def _sequence(self, cls: type, member: Any) -> Shape:
        inner = self.of(member)

        def decode(value: Any) -> Any:
            if type(value) is not list:
                raise _expected("an array", value)
            return cls(map(inner.decode, value))

        encode = inner.encode
        return Shape(None if encode is None else lambda value: list(map(encode, value)), decode)

    def _mapping(self, key: Any, member: Any) -> Shape:
        inner = self.of(member)
        keys = Shape(str, _decode_int_key) if key is int else self.of(key)
        if key not in (int, str) and not (isinstance(key, type) and issubclass(key, str)):
            raise TypeError(f"{key} is no key of a JSON object")

        def decode(value: Any) -> dict[Any, Any]:
            if type(value) is not dict:
                raise _expected("an object", value)
            return {keys.decode(name): inner.decode(item) for name, item in value.items()}

        name_of, item_of = keys.encode or _same, inner.encode or _same
        return Shape(lambda value: dict(sorted((name_of(name), item_of(item)) for name, item in value.items())), decode)


def _same(value: Any) -> Any:
    return value


def _optional(inner: Shape) -> Shape:
    encode, decode = inner
    return Shape(
        None if encode is None else lambda value: None if value is None else encode(value),
        lambda value: None if value is None else decode(value),
    )


def _enum(cls: type[Enum]) -> Shape:
    members = {member.value: member for member in cls}
    if not all(type(value) is str for value in members):
        raise TypeError(f"{cls.__name__}: the values of an enum in the ledger are texts")

    def decode(value: Any) -> Enum:
        if type(value) is not str or value not in members:
            raise _expected(f"one of {', '.join(members)}", value)
        return members[value]

    return Shape(attrgetter("value"), decode)
