"""What people and the controller's own watch say, outside of a ledger's row: for captures.

Law: a word looks as it does in a fact's row, so that a reader learns one language; decoding never guesses.
"""

from __future__ import annotations

from typing import Any, cast, get_args

from jackpotd.core.facts import (
    Act,
    By,
    ChainBroken,
    ControllerStarted,
    LimitsComputed,
    SiteConfigured,
    StorageSaid,
    WatchWord,
)
from jackpotd.ledger.port import LedgerError
from jackpotd.ledger.shapes import TAG, ShapeError, Shapes

ControllerWord = WatchWord | ControllerStarted | SiteConfigured | LimitsComputed | ChainBroken | StorageSaid

_BY = "by"
_SHAPES = Shapes()
_CONTROLLER = _SHAPES.tagged(list(get_args(ControllerWord)))
_ACT = _SHAPES.tagged(list(get_args(Act)))


def encode_word(word: ControllerWord) -> dict[str, Any]:
    """A word of the controller's own as JSON, with its kind."""
    assert _CONTROLLER.encode is not None
    return cast("dict[str, Any]", _CONTROLLER.encode(word))


def decode_word(fields: object) -> ControllerWord:
    """The word again; LedgerError "corrupt" says why it is none."""
    try:
        return cast("ControllerWord", _CONTROLLER.decode(fields))
    except ShapeError as error:
        raise LedgerError("corrupt", str(error)) from error


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
