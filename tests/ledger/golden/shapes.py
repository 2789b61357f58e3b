"""Shapes in words: what a kind of row or word consists of, so that a change that nobody numbered shows.

Own eyes: the codec's reading of hints is not used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, NewType, Union, get_args, get_origin, get_type_hints

from jackpotd.core.entries import Entry
from jackpotd.core.facts import Fact, What
from jackpotd.ledger.schemas import CHANGES, Change, Ladder
from jackpotd.ledger.shapes import kind_of

KINDS: tuple[type, ...] = (Fact, *get_args(What), *get_args(Entry))


def shape_of(cls: type) -> str:
    """A dataclass with all that it holds."""
    hints = get_type_hints(cls)
    return f"({', '.join(f'{field.name}: {_text(hints[field.name])}' for field in fields(cls))})"


def _text(hint: Any) -> str:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):
        others = [one for one in arguments if one is not NoneType]
        # Which words there are is no part of the shape: each has its own number.
        text = "a word" if len(others) > 1 else _text(others[0])
        return text if len(others) == len(arguments) else f"{text} or null"
    if origin is tuple:
        return f"[{_text(arguments[0])}]"
    if origin is dict:
        return f"{{{_text(arguments[0])}: {_text(arguments[1])}}}"
    if isinstance(hint, NewType):
        return hint.__name__
    assert isinstance(hint, type)
    if issubclass(hint, Enum):
        return f"one of {'|'.join(sorted(member.value for member in hint))}"
    return shape_of(hint) if is_dataclass(hint) else hint.__name__


def numbered_shapes(changes: Sequence[Change] = CHANGES) -> Iterator[tuple[int, str, str]]:
    """Of every kind its schema, its name and its shape."""
    for cls in KINDS:
        yield Ladder(changes, cls).newest, kind_of(cls), shape_of(cls)
