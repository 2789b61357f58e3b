"""Dispatch 61/2004 (stud poker), paragraph by paragraph: what happens at the table, and what it leads to.

Each row is played by the devices' own words and then put to `adjudicate`, and both must agree. The pool begins at
500,000.00 and gets 7.00 of a bet; a royal flush is worth at least 500,000.00, a straight flush 50,000.00, four of a
kind 5,000.00, a full house 1,000.00, a flush 500.00.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.adjudication import asking, seat
from tests.support.playbook import HANDS, Row, judge, play_stud
from tests.support.pools import mop

DEALT = "3 bets ante progressive; lock; deal"
RUNNING, EACH = {"straight_flush_base": "running"}, {"several_royals": "greater_each"}
MILLION = {"seed_atoms": mop("1000000.00")}


def hand(name: str) -> list[str]:
    return HANDS.get(name, name).split(",")


def against(
    article: str, what: str, seat_cards: str, dealer: str, result: str, prize: str = "", meter: str = "", **more: Any
) -> Row:
    """A showdown of seat 3, which has a progressive bet."""
    return Row(
        article,
        what,
        f"{DEALT} 3={seat_cards} 0={dealer}; end",
        {"3": prize} if prize else {},
        {"3": result},
        meter,
        **more,
    )


ROWS = [
    against("4(1)", "spade over heart", "KS,KD,9C,7D,5C", "KH,KC,9D,7C,5D", "win 1"),
    against("4(1)", "heart over club", "AC,KD,9C,7D,5C", "AH,KC,9D,7C,5D", "lose"),
    against("4(1)", "club over diamond", "AC,KD,9C,7D,5C", "AD,KC,9D,7C,5D", "win 1"),
    against("4(2)", "aces are the highest", "AS,AD,9C,7D,5C", "KH,KC,QD,JC,TD", "win 1"),
    against("4(2)", "twos are the lowest", "2S,2D,AC,KD,QC", "3H,3C,4D,5C,7D", "lose"),
    against("4(3)", "in 5-4-3-2-A the ace is the lowest", "AS,2D,3C,4D,5C", "2H,3D,4C,5D,6C", "lose"),
    Row(
        "5(1)",
        "an ante alone plays, and not for the progressive",
        "3 bets ante; lock; deal 3=FLUSH 0=OPEN; end",
        {},
        {"3": "win 5"},
        "500000.00",
    ),
    against("5(2)", "the progressive bet plays for the pool", "FLUSH", "OPEN", "win 5", "500.00", "499507.00"),
    Row(
        "5(3)",
        "the raise has a place of its own and decides nothing about the progressive",
        f"{DEALT} 3=FLUSH 0=OPEN; 3 bets raise; end",
        {"3": "500.00"},
        {"3": "win 5"},
        "499507.00",
    ),
    Row(
        "6(2)",
        "without an ante there is no hand and no progressive bet",
        "3 bets progressive; 5 bets ante progressive; lock; deal 5=FLUSH 0=OPEN; end",
        {"5": "500.00"},
        {"5": "win 5"},
        "499507.00",
    ),
    Row(
        "6(3)",
        "after the first card no progressive bet is taken",
        "3 bets ante; deal 3=FLUSH 0=OPEN; 3 bets progressive; end",
        {},
        {"3": "win 5"},
        "500000.00",
    ),
    Row(
        "6(3)",
        "before the first card it is the player's to take back",
        "3 bets ante progressive; 3 takes back progressive; lock; deal 3=FLUSH 0=OPEN; end",
        {},
        {"3": "win 5"},
        "500000.00",
    ),
    Row(
        "6(5)",
        "who looks and plays on is in the showdown; who gives up is not",
        "3 bets ante progressive; 5 bets ante progressive; lock; deal 3=FLUSH 5=FULL 0=OPEN; 5 folds; end",
        {"3": "500.00"},
        {"3": "win 5", "5": "fold"},
        "499514.00",
    ),
    Row(
        "6(7)",
        "who does not raise has lost the ante and has no progressive prize, not even with a royal flush",
        f"{DEALT} 3=ROYAL_H 0=OPEN; 3 folds; end",
        {},
        {"3": "fold"},
        "500007.00",
    ),
    Row(
        "6(8)",
        "only then the round is decided: without its end nothing is paid",
        f"{DEALT} 3=FLUSH 0=OPEN",
        meter="500007.00",
    ),
    Row(
        "7(1)",
        "from the shoe one card at a time to the seats with a bet from the left, the dealer last",
        "5 bets ante progressive; 2 bets ante progressive; lock; deal 2=FLUSH 5=FULL 0=OPEN; end",
        {"2": "500.00", "5": "1000.00"},
        {"2": "win 5", "5": "win 7"},
    ),
    Row(
        "7(1)",
        "cards for fewer seats than have bets hold the round",
        "2 bets ante; 5 bets ante; lock; deal 2=FLUSH 0=OPEN; end",
        hold="cards_missing",
    ),
    Row(
        "7(2)",
        "from the shuffler a packet of five to each seat with a bet, the dealer last",
        "5 bets ante progressive; 2 bets ante progressive; lock; deal 2=FLUSH 5=FULL 0=OPEN; end",
        {"2": "500.00", "5": "1000.00"},
        {"2": "win 5", "5": "win 7"},
        shuffler=True,
    ),
    against("8(1)", "royal flushes by suit", "ROYAL_S", "ROYAL_H", "win 100", "500007.00"),
    against("8(1)", "the lower one loses, and is paid the progressive", "ROYAL_D", "ROYAL_C", "lose", "500007.00"),
    against("8(2)", "straight flushes by rank", "KS,QS,JS,TS,9S", "QH,JH,TH,9H,8H", "win 50", "50000.70"),
    against("8(2)", "5-4-3-2-A is the lowest", "5S,4S,3S,2S,AS", "LOW_D", "lose", "50000.70"),
    against("8(2)", "then by suit", "LOW_H", "LOW_C", "win 50", "50000.70"),
    against("8(3)", "fours by rank alone", "3S,3H,3C,3D,4S", "2S,2H,2C,2D,AS", "win 20", "5000.00"),
    against("8(4)", "full houses by the three", "4S,4H,4C,2D,2S", "3S,3H,3C,AD,AS", "win 7", "1000.00"),
    against("8(5)", "flushes by the highest card", "AD,6D,4D,3D,2D", "KS,QS,JS,TS,8S", "win 5", "500.00"),
    against("8(5)", "then card by card", "AD,KD,QD,JD,2D", "AS,KS,QS,JS,3S", "lose", "500.00"),
    against("8(5)", "then by suit", "AS,KS,QS,JS,9S", "AH,KH,QH,JH,9H", "win 5", "500.00"),
    against("8(6)", "straights by rank", "6S,7H,8C,9D,TS", "9S,8H,7C,6D,5S", "win 4"),
    against("8(6)", "then by the suit of the highest card", "6S,7H,8C,9D,TC", "6H,7S,8S,9S,TH", "lose"),
    against("8(7)", "threes by rank, the other two count for nothing", "6S,6H,6C,3D,2S", "5S,5H,5C,AD,KS", "win 3"),
    against("8(8)", "two pairs by the higher pair", "KS,KH,3C,3D,2S", "QS,QH,JC,JD,AS", "win 2"),
    against("8(8)", "then by the lower pair", "KS,KH,3C,3D,AS", "KC,KD,4S,4H,2D", "lose"),
    against("8(8)", "then by the fifth card", "KC,KD,4C,4D,3S", "KS,KH,4S,4H,2S", "win 2"),
    against("8(8)", "then by the suit of the higher pair", "KH,KC,4S,4H,3S", "KS,KD,4C,4D,3C", "lose"),
    against("8(9)", "pairs by rank", "3S,3H,6C,5D,4S", "2S,2H,AC,KD,QS", "win 1"),
    against("8(9)", "then by the other cards, high to low", "TS,TH,9S,7S,5H", "TC,TD,9C,7D,6S", "lose"),
    against("8(9)", "then by the better suit of the pair", "TS,TD,9C,7D,6C", "TH,TC,9S,7S,6S", "win 1"),
    against("8(10)", "high cards card by card", "AD,KC,QD,9D,8C", "AS,KS,JS,TS,9H", "win 1"),
    against("8(10)", "then by the suit of the highest", "AC,KS,9S,7S,5S", "AH,KD,9D,7D,5C", "lose"),
    against("9(1)", "an ace and a king open", "STRAIGHT", "OPEN", "win 4"),
    against("9(2)", "without them ante 1 to 1 and the raise returned", "STRAIGHT", "NO_OPEN", "push-raise"),
    against("9(2)", "an ace and a queen do not open", "STRAIGHT", "AD,QC,9D,5D,4C", "push-raise"),
    against("9(2)", "nor does a king alone", "2S,3H,5C,6C,7C", "KD,QC,9D,5D,4C", "push-raise"),
    against("9(3)", "any pair is higher and opens", "STRAIGHT", "2D,2C,5D,4C,3D", "win 4"),
    against("9(4)", "the dealer is higher: ante and raise are lost", "2S,3H,5C,6C,7C", "OPEN", "lose"),
    against("9(5)(1)", "a pair or less, 1 to 1", "2S,2H,5C,6C,7C", "OPEN", "win 1"),
    against("9(5)(2)", "two pairs, 1 to 2", "2S,2H,5C,5H,7C", "OPEN", "win 2"),
    against("9(5)(3)", "three of a kind, 1 to 3", "2S,2H,2C,6C,7C", "OPEN", "win 3"),
    against("9(5)(4)", "a straight, 1 to 4", "STRAIGHT", "OPEN", "win 4"),
    against("9(5)(5)", "a flush, 1 to 5", "FLUSH", "OPEN", "win 5", "500.00"),
    against("9(5)(6)", "a full house, 1 to 7", "FULL", "OPEN", "win 7", "1000.00"),
    against("9(5)(7)", "four of a kind, 1 to 20", "FOUR", "OPEN", "win 20", "5000.00"),
    against("9(5)(8)", "a straight flush, 1 to 50", "LOW_H", "OPEN", "win 50", "50000.70"),
    against("9(5)(9)", "a royal flush, here 1 to 100", "ROYAL_H", "OPEN", "win 100", "500007.00"),
    against(
        "9(5)(9)", "or what the house has set", "ROYAL_H", "OPEN", "win 50", "500007.00", table={"royal_raise_odds": 50}
    ),
    Row(
        "10(1)",
        "ante and progressive bet, both accepted, and the seat plays for the pool",
        "3 bets progressive; 3 bets ante; 5 bets ante; lock; deal 3=FLUSH 5=FULL 0=OPEN; end",
        {"3": "500.00"},
        {},
        "499507.00",
    ),
    against("10(2)(1)", "the pool is more than the fixed amount", "ROYAL_H", "OPEN", "win 100", "500007.00"),
    against(
        "10(2)(1)",
        "the fixed amount is more than the pool, the house pays the difference",
        "ROYAL_H",
        "OPEN",
        "win 100",
        "500000.00",
        "420000.00",
        terms={"seed_atoms": mop("420000.00")},
    ),
    against("10(2)(2)", "a tenth is more than the fixed amount", "LOW_H", "OPEN", "win 50", "50000.70", "450006.30"),
    against(
        "10(2)(2)",
        "the fixed amount is more than a tenth of the pool",
        "LOW_H",
        "OPEN",
        "win 50",
        "50000.00",
        "250007.00",
        terms={"seed_atoms": mop("300000.00")},
    ),
    against("10(2)(3)", "four of a kind", "FOUR", "OPEN", "win 20", "5000.00", "495007.00"),
    against("10(2)(4)", "a full house", "FULL", "OPEN", "win 7", "1000.00", "499007.00"),
    against("10(2)(5)", "a flush", "FLUSH", "OPEN", "win 5", "500.00", "499507.00"),
    against("10(2)", "a straight and less win nothing", "STRAIGHT", "OPEN", "win 4", "", "500007.00"),
    against("10(2)", "the prize needs no dealer who opens", "FLUSH", "NO_OPEN", "push-raise", "500.00"),
    against("10(2)", "and the dealer's own hand never claims", "STRAIGHT", "ROYAL_S", "lose", "", "500007.00"),
    Row(
        "10(4)",
        "seat by seat from the dealer's left",
        "2 bets ante progressive; 5 bets ante progressive; lock; deal 2=LOW_S 5=LOW_H 0=OPEN; end",
        {"2": "100001.40", "5": "90001.26"},
        meter="810011.34",
        terms=RUNNING | MILLION,
    ),
    Row(
        "10(5)",
        "several royal flushes share what one would have got",
        "1 bets ante progressive; 4 bets ante progressive; lock; deal 1=ROYAL_S 4=ROYAL_H 0=OPEN; end",
        {"1": "250007.00", "4": "250007.00"},
        meter="500000.00",
    ),
    Row(
        "10(5)",
        "in the other reading each has at least the fixed amount",
        "1 bets ante progressive; 4 bets ante progressive; lock; deal 1=ROYAL_S 4=ROYAL_H 0=OPEN; end",
        {"1": "500000.00", "4": "500000.00"},
        meter="500000.00",
        terms=EACH,
    ),
    Row(
        "10(6)",
        "several straight flushes get a tenth each, of the pool as the round found it",
        "2 bets ante progressive; 5 bets ante progressive; lock; deal 2=LOW_S 5=LOW_H 0=OPEN; end",
        {"2": "50001.40", "5": "50001.40"},
        meter="400011.20",
    ),
    Row(
        "10(7)",
        "a straight flush is paid before a royal flush, wherever it sits",
        "1 bets ante progressive; 5 bets ante progressive; lock; deal 1=ROYAL_S 5=LOW_H 0=OPEN; end",
        {"1": "900012.60", "5": "100001.40"},
        meter="1000000.00",
        terms=MILLION,
    ),
    Row(
        "10(8)",
        "the pool falls by what was paid, and all that follows of the round is paid of what is left",
        "1 bets ante progressive; 3 bets ante progressive; lock; deal 1=FLUSH 3=ROYAL_S 0=OPEN; end",
        {"1": "500.00", "3": "999514.00"},
        meter="1000000.00",
        terms=MILLION,
    ),
    Row(
        "10(8)",
        "a pool that paid everything begins again at the least amount, once the last prize is paid",
        "1 bets ante progressive; 3 bets ante progressive; lock; deal 1=ROYAL_S 3=FLUSH 0=OPEN; end",
        {"1": "1000014.00", "3": "500.00"},
        meter="1000000.00",
        terms=MILLION,
    ),
    Row(
        "11(1)",
        "a wrong deal voids the round; the progressive bet carries",
        f"{DEALT} 3=FLUSH 0=OPEN; void misdeal",
        carried=[3],
        meter="500007.00",
    ),
    Row(
        "11(1)",
        "two cards wrongly exposed, counted over the whole table, void it",
        "3 bets ante progressive; 5 bets ante; lock; deal 3=FLUSH 5=FULL 0=OPEN; 3 exposed; 5 exposed",
        carried=[3],
        meter="500007.00",
    ),
    Row(
        "11(1)",
        "the carried bet takes part in the next round and contributes nothing again",
        f"{DEALT} 3=FLUSH 0=OPEN; void misdeal; 3 bets ante; lock; deal 3=FULL 0=OPEN; end",
        {"3": "1000.00"},
        {"3": "win 7"},
        "499007.00",
    ),
    Row(
        "11(1)",
        "it waits while its seat has no ante",
        f"{DEALT} 3=FLUSH 0=OPEN; void misdeal; 5 bets ante; lock; deal 5=FULL 0=OPEN; end",
        {},
        {"5": "win 7"},
        "500007.00",
        [3],
    ),
    Row(
        "11(2)",
        "one card wrongly exposed leaves the round standing",
        f"{DEALT} 3=FLUSH 0=OPEN; 3 exposed; end",
        {"3": "500.00"},
        {"3": "win 5"},
    ),
    Row(
        "11(2)",
        "the dealer's too; with the dealer's fifth card turned up as well there are two, and 11(1) holds",
        f"{DEALT} 3=FLUSH 0=OPEN; 0 exposed; 0 exposed",
        carried=[3],
    ),
    Row(
        "11(3)",
        "a seat dealt without a bet is void alone, and the later cards are the others'",
        f"{DEALT} 2=FULL 3=FLUSH 0=OPEN; 2 dealt too; confirm; end",
        {"3": "500.00"},
        {"3": "win 5", "2": "void"},
    ),
    Row(
        "11(4)",
        "a shuffler that fails during the deal voids the round; the progressive bet carries",
        "3 bets ante progressive; lock; shuffler fails",
        carried=[3],
        meter="500007.00",
        shuffler=True,
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.article} {row.what}" for row in ROWS])
def test_61_2004(row: Row) -> None:
    judge(row, play_stud(row))


# What only amounts can tell: an ante of 100.00 at seat 3, the dealer's hand, what the round was, and the seat's answer.
OPEN, CLOSED = "OPEN", "NO_OPEN"
WON, LOST, BACK = ("100.00", "1000.00"), ("-100.00", "-200.00"), ("100.00", "0.00")
NOTHING, FOLDED = ("0.00", "0.00"), ("-100.00", "0.00")
AMOUNTS: list[tuple[str, str, str, str, dict[str, Any], dict[str, Any], tuple[str, str]]] = [
    ("6(6)", "a raise is twice the ante", "FLUSH", OPEN, {}, {}, WON),
    ("6(7)", "who folds loses the ante and nothing more", "FLUSH", OPEN, {}, {"folded": True}, FOLDED),
    ("9(2)", "not open: ante 1 to 1, raise returned", "FLUSH", "QD,JD,9D,5D,4S", {}, {}, BACK),
    ("9(4)", "ante and raise are lost", "2S,3H,5C,6C,7C", OPEN, {}, {}, LOST),
    ("9(5)", "the ante is paid 1 to 1, the raise by the table", "STRAIGHT", OPEN, {}, {}, ("100.00", "800.00")),
    ("9(5)(7)", "at most the table's", "FOUR", OPEN, {}, {"ante": "10000.00"}, ("10000.00", "200000.00")),
    ("9(5)(8)", "at most the table's", "LOW_S", OPEN, {}, {"ante": "3000.00"}, ("3000.00", "200000.00")),
    ("9(5)(9)", "at most the table's", "ROYAL_S", OPEN, {}, {"ante": "2000.00"}, ("2000.00", "200000.00")),
    ("9(5)(6)", "no limit for a full house", "FULL", OPEN, {}, {"ante": "50000.00"}, ("50000.00", "700000.00")),
    ("11(1)", "a void round returns everything", "FLUSH", OPEN, {"irregularity": "misdeal"}, {}, NOTHING),
    ("11(1)", "also to who folded", "FLUSH", OPEN, {"irregularity": "exposed_two"}, {"folded": True}, NOTHING),
    ("11(2)", "one exposed card changes nothing", "FLUSH", OPEN, {"irregularity": "exposed_one"}, {}, WON),
    ("11(3)", "a seat dealt without a bet is void alone", "FLUSH", OPEN, {"void_seats": [3]}, {}, NOTHING),
    ("11(3)", "the others play on", "FLUSH", OPEN, {"void_seats": [5]}, {}, WON),
    ("11(4)", "the shuffler fails", "FLUSH", OPEN, {"irregularity": "shuffler"}, {}, NOTHING),
]


@pytest.mark.parametrize(
    ("article", "what", "cards", "dealer", "round_", "bets", "net"), AMOUNTS, ids=[" ".join(one[:2]) for one in AMOUNTS]
)
def test_61_2004_in_money(
    article: str, what: str, cards: str, dealer: str, round_: dict[str, Any], bets: dict[str, Any], net: tuple[str, str]
) -> None:
    told = asking()(dealer=hand(dealer), seats={"3": seat(hand(cards), **bets)}, **round_)
    found = told["seats"]["3"]
    assert (found["ante"], found["raise"]) == net, f"{article} {what}"
    stands = net not in {NOTHING, FOLDED}
    assert ("prize" in found) is (stands and found["hand"] not in {"high_card", "straight"})


# The paragraphs that no row above can show, and where they are kept.
ELSEWHERE = {
    "1": "the equipment: decks, shoe and shuffler are keys of a table",
    "2": "eight positions: tests/daemon/test_config_faults.py has the limit of seven seats",
    "3": "how the pack is shuffled is seen by nobody but the dealer",
    "6(1)": "who sits where is seen by nobody but the dealer; a place takes one bet, tests/core/test_round_bets.py",
    "6(4)": "a rule for players",
    "10(3)": "fixed amounts are the pool's, printed by `jackpotd check`: tests/daemon/test_check.py",
    "12": "a rule for players",
    "13": "permission: tests/daemon/test_approvals.py",
}
PARAGRAPHS = (
    ["1", "2", "3", "12", "13"]
    + [f"4({n})" for n in range(1, 4)]
    + [f"5({n})" for n in range(1, 4)]
    + [f"6({n})" for n in range(1, 9)]
    + [f"7({n})" for n in range(1, 3)]
    + [f"8({n})" for n in range(1, 11)]
    + [f"9({n})" for n in range(1, 6)]
    + [f"9(5)({n})" for n in range(1, 10)]
    + [f"10({n})" for n in range(1, 9)]
    + [f"10(2)({n})" for n in range(1, 6)]
    + [f"11({n})" for n in range(1, 5)]
)


def test_no_paragraph_of_61_2004_is_left_out() -> None:
    shown = {row.article for row in ROWS} | {one[0] for one in AMOUNTS}
    assert shown.isdisjoint(ELSEWHERE)
    assert shown | ELSEWHERE.keys() == set(PARAGRAPHS)
