"""A stud round from the first card to the prizes: 61/2004 6 to 10."""

from __future__ import annotations

from typing import Any

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.money import Atoms
from jackpotd.core.parameters import DeviceParams
from jackpotd.core.state import HitStatus, Phase
from tests.support.felt import (
    BARE_SHOE,
    DEALER,
    FLUSH,
    FOUR,
    FULL_HOUSE,
    NOTHING_2,
    ROYAL,
    ROYAL_2,
    SHUFFLER,
    STRAIGHT_FLUSH,
    Felt,
    Spot,
    device,
    stud_table,
)
from tests.support.pools import mop, stud_pool

SEED = mop("500000.00")
SHARE = mop("7.00")


def stud(deals: DeviceParams = BARE_SHOE, **changes: Any) -> Spot:
    return Felt([stud_pool(**changes)], [stud_table(deals=deals)]).spot("T01")


def play(table: Spot, hands: dict[int, str], folds: tuple[int, ...] = ()) -> None:
    for seat in sorted(hands.keys() - {0}):
        table.bet(seat)
    table.lock()
    table.deal(hands)
    for seat in folds:
        table.fold(seat)
    table.end()


# ---- the deal


def test_a_shoe_deals_one_card_at_a_time_to_seats_with_a_bet_from_the_left_the_dealer_last() -> None:
    table = stud()
    for seat in (5, 2):
        table.bet(seat)
    table.bet(7, "progressive:stud-main")  # without an ante there is no hand
    table.lock()
    table.cards("2C KC 4H QC")
    assert table.table.changed_ms == table.felt.now_ms
    assert table.table.hands == {"2": ["2C", "QC"], "5": ["KC"], "0": ["4H"]}


def test_a_shuffler_deals_packets_of_five() -> None:
    table = stud(SHUFFLER)
    table.bet(2)
    table.lock()
    table.packet(NOTHING_2.split())
    assert table.table.hands == {"2": NOTHING_2.split()}
    assert table.phase() is Phase.DEALING
    table.packet(DEALER.split())
    assert table.phase() is Phase.DEALT


@pytest.mark.parametrize("deals", [BARE_SHOE, SHUFFLER])
def test_the_round_is_dealt_when_every_hand_has_five(deals: DeviceParams) -> None:
    table = stud(deals)
    table.bet(3)
    table.lock()
    table.deal({3: NOTHING_2, 0: DEALER})
    assert table.phase() is Phase.DEALT
    assert table.felt.said(e.CardsDealt).table == "T01"


@pytest.mark.parametrize(("cards", "count"), [(4, 4), (5, 4), (4, 5), (6, 5)])
def test_a_packet_of_another_number_of_cards_holds(cards: int, count: int) -> None:
    table = stud(SHUFFLER)
    table.bet(3)
    table.lock()
    table.packet(["2C", "4H", "6H", "8H", "TC", "KC"][:cards], count)
    assert table.table.hold_code == "packet"


def test_a_packet_from_a_device_that_does_not_deal_holds() -> None:
    params = stud_table(deals=SHUFFLER)
    params = stud_table(deals=SHUFFLER, devices=(*params.devices, device("reader")))
    table = Felt([stud_pool()], [params]).spot("T01")
    table.bet(3)
    table.lock()
    table.say("reader", f.PacketOut(5))
    assert table.table.hold_code == "packet"


def test_cards_and_no_seat_with_a_bet_hold() -> None:
    table = stud()
    table.card("AS")
    assert table.table.hold_code == "no_bets"


def test_a_burnt_card_is_nobodys() -> None:
    table = stud()
    table.bet(1)
    table.lock()
    table.card("AS", "burn")
    table.card("KS")
    assert table.table.hands == {"1": ["KS"]}


@pytest.mark.parametrize("phase", [Phase.LOCKED, Phase.DEALING, Phase.DEALT])
def test_a_card_drawn_outside_play_holds(phase: Phase) -> None:
    table = in_phase(phase)
    table.card("AS", "outside")
    assert table.table.hold_code == "card_outside"


@pytest.mark.parametrize("phase", [Phase.LOCKED, Phase.DEALING, Phase.DEALT])
def test_a_card_from_a_device_that_does_not_deal_holds(phase: Phase) -> None:
    table = in_phase(phase)
    table.say("panel", f.CardRead("AH"))
    assert table.table.hold_code == "wrong_device"


def in_phase(phase: Phase) -> Spot:
    """A round of seat 3 in this phase."""
    table = stud()
    table.bet(3)
    table.lock()
    if phase is Phase.DEALING:
        table.card("2C")
    if phase is Phase.DEALT:
        table.deal({3: NOTHING_2, 0: DEALER})
    assert table.phase() is phase
    return table


# ---- what is wrong with cards


def assert_held_and_nothing_paid(table: Spot, code: str) -> None:
    assert (table.table.phase, table.table.hold_code) == (Phase.HELD, code)
    assert f"held-{table.name}" in table.felt.alarms()
    assert table.table.changed_ms == table.table.held_ms == table.felt.now_ms
    table.end()
    assert table.felt.state.hits == {}
    assert table.felt.meter() >= SEED


def test_a_card_twice_in_one_pack_holds() -> None:
    table = in_phase(Phase.DEALING)
    table.card("2C")
    assert_held_and_nothing_paid(table, "card_repeated")


def test_an_unreadable_card_holds() -> None:
    table = in_phase(Phase.DEALING)
    table.unread()
    assert_held_and_nothing_paid(table, "card_unreadable")


@pytest.mark.parametrize("word", [f.CardRead("AH"), f.CardUnread()])
def test_a_card_too_many_holds(word: f.TableWord) -> None:
    table = in_phase(Phase.DEALT)
    table.say("shoe", word)
    assert_held_and_nothing_paid(table, "card_extra")


def test_the_end_of_the_round_with_cards_missing_holds() -> None:
    table = in_phase(Phase.DEALING)
    table.end()
    assert_held_and_nothing_paid(table, "cards_missing")


def test_the_end_of_the_round_without_any_card_holds() -> None:
    table = in_phase(Phase.LOCKED)
    table.end()
    assert_held_and_nothing_paid(table, "cards_missing")


@pytest.mark.parametrize("phase", [Phase.LOCKED, Phase.DEALING])
def test_no_card_for_too_long_holds(phase: Phase) -> None:
    table = in_phase(phase)
    table.time_out("lock")
    assert table.phase() is phase
    table.time_out("deal")
    assert_held_and_nothing_paid(table, "deal_timeout")


def test_a_dealt_round_waits_for_its_dealer_as_long_as_he_likes() -> None:
    table = in_phase(Phase.DEALT)
    assert table.time_out("deal") == []
    assert table.phase() is Phase.DEALT


@pytest.mark.parametrize("phase", [Phase.LOCKED, Phase.DEALING, Phase.DEALT])
def test_a_result_from_a_shoe_of_baccarat_holds(phase: Phase) -> None:
    table = in_phase(phase)
    table.result("player")
    assert table.table.hold_code == "result_early"


def test_a_retransmission_before_the_first_card_holds() -> None:
    table = in_phase(Phase.LOCKED)
    table.card("AS", again=True)
    assert table.table.hold_code == "card_again_first"


# ---- folds


def test_a_seat_that_folded_has_no_prize_and_its_bet_is_lost() -> None:
    table = stud()
    play(table, {1: ROYAL, 2: NOTHING_2, 0: DEALER}, folds=(1,))
    assert table.felt.state.hits == {}
    assert table.felt.meter() == SEED + 2 * SHARE
    settled = table.felt.said(e.RoundSettled)
    assert [(seat.seat, seat.result) for seat in settled.seats] == [(1, "fold"), (2, "push-raise")]
    assert settled.tiers == ()


def test_a_seat_folds_once_however_often_it_is_said() -> None:
    table = in_phase(Phase.DEALT)
    table.fold(3)
    assert table.fold(3) == []
    assert table.table.folded == [3]


def test_a_fold_of_a_seat_without_a_bet_holds() -> None:
    table = in_phase(Phase.DEALT)
    table.fold(4)
    assert table.table.hold_code == "fold_unknown"


# ---- settlement


def test_a_prize_needs_no_opened_dealer_and_no_win() -> None:
    table = stud()
    play(table, {4: FLUSH, 0: "AC 3H 4S 8C 9H"})
    assert table.felt.said(e.RoundSettled).outcome == "high_card, does not open"
    assert table.felt.hit("T01.1.stud-main.flush").awards == [e.Award(4, mop("500.00"))]
    table = stud()
    play(table, {4: FLUSH, 0: FULL_HOUSE})
    assert table.felt.said(e.RoundSettled).seats[0].result == "lose"
    assert table.felt.hit("T01.1.stud-main.flush").from_pool_atoms == mop("500.00")


def test_the_dealers_own_hand_claims_nothing() -> None:
    table = stud()
    play(table, {4: NOTHING_2, 0: ROYAL})
    assert table.felt.state.hits == {}


def test_a_hand_without_a_progressive_bet_wins_no_tier() -> None:
    table = stud()
    table.bet(4, "ante")
    table.lock()
    table.deal({4: ROYAL, 0: DEALER})
    table.end()
    assert table.felt.said(e.RoundSettled).tiers == ()
    assert table.felt.state.hits == {}


def test_each_tier_of_a_round_is_one_hit_and_the_pool_falls_at_once() -> None:
    table = stud()
    play(table, {1: FOUR, 2: FULL_HOUSE, 0: DEALER})
    assert table.felt.meter() == SEED + 2 * SHARE - mop("6000.00")
    four, full = table.felt.hit("T01.1.stud-main.four_of_a_kind"), table.felt.hit("T01.1.stud-main.full_house")
    assert (four.number, full.number) == (1, 2)
    assert four.status is HitStatus.PENDING
    assert (four.late, four.grade, four.whole_pool) == (False, "bare", False)


def test_royals_and_a_straight_flush_in_one_round_empty_the_pool_which_restarts_at_its_seed() -> None:
    table = stud()
    play(table, {2: STRAIGHT_FLUSH, 3: ROYAL, 6: ROYAL_2, 0: DEALER})
    before = SEED + 3 * SHARE
    straight = table.felt.hit("T01.1.stud-main.straight_flush")
    royal = table.felt.hit("T01.1.stud-main.royal_flush")
    assert straight.awards == [e.Award(2, Atoms(before // 10))]
    # 61/2004 10(5): the greater of pool and fixed amount, divided; the house pays what the pool has not
    each = mop("250000.00")
    assert royal.awards == [e.Award(3, each), e.Award(6, each)]
    assert royal.from_pool_atoms == before - straight.total_atoms
    assert table.felt.meter() == SEED
    assert table.felt.said(e.PoolRestarted).hit == royal.hit
    assert royal.restart_house_atoms == -SEED
    assert royal.whole_pool


def test_a_pool_emptied_by_fixed_prizes_restarts_and_the_last_of_them_is_the_reason() -> None:
    table = stud(seed_atoms=mop("400.00"))
    play(table, {1: FLUSH, 0: DEALER})
    restart = table.felt.said(e.PoolRestarted)
    assert restart.hit == "T01.1.stud-main.flush"
    assert table.felt.meter() == mop("400.00")
    assert table.felt.hit(restart.hit).from_house_atoms == mop("93.00")


def test_a_restart_takes_the_seed_from_the_reserve_and_the_rest_and_overflow_into_the_pool() -> None:
    table = stud(
        reserve_ppm=50_000, limit_atoms=Atoms(SEED + mop("10.00")), remainder="house", payout_unit_atoms=mop("1.00")
    )
    play(table, {1: ROYAL, 2: NOTHING_2, 5: "2H 5H 7H 9H JC", 0: DEALER})
    pool, postings = table.felt.pool(), table.felt.said(e.PoolRestarted).postings
    assert (pool.pool_atoms, pool.reserve_atoms, pool.overflow_atoms) == (SEED + mop("10.00"), 0, mop("1.00"))
    assert [posting.account for posting in postings] == [
        "pool:stud-main",
        "reserve:stud-main",
        "overflow:stud-main",
        "house:stud-main",
    ]


def test_other_tables_play_on_for_the_new_pool() -> None:
    felt = Felt([stud_pool()], [stud_table("T01"), stud_table("T02")])
    first, second = felt.spot("T01"), felt.spot("T02")
    second.bet(1)
    second.lock()
    play(first, {1: ROYAL, 0: DEALER})
    assert felt.meter() == SEED
    second.deal({1: FLUSH, 0: DEALER})
    second.end()
    assert felt.meter() == SEED - mop("500.00")
    assert not felt.hit("T02.1.stud-main.flush").late


def test_the_next_round_starts_with_no_bets() -> None:
    table = stud()
    play(table, {1: NOTHING_2, 0: DEALER})
    after = table.table
    assert (after.round, after.phase, after.bets, after.hands, after.live) == (2, Phase.OPEN, {}, {}, {})
    assert after.last_hands == {"1": NOTHING_2.split(), "0": DEALER.split()}
    assert (after.moves, after.changed_ms) == ([], table.felt.now_ms)
    assert after.last_outcome == "high_card, does not open"


def test_what_a_dealer_presses_with_no_round_in_play_changes_nothing() -> None:
    table = stud()
    for word in (f.RoundEnded(), f.VoidPressed("other"), f.Folded(1), f.CardExposed(0), f.KeyTurned(1)):
        assert table.press(word) == []
