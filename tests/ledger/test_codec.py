"""The codec gives back what it was given, always as the same bytes, and refuses everything else in one sentence."""

from __future__ import annotations

import types
from dataclasses import dataclass, fields, is_dataclass, make_dataclass
from enum import Enum, StrEnum
from typing import Any, NewType, Union, get_args, get_origin, get_type_hints

import orjson
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from jackpotd.core.entries import Entry
from jackpotd.core.facts import CardRead, Fact
from jackpotd.core.money import Atoms
from jackpotd.ledger.codec import Codec, canonical
from jackpotd.ledger.port import LedgerError, Mark
from jackpotd.ledger.rows import decode_row, encode_row, mark_of


class Suit(StrEnum):
    SPADES = "spades"
    HEARTS = "hearts"


@dataclass(frozen=True, slots=True)
class Posting:
    account: str
    atoms: Atoms


@dataclass(frozen=True, slots=True)
class Nothing:
    pass


@dataclass(frozen=True, slots=True)
class OneThing:
    seat: int


SeatNumber = NewType("SeatNumber", int)


@dataclass(slots=True)
class Everything:
    text: str
    count: int
    flag: bool
    atoms: Atoms
    limit_atoms: Atoms | None
    suit: Suit | None
    raw: bytes
    seat: SeatNumber
    names: tuple[str, ...]
    amounts: list[Atoms]
    posting: Posting
    postings: tuple[Posting, ...]
    by_name: dict[str, int]
    by_seat: dict[int, tuple[str, ...]]
    by_suit: dict[Suit, Atoms]
    word: Nothing | OneThing
    words: tuple[Nothing | OneThing | None, ...]


CODEC: Codec[Everything | Nothing | OneThing] = Codec([Everything, Nothing, OneThing])
EXAMPLE = Everything(
    text="澳門",
    count=-3,
    flag=True,
    atoms=Atoms(10**30),
    limit_atoms=None,
    suit=Suit.HEARTS,
    raw=b"\x05\xff",
    seat=SeatNumber(4),
    names=("a", "b"),
    amounts=[Atoms(0), Atoms(-7)],
    posting=Posting("pool:stud-main", Atoms(700)),
    postings=(),
    by_name={"z": 1, "a": 2},
    by_seat={10: ("ante",), 9: ()},
    by_suit={Suit.SPADES: Atoms(1)},
    word=OneThing(3),
    words=(None, Nothing(), OneThing(1)),
)


def strategy_of(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a type of the core; the codec's own reading of hints is not used."""
    simple: dict[Any, st.SearchStrategy[Any]] = {
        str: st.text(max_size=8),
        int: st.integers(-(2**63), 2**63 - 1),
        bool: st.booleans(),
        bytes: st.binary(max_size=8),
        types.NoneType: st.none(),
        Atoms: st.integers(-(10**40), 10**40),
    }
    if hint in simple:
        return simple[hint]
    if isinstance(hint, NewType):
        return strategy_of(hint.__supertype__)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (types.UnionType, Union):
        return st.one_of([strategy_of(member) for member in arguments])
    if origin is tuple:
        return st.lists(strategy_of(arguments[0]), max_size=3).map(tuple)
    if origin is list:
        return st.lists(strategy_of(arguments[0]), max_size=3)
    if origin is dict:
        return st.dictionaries(strategy_of(arguments[0]), strategy_of(arguments[1]), max_size=3)
    if issubclass(hint, Enum):
        return st.sampled_from(list(hint))
    assert isinstance(hint, type)
    assert is_dataclass(hint)
    hints = get_type_hints(hint)
    return st.builds(hint, **{field.name: strategy_of(hints[field.name]) for field in fields(hint)})


@given(strategy_of(Everything | Nothing | OneThing))
def test_whatever_is_encoded_comes_back_the_same(value: Everything | Nothing | OneThing) -> None:
    body = CODEC.encode(value)
    assert body == canonical(orjson.loads(body))
    assert CODEC.decode(body, must_be_canonical=True) == value
    assert CODEC.encode(CODEC.decode(body)) == body


@given(st.data())
def test_every_fact_and_entry_of_the_core_comes_back_the_same(data: st.DataObject) -> None:
    cls = data.draw(st.sampled_from([Fact, *get_args(Entry)]))
    value = data.draw(strategy_of(cls))
    body = encode_row(value)
    assert decode_row(body) == value
    assert body == canonical(orjson.loads(body))
    assert orjson.loads(body)["row"] == ("fact" if cls is Fact else "entry")


json_values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-9, 9), st.floats(allow_nan=False), st.sampled_from(["", "7", "-0", "07"])
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.sampled_from("ab9"), inner, max_size=2)),
    max_leaves=4,
)


@given(strategy_of(Everything), st.data())
def test_a_row_with_anything_changed_is_refused_or_means_exactly_what_it_says(
    value: Everything, data: st.DataObject
) -> None:
    changed = orjson.loads(CODEC.encode(value))
    name = data.draw(st.sampled_from(sorted(changed)))
    changed[name] = data.draw(json_values)
    body = canonical(changed)
    try:
        decoded = CODEC.decode(body)
    except LedgerError:
        event("refused")
        return
    assert CODEC.encode(decoded) == body


def test_a_row_is_canonical_json_with_amounts_as_text() -> None:
    assert CODEC.encode(OneThing(3)) == b'{"kind":"one_thing","schema":1,"seat":3}'
    body = CODEC.encode(EXAMPLE)
    assert body == canonical(orjson.loads(body))
    assert '"text":"澳門"'.encode() in body
    assert b'"atoms":"1000000000000000000000000000000"' in body
    assert b'"by_seat":{"10":["ante"],"9":[]}' in body
    assert b'"words":[null,{"kind":"nothing"},{"kind":"one_thing","seat":1}]' in body


def with_field(name: str, value: object) -> bytes:
    return canonical({**orjson.loads(CODEC.encode(EXAMPLE)), name: value})


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "not JSON"),
        (b'{"kind":"one_thing"', "not JSON"),
        (b"[]", "not a JSON object"),
        (b'{"kind":"one_thing","seat":3}', "a row says no schema"),
        (b'{"kind":"one_thing","schema":"1","seat":3}', "a row says no schema"),
        (b'{"kind":"one_thing","schema":true,"seat":3}', "a row says no schema"),
        (b'{"kind":"one_thing","schema":0,"seat":3}', "such a row never was of schema 0"),
        (b'{"kind":"two_things","schema":1,"seat":3}', "unknown kind 'two_things'"),
        (b'{"kind":["one_thing"],"schema":1,"seat":3}', "unknown kind"),
        (b'{"kind":"one_thing","schema":1}', "one_thing misses seat"),
        (b'{"kind":"one_thing","schema":1,"seat":3,"tier":1}', "one_thing has the unknown tier"),
        (b'{"kind":"one_thing","schema":1,"place":3}', "misses seat and has the unknown place"),
        (b'{"kind":"one_thing","schema":1,"seat":"3"}', r"one_thing\.seat: expected a whole number, found '3'"),
        (b'{"kind":"one_thing","schema":1,"seat":3.0}', "expected a whole number"),
        (b'{"kind":"one_thing","schema":1,"seat":true}', "expected a whole number"),
        (b'{"kind":"one_thing","schema":1,"seat":null}', "expected a whole number"),
        (with_field("atoms", 7), r"everything\.atoms: expected an amount as text"),
        (with_field("atoms", "07"), "expected an amount as text"),
        (with_field("atoms", "-0"), "expected an amount as text"),
        (with_field("atoms", "7.5"), "expected an amount as text"),
        (with_field("atoms", "1_000"), "expected an amount as text"),
        (with_field("atoms", "\uff17"), "expected an amount as text"),
        (with_field("raw", "0G"), "expected bytes in hex"),
        (with_field("raw", "AB"), "expected bytes in hex"),
        (with_field("raw", 5), "expected bytes in hex"),
        (with_field("suit", "clubs"), "expected one of spades, hearts"),
        (with_field("flag", 1), "expected true or false"),
        (with_field("names", "ab"), "expected an array"),
        (with_field("by_name", []), "expected an object"),
        (with_field("by_seat", {"x": []}), "expected"),
        (with_field("by_seat", {"01": []}), "expected"),
        (with_field("posting", []), r"everything\.posting: expected an object \(posting\)"),
        (with_field("postings", [{"account": "pool:a"}]), "posting misses atoms"),
        (with_field("word", {"kind": "posting"}), "expected one of nothing, one_thing as kind"),
        (with_field("word", "nothing"), "expected an object"),
        (with_field("words", [{"kind": "one_thing", "seat": None}]), r"everything\.words: one_thing\.seat: expected"),
    ],
)
def test_a_row_that_encoding_would_not_write_is_refused_in_clear_words(body: bytes, words: str) -> None:
    with pytest.raises(LedgerError, match=words) as refusal:
        CODEC.decode(body)
    assert refusal.value.kind == "corrupt"


@pytest.mark.parametrize(
    "body",
    [
        b'{"kind": "one_thing","schema":1,"seat":3}',
        b'{"schema":1,"kind":"one_thing","seat":3}',
        b'{"kind":"one_thing","schema":1,"seat":3,"seat":3}',
        b'{"kind":"one_thing","schema":1,"seat":3}\n',
    ],
)
def test_a_row_that_is_not_canonical_is_refused_where_that_is_asked(body: bytes) -> None:
    assert CODEC.decode(body) == OneThing(3)
    with pytest.raises(LedgerError, match="not canonical"):
        CODEC.decode(body, must_be_canonical=True)


@pytest.mark.parametrize("seat", [2**64, "\ud800"])
def test_a_value_that_json_cannot_carry_is_refused_before_it_is_written(seat: Any) -> None:
    with pytest.raises(LedgerError, match="one_thing cannot be written") as refusal:
        CODEC.encode(OneThing(seat))
    assert refusal.value.kind == "unfit"


def test_an_object_of_another_class_is_refused() -> None:
    stranger: Any = Posting("pool:a", Atoms(1))
    with pytest.raises(LedgerError, match="Posting is not a row"):
        CODEC.encode(stranger)


@pytest.mark.parametrize("row", ["entry", "", None, ["fact"]])
def test_a_fact_that_says_it_is_something_else_is_refused(row: object) -> None:
    body = orjson.loads(encode_row(SAID))
    with pytest.raises(LedgerError, match="a row of the kind 'fact' says no 'row': 'fact'") as refusal:
        decode_row(canonical({**body, "row": row}))
    assert refusal.value.kind == "corrupt"


@dataclass(frozen=True, slots=True)
class WithFloat:
    rate: float


@dataclass(frozen=True, slots=True)
class WithUnion:
    value: int | str


@dataclass(frozen=True, slots=True)
class WithKind:
    kind: str


@dataclass(frozen=True, slots=True)
class WithRow:
    row: int


@dataclass(frozen=True, slots=True)
class WithOddKeys:
    table: dict[bytes, int]


@dataclass(frozen=True, slots=True)
class WithItself:
    inner: WithItself | None


class Number(Enum):
    ONE = 1


@dataclass(frozen=True, slots=True)
class WithNumberEnum:
    number: Number


@pytest.mark.parametrize(
    ("classes", "words"),
    [
        ([WithFloat], "WithFloat.rate: .*float.* has no shape"),
        ([WithUnion], "only dataclasses can be told apart"),
        ([WithKind], "field called 'kind'"),
        ([WithRow], "field called 'row'"),
        ([WithOddKeys], "no key of a JSON object"),
        ([WithItself], "contains itself"),
        ([WithNumberEnum], "are texts"),
        ([str], "only dataclasses"),
    ],
)
def test_a_class_without_a_shape_is_refused_when_the_codec_is_built(classes: list[type], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        Codec(classes, lambda _: {"row": "entry"})


def test_two_classes_of_one_kind_are_refused_when_the_codec_is_built() -> None:
    twin: type[Any] = make_dataclass("OneThing", [])
    with pytest.raises(TypeError, match="two classes of one kind"):
        Codec[Any]([OneThing, twin])


SAID = Fact("BP-0001", 7, 42, 3, 4, "T01", "T01/panel", "journaled", "", False, CardRead("AS"))


def test_no_field_of_a_row_may_be_left_out_even_where_its_class_has_a_default() -> None:
    body = orjson.loads(encode_row(SAID))
    del body["what"]["again"]
    with pytest.raises(LedgerError, match=r"fact\.what: card_read misses again"):
        decode_row(canonical(body))


def test_the_mark_of_a_fact_is_its_source_journal_and_seq() -> None:
    assert mark_of(SAID) == Mark("BP-0001", 7, 42)
