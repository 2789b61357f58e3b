"""Whole rounds of stud, article by article (61/2004)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from jackpotd.core.cards import Card, parse_cards
from jackpotd.core.errors import RuleError
from jackpotd.core.judge_stud import JudgedSeat, JudgedStud, StudRound, StudSeat, judge_stud
from jackpotd.core.judging import Funds, Irregularity
from jackpotd.core.stud import Hand, Result, StudNet
from tests.support.felt import stud_table
from tests.support.pools import mop, stud_pool

TABLE = stud_table(max_payout_atoms=mop("200000.00"))
POOL = stud_pool()
FUNDS = Funds(mop("1000000.00"))
ACE_KING = "AS KD 7C 5H 2S"
NO_OPEN = "QS JD 9C 7H 2S"
ROYAL_H, ROYAL_S = "AH KH QH JH TH", "AS KS QS JS TS"
FLUSH_C = "2C 4C 6C 8C TC"
PAIR, HIGH = "3D 3H 8D 9D QC", "JC 9H 8S 6D 3S"
VOIDING = [Irregularity.MISDEAL, Irregularity.EXPOSED_TWO, Irregularity.SHUFFLER]


def hand(text: str) -> tuple[Card, ...]:
    return parse_cards(text.split())


def seat(text: str, ante: str = "100.00", *, folded: bool = False, progressive: bool = True) -> StudSeat:
    return StudSeat(hand(text), mop(ante), folded, progressive)


def played(dealer: str, seats: dict[int, StudSeat], **more: Any) -> StudRound:
    return StudRound(FUNDS, hand(dealer), seats, **more)


def judged(dealer: str, seats: dict[int, StudSeat], **more: Any) -> JudgedStud:
    return judge_stud(played(dealer, seats, **more), POOL, TABLE)


def only(dealer: str, one: StudSeat, **more: Any) -> JudgedSeat:
    return judged(dealer, {3: one}, **more).seats[3]


def refused(dealer: str, seats: dict[int, StudSeat], **more: Any) -> str:
    with pytest.raises(RuleError) as caught:
        judged(dealer, seats, **more)
    return str(caught.value)


def net(ante: str, raised: str) -> StudNet:
    return StudNet(mop(ante), mop(raised))


NOTHING = net("0.00", "0.00")
SHOWDOWNS = [
    ("9(2) the dealer does not open: ante 1 to 1, raise returned", NO_OPEN, seat(HIGH), Result.PUSH_RAISE, "100", "0"),
    ("9(2) also to the better hand", NO_OPEN, seat(FLUSH_C), Result.PUSH_RAISE, "100", "0"),
    ("9(4) the dealer is higher", ACE_KING, seat(HIGH), Result.LOSE, "-100", "-200"),
    ("9(5)(1) a pair, 1 to 1", ACE_KING, seat(PAIR), Result.WIN, "100", "200"),
    ("9(5)(5) a flush, 1 to 5", ACE_KING, seat(FLUSH_C), Result.WIN, "100", "1000"),
    ("9(5)(9) a royal flush, by the table", ACE_KING, seat(ROYAL_H), Result.WIN, "100", "20000"),
    ("8(1) the royal flush of the higher suit wins", ROYAL_S, seat(ROYAL_H), Result.LOSE, "-100", "-200"),
    ("6(7) who folds loses the ante", ACE_KING, seat(FLUSH_C, folded=True), Result.FOLD, "-100", "0"),
    ("6(7) also where the dealer does not open", NO_OPEN, seat(FLUSH_C, folded=True), Result.FOLD, "-100", "0"),
]


@pytest.mark.parametrize(("article", "dealer", "one", "result", "ante", "raised"), SHOWDOWNS)
def test_a_seat_is_paid_by_article_9(
    article: str, dealer: str, one: StudSeat, result: Result, ante: str, raised: str
) -> None:
    found = only(dealer, one)
    assert (found.result, found.net) == (result, net(ante, raised)), article


def test_the_dealers_hand_is_named_and_whether_it_opens_9_1() -> None:
    assert (judged(ACE_KING, {}).hand, judged(ACE_KING, {}).opens) == (Hand.HIGH_CARD, True)
    assert (judged(NO_OPEN, {}).hand, judged(NO_OPEN, {}).opens) == (Hand.HIGH_CARD, False)


def test_the_tables_odds_and_maximum_payout_hold_for_the_raise_alone_9_5() -> None:
    table = stud_table(royal_raise_odds=50, max_payout_atoms=mop("9000.00"))
    one = judge_stud(played(ACE_KING, {3: seat(ROYAL_H)}), POOL, table).seats[3]
    assert one.net == net("100.00", "9000.00")
    table = replace(table, max_payout_atoms=None)
    assert judge_stud(played(ACE_KING, {3: seat(ROYAL_H)}), POOL, table).seats[3].net == net("100.00", "10000.00")


PRIZES = [
    ("10(2) needs no opened dealer", NO_OPEN, seat(FLUSH_C), {}, "500.00"),
    ("10(2) needs no win against the dealer", ROYAL_S, seat(FLUSH_C), {}, "500.00"),
    ("10(2) a royal flush beaten by a higher one is paid", ROYAL_S, seat(ROYAL_H), {}, "1000000.00"),
    ("10(1) needs the progressive bet", NO_OPEN, seat(FLUSH_C, progressive=False), {}, None),
    ("10(2) needs a flush or better", NO_OPEN, seat(PAIR), {}, None),
    ("6(7) is lost with a fold", NO_OPEN, seat(FLUSH_C, folded=True), {}, None),
    ("11(2) one exposed card: the round stands", NO_OPEN, seat(FLUSH_C), {"irregularity": "exposed_one"}, "500.00"),
    ("11(1) misdeal: void", NO_OPEN, seat(FLUSH_C), {"irregularity": "misdeal"}, None),
    ("11(1) two exposed cards: void", NO_OPEN, seat(FLUSH_C), {"irregularity": "exposed_two"}, None),
    ("11(4) the shuffler fails: void", NO_OPEN, seat(FLUSH_C), {"irregularity": "shuffler"}, None),
    ("11(3) a void seat claims nothing", NO_OPEN, seat(FLUSH_C, "0"), {"void_seats": frozenset({3})}, None),
]


@pytest.mark.parametrize(("article", "dealer", "one", "more", "prize"), PRIZES)
def test_a_prize_is_owed_by_articles_10_and_11(
    article: str, dealer: str, one: StudSeat, more: dict[str, Any], prize: str | None
) -> None:
    if "irregularity" in more:
        more = {"irregularity": Irregularity(more["irregularity"])}
    done = judged(dealer, {3: one}, **more)
    assert (done.seats[3].tier is not None) is (prize is not None), article
    assert done.seats[3].prize_atoms == mop(prize or "0.00"), article
    assert sum(turn.total_atoms for turn in done.settlement.turns) == mop(prize or "0.00"), article


def test_the_dealers_royal_flush_claims_nothing_10_2() -> None:
    done = judged(ROYAL_S, {3: seat(HIGH)})
    assert (done.hand, done.settlement.turns, done.settlement.pool_atoms) == (Hand.ROYAL_FLUSH, (), FUNDS.pool_atoms)


@pytest.mark.parametrize("cause", VOIDING)
def test_a_void_round_returns_everything_undoes_folds_and_leaves_the_pool_11_1_11_4(cause: Irregularity) -> None:
    funds = Funds(mop("900000.00"), mop("7.00"), mop("8.00"))
    seats = {1: seat(ROYAL_H), 4: seat(FLUSH_C, folded=True), 6: seat("3D 3H")}
    done = judge_stud(StudRound(funds, hand("AS KD"), seats, cause), POOL, TABLE)
    assert done.void is cause
    assert {one.result for one in done.seats.values()} == {Result.VOID}
    assert {one.net for one in done.seats.values()} == {NOTHING}
    assert done.settlement == funds.untouched()


def test_a_void_round_names_the_hands_that_are_whole_and_no_others() -> None:
    done = judged("AS KD", {1: seat(ROYAL_H), 6: seat("3D 3H")}, irregularity=Irregularity.MISDEAL)
    assert (done.hand, done.opens) == (None, None)
    assert {number: one.hand for number, one in done.seats.items()} == {1: Hand.ROYAL_FLUSH, 6: None}


def test_a_void_round_may_have_cards_at_a_seat_without_a_bet_11_1() -> None:
    done = judged("", {2: seat("2C", "0", progressive=False)}, irregularity=Irregularity.MISDEAL)
    assert done.seats[2].result is Result.VOID


@pytest.mark.parametrize("cards", [FLUSH_C, "2C 4C", ""])
def test_a_void_seat_is_void_alone_and_the_others_play_on_11_3(cards: str) -> None:
    seats = {2: seat(cards, "0"), 3: seat(ROYAL_H), 5: seat(HIGH, progressive=False)}
    done = judged(ACE_KING, seats, void_seats=frozenset({2}))
    assert done.void is None
    assert (done.seats[2].result, done.seats[2].net, done.seats[2].tier) == (Result.VOID, NOTHING, None)
    assert (done.seats[3].result, done.seats[3].prize_atoms) == (Result.WIN, FUNDS.pool_atoms)
    assert done.seats[5].result is Result.LOSE


def test_a_void_seat_of_which_nothing_else_is_said_changes_nothing_11_3() -> None:
    assert judged(ACE_KING, {3: seat(PAIR)}, void_seats=frozenset({2})) == judged(ACE_KING, {3: seat(PAIR)})


REFUSED = [
    ("seat 8 of 7", ACE_KING, {8: seat(PAIR)}, {}, "seat 8 is unknown: the table has seats 1 to 7"),
    ("seat 0", ACE_KING, {0: seat(PAIR)}, {}, "seat 0 is unknown"),
    ("void seat 9", ACE_KING, {}, {"void_seats": frozenset({9})}, "seat 9 is unknown"),
    ("four cards", ACE_KING, {3: seat("3D 3H 8D 9D")}, {}, "seat 3 has 4 cards, a hand has 5"),
    ("six cards", ACE_KING, {3: seat(PAIR + " 4D")}, {}, "seat 3 has 6 cards"),
    ("four cards of the dealer", "AS KD 7C 5H", {3: seat(PAIR)}, {}, "the dealer has 4 cards"),
    ("a card at two seats", ACE_KING, {3: seat(PAIR), 4: seat("3D 4D 5D 6D 7D")}, {}, "3D came 2 times from 1 pack"),
    ("a card twice in a hand", ACE_KING, {3: seat("3D 3D 8D 9D QC")}, {}, "3D came 2 times"),
    ("a card of the dealer's", ACE_KING, {3: seat("AS 3H 8D 9D QC")}, {}, "AS came 2 times"),
    ("a void seat's card", ACE_KING, {3: seat("AS", "0")}, {"void_seats": frozenset({3})}, "AS came 2 times"),
    ("a void round's card", "AS", {3: seat("AS")}, {"irregularity": Irregularity.MISDEAL}, "AS came 2 times"),
    ("no ante", ACE_KING, {3: seat(PAIR, "0", progressive=False)}, {}, "seat 3 has no ante"),
    ("progressive alone, 6(3)", ACE_KING, {3: seat(PAIR, "0")}, {}, "progressive bet without its ante"),
    ("the same in a void round", ACE_KING, {3: seat(PAIR, "0")}, {"irregularity": VOIDING[0]}, "without its ante"),
    ("an ante of half a minor unit", ACE_KING, {3: seat(PAIR, "0.005")}, {}, "whole minor units"),
    ("an ante below nothing", ACE_KING, {3: seat(PAIR, "-100.00")}, {}, "more than nothing"),
]


@pytest.mark.parametrize(("fault", "dealer", "seats", "more", "words"), REFUSED)
def test_a_round_that_cannot_be_one_of_this_table_is_refused(
    fault: str, dealer: str, seats: dict[int, StudSeat], more: dict[str, Any], words: str
) -> None:
    assert words in refused(dealer, seats, **more), fault
