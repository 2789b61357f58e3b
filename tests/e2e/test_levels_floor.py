"""From chips and cards on the wire to several meters: a bet with levels, and a pool that two games feed."""

from __future__ import annotations

from tests.e2e.test_baccarat_floor import SIX_ACES
from tests.e2e.test_stud_floor import NOBODY, winners_shown
from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.reckoning import Reckoning
from tests.support.sim_tables import BeeTekTable

FLUSH, FULL_HOUSE, FOUR = "2S 4S 6S 8S TS", "3S 3H 3C 9C 9S", "AS AH AD AC 2S"


def three_levels(floor: Floor) -> tuple[BeeTekTable, dict[str, Reckoning]]:
    """A stud table whose bets feed the pool, a minor and a mini."""
    pencils = {
        "stud-main": floor.pool("stud-main", contribution="50%", levels={"mini": "10.0001%", "minor": "20%"}),
        "mini": floor.level("mini", "10.00", "10.0001%"),
        "minor": floor.level("minor", "10.00", "20%"),
    }
    return floor.stud(), pencils


def all_show(floor: Floor, pencils: dict[str, Reckoning], state: str | None = None) -> None:
    for pool, pencil in pencils.items():
        floor.seen.meter(pool, pencil.meter, state)


def bets(floor: Floor, pencils: dict[str, Reckoning], count: int) -> None:
    """So many bets are accepted, and every meter shows it."""
    for pencil in pencils.values():
        pencil.bets(count)
    all_show(floor, pencils)


def test_one_bet_moves_three_meters_and_each_level_pays_what_its_own_table_says(floor: Floor) -> None:
    table, pencils = three_levels(floor)
    floor.start()
    floor.bet(table, 1, 2, 5)
    table.lock()
    bets(floor, pencils, 3)
    table.deal_hands({1: FLUSH, 2: "KS KD 7C 5H 2H", 5: FULL_HOUSE, 0: NOBODY})
    floor.seen.table("T01", phase="dealt")
    table.end_round()
    for pool, pencil in pencils.items():
        prizes = pencil.stud({1: "flush", 5: "full_house"})
        assert prizes
        for tier, winners in prizes.items():
            assert winners_shown(floor.seen.hit(pool, f"T01.1.{pool}.{tier}", "pending")) == winners
    all_show(floor, pencils, "pending")
    assert sorted(floor.seen.hits()) == sorted(hit["hit"] for hit in floor.hit_list())
    assert len(floor.seen.hits()) == 5  # flush and full house of the pool and of the mini, full house of the minor
    assert pencils["mini"].meter == "1000.00"  # taken whole, and begun again


def test_a_carried_bet_plays_for_every_level_after_a_power_cut_and_feeds_none_again(floor: Floor) -> None:
    table, pencils = three_levels(floor)
    floor.start()
    floor.bet(table, 3)
    table.lock()
    bets(floor, pencils, 1)
    table.press(lambda keypad, now: keypad.void("misdeal", now))
    table.sweep()
    floor.seen.table("T01", phase="open", carried={"3": ["stud-main"]})
    floor.kill()
    floor.start()
    floor.seen.table("T01", phase="open", progressive="open", carried={"3": ["stud-main"]})
    floor.bet(table, 3, also=())
    floor.bet(table, 4)
    table.lock()
    bets(floor, pencils, 1)
    table.deal_hands({3: FOUR, 4: "KS KD 7C 5H 2H", 0: "2D 3D 4D 5S 7S"})
    floor.seen.table("T01", phase="dealt")
    table.end_round()
    prize = pencils["minor"].stud({3: "four_of_a_kind"})["four_of_a_kind"]
    assert winners_shown(floor.seen.hit("minor", "T01.2.minor.four_of_a_kind", "pending")) == prize
    pencils["stud-main"].stud({3: "four_of_a_kind"})
    all_show(floor, pencils)


def test_a_pending_hit_of_a_level_closes_its_table_and_its_rejection_gives_the_level_its_money_back(
    floor: Floor,
) -> None:
    table, pencils = three_levels(floor)
    floor.start()
    floor.bet(table, 2)
    table.lock()
    bets(floor, pencils, 1)
    before = pencils["mini"].meter
    table.deal_hands({2: FLUSH, 0: NOBODY})
    floor.seen.table("T01", phase="dealt")
    table.end_round()
    floor.seen.table("T01", progressive="closed", why=lambda why: "is pending" in why)
    floor.seen.hit("mini", "T01.1.mini.flush", "pending")
    sam = floor.person("sam", "supervisor")
    sam.does("hit.approve", hit="T01.1.stud-main.flush")
    floor.seen.table("T01", progressive="closed", why="hit T01.1.mini.flush is pending")
    sam.does("hit.reject", hit="T01.1.mini.flush", why="not his cards")
    floor.seen.meter("mini", before, "live")
    floor.seen.table("T01", progressive="open")


def test_a_stud_table_and_a_baccarat_table_feed_one_pool_and_each_wins_it_by_its_own_dispatch(floor: Floor) -> None:
    pencil = floor.pool("mega")
    stud, baccarat = floor.stud(pools=("mega",)), floor.baccarat("mega")
    stud.more, baccarat.more = {"game": "stud"}, {"game": "baccarat"}
    floor.start()
    floor.bet(stud, 1, 6)
    floor.bet(baccarat, 2, 3, 9)
    stud.lock()
    floor.seen.meter("mega", pencil.bets(2))
    baccarat.lock()
    floor.seen.meter("mega", pencil.bets(3))
    stud.deal_hands({1: "TS JS QS KS AS", 6: FULL_HOUSE.replace("9S", "9H"), 0: NOBODY})
    floor.seen.table("T01", phase="dealt")
    stud.end_round()
    for tier, winners in pencil.stud({1: "royal_flush", 6: "full_house"}).items():
        assert winners_shown(floor.seen.hit("mega", f"T01.1.mega.{tier}", "pending")) == winners
    floor.seen.meter("mega", pencil.meter, "pending")
    baccarat.deal_coup(SIX_ACES)
    six = pencil.baccarat("six_of_a_kind", [2, 3, 9])["six_of_a_kind"]
    assert winners_shown(floor.seen.hit("mega", "B01.1.mega.six_of_a_kind", "pending")) == six
    floor.seen.meter("mega", pencil.meter, "pending")
    assert [entry["prize"] for entry in raw_ledger.entries(floor.ledger, "prize_locked")] == ["grand", "small", "grand"]
    assert floor.metrics()['jackpotd_pool_info{currency="MOP",exponent="2",pool="mega",rules="stud+baccarat-b"}'] == 1
