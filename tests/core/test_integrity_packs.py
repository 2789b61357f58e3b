"""Wrong cards of a pack: the order of an earlier round, a card twice. Alarm, and the round is held (law 7)."""

from __future__ import annotations

from typing import Any

import pytest

from jackpotd.core import facts as f
from jackpotd.core.cards import FULL_PACK, Card
from jackpotd.core.parameters import DeviceParams
from jackpotd.core.state import KEPT_ORDERS, Phase
from tests.support.felt import BARE_SHOE, DEALER, FLUSH, FOUR, SHUFFLER, Felt, Spot, stud_table
from tests.support.pools import stud_pool


def stud(deals: DeviceParams = BARE_SHOE, **changes: Any) -> Spot:
    return Felt([stud_pool(hold_tables_on_hit="none")], [stud_table(deals=deals, **changes)]).spot("T01")


OTHER_FOUR = "4C 4D 4H 4S 2S"


def play(spot: Spot, hands: dict[int, str]) -> None:
    for seat in sorted(hands.keys() - {0}):
        spot.bet(seat)
    spot.lock()
    spot.deal(hands)
    spot.end()


@pytest.mark.parametrize("deals", [BARE_SHOE, SHUFFLER])
def test_a_pack_in_the_order_of_an_earlier_round_is_an_alarm_and_holds_the_round(deals: DeviceParams) -> None:
    spot = stud(deals)
    play(spot, {1: FLUSH, 2: FOUR, 0: DEALER})
    play(spot, {1: FLUSH, 2: OTHER_FOUR, 0: DEALER})
    hits = len(spot.felt.state.hits)
    play(spot, {1: FLUSH, 2: FOUR, 0: DEALER})
    assert (spot.phase(), spot.table.hold_code) == (Phase.HELD, "order_repeated")
    assert spot.felt.alarms() == ["held-T01", "wrong_cards-T01"]
    assert len(spot.felt.state.hits) == hits


def test_the_order_shows_however_many_seats_play() -> None:
    spot = stud()
    pack = "KS KD 7C 5H 2H 9S 8S 6D 3C JC TS 4D QH AC 8H"
    for seats in ((1, 2), (1, 2, 5)):
        for seat in seats:
            spot.bet(seat)
        spot.lock()
        spot.cards(pack)
        spot.end()
    assert spot.table.hold_code == "order_repeated"
    spot.cards("2C 3D 4H 5C 6C")
    spot.confirm()  # every card was placed: the supervisor finds it in order
    spot.end()
    assert spot.phase() is Phase.OPEN
    assert spot.felt.alarms() == []


def test_a_round_that_was_void_is_remembered() -> None:
    spot = stud()
    for seat in (1, 2):
        spot.bet(seat)
    spot.lock()
    spot.deal({1: FLUSH, 2: FOUR, 0: DEALER})
    spot.press(f.VoidPressed("misdeal"))
    play(spot, {1: FLUSH, 2: FOUR, 0: DEALER})
    assert spot.table.hold_code == "order_repeated"


def test_ten_equal_cards_or_an_unread_one_prove_nothing() -> None:
    spot = stud()
    for _ in range(3):
        play(spot, {1: FLUSH, 0: DEALER})
    assert spot.table.orders == []
    for seat in (1, 2):
        spot.bet(seat)
    spot.lock()
    spot.unread()
    spot.cards("KD 7C 5H 2H 9S 8S 6D 3C JC TS 4D QH AC 8H")
    spot.void()
    assert spot.table.orders == []
    assert spot.felt.alarms() == []


def test_the_last_hundred_packs_are_remembered() -> None:
    spot = stud()
    for number in range(KEPT_ORDERS + 1):
        spot.bet(1)
        spot.bet(2)
        spot.lock()
        spot.cards(" ".join(_pack(number)[:15]))
        spot.end()
        assert spot.phase() is Phase.OPEN
    assert len(spot.table.orders) == KEPT_ORDERS
    assert len(set(spot.table.orders)) == KEPT_ORDERS


def _pack(number: int) -> list[Card]:
    """Another order of the pack for each number."""
    cut = [*FULL_PACK[number % 52 :], *FULL_PACK[: number % 52]]
    return cut if number < 52 else cut[::-1]


def test_a_pack_of_another_table_is_another_pack() -> None:
    felt = Felt([stud_pool(hold_tables_on_hit="none")], [stud_table(), stud_table("T02")])
    for name in ("T01", "T02"):
        play(felt.spot(name), {1: FLUSH, 2: FOUR, 0: DEALER})
        assert felt.spot(name).phase() is Phase.OPEN


def test_a_card_that_one_pack_cannot_hold_twice_is_the_same_alarm() -> None:
    spot = stud()
    spot.bet(1)
    spot.lock()
    spot.cards("2S 2S")
    assert spot.table.hold_code == "card_repeated"
    assert "wrong_cards-T01" in spot.felt.alarms()
    spot.void()
    assert spot.felt.alarms() == []
