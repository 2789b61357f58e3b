"""From an Angel Eye shoe's cards to the sign, for options A, B and C: one shared prize (2/2009 13, 17)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.e2e.test_stud_floor import winners_shown
from tests.support.floor import Floor

# Coups in dealing order: Player, Banker, Player, Banker, Player's third, Banker's third.
FIVE_ACES = "AS AH AD 2C AC AS"  # 2 against 3: both draw
SIX_ACES = "AS AH AD AC AS AH"
SIX_RED_ACES = "AH AD AH AD AD AH"
FIRST_FIVE_ROYAL = "AS KS QS JS TS"  # 1 and 0: Player draws the ten and has 1; Banker has 0 and draws


@pytest.mark.parametrize(
    ("pool", "cards", "tier", "seats"),
    [
        ("bac-b", FIVE_ACES, "five_of_a_kind", (1, 4, 7)),
        ("bac-b", SIX_ACES, "six_of_a_kind", (2, 3, 9)),
        ("bac-b", "8S 9H 8D 9C", None, (1, 2)),
        ("bac-b", "2S KH 2D KC 2H KS", "double_three", (5,)),
        ("bac-a", f"{FIRST_FIVE_ROYAL} 7D", "royal_flush", (1, 2, 3)),
        ("bac-a", "AH KS QS JS TS 7D", "heavenly_straight", (1, 6)),
        ("bac-a", "9S 9H 9D 9C", "four_of_a_kind", (1, 2, 3)),
        ("bac-a", "8S 9H 8D 9C", "double_pair", (1, 2, 3)),
        ("bac-c", SIX_RED_ACES, "six_of_a_kind_one_colour", (1, 8)),
        ("bac-c", SIX_ACES, "six_of_a_kind", (1, 2, 3)),
        ("bac-c", FIVE_ACES, None, (1, 2)),
    ],
)
def test_a_coup_pays_its_highest_tier_once_shared_by_the_bettors(
    floor: Floor, pool: str, cards: str, tier: str | None, seats: Sequence[int]
) -> None:
    pencil = floor.pool(pool)
    table = floor.baccarat(pool)
    floor.start()
    floor.bet(table, *seats)
    floor.bet(table, 5 if 5 not in seats else 6, main="banker", also=())
    table.lock()
    floor.seen.meter(pool, pencil.bets(len(seats)))
    table.deal_coup(cards)
    if tier is None:
        floor.seen.table("B01", round="B01-2")
        assert floor.seen.hits() == {}
    else:
        prize = pencil.baccarat(tier, seats)[tier]
        assert winners_shown(floor.seen.hit(pool, f"B01.1.{pool}.{tier}", "pending")) == prize
    floor.seen.meter(pool, pencil.meter)


def test_three_options_at_one_table_are_three_bets_on_three_pools(floor: Floor) -> None:
    pencils = {pool: floor.pool(pool) for pool in ("bac-b", "bac-a", "bac-c")}
    table = floor.baccarat(*pencils)
    floor.start()
    floor.bet(table, 1, also=("progressive",))
    table.bet(2, main="tie", also=("second", "third"))
    floor.seen.table("B01", seats=lambda seats: len(seats.get("2", ())) == 3)
    table.lock()
    for pool, pencil in pencils.items():
        floor.seen.meter(pool, pencil.bets(1))
    table.deal_coup(SIX_ACES)
    for pool, seat in (("bac-b", 1), ("bac-c", 2)):
        prize = pencils[pool].baccarat("six_of_a_kind", [seat])["six_of_a_kind"]
        assert winners_shown(floor.seen.hit(pool, f"B01.1.{pool}.six_of_a_kind", "pending")) == prize
    # Option A looks at the first cards alone: four aces of four suits.
    prize = pencils["bac-a"].baccarat("four_of_a_kind", [2])["four_of_a_kind"]
    assert winners_shown(floor.seen.hit("bac-a", "B01.1.bac-a.four_of_a_kind", "pending")) == prize
    for pool, pencil in pencils.items():
        floor.seen.meter(pool, pencil.meter, "pending")


def test_a_card_dealt_before_the_dealer_locks_closes_the_bets_itself(floor: Floor) -> None:
    pencil = floor.pool("bac-b")
    table = floor.baccarat("bac-b")
    floor.start()
    floor.bet(table, 4)
    table.deal_coup("8S 9H 8D 9C")
    floor.seen.table("B01", round="B01-2")
    floor.seen.meter("bac-b", pencil.bets(1))
