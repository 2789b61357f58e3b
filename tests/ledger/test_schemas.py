"""Rows of several versions in one ledger: each kind says the schema in which its shape last changed."""

from __future__ import annotations

from dataclasses import make_dataclass
from typing import Any

import orjson
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from jackpotd.core import facts as f
from jackpotd.ledger.codec import Codec, canonical
from jackpotd.ledger.port import LedgerError
from jackpotd.ledger.schemas import CHANGES, Change, Ladder, adding, newest_of
from jackpotd.ledger.shapes import ShapeError
from jackpotd.ledger.words import WordCodec

Fields = dict[str, Any]


def kind(name: str, **fields: Any) -> type[Any]:
    """A class of a version, whose kind in the ledger is told by its name."""
    return make_dataclass(name, list(fields.items()), frozen=True, slots=True)


# Version 1.
CutV1 = kind("CardCut", seat=int)
LidV1 = kind("LidOpened", why=str)
SaidV1 = kind("Said", at_ms=int, what=CutV1 | LidV1)
ClosedV1 = kind("DayOver", day=int)
# Version 2: a field more, a kind more, and a word more.
ClosedV2 = kind("DayOver", day=int, provisional=bool)
ClockV2 = kind("ClockSaid", synchronised=bool)
SetV2 = kind("ClockNoted", at_ms=int)
SaidV2 = kind("Said", at_ms=int, what=CutV1 | LidV1 | ClockV2)
# Version 3: a word changes, and what version 2 brought changes once more.
CutV3 = kind("CardCut", place=int)
ClosedV3 = kind("DayOver", day=int, provisional=str)
SetV3 = kind("ClockNoted", at_ms=int, why=str)
SaidV3 = kind("Said", at_ms=int, what=CutV3 | LidV1 | ClockV2)


def in_words(fields: Fields) -> Fields:
    return {**fields, "provisional": "the clock jumped" if fields["provisional"] else ""}


def placed(fields: Fields) -> Fields:
    return {"kind": fields["kind"], "place": fields["seat"]}


def changes_2(closed: type, clock: type, noted: type) -> list[Change]:
    return [Change(2, closed, adding(provisional=False)), Change(2, clock), Change(2, noted)]


V1: Codec[Any] = Codec([SaidV1, ClosedV1], changes=())
V2: Codec[Any] = Codec([SaidV2, ClosedV2, SetV2], changes=changes_2(ClosedV2, ClockV2, SetV2))
V3: Codec[Any] = Codec(
    [SaidV3, ClosedV3, SetV3],
    changes=[
        *changes_2(ClosedV3, ClockV2, SetV3),
        Change(3, CutV3, placed),
        Change(3, ClosedV3, in_words),
        Change(3, SetV3, adding(why="")),
    ],
)


def schema_of(body: bytes) -> int:
    schema: int = orjson.loads(body)["schema"]
    return schema


def test_a_kind_that_did_not_change_is_written_with_its_old_number() -> None:
    assert schema_of(V2.encode(SaidV2(5, LidV1("service")))) == 1
    assert V2.encode(SaidV2(5, LidV1("service"))) == V1.encode(SaidV1(5, LidV1("service")))
    assert schema_of(V3.encode(SaidV3(5, ClockV2(True)))) == 2


def test_a_kind_that_changed_or_is_new_is_written_with_the_number_of_its_change() -> None:
    assert V2.encode(ClosedV2(7, True)) == b'{"day":7,"kind":"day_over","provisional":true,"schema":2}'
    assert schema_of(V2.encode(SetV2(5))) == 2
    assert schema_of(V2.encode(SaidV2(5, ClockV2(False)))) == 2
    assert schema_of(V3.encode(SaidV3(5, CutV3(4)))) == 3


@pytest.mark.parametrize(
    ("old", "version", "read"),
    [
        (V1.encode(SaidV1(5, LidV1("x"))), V3, SaidV3(5, LidV1("x"))),
        (V1.encode(SaidV1(5, CutV1(4))), V2, SaidV2(5, CutV1(4))),
        (V1.encode(SaidV1(5, CutV1(4))), V3, SaidV3(5, CutV3(4))),
        (V1.encode(ClosedV1(7)), V2, ClosedV2(7, False)),
        (V1.encode(ClosedV1(7)), V3, ClosedV3(7, "")),
        (V2.encode(ClosedV2(7, True)), V3, ClosedV3(7, "the clock jumped")),
        (V2.encode(SetV2(5)), V3, SetV3(5, "")),
        (V2.encode(SaidV2(5, ClockV2(True))), V3, SaidV3(5, ClockV2(True))),
    ],
)
def test_an_old_shape_is_brought_up_step_by_step(old: bytes, version: Codec[Any], read: object) -> None:
    assert version.decode(old) == read


@pytest.mark.parametrize(
    ("new", "version", "words"),
    [
        (
            V2.encode(ClosedV2(7, True)),
            V1,
            "row 31 is of schema 2, kind 'day_over': this jackpotd reads up to schema 1",
        ),
        (V2.encode(SetV2(5)), V1, "row 31 is of schema 2, kind 'clock_noted': this jackpotd reads up to schema 1"),
        (V2.encode(SaidV2(5, ClockV2(True))), V1, "row 31 is of schema 2, kind 'clock_said': this"),
        (V3.encode(SaidV3(5, CutV3(4))), V2, "row 31 is of schema 3, kind 'card_cut': this jackpotd reads up to"),
    ],
)
def test_a_newer_row_is_refused_in_one_sentence_that_says_what_to_do(
    new: bytes, version: Codec[Any], words: str
) -> None:
    with pytest.raises(LedgerError) as refusal:
        version.decode(new, 31)
    assert refusal.value.kind == "newer"
    assert str(refusal.value).startswith(words)
    assert str(refusal.value).endswith("; start the newer version, or restore the backup made before the upgrade")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            b'{"day":7,"kind":"day_over","provisional":true,"schema":1}',
            "has provisional, which came later",
        ),
        (b'{"day":7,"kind":"day_over","schema":2}', "it is not of schema 2: KeyError 'provisional'"),
        (b'{"kind":"clock_noted","schema":1,"at_ms":5}', "such a row never was of schema 1"),
        (b'{"kind":"said","schema":2,"at_ms":5,"what":{"kind":"lid_opened","why":""}}', "never was of schema 2"),
        (b'{"kind":"said","schema":1,"at_ms":5,"what":{"kind":"clock_said","synchronised":true}}', "never was of"),
        (b'{"kind":"said","schema":1,"at_ms":5,"what":{"kind":"card_cut"}}', "it is not of schema 1: KeyError 'seat'"),
        (b'{"kind":"said","schema":1,"at_ms":5,"what":{"kind":"card_cut","place":1}}', "not of schema 1"),
        (b'{"kind":"said","schema":1,"at_ms":5,"what":{"kind":["x"]}}', "expected one of"),
        (b'{"kind":"said","schema":1,"at_ms":5,"what":"card_cut"}', "expected an object"),
        (b'{"kind":"said","schema":1,"at_ms":5}', "said misses what"),
        (b'{"kind":"unheard_of","schema":1}', "unknown kind 'unheard_of'"),
    ],
)
def test_a_row_that_no_version_wrote_is_corrupt(body: bytes, words: str) -> None:
    with pytest.raises(LedgerError, match=words) as refusal:
        V3.decode(body)
    assert refusal.value.kind == "corrupt"


@given(
    st.dictionaries(
        st.sampled_from(["day", "kind", "provisional", "schema", "at_ms", "what", "why"]),
        st.one_of(
            st.integers(-1, 4),
            st.booleans(),
            st.sampled_from(["", "day_over", "said", "clock_noted", "card_cut"]),
            st.fixed_dictionaries(
                {"kind": st.sampled_from(["card_cut", "clock_said", 3])}, optional={"seat": st.none()}
            ),
        ),
    )
)
def test_whatever_a_row_says_is_read_or_refused_in_order(fields: Fields) -> None:
    try:
        value = V3.decode(canonical(fields))
    except LedgerError:
        event("refused")
        return
    assert V3.decode(V3.encode(value)) == value


def test_a_reader_held_to_an_older_schema_reads_what_that_had_and_refuses_the_rest() -> None:
    held: Codec[Any] = Codec([SaidV2, ClosedV2, SetV2], changes=changes_2(ClosedV2, ClockV2, SetV2), newest=1)
    assert held.decode(V1.encode(ClosedV1(7))) == ClosedV2(7, False)
    with pytest.raises(LedgerError, match="reads up to schema 1"):
        held.decode(V2.encode(ClosedV2(7, False)))


def test_a_class_with_two_fields_of_words_is_refused_when_the_codec_is_built() -> None:
    two = kind("Two", first=CutV1 | LidV1, second=CutV1 | LidV1)
    with pytest.raises(TypeError, match="Two has several fields that hold words: first, second"):
        Codec[Any]([two])


def test_the_changes_stand_in_order_of_their_schemas_and_name_a_class_once_in_each() -> None:
    assert [change.schema for change in CHANGES] == sorted(change.schema for change in CHANGES)
    assert len({(change.schema, change.cls) for change in CHANGES}) == len(CHANGES)
    assert set(range(2, newest_of(CHANGES) + 1)) == {change.schema for change in CHANGES}


def test_no_row_is_older_than_the_word_that_it_holds() -> None:
    ladder = Ladder([Change(2, SaidV3, adding(why="")), Change(3, LidV1)], SaidV3, "what", LidV1)
    for schema in (1, 2):
        with pytest.raises(ShapeError, match=f"never was of schema {schema}"):
            ladder.climb(schema, {})
    assert ladder.climb(3, {}) == {}


# ---- captures


def newer(fields: Fields) -> Fields:
    return {**fields, "why": f"{fields['why']}, said since schema {SINCE}"}


SINCE = newest_of(CHANGES) + 1
NEXT = WordCodec([*CHANGES, Change(SINCE, f.DeviceLost, newer)])


def test_a_captured_word_of_an_older_shape_is_brought_up_and_a_newer_one_says_its_schema() -> None:
    today = WordCodec()
    word = f.DeviceLost("no answer")
    old = today.encode(word)
    assert NEXT.decode(old) == f.DeviceLost(f"no answer, said since schema {SINCE}")
    new = NEXT.encode(word)
    assert new == {**old, "schema": SINCE}
    assert NEXT.decode(new) == word
    with pytest.raises(LedgerError, match=f"a word is of schema {SINCE}: this jackpotd reads up to {SINCE - 1}"):
        today.decode(new)


@pytest.mark.parametrize("schema", [0, True, "1", [1], None])
def test_a_captured_word_with_a_schema_that_is_none_is_refused(schema: object) -> None:
    with pytest.raises(LedgerError):
        WordCodec().decode({"kind": "device_lost", "why": "", "schema": schema})
