"""Where a search begins: one good input of each target, from which the bytes are bent."""

from __future__ import annotations

from hardware.bee_tek import encode_alarm, encode_burn, encode_card, encode_unreadable
from tests.support.configs import EXAMPLE
from tests.support.felt import Felt, stud_table
from tests.support.pools import stud_pool

ANGEL_EYE = bytes.fromhex("05 31 44 81 b8 03 34 46".replace(" ", ""))
BUS = bytes.fromhex("000b0100010101010101010101010100")
STUD_ROUND = (
    b'{"round":"r1","meter":"100000.00","dealer":["AS","KD","7C","5H","2S"],"seats":{"3":{"cards":["9H","TH","JH",'
    b'"QH","KH"],"ante":"100.00","folded":false,"progressive":true}}}'
)
COUP = (
    b'{"round":"b1","meter":"88000.00","cards":["8S","KD","7C","5H"],"bets":[{"seat":1,"kind":"banker",'
    b'"amount":"100.00"},{"seat":1,"kind":"progressive"}]}'
)
CONTROL = (
    b'{"v":1,"id":"1","op":"hit.approve","args":{"hit":"T01.1.stud-main.flush"},"token":"t"}',
    b'{"v":1,"id":2,"op":"round.card","args":{"table":"T01","hand":"0","index":1,"card":"TS"}}',
)
CAPTURE = (
    b'{"start":"2026-11-30T08:00:00.000Z","epoch":1,"ledger":"6f1c1f1e-3a54-4b9e-9d5c-0a3f5f0f6a11"}',
    b'{"t":12.345,"device":"T01/shoe","dir":"rx","hex":"05 31 44 81 b8 03 34 46"}',
    b'{"t":13,"operator":"ana","op":"hit.approve","args":{"hit":"T01.1.stud-main.flush"}}',
)
METER = (
    b'{"schema":1,"pool":"stud-main","amount":"1234567.80","amount_minor":"123456780","currency":"MOP","exponent":2,'
    b'"epoch":1764489600,"seq":10422,"beat":9120,"ttl_ms":15000,"state":"live","at":"2026-11-30T08:00:00.000Z"}'
)


def seeds() -> dict[str, tuple[bytes, ...]]:
    """Target -> inputs that mean something to it."""
    felt = Felt([stud_pool()], [stud_table("T01")])
    return {
        "angel_eye": (ANGEL_EYE,),
        "bee_tek": (encode_card("TS"), encode_burn("2H"), encode_unreadable(), encode_alarm("E01", "jam")),
        "bus_frames": (BUS,),
        "bus_payloads": (BUS[1:-1],),
        "led_sign": (bytes(5) + b"\x01^01\x02AAhello\x04",),
        "ledger_row": tuple(felt.rows),
        "message": (METER,),
        "control_line": CONTROL,
        "capture_line": CAPTURE,
        "configuration": (EXAMPLE.read_bytes(),),
        "adjudicated": (STUD_ROUND, COUP),
    }
