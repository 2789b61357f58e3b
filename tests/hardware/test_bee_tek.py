"""Bee-Tek tokens: what each says, and that a token in doubt is never dropped as noise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.bee_tek import BeeTek, encode_alarm, encode_burn, encode_card, encode_unreadable, encode_warning
from hardware.reports import CardOut, CardUnreadable, Grade, Noise, Report, Said, ShoeFault, ShoeNotice, Target
from tests.support.decoding import assert_bounded, cut, cuts, feed_all, whats

FOUR_OF_SPADES = b" [Game]<Card:4S> "
UNREADABLE_BURN = ShoeNotice("burn_unreadable", "a burnt card could not be read")


def heard(text: bytes) -> list[Report]:
    return whats(BeeTek().feed(text))


def test_the_grade_is_bare() -> None:
    assert BeeTek.grade is Grade.BARE


def test_a_token_is_kept_without_the_blanks_around_it() -> None:
    assert BeeTek().feed(FOUR_OF_SPADES) == [Said(CardOut("4S"), b"[Game]<Card:4S>")]


@pytest.mark.parametrize("suit", ["C", "D", "H", "S", "c", "d", "h", "s"])
@pytest.mark.parametrize("rank", ["2", "3", "4", "5", "6", "7", "8", "9", "T", "10", "J", "Q", "K", "A", "t", "j", "a"])
def test_rank_and_suit_are_read_in_any_case(rank: str, suit: str) -> None:
    card = rank.upper().replace("10", "T") + suit.upper()
    assert heard(f"[Game]<Card:{rank}{suit}>".encode()) == [CardOut(card)]


@pytest.mark.parametrize(
    ("token", "report"),
    [
        (b"[Manual Burn Cards]<Card:10h>", CardOut("TH", Target.BURN)),
        (b"[Game]<Game>", CardUnreadable()),
        (b"[GameAlarm]<Alarm:E3 Card Not Read>", ShoeFault("E3", "Card Not Read", raised=True)),
        (b"[Game]<Alarm:E3 Card Not Read>", ShoeFault("E3", "Card Not Read", raised=True)),
        (b"<Alarm:E12>", ShoeFault("E12", "no text", raised=True)),
        (b"[GameAlarm]<Alarm:Jam>", ShoeFault("UNKNOWN", "Jam", raised=True)),
        (b"<W0x01>", ShoeNotice("warning", "W0x01")),
        (b"[Game]<W0x1f>", ShoeNotice("warning", "W0x1f")),
    ],
)
def test_each_token_reads_as_the_dialect_says(token: bytes, report: Report) -> None:
    assert heard(token) == [report]


def test_what_the_simulated_shoe_writes_is_what_the_dialect_says() -> None:
    assert encode_card("4S") == FOUR_OF_SPADES
    assert encode_unreadable() == b" [Game]<Game> "
    assert encode_burn("4S") == b" [Manual Burn Cards]<Card:4S> "
    assert encode_alarm("E3", "Card Not Read") == b" [GameAlarm]<Alarm:E3 Card Not Read> "
    assert encode_warning(1) == b" <W0x01> "


def test_several_tokens_in_one_read_are_all_heard_in_order() -> None:
    text = b" [Game]<Card:4S>  [Game]<Game>\r\n[Manual Burn Cards]<Card:2C> <W0x01>[Game]<Card:KD>"
    assert heard(text) == [
        CardOut("4S"),
        CardUnreadable(),
        CardOut("2C", Target.BURN),
        ShoeNotice("warning", "W0x01"),
        CardOut("KD"),
    ]


def test_the_same_card_said_twice_is_two_cards_since_nothing_numbers_them() -> None:
    assert heard(FOUR_OF_SPADES * 2) == [CardOut("4S"), CardOut("4S")]


@pytest.mark.parametrize(
    "token",
    [
        b"[Game]<Card:1Z>",
        b"[Game]<Card:>",
        b"[Game]<Card:11S>",
        b"[Game]<C\xe1rd:4S>",
        b"[Game]<\x00\x00>",
        b"[Game]<>",
        b"[Game]|Card:4S>",
        b"[Game<Card:4S>",
        b"[G\xe1me]<Card:4S>",
        b"Game]<Card:4S>",
        b"[Game] <Card:4S>",
        b"<Card:4S>",
        b"<Game>",
        b"[Game]<Card:4S ",
    ],
)
def test_a_damaged_token_that_may_have_been_a_card_is_one_unreadable_card(token: bytes) -> None:
    assert heard(token) == [CardUnreadable()]


@pytest.mark.parametrize("at", range(len(b"[Game]<Card:4S>")))
@pytest.mark.parametrize("flip", [0x01, 0x20, 0x80])
def test_no_single_damaged_byte_hides_a_card(at: int, flip: int) -> None:
    token = bytearray(b"[Game]<Card:4S>")
    token[at] ^= flip
    said = heard(bytes(token) + b" [Game]<Card:KD> ")
    assert said[-1] == CardOut("KD")
    assert len(said) == 2
    assert isinstance(said[0], CardOut | CardUnreadable)


def test_a_lost_end_costs_its_own_token_alone() -> None:
    assert heard(b"[Game]<Card:4S[Game]<Card:KD>") == [CardUnreadable(), CardOut("KD")]
    assert heard(b"[GameAlarm]<Alarm:E3 Card Not Read [Game]<Card:KD>") == [
        ShoeFault("E3", "Card Not Read", raised=True),
        CardOut("KD"),
    ]


def test_a_lost_end_and_a_lost_section_hide_neither_card() -> None:
    assert heard(b"[Game]<Card:4S<Card:KD>") == [CardUnreadable(), CardUnreadable()]


def test_a_section_whose_card_was_lost_is_an_unreadable_card() -> None:
    assert heard(b"[Game][Game]<Card:KD>") == [CardUnreadable(), CardOut("KD")]


@pytest.mark.parametrize("token", [b"[Manual Burn Cards]<Card:1Z>", b"[Manual Burn Cards]<Game>"])
def test_a_burnt_card_that_cannot_be_read_is_told_apart_from_a_dealt_one(token: bytes) -> None:
    assert heard(token) == [UNREADABLE_BURN]


def test_anything_unreadable_among_the_alarms_is_an_alarm() -> None:
    (fault,) = heard(b"[GameAlarm]<Al\xe1rm:E3>")
    assert isinstance(fault, ShoeFault)
    assert fault.raised


@pytest.mark.parametrize("token", [b"<Hello>", b"[Lobby]<Open>", b"[Lobby]>", b"[[<<>"])
def test_a_token_that_cannot_have_been_a_card_is_noise(token: bytes) -> None:
    said, noise = feed_all(BeeTek(), [token])
    assert not said
    assert set(noise) == {"token"}


def test_bytes_outside_tokens_are_noise_and_blanks_are_nothing() -> None:
    assert feed_all(BeeTek(), [b"\xff\x00x \r\n\t" + FOUR_OF_SPADES + b"y"])[1] == {"junk": 4}


def test_a_token_longer_than_any_is_given_up_and_still_counts_as_a_card() -> None:
    said, noise = feed_all(BeeTek(), [b"[Game]<" + b"x" * 200, FOUR_OF_SPADES])
    assert whats(said) == [CardUnreadable(), CardOut("4S")]
    assert noise["overrun"] == 1


def test_a_card_cut_by_a_lost_link_is_unreadable_and_not_forgotten() -> None:
    driver = BeeTek()
    driver.feed(b"[Game]<Car")
    assert driver.reopened() == [Said(CardUnreadable(), b"[Game]<Car")]
    assert driver.reopened() == []
    assert whats(driver.feed(b"d:4S>" + FOUR_OF_SPADES)) == [CardOut("4S")]


def test_a_half_section_of_nothing_is_noise_after_a_lost_link() -> None:
    driver = BeeTek()
    driver.feed(b"[Man")
    assert driver.reopened() == [Noise("token", 1)]


TOKENS = (
    b"[Game]<Card:4S>",
    b"[Game]<Card:10h>",
    b"[Game]<Game>",
    b"[Manual Burn Cards]<Card:2C>",
    b"[GameAlarm]<Alarm:E3 Card Not Read>",
    b"<W0x01>",
    b"[Game]<Card:4",
    b"<Card:4S>",
    b"\xff\x00",
)


@given(st.lists(st.sampled_from(TOKENS), max_size=8), st.binary(max_size=20), st.data())
def test_tokens_cut_anywhere_say_the_same(tokens: list[bytes], trailing: bytes, data: st.DataObject) -> None:
    stream = b" ".join(tokens) + trailing
    whole = feed_all(BeeTek(), [stream])
    assert feed_all(BeeTek(), cut(stream, data.draw(cuts(len(stream))))) == whole
    assert feed_all(BeeTek(), [bytes([byte]) for byte in stream]) == whole


@pytest.mark.parametrize(
    "unit", [b"\x00", b"[", b"<", b"<>", b"[" + b"x" * 200, b"[[<", b"<x ", b" ", b"[GameAlarm]<Alarm:"]
)
def test_a_mebibyte_of_noise_is_read_in_bounded_memory_and_linear_time(unit: bytes) -> None:
    driver = assert_bounded(BeeTek, unit)
    assert whats(driver.feed(b">" + FOUR_OF_SPADES))[-1:] == [CardOut("4S")]
