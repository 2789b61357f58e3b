"""What the messages of an Angel Eye II-EX shoe mean (devices.md section 1), both ways.

Laws
1. One function reads a message, one table names its codes; the simulated shoe writes through the same tables.
2. A message whose check is right but whose meaning is not known is never dropped: a card in play that cannot be read is
   `CardUnreadable`, all else is `UnknownEvent`. Both hold the round.
3. Data bytes have bit 7 set; only the seven bits below it carry anything.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from operator import xor
from typing import Final

from hardware.reports import (
    CardOut,
    CardUnreadable,
    Report,
    ShoeFault,
    ShoeNotice,
    ShoeResult,
    ShoeStarted,
    Target,
    UnknownEvent,
)

START: Final = 0x05
END: Final = 0x03
COMMAND: Final = 0x02
BIT_7: Final = 0x80

_RANKS: Final = "A23456789TJQK"  # 1..13 on the wire
_SUITS: Final = "DCSH"  # 1..4 on the wire
_TARGETS: Final = {0: Target.PLAYER, 1: Target.BANKER, 2: Target.BURN, 4: Target.BURN}
_BURN_COUNT: Final = 5
_OUTSIDE: Final = range(3)  # locked, error mode, setting mode
_PLACES: Final = range(1, 4)
_OUTCOMES: Final = {1: "player", 2: "tie", 4: "banker", 7: "forced_quit"}
_PLAYER_PAIR: Final = 0b01
_BANKER_PAIR: Final = 0b10
_STILL_IN_ERROR: Final = 0x40

FAULTS: Final = {
    1: "a card could not be read",
    2: "a card too many was drawn",
    3: "a button was misused",
    4: "a card moved backwards at the exit",
    5: "a card moved backwards midway",
    6: "the code of a card is wrong",
    7: "the draw took too long",
}
_NOTICES: Final = {
    "C": ShoeNotice("cut_card", "the cut card came out"),
    "P": ShoeNotice("standby", "the shoe stands by"),
    "M": ShoeNotice("preset", "a preset of the shoe was changed"),
}
_LOCKED: Final = ShoeNotice("locked", "the shoe is locked")
_UNLOCKED: Final = ShoeNotice("unlocked", "the shoe is unlocked")


def check_of(body: bytes) -> bytes:
    """The two characters of the BCC over `body`, its 03 included."""
    return b"%02X" % reduce(xor, body)


# ---- reading


def read_message(code: str, data: bytes) -> Report:
    """The report in one checked message; `data` as on the wire."""
    low = bytes(byte & ~BIT_7 for byte in data)
    match code:
        case "D":
            return _card_in_play(low)
        case "R":
            return _card_again(low) or _odd(code, data)
        case "d":
            return _card_outside(low) or _odd(code, data)
        case "G":
            return _result(low) or _odd(code, data)
        case "E" | "e" if len(low) == 1:
            return _fault(low[0], raised=code == "E")
        case "L" if len(low) == 1:
            return _LOCKED if low[0] & 1 else _UNLOCKED
        case "S":
            return ShoeStarted()
        case _:
            return _NOTICES.get(code) or _odd(code, data)


def _card_in_play(low: bytes) -> CardOut | CardUnreadable | ShoeNotice:
    """The card of a `D`, or the count that stands in its place. A card without a known place is unreadable."""
    if len(low) != 2:
        return CardUnreadable()
    if low[0] >> 4 == _BURN_COUNT:
        return ShoeNotice("burn_count", f"{low[1] & 0x0F} cards to burn")
    target, index, card = _TARGETS.get(low[0] >> 4), low[0] & 0x0F, _card(low[1])
    if target is None or card is None:
        return CardUnreadable()
    if target is Target.BURN:
        return CardOut(card, target)
    return CardOut(card, target, index) if index in _PLACES else CardUnreadable()


def _card_again(low: bytes) -> CardOut | ShoeNotice | None:
    """The card of an `R`. One that cannot be read is no new card, so it is not `CardUnreadable`."""
    seen = _card_in_play(low)
    if isinstance(seen, CardUnreadable):
        return None
    return replace(seen, again=True) if isinstance(seen, CardOut) else seen


def _card_outside(low: bytes) -> CardOut | None:
    card = _card(low[1]) if len(low) == 2 and low[0] >> 4 in _OUTSIDE else None
    return None if card is None else CardOut(card, Target.OUTSIDE)


def _card(byte: int) -> str | None:
    suit, rank = byte >> 4, byte & 0x0F
    return _RANKS[rank - 1] + _SUITS[suit - 1] if 1 <= rank <= len(_RANKS) and 1 <= suit <= len(_SUITS) else None


def _result(low: bytes) -> ShoeResult | None:
    outcome = _OUTCOMES.get(low[0] >> 4) if len(low) == 1 else None
    return None if outcome is None else ShoeResult(outcome, bool(low[0] & _PLAYER_PAIR), bool(low[0] & _BANKER_PAIR))


def _fault(low: int, *, raised: bool) -> ShoeFault:
    number = low & ~_STILL_IN_ERROR
    text = FAULTS.get(number, "an error the shoe's manual does not name")
    still = not raised and low & _STILL_IN_ERROR
    return ShoeFault(str(number), text + ("; the shoe is still in error mode" if still else ""), raised)


def _odd(code: str, data: bytes) -> UnknownEvent:
    return UnknownEvent(ord(code), data.hex(), f"a message {code!r} that the Angel Eye dialect does not have")


# ---- writing


def write_frame(seq: int, code: str, data: bytes = b"") -> bytes:
    """A frame from the shoe; `data` without bit 7, which is set here. `seq` 0..9."""
    body = b"%d%c%b%c" % (seq, ord(code), bytes(byte | BIT_7 for byte in data), END)
    return bytes([START]) + body + check_of(body)


def write_card(card: str, target: Target, index: int = 0) -> bytes:
    """The two data bytes of a `D`, `R` or (OUTSIDE, as when locked) `d`."""
    number = 0 if target is Target.OUTSIDE else next(n for n, known in _TARGETS.items() if known is target)
    return bytes([number << 4 | index, (_SUITS.index(card[1]) + 1) << 4 | (_RANKS.index(card[0]) + 1)])


def write_burn_count(count: int) -> bytes:
    """The two data bytes of a `D` that tells how many cards to burn."""
    return bytes([_BURN_COUNT << 4, count])


def write_result(outcome: str, *, player_pair: bool, banker_pair: bool) -> bytes:
    """The data byte of a `G`."""
    number = next(n for n, known in _OUTCOMES.items() if known == outcome)
    return bytes([number << 4 | player_pair * _PLAYER_PAIR | banker_pair * _BANKER_PAIR])


def write_fault(number: int, *, in_error_mode: bool) -> bytes:
    """The data byte of an `E` or `e`."""
    return bytes([number | in_error_mode * _STILL_IN_ERROR])


def encode_command(kind: str, data: str) -> bytes:
    """A command to the shoe: `LK` 02 lock, `LK` 01 unlock, `EC` clear the error, `GP` check. Its BCC covers the 02."""
    body = bytes([COMMAND]) + b"OP" + kind.encode("ascii") + data.encode("ascii") + bytes([END])
    return body + check_of(body)
