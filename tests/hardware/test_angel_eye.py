"""Angel Eye frames: the published vectors, and every way in which a line spoils them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.angel_eye import AngelEye
from hardware.angel_eye_codec import (
    encode_command,
    write_burn_count,
    write_card,
    write_fault,
    write_frame,
    write_result,
)
from hardware.reports import (
    CardOut,
    CardUnreadable,
    Grade,
    Noise,
    Report,
    Said,
    SequenceGap,
    ShoeFault,
    ShoeNotice,
    ShoeResult,
    ShoeStarted,
    Target,
    UnknownEvent,
)
from tests.support.decoding import assert_bounded, cut, cuts, feed_all, whats

EIGHT_OF_SPADES = bytes.fromhex("05 31 44 81 b8 03 34 46")
PLAYER_WINS = bytes.fromhex("05 32 47 91 03 45 37")
CUT_CARD = bytes.fromhex("05 33 43 03 37 33")
ERROR_1 = bytes.fromhex("05 34 45 c1 03 42 33")
LOCKED = bytes.fromhex("05 35 4c 81 03 46 42")
PUBLISHED = (EIGHT_OF_SPADES, PLAYER_WINS, CUT_CARD, ERROR_1, LOCKED)
PLAYER_1 = CardOut("8S", Target.PLAYER, 1)


def card_frame(seq: int, card: str, target: Target = Target.PLAYER, index: int = 1) -> bytes:
    return write_frame(seq, "D", write_card(card, target, index))


def heard(*frames: bytes) -> list[Report]:
    return whats(AngelEye().feed(b"".join(frames)))


def test_the_published_frames_read_as_published() -> None:
    said, noise = feed_all(AngelEye(), PUBLISHED)
    assert said == [
        Said(PLAYER_1, EIGHT_OF_SPADES, 1),
        Said(ShoeResult("player", player_pair=True, banker_pair=False), PLAYER_WINS, 2),
        Said(ShoeNotice("cut_card", "the cut card came out"), CUT_CARD, 3),
        Said(ShoeFault("1", "a card could not be read", raised=True), ERROR_1, 4),
        Said(ShoeNotice("locked", "the shoe is locked"), LOCKED, 5),
    ]
    assert not noise


def test_the_published_frames_are_written_as_published() -> None:
    assert write_frame(1, "D", write_card("8S", Target.PLAYER, 1)) == EIGHT_OF_SPADES
    assert write_frame(2, "G", write_result("player", player_pair=True, banker_pair=False)) == PLAYER_WINS
    assert write_frame(3, "C") == CUT_CARD
    assert write_frame(4, "E", write_fault(1, in_error_mode=True)) == ERROR_1
    assert write_frame(5, "L", b"\x01") == LOCKED


def test_the_published_lock_command_has_the_02_in_its_check() -> None:
    assert encode_command("LK", "02") == bytes.fromhex("02 4f 50 4c 4b 30 32 03 31 42")


def test_the_grade_is_sequenced() -> None:
    assert AngelEye.grade is Grade.SEQUENCED


@pytest.mark.parametrize("suit", "DCSH")
@pytest.mark.parametrize("rank", "A23456789TJQK")
def test_each_card_of_a_pack_reads_as_itself(rank: str, suit: str) -> None:
    assert heard(card_frame(1, rank + suit, Target.BANKER, 3)) == [CardOut(rank + suit, Target.BANKER, 3)]


@pytest.mark.parametrize(
    ("code", "data", "report"),
    [
        ("D", write_card("TD", Target.BURN), CardOut("TD", Target.BURN)),
        ("D", b"\x40\x1a", CardOut("TD", Target.BURN)),
        ("D", write_burn_count(10), ShoeNotice("burn_count", "10 cards to burn")),
        ("d", write_card("AH", Target.OUTSIDE), CardOut("AH", Target.OUTSIDE)),
        ("d", b"\x10\x11", CardOut("AD", Target.OUTSIDE)),
        ("d", b"\x20\x11", CardOut("AD", Target.OUTSIDE)),
        ("R", write_card("AH", Target.BANKER, 2), CardOut("AH", Target.BANKER, 2, again=True)),
        ("R", write_burn_count(3), ShoeNotice("burn_count", "3 cards to burn")),
        ("G", b"\x23", ShoeResult("tie", player_pair=True, banker_pair=True)),
        ("G", b"\x42", ShoeResult("banker", player_pair=False, banker_pair=True)),
        ("G", b"\x70", ShoeResult("forced_quit", player_pair=False, banker_pair=False)),
        ("E", b"\x07", ShoeFault("7", "the draw took too long", raised=True)),
        ("E", b"\x3f", ShoeFault("63", "an error the shoe's manual does not name", raised=True)),
        ("e", b"\x02", ShoeFault("2", "a card too many was drawn", raised=False)),
        ("e", b"\x42", ShoeFault("2", "a card too many was drawn; the shoe is still in error mode", raised=False)),
        ("L", b"\x00", ShoeNotice("unlocked", "the shoe is unlocked")),
        ("P", b"", ShoeNotice("standby", "the shoe stands by")),
        ("M", b"\x01\x02", ShoeNotice("preset", "a preset of the shoe was changed")),
        ("S", b"", ShoeStarted()),
    ],
)
def test_each_message_reads_as_the_table_says(code: str, data: bytes, report: Report) -> None:
    assert heard(write_frame(0, code, data)) == [report]


@pytest.mark.parametrize("data", [b"", b"\x01", b"\x01\x38\x00", b"\x00\x38", b"\x04\x38", b"\x31\x38", b"\x61\x38"])
def test_a_card_in_play_without_a_known_place_is_unreadable(data: bytes) -> None:
    assert heard(write_frame(1, "D", data)) == [CardUnreadable()]


@pytest.mark.parametrize("card", [b"\x08", b"\x58", b"\x30", b"\x3e"])
def test_a_card_in_play_of_no_known_suit_or_rank_is_unreadable(card: bytes) -> None:
    assert heard(write_frame(1, "D", b"\x01" + card)) == [CardUnreadable()]


@pytest.mark.parametrize(
    ("code", "data"),
    [("Q", b"\x01"), ("R", b"\x01\x00"), ("d", b"\x30\x11"), ("d", b"\x00"), ("G", b"\x30"), ("G", b""), ("E", b"")],
)
def test_a_checked_message_without_a_known_meaning_is_kept_raw(code: str, data: bytes) -> None:
    wire = bytes(byte | 0x80 for byte in data)
    why = f"a message {code!r} that the Angel Eye dialect does not have"
    assert heard(write_frame(1, code, data)) == [UnknownEvent(ord(code), wire.hex(), why)]


# ---- numbers


def test_a_frame_sent_three_times_counts_once() -> None:
    said, noise = feed_all(AngelEye(), [EIGHT_OF_SPADES] * 3)
    assert whats(said) == [PLAYER_1]
    assert noise == {"repeat": 2}


def test_a_repeat_across_a_restart_counts_once() -> None:
    assert AngelEye(last=EIGHT_OF_SPADES).feed(EIGHT_OF_SPADES) == [Noise("repeat", 1)]


def test_a_repeat_across_a_reconnect_counts_once() -> None:
    driver = AngelEye()
    driver.feed(EIGHT_OF_SPADES)
    assert driver.reopened() == []
    assert driver.feed(EIGHT_OF_SPADES) == [Noise("repeat", 1)]


def test_messages_lost_while_the_daemon_was_away_are_a_gap() -> None:
    said = AngelEye(last=EIGHT_OF_SPADES).feed(CUT_CARD)
    assert whats(said) == [SequenceGap(2, 3), ShoeNotice("cut_card", "the cut card came out")]


def test_the_number_after_nine_is_nought() -> None:
    assert SequenceGap not in map(type, heard(*(card_frame(seq % 10, "8S") for seq in range(7, 23))))


def test_the_first_number_is_taken_as_it_comes() -> None:
    assert heard(card_frame(6, "8S")) == [PLAYER_1]


def test_a_gap_is_told_before_the_report_of_the_same_frame() -> None:
    frame = card_frame(4, "KD", Target.BANKER)
    said, _ = feed_all(AngelEye(), [EIGHT_OF_SPADES, frame])
    assert said[1:] == [Said(SequenceGap(2, 4), frame, 4), Said(CardOut("KD", Target.BANKER, 1), frame, 4)]


def test_the_same_number_with_another_card_is_a_gap_and_not_a_repeat() -> None:
    assert heard(EIGHT_OF_SPADES, card_frame(1, "9S")) == [PLAYER_1, SequenceGap(2, 1), CardOut("9S", Target.PLAYER, 1)]


def test_the_same_frame_after_a_power_up_is_a_new_message() -> None:
    assert heard(EIGHT_OF_SPADES, write_frame(0, "S"), EIGHT_OF_SPADES) == [PLAYER_1, ShoeStarted(), PLAYER_1]


@pytest.mark.parametrize("seq", range(10))
def test_any_number_may_follow_a_power_up_but_only_once(seq: int) -> None:
    first, skipped = card_frame(seq, "8S"), card_frame((seq + 2) % 10, "9S")
    gap = SequenceGap((seq + 1) % 10, (seq + 2) % 10)
    assert heard(CUT_CARD, write_frame(7, "S"), first, skipped)[1:] == [
        ShoeStarted(),
        PLAYER_1,
        gap,
        CardOut("9S", Target.PLAYER, 1),
    ]


def test_a_repeated_power_up_counts_once() -> None:
    assert heard(*[write_frame(0, "S")] * 3, EIGHT_OF_SPADES) == [ShoeStarted(), PLAYER_1]


def test_a_restart_after_a_power_up_still_takes_any_number() -> None:
    assert whats(AngelEye(last=write_frame(0, "S")).feed(LOCKED)) == [ShoeNotice("locked", "the shoe is locked")]


# ---- a bad line


def test_a_lost_03_loses_neither_of_the_frames_it_merges() -> None:
    merged = EIGHT_OF_SPADES.replace(b"\x03", b"") + PLAYER_WINS
    said, noise = feed_all(AngelEye(), [merged])
    assert whats(said) == [PLAYER_1, ShoeResult("player", player_pair=True, banker_pair=False)]
    assert not noise


def test_a_frame_without_its_03_and_its_repeat_count_once() -> None:
    assert heard(EIGHT_OF_SPADES.replace(b"\x03", b""), EIGHT_OF_SPADES) == [PLAYER_1]
    assert AngelEye(last=EIGHT_OF_SPADES.replace(b"\x03", b"")).feed(EIGHT_OF_SPADES) == [Noise("repeat", 1)]


def test_a_frame_cut_short_ends_at_the_next_05_and_shows_as_a_gap() -> None:
    said, noise = feed_all(AngelEye(), [CUT_CARD, ERROR_1[:4], LOCKED])
    assert whats(said)[1:] == [SequenceGap(4, 5), ShoeNotice("locked", "the shoe is locked")]
    assert noise == {"frame": 1}


@pytest.mark.parametrize("at", range(8))
def test_any_lost_byte_of_a_frame_leaves_the_next_frame_whole(at: int) -> None:
    damaged = EIGHT_OF_SPADES[:at] + EIGHT_OF_SPADES[at + 1 :]
    assert heard(damaged, EIGHT_OF_SPADES, PLAYER_WINS) == heard(EIGHT_OF_SPADES, PLAYER_WINS)


@pytest.mark.parametrize("bit", range(64))
def test_any_flipped_bit_is_never_another_card(bit: int) -> None:
    damaged = bytearray(EIGHT_OF_SPADES)
    damaged[bit // 8] ^= 1 << bit % 8
    said, noise = feed_all(AngelEye(), [bytes(damaged), CUT_CARD])
    assert [type(what) for what in whats(said)] == [ShoeNotice]
    assert noise.total() >= 1


def test_a_wrong_check_is_noise_and_its_repeat_is_taken() -> None:
    said, noise = feed_all(AngelEye(), [EIGHT_OF_SPADES[:-1] + b"0", EIGHT_OF_SPADES])
    assert whats(said) == [PLAYER_1]
    assert noise == {"bcc": 1}


def test_a_check_in_lower_case_is_noise() -> None:
    assert heard(EIGHT_OF_SPADES.replace(b"4F", b"4f")) == []


def test_data_without_bit_7_is_noise_even_with_a_right_check() -> None:
    frame = bytes.fromhex("05 31 44 01 38 03") + b"4F"
    said, noise = feed_all(AngelEye(), [frame, PLAYER_WINS])
    assert [type(what) for what in whats(said)] == [ShoeResult]
    assert noise["frame"] == 1


def test_a_frame_longer_than_any_message_is_given_up() -> None:
    said, noise = feed_all(AngelEye(), [b"\x051D" + b"\x81" * 100, PLAYER_WINS])
    assert [type(what) for what in whats(said)] == [ShoeResult]
    assert noise["overrun"] == 1


def test_a_serial_server_that_reconnects_in_mid_frame_costs_that_frame_alone() -> None:
    driver = AngelEye()
    driver.feed(EIGHT_OF_SPADES + PLAYER_WINS[:4])
    assert driver.reopened() == [Noise("frame", 1)]
    said, noise = feed_all(driver, [PLAYER_WINS[4:], CUT_CARD])
    assert whats(said) == [SequenceGap(2, 3), ShoeNotice("cut_card", "the cut card came out")]
    assert noise == {"junk": 3}


@given(st.data())
def test_frames_cut_anywhere_say_the_same(data: st.DataObject) -> None:
    junk = st.binary(max_size=6).map(lambda noise: noise.replace(b"\x05", b""))
    stream = b"".join(data.draw(junk) + frame for frame in PUBLISHED) + data.draw(st.binary(max_size=12))
    pieces = cut(stream, data.draw(cuts(len(stream))))
    whole = feed_all(AngelEye(), [stream])
    assert whats(whole[0])[:5] == heard(*PUBLISHED)
    assert feed_all(AngelEye(), pieces) == whole
    assert feed_all(AngelEye(), [bytes([byte]) for byte in stream]) == whole


@pytest.mark.parametrize(
    "unit", [b"\x00", b"\x05", b"\x051D\x81", b"\x051D" + b"\x81" * 99, b"1D\x03FF", b"\x051D\x0300"]
)
def test_a_mebibyte_of_noise_is_read_in_bounded_memory_and_linear_time(unit: bytes) -> None:
    driver = assert_bounded(AngelEye, unit)
    assert whats(driver.feed(EIGHT_OF_SPADES))[-1:] == [PLAYER_1]


def test_random_noise_around_frames_loses_none_of_them() -> None:
    rng = random.Random(5)
    noise = [bytes(byte for byte in rng.randbytes(4096) if byte != 5) for _ in PUBLISHED]
    said, _ = feed_all(AngelEye(), [part for pair in zip(noise, PUBLISHED, strict=True) for part in pair])
    assert [item.raw for item in said] == list(PUBLISHED)
