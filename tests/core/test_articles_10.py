"""Who takes part in a progressive: 61/2004 articles 6(2), 6(3), 6(7), 10(1) and 11, and 2/2009 article 13(3).

Eligibility as a live table hears it from its panel, its keypad and its cards; every case with the words of the article
in English. rules.md sections 1 and 2 are the reading. "Takes part" is money: the bet contributes, and the hand can win.
"""

from __future__ import annotations

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.parameters import Rules
from jackpotd.core.state import Phase
from tests.support.felt import DEALER, FLUSH, NOTHING_2, Felt, Spot, baccarat_table, stud_table
from tests.support.pools import mop, option_pool, stud_pool

SEED, BET, SHARE = mop("500000.00"), mop("10.00"), mop("7.00")
PROGRESSIVE = "progressive:stud-main"
HIT = "T01.1.stud-main.flush"


def stud() -> Spot:
    return Felt([stud_pool()], [stud_table()]).spot("T01")


def play(table: Spot, **hands: str) -> None:
    """Deal the seats that have an ante, seat 3 a flush, and end the round."""
    seats = table.table.seats_with("ante")
    dealt = {seat: FLUSH if seat == 3 else hands.get(f"seat_{seat}", NOTHING_2) for seat in seats}
    table.deal(dealt | {0: DEALER})
    table.end()


def took_part(table: Spot) -> bool:
    """Whether seat 3's flush was worth something, which must be the same as whether its bet was taken."""
    paid = HIT in table.felt.state.hits
    wagered = table.felt.pool().totals.wagered_atoms
    assert wagered == (BET if paid else 0)
    return paid


def test_ante_and_progressive_both_accepted_take_part() -> None:
    """10(1): "place ante and progressive, and make sure that the bets made were accepted"."""
    table = stud()
    table.bet(3, "ante", PROGRESSIVE)
    table.lock()
    play(table)
    assert took_part(table)


def test_a_progressive_without_its_ante_does_not_take_part() -> None:
    """6(2): "first every seat has to place its ante"; 10(1): ante *and* progressive."""
    table = stud()
    table.bet(3, PROGRESSIVE)
    table.bet(5, "ante")
    table.lock()
    assert (table.table.live, table.felt.meter()) == ({"stud-main": []}, SEED)
    play(table, seat_5=FLUSH)
    assert not took_part(table)


def test_a_progressive_whose_ante_was_taken_back_before_the_lock_does_not_take_part() -> None:
    """10(1): both bets, at the lock and not before it."""
    table = stud()
    table.bet(3, "ante", PROGRESSIVE)
    table.unbet(3, "ante")
    table.lock()
    assert (table.table.live, table.felt.meter()) == ({"stud-main": []}, SEED)


def test_a_progressive_placed_after_the_first_card_does_not_take_part() -> None:
    """6(3): "before the first card is dealt the player may choose to bet on the progressive"."""
    table = stud()
    table.bet(3, "ante")
    table.say("shoe", f.CardRead(FLUSH.split()[0]))
    table.bet(3, PROGRESSIVE)
    table.drain()
    assert table.phase() is Phase.DEALING
    assert (table.table.live, table.felt.meter()) == ({"stud-main": []}, SEED)
    table.cards("KC KD QD JD 9S TD 7S 6D 3C")
    table.end()
    assert not took_part(table)


def test_a_progressive_placed_before_the_first_card_and_heard_after_it_takes_part() -> None:
    """6(3), by the panel's own time: what was placed in time counts, however late the line brings it."""
    table = stud()
    table.bet(3, "ante")
    placed_ms = table.felt.now_ms + 50
    table.say("shoe", f.CardRead(FLUSH.split()[0]))
    table.bet(3, PROGRESSIVE, said_ms=placed_ms)
    table.drain()
    table.cards("KC KD QD JD 9S TD 7S 6D 3C")
    table.end()
    assert took_part(table)


def test_a_progressive_taken_back_before_the_first_card_does_not_take_part() -> None:
    """6(3): until the first card it is the player's to place, and to take back."""
    table = stud()
    table.bet(3, "ante", PROGRESSIVE)
    table.unbet(3, PROGRESSIVE)
    table.lock()
    play(table)
    assert (took_part(table), table.felt.meter()) == (False, SEED)


def test_a_progressive_taken_back_after_the_first_card_takes_part_all_the_same() -> None:
    """6(3), 10(1): once accepted it is in the pool; a chip that leaves the place then changes nothing."""
    table = stud()
    table.bet(3, "ante", PROGRESSIVE)
    table.say("shoe", f.CardRead(FLUSH.split()[0]))
    table.unbet(3, PROGRESSIVE)
    table.drain()
    table.cards("KC KD QD JD 9S TD 7S 6D 3C")
    table.end()
    assert took_part(table)


def test_a_folded_seat_has_no_prize_and_its_progressive_bet_stays_in_the_pool() -> None:
    """6(7): who does not raise loses the ante and the cards are taken; without cards there is nothing to claim with."""
    table = stud()
    table.bet(3, "ante", PROGRESSIVE)
    table.lock()
    table.deal({3: FLUSH, 0: DEALER})
    table.fold(3)
    table.end()
    assert table.felt.state.hits == {}
    assert table.felt.meter() == SEED + SHARE
    assert table.table.carried == {}


def test_a_seat_that_did_not_fold_needs_no_raise_seen_by_a_sensor() -> None:
    """6(6): in is who did not fold; a raise that no sensor saw takes nothing from the player."""
    table = stud()
    table.bet(3, "ante", PROGRESSIVE)
    table.lock()
    play(table)
    assert table.table.last_outcome == "high_card, does not open"
    assert took_part(table)


def test_a_seat_dealt_without_a_bet_claims_nothing_though_a_progressive_chip_lies_there() -> None:
    """11(3): a seat without a bet that was dealt cards is void; and 10(1), for it has no ante."""
    table = stud()
    table.bet(3, PROGRESSIVE)
    table.bet(5, "ante", PROGRESSIVE)
    table.lock()
    table.deal({3: FLUSH, 5: NOTHING_2, 0: DEALER})
    table.dealt_too(3)
    table.confirm()
    table.end()
    assert table.felt.state.hits == {}
    assert table.felt.meter() == SEED + SHARE


def carried() -> Spot:
    """Seat 3's bet of a void round waits for the next one."""
    table = stud()
    table.bet(3, "ante", PROGRESSIVE)
    table.lock()
    table.press(f.VoidPressed("misdeal"))
    return table


def test_a_second_progressive_on_a_carried_seat_is_no_second_bet() -> None:
    """11(1): "the progressive bets go to the next round by themselves"; 6(1): a seat is one player's."""
    table = carried()
    table.bet(3, "ante", PROGRESSIVE)
    table.lock()
    locked = table.felt.said(e.RoundLocked)
    assert locked.contributions == (e.Contribution("stud-main", (), (3,)),)
    assert locked.postings == ()
    play(table)
    hit = table.felt.hit("T01.2.stud-main.flush")
    assert hit.awards == [e.Award(3, mop("500.00"))]
    assert table.felt.pool().totals.wagered_atoms == BET


def test_a_carried_bet_needs_an_ante_like_any_other() -> None:
    """11(1) with 10(1): carried is the progressive bet alone; the ante of the void round went back."""
    table = carried()
    table.bet(5, "ante")
    table.lock()
    assert table.table.live == {"stud-main": []}
    play(table)
    assert table.table.carried == {3: ["stud-main"]}


@pytest.mark.parametrize("main", ["player", "banker", "tie"])
@pytest.mark.parametrize("late", [False, True], ids=["placed in time", "placed after the first card"])
def test_at_baccarat_only_a_seat_with_a_main_bet_takes_part(main: str, *, late: bool) -> None:
    """2/2009 13(3): a bet beside one on Player, Banker or Tie, whether or not that wins; of a seated player only."""
    table = Felt([option_pool(Rules.BACCARAT_B)], [baccarat_table()]).spot("B01")
    table.bet(1, "progressive:baccarat-b")
    if not late:
        table.bet(4, main, "progressive:baccarat-b")
    table.say("shoe", f.CardRead("8S"))
    if late:
        table.bet(4, main, "progressive:baccarat-b")
    table.drain()
    assert table.table.live == {"baccarat-b": [] if late else [4]}
    table.cards("KD 8H 8D")
    assert table.table.last_outcome == "banker"
    hit = table.felt.state.hits.get("B01.1.baccarat-b.three_of_a_kind")
    assert (hit is None) == late
