"""Bad rounds are told in words, each with its round's name, and never end the run."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackpotd.commands.adjudicate import answer, chosen, judge_of
from jackpotd.commands.adjudicate_in import MAX_LINE_BYTES
from tests.core import reference_baccarat
from tests.support.adjudication import ACE_KING, ROYAL, said
from tests.support.configs import config

CONFIG = config()
JUDGES = {pool: judge_of(*chosen(CONFIG, pool, None)) for pool in ("stud-main", "bac-b")}
SEAT = {"cards": ROYAL["H"], "ante": "100.00", "folded": False, "progressive": True}
STUD: dict[str, Any] = {"round": "r1", "meter": "100000.00", "dealer": ACE_KING, "seats": {"3": SEAT}}
BET = {"seat": 1, "kind": "banker", "amount": "100.00"}
PROGRESSIVE = {"seat": 1, "kind": "progressive"}
COUP = ["8S", "KD", "8C", "6H"]
BACCARAT: dict[str, Any] = {"round": "b1", "meter": "88000.00", "cards": COUP, "bets": [BET, PROGRESSIVE]}


def asked(line: bytes, pool: str = "stud-main") -> dict[str, Any]:
    return said(answer(line, JUDGES[pool]))


def error_of(record: dict[str, Any], pool: str) -> str:
    """The words of the answer, which must be an error and name the round."""
    answered = asked(json.dumps(record).encode(), pool)
    assert set(answered) == {"round", "error"}
    assert answered["round"] == record["round"]
    return str(answered["error"])


def test_the_rounds_of_these_tests_are_good_before_they_are_spoilt() -> None:
    assert "error" not in asked(json.dumps(STUD).encode())
    assert "error" not in asked(json.dumps(BACCARAT).encode(), "bac-b")


STUD_FAULTS: list[tuple[str, dict[str, Any], str]] = [
    ("no meter", {"meter": None}, '"meter" must be an amount as text'),
    ("a meter that is a number", {"meter": 100000}, '"meter" must be an amount as text'),
    ("a meter in words", {"meter": "plenty"}, "\"meter\": 'plenty' is not an amount"),
    ("a meter with an exponent", {"meter": "1e6"}, "'1e6' is not an amount"),
    ("a meter below nothing", {"meter": "-0.01"}, '"meter" must not be below nothing'),
    ("a meter finer than money", {"meter": "1.000000001"}, "more decimals than money has"),
    ("a reserve that is a list", {"reserve": ["1.00"]}, '"reserve" must be an amount'),
    ("an overflow below nothing", {"overflow": "-1.00"}, '"overflow" must not be below nothing'),
    ("an unknown irregularity", {"irregularity": "fire"}, '"irregularity" must be one of misdeal'),
    ("an irregularity that is no text", {"irregularity": 1}, '"irregularity" must be one of'),
    ("void seats that are no list", {"void_seats": 3}, '"void_seats" must be a list'),
    ("a void seat that is text", {"void_seats": ["3"]}, "a seat must be a whole number"),
    ("a void seat that is true", {"void_seats": [True]}, "a seat must be a whole number"),
    ("an unknown void seat", {"void_seats": [8]}, "seat 8 is unknown"),
    ("a misspelt key", {"void_seat": [3]}, 'the key "void_seat" is not known here'),
    ("baccarat's cards", {"cards": COUP}, 'the key "cards" is not known here'),
    ("no cards of the dealer", {"dealer": None}, "the dealer has 0 cards"),
    ("the dealer as text", {"dealer": "AS KD JC 9D 4H"}, '"dealer" must be a list'),
    ("a card that is none", {"dealer": ["1S", *ACE_KING[1:]]}, "'1S' is not a card"),
    ("a card that is a number", {"dealer": [5, *ACE_KING[1:]]}, "5 is not a card"),
    ("a card that is a list", {"dealer": [["AS"], *ACE_KING[1:]]}, "['AS'] is not a card"),
    ("the same card at two places", {"dealer": ["AH", *ACE_KING[1:]]}, "AH came 2 times from 1 pack"),
    ("seats that are a list", {"seats": [SEAT]}, '"seats" must be an object'),
    ("an unknown seat", {"seats": {"8": SEAT}}, "seat 8 is unknown"),
    ("seat 0", {"seats": {"0": SEAT}}, "seat 0 is unknown"),
    ("a seat below 0", {"seats": {"-1": SEAT}}, "seat '-1' is unknown"),
    ("a seat with a leading zero", {"seats": {"03": SEAT}}, "seat '03' is unknown"),
    ("a seat in words", {"seats": {"three": SEAT}}, "seat 'three' is unknown"),
    ("a seat that is a list", {"seats": {"3": ROYAL["H"]}}, "seat 3: a seat must be an object"),
    ("four cards", {"seats": {"3": SEAT | {"cards": ROYAL["H"][:4]}}}, "seat 3 has 4 cards"),
    ("six cards", {"seats": {"3": SEAT | {"cards": [*ROYAL["H"], "2S"]}}}, "seat 3 has 6 cards"),
    ("no cards", {"seats": {"3": SEAT | {"cards": None}}}, "seat 3 has 0 cards"),
    ("an ante that is a number", {"seats": {"3": SEAT | {"ante": 100}}}, 'seat 3: "ante" must be an amount as text'),
    ("an ante below nothing", {"seats": {"3": SEAT | {"ante": "-1.00"}}}, '"ante" must not be below nothing'),
    ("a folded that is a number", {"seats": {"3": SEAT | {"folded": 1}}}, 'seat 3: "folded" must be true or false'),
    (
        "a progressive that is text",
        {"seats": {"3": SEAT | {"progressive": "yes"}}},
        '"progressive" must be true',
    ),
    ("a misspelt key of a seat", {"seats": {"3": SEAT | {"fold": True}}}, 'seat 3: the key "fold" is not known here'),
    ("progressive without its ante", {"seats": {"3": SEAT | {"ante": None}}}, "progressive bet without its ante"),
    ("the same with an ante of nothing", {"seats": {"3": SEAT | {"ante": "0.00"}}}, "without its ante"),
    ("cards without any bet", {"seats": {"3": {"cards": ROYAL["H"]}}}, "seat 3 has no ante"),
]
BACCARAT_FAULTS: list[tuple[str, dict[str, Any], str]] = [
    ("no meter", {"meter": None}, '"meter" must be an amount as text'),
    ("three cards", {"cards": COUP[:3]}, "another card for banker"),
    ("no cards", {"cards": []}, "another card for player"),
    ("a card too many", {"cards": [*COUP, "2H"]}, "2H is beyond the drawing rule"),
    ("nine of a card", {"cards": ["KS"] * 9, "irregularity": "misdeal"}, "KS came 9 times from 8 packs"),
    ("a card that is none", {"cards": ["8X", *COUP[1:]]}, "'8X' is not a card"),
    ("stud's void seats", {"void_seats": [1]}, "61/2004 11(3)"),
    ("stud's dealer", {"dealer": COUP}, 'the key "dealer" is not known here'),
    ("bets that are an object", {"bets": {"1": BET}}, '"bets" must be a list'),
    ("a bet that is text", {"bets": ["banker"]}, "bet 1: a bet must be an object"),
    ("a bet without a seat", {"bets": [{"kind": "tie", "amount": "1.00"}]}, "a seat must be a whole number"),
    ("a seat that is text", {"bets": [BET | {"seat": "1"}]}, "a seat must be a whole number"),
    ("a seat that is true", {"bets": [BET | {"seat": True}]}, "a seat must be a whole number"),
    ("seat 10 of 9", {"bets": [BET | {"seat": 10}]}, "seat 10 is unknown"),
    ("seat -1", {"bets": [BET | {"seat": -1}]}, "seat -1 is unknown"),
    ("an unknown kind", {"bets": [BET | {"kind": "lucky6"}]}, 'bet 1: "kind" must be one of player, banker'),
    ("a kind that is a list", {"bets": [BET | {"kind": []}]}, 'bet 1: "kind" must be one of'),
    ("a bet without an amount", {"bets": [{"seat": 1, "kind": "tie"}]}, 'bet 1: "amount" must be an amount as text'),
    ("an amount of nothing", {"bets": [BET | {"amount": "0.00"}]}, "more than nothing"),
    ("an amount below nothing", {"bets": [BET | {"amount": "-5.00"}]}, '"amount" must not be below nothing'),
    ("an amount of half a minor unit", {"bets": [BET | {"amount": "0.005"}]}, "whole minor units"),
    ("a bet twice", {"bets": [BET, BET]}, "seat 1 has the bet banker twice"),
    ("a progressive bet twice", {"bets": [BET, PROGRESSIVE, PROGRESSIVE]}, "seat 1 has the bet progressive twice"),
    ("progressive without a main bet", {"bets": [PROGRESSIVE]}, "without a Player, Banker or Tie bet"),
    ("progressive of 20.00", {"bets": [BET, PROGRESSIVE | {"amount": "20.00"}]}, "another amount than the pool's"),
    ("a misspelt key of a bet", {"bets": [BET | {"amonut": "1.00"}]}, 'the key "amonut" is not known here'),
]


@pytest.mark.parametrize(("fault", "spoilt", "words"), STUD_FAULTS, ids=[one[0] for one in STUD_FAULTS])
def test_a_bad_stud_round_is_told_in_words(fault: str, spoilt: dict[str, Any], words: str) -> None:
    assert words in error_of(STUD | spoilt, "stud-main"), fault


@pytest.mark.parametrize(("fault", "spoilt", "words"), BACCARAT_FAULTS, ids=[one[0] for one in BACCARAT_FAULTS])
def test_a_bad_baccarat_round_is_told_in_words(fault: str, spoilt: dict[str, Any], words: str) -> None:
    assert words in error_of(BACCARAT | spoilt, "bac-b"), fault


def test_a_progressive_bet_may_say_the_pools_own_amount() -> None:
    record = BACCARAT | {"bets": [BET, PROGRESSIVE | {"amount": "10.00"}]}
    assert "error" not in asked(json.dumps(record).encode(), "bac-b")


def test_what_is_absent_may_be_null_as_well() -> None:
    absent = dict.fromkeys(("reserve", "overflow", "irregularity", "void_seats"))
    assert asked(json.dumps(STUD | absent).encode()) == asked(json.dumps(STUD).encode())


LINES = [
    (b"nonsense", None, "this is no JSON"),
    (b'{"round":"r1"', None, "this is no JSON"),
    (b'{"round":"\xff"}', None, "this is no JSON"),
    (b'{"round":"r1","meter":NaN}', None, "this is no JSON"),
    (b"[]", None, "a round must be an object"),
    (b"null", None, "a round must be an object"),
    (b'{"meter":"1.00"}', None, '"round" must be text'),
    (b'{"round":7,"meter":"1.00"}', 7, '"round" must be text'),
    (b'{"round":["r1"],"meter":"1.00"}', None, '"round" must be text'),
    (b'{"round":"r1","meter":"1.00","meter":"2.00"}', "r1", '"meter" is said twice'),
    (b'{"round":"r1","meter" : "1.00", "meter" : "2.00"}', "r1", '"meter" is said twice'),
    (b'{"round":"r1","seats":{"3":{},"3":{}}}', "r1", '"3" is said twice'),
    (b'{"round":"r1","\\u006deter":"1.00","meter":"2.00"}', "r1", '"meter" is said twice'),
    (b'{"round":"\\"\\"","meter":"1.00","meter":"2.00"}', '""', '"meter" is said twice'),
    (b'{"round":"r1","meter":' + b"[" * 300 + b"]" * 300 + b"}", "r1", "no round looks like this"),
    (b'{"round":"\\n","meter":' + b"[" * 1000 + b"]" * 1000 + b"}", "\n", "no round looks like this"),
    (b'{"round":"r1","meter":' + b"[" * 5000 + b"]" * 5000 + b"}", None, "this is no JSON"),
    (b" " * MAX_LINE_BYTES + b"{}", None, f"a line of more than {MAX_LINE_BYTES} bytes is no round"),
]


@pytest.mark.parametrize(("line", "name", "words"), LINES, ids=[line.decode("latin-1")[:60] for line, _, _ in LINES])
def test_a_line_that_is_no_round_is_told_in_words(line: bytes, name: object, words: str) -> None:
    answered = asked(line)
    assert answered["round"] == name
    assert words in answered["error"]


KEYS = ["round", "meter", "dealer", "seats", "cards", "bets", "ante", "seat", "kind", "amount", "3", "irregularity"]
plain = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
telling = st.sampled_from(
    ["100.00", "AS", "TH", "banker", "progressive", "misdeal", "r1", 3, ROYAL["H"], COUP, SEAT, BET]
)
anything = st.recursive(
    plain | telling,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=3), inner),
    max_leaves=20,
)


@settings(max_examples=300)
@given(st.sampled_from(sorted(JUDGES)), anything)
def test_no_json_whatever_makes_a_traceback(pool: str, value: object) -> None:
    answered = asked(json.dumps(value).encode(), pool)
    assert "error" in answered or answered["void"] or isinstance(value, dict)


@settings(max_examples=300)
@given(st.sampled_from(sorted(JUDGES)), st.data())
def test_a_round_with_anything_in_any_place_makes_no_traceback(pool: str, data: st.DataObject) -> None:
    """Of a good round one value, at any depth, becomes anything."""
    record: Any = json.loads(json.dumps(STUD if pool == "stud-main" else BACCARAT))
    place = record
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.booleans()):
            break
        place = place[key]
    place[key] = data.draw(anything)
    answered = asked(json.dumps(record).encode(), pool)
    assert ("error" in answered) is not ("meter" in answered)


@settings(max_examples=300)
@given(st.binary(max_size=80))
def test_no_bytes_whatever_make_a_traceback(line: bytes) -> None:
    assert "error" in asked(line)


@settings(max_examples=300)
@given(
    st.sampled_from(sorted(JUDGES)),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=4),
    st.integers(0, 10_000),
)
def test_a_line_with_bytes_gone_wrong_or_cut_short_makes_no_traceback(
    pool: str, spoilt: list[tuple[int, int]], length: int
) -> None:
    line = bytearray(json.dumps(STUD if pool == "stud-main" else BACCARAT).encode())
    for place, byte in spoilt:
        line[place % len(line)] = byte
    answered = asked(bytes(line[: length % len(line) or None]), pool)
    assert ("error" in answered) is not ("meter" in answered)


PACK = [rank + suit for suit in "SHCD" for rank in "AKQJT98765432"]
some_cards = st.one_of(
    st.lists(st.sampled_from(PACK), max_size=60),
    st.lists(st.sampled_from([*PACK[:8], "10S", "1S", "TX", "as", "", "JOKER"]), max_size=8),
    st.permutations(PACK).map(lambda pack: pack[:6]),
)


@st.composite
def hands_of_a_pack(draw: st.DrawFn) -> list[list[str]]:
    """The dealer's hand and some others of one pack, most of them of five cards."""
    pack = list(draw(st.permutations(PACK)))
    sizes = draw(st.lists(st.sampled_from([5, 5, 5, 5, 5, 5, 5, 4, 6]), min_size=1, max_size=8))
    return [[pack.pop() for _ in range(size)] for size in sizes]


@settings(max_examples=400)
@given(
    hands=st.one_of(hands_of_a_pack(), st.lists(some_cards, min_size=1, max_size=8)),
    first=st.integers(-1, 3),
    is_void=st.booleans(),
)
def test_stud_rounds_of_any_cards_are_judged_only_when_every_hand_has_five_of_one_pack(
    hands: list[list[str]], first: int, *, is_void: bool
) -> None:
    dealer, others = hands[0], {str(seat): hand for seat, hand in enumerate(hands[1:], start=first)}
    seats = {seat: SEAT | {"cards": cards} for seat, cards in others.items()}
    record = STUD | {"dealer": dealer, "seats": seats, "irregularity": "misdeal" if is_void else None}
    answered = asked(json.dumps(record).encode())
    dealt = [card.replace("10", "T") for cards in hands for card in cards]
    of_a_pack = set(dealt) <= set(PACK) and len(set(dealt)) == len(dealt)
    known_seats = others.keys() <= set("1234567")
    fives = is_void or all(len(cards) == 5 for cards in hands)
    assert ("error" not in answered) is (of_a_pack and known_seats and fives)


@settings(max_examples=300)
@given(some_cards, st.integers(0, 3))
def test_coups_of_any_cards_are_judged_only_when_the_drawing_rule_deals_exactly_them(
    cards: list[str], cut: int
) -> None:
    """Also what the reference deals of them, and that with a card less or more."""
    shoe = [card for card in cards if card in PACK] + ["KS"] * 6
    whole = sum(map(len, reference_baccarat.played(shoe)))
    for dealt in (cards, shoe[: whole + 1 - cut]):
        answered = asked(json.dumps(BACCARAT | {"cards": dealt}).encode(), "bac-b")
        fits = set(dealt) <= {*PACK, "10S"} and 4 <= len(dealt) <= 6
        if fits:
            read = [card.replace("10", "T") for card in dealt]
            fits = sum(map(len, reference_baccarat.played([*read, "KS", "KS"]))) == len(dealt)
        assert ("error" not in answered) is fits


@pytest.mark.parametrize(
    "number",
    ["0", "-0", "1e400", "-1e400", "123456789012345678901234567890", "0.1", "1" + "0" * 400, "NaN", "Infinity"],
)
@pytest.mark.parametrize("key", ["round", "meter", "reserve", "dealer", "seats", "irregularity", "void_seats"])
def test_a_number_of_any_size_in_any_place_is_told_in_words(number: str, key: str) -> None:
    line = json.dumps(STUD | {key: "HERE"}).replace('"HERE"', number)
    assert "error" in asked(line.encode())


@pytest.mark.parametrize(
    "number", ["1e400", "123456789012345678901234567890", "1.0", "-1", "0", "18446744073709551615"]
)
def test_a_seat_of_any_size_is_told_in_words(number: str) -> None:
    line = json.dumps(BACCARAT | {"bets": [BET | {"seat": "HERE"}]}).replace('"HERE"', number)
    assert "error" in asked(line.encode(), "bac-b")
    line = json.dumps(STUD | {"void_seats": ["HERE"]}).replace('"HERE"', number)
    assert "error" in asked(line.encode())
