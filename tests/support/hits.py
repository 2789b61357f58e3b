"""Hits at a house of felt, and what people do with them."""

from __future__ import annotations

from typing import Any

from jackpotd.core import facts as f
from jackpotd.core.parameters import DeviceParams
from tests.support.felt import (
    BARE_SHOE,
    DEALER,
    SUPERVISOR,
    Felt,
    stud_table,
)
from tests.support.pools import mop, stud_pool

SEED, SHARE = mop("500000.00"), mop("7.00")
FLUSH_HIT, FOUR_HIT = "T01.1.stud-main.flush", "T01.1.stud-main.four_of_a_kind"
ROYAL_HIT, STRAIGHT_HIT = "T01.1.stud-main.royal_flush", "T01.1.stud-main.straight_flush"


def house(tables: int = 1, shoe: DeviceParams = BARE_SHOE, **changes: Any) -> Felt:
    return Felt([stud_pool(**changes)], [stud_table(f"T0{number + 1}", shoe) for number in range(tables)])


def play(felt: Felt, table: str, hands: dict[int, str]) -> None:
    spot = felt.spot(table)
    for seat in sorted(hands):
        spot.bet(seat)
    spot.lock()
    spot.deal(hands | {0: DEALER})
    spot.end()


def won(hands: dict[int, str], **changes: Any) -> Felt:
    """A house where the first round of table T01 was won with these hands."""
    felt = house(**changes)
    play(felt, "T01", hands)
    return felt


def approve(felt: Felt, hit: str, by: f.By = SUPERVISOR) -> None:
    felt.act(f.ApproveHit(by, hit))


def reject(felt: Felt, hit: str, by: f.By = SUPERVISOR, why: str = "the camera shows another card") -> None:
    felt.act(f.RejectHit(by, hit, why))


def pay(felt: Felt, hit: str, by: f.By = SUPERVISOR, slip: str = "0042") -> None:
    felt.act(f.PayHit(by, hit, slip))
