"""Schemas: the numbers that rows say, and how a row of an older shape is read.

Laws
1. A row says the schema in which its shape last changed. What a version leaves as it was it writes with its old number,
   so that an older version reads the ledger until the first row of a shape that it does not know.
2. A row of an older shape is brought to today's step by step before it is decoded; one of a newer shape is refused.
3. What verifiers read is the same in every schema: "row", "schema" and "kind"; of a fact "source", "journal" and "seq";
   of an entry "postings", and of a pool that opens "params" with "pool" and "exponent".
4. A schema belongs to a release: all changes between two releases share one number, and a released one never changes.

A row that holds a word of many kinds (a fact's `what`) says the higher of its own number and of its word's.

To add or change a kind
1. Change the dataclass in jackpotd/core, and write `Change(n, Class, up)` into CHANGES, n being the number of the
   release to come. `up` gets the JSON object in the shape before n (no "row" and "schema"; a word's still says its
   "kind") and gives the object of n; for fields that are new: `adding(provisional=False)`. A new kind has no `up`.
2. A class that lies inside others (By, Posting, PoolParams) has no number: every row's class and every word that holds
   it changes. tests/ledger/test_golden.py names those that changed without a line here.
3. A new field of an act has a default in its operation (messages/control.py), which is how older captures say it.
4. `python -m tests.ledger.golden n` plays a ledger of the new schema and keeps it beside the older ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.ledger.shapes import ShapeError

FIRST_SCHEMA = 1

Up = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Change:
    """From `schema` on a class has another shape; `up` None: it is new in it. The class is a row's or a word's."""

    schema: int
    cls: type
    up: Up | None = None


def adding(**more: Any) -> Up:
    """The change of a class that got fields: what they say in rows from before."""

    def up(fields: dict[str, Any]) -> dict[str, Any]:
        if more.keys() & fields.keys():
            raise ValueError(f"has {', '.join(sorted(more.keys() & fields.keys()))}, which came later")
        return {**fields, **more}

    return up


# In order of their schemas.
CHANGES: tuple[Change, ...] = (
    Change(2, f.ArchiveFacts),
    Change(2, e.FactsArchived),
    Change(2, f.ClockSaid),
    Change(2, e.ClockNoted),
    Change(2, e.ClockJumped),
    Change(2, e.DayProvisional),
)


@dataclass(frozen=True, slots=True)
class Step:
    """What makes the next shape of a row, or of the word in one of its fields."""

    up: Up
    field: str | None

    def take(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The object of the next schema."""
        return self.up(fields) if self.field is None else {**fields, self.field: self.up(fields[self.field])}


class Ladder:
    """The schemas that rows of a class have had, with a word of a class in one of its fields if it holds such."""

    def __init__(
        self, changes: Iterable[Change], cls: type, field: str | None = None, word: type | None = None
    ) -> None:
        """Only what `changes` says of the two classes counts."""
        own = sorted((one for one in changes if one.cls in (cls, word)), key=lambda change: change.schema)
        born = max((one.schema for one in own if one.up is None), default=FIRST_SCHEMA)
        later = [
            (one.schema, Step(one.up, field if one.cls is word else None))
            for one in own
            if one.up is not None and one.schema > born
        ]
        numbers = {born, *(schema for schema, _ in later)}
        self.newest = max(numbers)
        self._steps = {number: [step for schema, step in later if schema > number] for number in numbers}

    def climb(self, schema: int, fields: dict[str, Any]) -> dict[str, Any]:
        """The object in today's shape; ShapeError when no such row was ever of that schema, or this one is not."""
        steps = self._steps.get(schema)
        if steps is None:
            raise ShapeError(f"such a row never was of schema {schema}")
        try:
            for step in steps:
                fields = step.take(fields)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise ShapeError(f"it is not of schema {schema}: {type(error).__name__} {error}") from error
        return fields


def newest_of(changes: Iterable[Change]) -> int:
    """The highest number that a version with these changes knows."""
    return max((change.schema for change in changes), default=FIRST_SCHEMA)
