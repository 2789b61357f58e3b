"""What people and the controller's own watch say, outside of a ledger's row: for captures.

Laws
1. A word looks as it does in a fact's row, so that a reader learns one language; decoding never guesses.
2. A word whose shape is not that of the first schema says its "schema", as a fact's row would (schemas.py). An act says
   none: the operation of the control socket gives what an older capture does not say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast, get_args

from jackpotd.core.facts import (
    Act,
    By,
    ChainBroken,
    ClockSaid,
    ControllerStarted,
    LimitsComputed,
    SiteConfigured,
    StorageSaid,
    WatchWord,
)
from jackpotd.ledger.port import LedgerError
from jackpotd.ledger.schemas import CHANGES, FIRST_SCHEMA, Change, Ladder, newest_of
from jackpotd.ledger.shapes import TAG, ShapeError, Shapes, kind_of

ControllerWord = WatchWord | ControllerStarted | SiteConfigured | LimitsComputed | ChainBroken | StorageSaid | ClockSaid

_BY = "by"
_SCHEMA = "schema"
_SHAPES = Shapes()
_CONTROLLER = _SHAPES.tagged(list(get_args(ControllerWord)))
_ACT = _SHAPES.tagged(list(get_args(Act)))


class WordCodec:
    """Words of the controller's own as JSON, of a version that knows these changes."""

    def __init__(self, changes: Sequence[Change] = CHANGES) -> None:
        """Every word."""
        self._newest = newest_of(changes)
        self._ladders = {kind_of(cls): Ladder(changes, cls) for cls in get_args(ControllerWord)}

    def encode(self, word: ControllerWord) -> dict[str, Any]:
        """A word with its kind, and its schema unless that is the first."""
        assert _CONTROLLER.encode is not None
        fields = cast("dict[str, Any]", _CONTROLLER.encode(word))
        schema = self._ladders[fields[TAG]].newest
        return fields if schema == FIRST_SCHEMA else {**fields, _SCHEMA: schema}

    def decode(self, fields: dict[str, Any]) -> ControllerWord:
        """The word again; LedgerError "newer", or "corrupt" that says why it is none."""
        schema = fields.get(_SCHEMA, FIRST_SCHEMA)
        if type(schema) is not int or schema > self._newest:
            raise LedgerError("newer", f"a word is of schema {schema!r}: this jackpotd reads up to {self._newest}")
        said = {name: value for name, value in fields.items() if name != _SCHEMA}
        kind = said.get(TAG)
        ladder = self._ladders.get(kind) if type(kind) is str else None
        try:
            if ladder is not None:
                said = ladder.climb(schema, said)
            return cast("ControllerWord", _CONTROLLER.decode(said))
        except ShapeError as error:
            raise LedgerError("corrupt", str(error)) from error


WORDS = WordCodec()


def encode_act(act: Act) -> dict[str, Any]:
    """What an act says beside who acts."""
    assert _ACT.encode is not None
    fields = _ACT.encode(act)
    said = {name: fields[name] for name in fields if name not in (TAG, _BY)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in said.items()}


def decode_act(cls: type[Act], by: By, fields: dict[str, Any]) -> Act:
    """The act of a class; LedgerError "corrupt" says what does not fit."""
    try:
        shape = _SHAPES.dataclass(cls)
        return cast("Act", shape.decode({**fields, _BY: {"name": by.name, "role": by.role}}))
    except ShapeError as error:
        raise LedgerError("corrupt", str(error)) from error
