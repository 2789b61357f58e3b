"""Bee-Tek (USPC) shoe: tokens out of a byte stream (devices.md section 2). Grade: bare.

Laws
1. A token runs from `[` or `<` to `>`; a `[`, or a second `<`, before that means that `>` was lost, and starts a token.
2. The dialect has no check, so a token that may have been a card and cannot be read is `CardUnreadable`, never noise.
   One that stands in the alarm's section is a fault whatever it says.
3. At most `_MAX_TOKEN` bytes are kept, and every byte is looked at a bounded number of times.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from hardware.findings import Findings
from hardware.reports import CardOut, CardUnreadable, Grade, Noise, Report, Said, ShoeFault, ShoeNotice, Target

_MAX_TOKEN: Final = 96  # the longest known token has 35 bytes; alarm texts vary with the model
_MIN_TOKEN: Final = len("<Game")  # nothing shorter can have been a card, so floods of brackets cost little
_GAME: Final = "[game]"
_BURN: Final = "[manual burn cards]"
_ALARM: Final = "[gamealarm]"
_SECTIONS: Final = (_GAME, _BURN, _ALARM)

_START: Final = re.compile(rb"[\[<]")
_BLANKS: Final = b" \t\r\n"
_TOKEN: Final = re.compile(r"(?:\[[^\[\]<>]*\])?<[^<>]*>", re.DOTALL)
_CARD_TEXT: Final = re.compile(r"card:(10|[2-9tjqka])([cdhs])", re.IGNORECASE)
_ALARM_TEXT: Final = re.compile(r"alarm:\s*(e\d{1,3})?\s*(.*)", re.IGNORECASE | re.DOTALL)
_WARNING_TEXT: Final = re.compile(r"w0x[0-9a-f]{1,4}", re.IGNORECASE)


class BeeTek:
    """The decoder of one shoe. A bare dialect numbers nothing, so the `last` token of an earlier run says nothing."""

    grade = Grade.BARE

    def __init__(self, last: bytes | None = None) -> None:
        del last  # every driver is made the same way
        self._token = bytearray()

    def feed(self, data: bytes) -> Sequence[Said | Noise]:
        """Take any bytes; return what they completed, in order."""
        found = Findings()
        at = 0
        while at < len(data):
            if not self._token:
                start = _START.search(data, at)
                _count_junk(data[at : start.start() if start else len(data)], found)
                if start is None:
                    break
                at = start.start()
            self._take(data[at], found)
            at += 1
        return found.items

    def reopened(self) -> Sequence[Said | Noise]:
        """Give up a half token; where it may have been a card, say so."""
        found = Findings()
        if self._token:
            self._finish(found)
        return found.items

    def _take(self, byte: int, found: Findings) -> None:
        character = chr(byte)
        if character == "[" or (character == "<" and b"<" in self._token):
            if self._token:
                self._finish(found)
            self._token.append(byte)
            return
        if byte in _BLANKS and _is_over(self._token):
            self._finish(found)
            return
        self._token.append(byte)
        if character == ">":
            self._finish(found)
        elif len(self._token) >= _MAX_TOKEN:
            found.noise("overrun")
            self._finish(found)

    def _finish(self, found: Findings) -> None:
        raw = bytes(self._token)
        self._token.clear()
        report = read_token(raw)
        if report is None:
            found.noise("token")
        else:
            found.said(report, raw)


def _is_over(token: bytearray) -> bool:
    """Whether a blank after these bytes proves that the `>` was lost: only alarms have blanks after their `<`."""
    _, opened, content = token.partition(b"<")
    return bool(opened) and not content.lower().startswith(b"alarm:")


def _count_junk(data: bytes, found: Findings) -> None:
    """Blanks separate tokens; anything else outside a token is noise."""
    junk = len(data.translate(None, _BLANKS))
    if junk:
        found.noise("junk", junk)


def read_token(raw: bytes) -> Report | None:
    """The report in one token, whole or not; None where it certainly carried none."""
    if len(raw) < _MIN_TOKEN:
        return None
    text = raw.decode("latin-1")  # any byte has a character, so a damaged token is still looked at
    whole = _TOKEN.fullmatch(text) is not None
    section = next((known for known in _SECTIONS if text.lower().startswith(known)), "")
    content = text.partition("<")[2].removesuffix(">")
    card = _CARD_TEXT.fullmatch(content)
    if whole and card and section in (_GAME, _BURN):
        rank, suit = card.group(1).upper().replace("10", "T"), card.group(2).upper()
        return CardOut(rank + suit, Target.BURN if section == _BURN else None)
    if alarm := _ALARM_TEXT.fullmatch(content):
        return ShoeFault((alarm.group(1) or "unknown").upper(), alarm.group(2).strip() or "no text", raised=True)
    if whole and _WARNING_TEXT.fullmatch(content):
        return ShoeNotice("warning", content)
    return _in_doubt(section, content)


def _in_doubt(section: str, content: str) -> Report | None:
    """Law 2: what a token that cannot be read is taken for."""
    match section:
        case "[game]":
            return CardUnreadable()
        case "[manual burn cards]":
            return ShoeNotice("burn_unreadable", "a burnt card could not be read")
        case "[gamealarm]":
            return ShoeFault("unknown", f"an alarm that could not be read: {content!r}", raised=True)
        case _:
            return CardUnreadable() if content.lower().startswith(("card", "game")) else None


def encode_card(card: str) -> bytes:
    """A card in play."""
    return f" [Game]<Card:{card}> ".encode("ascii")


def encode_burn(card: str) -> bytes:
    """A card burnt by hand."""
    return f" [Manual Burn Cards]<Card:{card}> ".encode("ascii")


def encode_unreadable() -> bytes:
    """A card that the shoe could not read."""
    return b" [Game]<Game> "


def encode_alarm(code: str, text: str) -> bytes:
    """An alarm, for example E3 "Card Not Read"."""
    return f" [GameAlarm]<Alarm:{code} {text}> ".encode("ascii")


def encode_warning(number: int) -> bytes:
    """A warning, for example 01."""
    return f" <W0x{number:02X}> ".encode("ascii")
