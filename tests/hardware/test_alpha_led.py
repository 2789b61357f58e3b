"""Packets for LED signs, and the simulated sign that reads them as a real one does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.alpha_led import ETX, MAX_TEXT, Mode, text_packet
from hardware.simulated.alpha_sign import AlphaSign

PACKET = text_packet("MOP 1,234")


def heard(*pieces: bytes, pause_ms: int = 10) -> AlphaSign:
    sign = AlphaSign()
    for number, piece in enumerate(pieces):
        assert sign.feed(piece, number * pause_ms) == b""
    return sign


def test_a_packet_is_as_the_protocol_has_it() -> None:
    summed = b"\x02A0\x1b bHI\x03"
    total = sum(summed)
    assert text_packet("HI") == b"\x00\x00\x00\x00\x00\x01Z00" + summed + b"%04X" % total + b"\x04"


def test_a_sign_shows_the_text() -> None:
    sign = heard(PACKET)
    assert (sign.text, sign.mode, sign.packets) == ("MOP 1,234", "b", 1)
    assert heard(text_packet("ROYAL FLUSH", Mode.ROTATE)).mode == "a"


@given(st.data())
def test_a_packet_may_come_in_any_pieces(data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(1, len(PACKET) - 1))))
    pieces = [PACKET[start:end] for start, end in zip([0, *cuts], [*cuts, len(PACKET)], strict=True)]
    assert heard(*pieces).text == "MOP 1,234"


@given(st.text(max_size=200), st.sampled_from(Mode))
def test_no_text_holds_a_control_code_or_spoils_the_packet(text: str, mode: Mode) -> None:
    packet = text_packet(text, mode)
    assert all(byte < 0x80 for byte in packet)
    sign = heard(packet)
    assert sign.packets == 1
    assert len(sign.text) == min(len(text), MAX_TEXT)
    assert all(" " <= char <= "~" for char in sign.text)


# A packet whose ETX is spoilt is one without a sum, which signs take: the protocol has no remedy.
_SUMMED = st.integers(9, len(PACKET) - 2).filter(lambda at: PACKET[at : at + 1] != ETX)


@given(_SUMMED, st.integers(0, 6))
def test_a_packet_with_one_wrong_bit_is_not_shown(at: int, bit: int) -> None:
    spoilt = bytearray(PACKET)
    spoilt[at] ^= 1 << bit
    sign = heard(bytes(spoilt))
    assert sign.text == ""
    assert sign.packets == 0


def test_a_wrong_sum_is_counted() -> None:
    assert heard(PACKET.replace(b"1,234", b"1,235")).bad_sums == 1


def test_a_packet_without_a_sum_is_taken() -> None:
    sign = heard(b"\x00" * 5 + b"\x01Z00\x02A0\x1b bHI\x04")
    assert (sign.text, sign.packets) == ("HI", 1)


@pytest.mark.parametrize("pause_ms", [999, 1_000])
def test_a_pause_of_a_second_ends_a_packet(pause_ms: int) -> None:
    sign = heard(PACKET[:20], PACKET[20:], pause_ms=pause_ms)
    assert sign.text == ("MOP 1,234" if pause_ms < 1_000 else "")
    assert sign.timeouts == (0 if pause_ms < 1_000 else 1)


def test_a_pause_ends_a_packet_also_when_nothing_more_comes() -> None:
    sign = heard(PACKET[:20])
    sign.tick(1_000)
    assert sign.timeouts == 1
    sign.feed(PACKET, 1_001)
    assert sign.text == "MOP 1,234"


def test_too_few_zero_bytes_wake_no_sign() -> None:
    sign = heard(PACKET[1:])
    assert (sign.text, sign.bad_packets) == ("", 1)


def test_a_packet_for_another_sign_is_not_shown() -> None:
    for code, address in ((b"b", b"00"), (b"Z", b"02")):
        assert heard(PACKET.replace(b"\x01Z00", b"\x01" + code + address)).text == ""


def test_a_command_that_shows_nothing_changes_nothing() -> None:
    sign = heard(PACKET, b"\x00" * 5 + b"\x01Z00\x02E$\x04")
    assert (sign.text, sign.packets) == ("MOP 1,234", 2)


def test_noise_is_bounded_and_the_next_packet_is_read() -> None:
    sign = AlphaSign()
    for _ in range(100):
        sign.feed(b"\x55" * 1_000, 0)
    sign.feed(PACKET, 0)
    assert sign.text == "MOP 1,234"
