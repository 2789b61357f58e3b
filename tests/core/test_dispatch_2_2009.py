"""Dispatch 2/2009 (baccarat), paragraph by paragraph, with the drawing rule and the push of 55/2004 as published.

Each row is played by the devices' own words and then put to `adjudicate`, and both must agree. A pool begins at
100,000.00 and gets 7.00 of a bet. A: heavenly straight 20,000.00 or 10%, four 10,000.00, double pair 500.00, three
300.00, single pair 20.00. B and C: five 8,000.00 (C: not paid), double three 4,000.00, four 1,000.00, three 800.00;
C's six of a kind 20,000.00 or 25%.
"""

from __future__ import annotations

import pytest

from tests.support.adjudication import asking, bet
from tests.support.playbook import Row, judge, play_baccarat

ANY_SUITS, HOUSE = {"four_of_a_kind_suits": "any"}, {"fixed_prizes_from": "house"}
PLAYER_WINS, BANKER_WINS, TIE = "9S KS / 2H 5H", "KS 7S / 9H KH", "8S KS / 8H KH"
BANKER_6, DRAGON_7 = "2S 3S 8C / 3H 3D", "2S 2H KC / KH QC 7D"
SIX, SIX_BLACK, SIX_RED = "KS KC KS / KD KH KD", "KS KC KS / KC KS KC", "KH KD KH / KD KH KD"
FIVE, DOUBLE_THREE, FOUR = "KS KC KS / KD KH 9D", "2S 2S AS / 2C AC AC", "KS KC 9S / KD KH 8D"
THREE = "8S 8C / 8D KS"


def main(article: str, what: str, coup: str, *results: str, commission: str = "five_percent") -> Row:
    """Seats 1, 2 and 3 bet on Player, Banker and Tie."""
    script = f"1 bets player; 2 bets banker; 3 bets tie; lock; coup {coup}"
    of = dict(zip(("1 player", "2 banker", "3 tie"), results, strict=False))
    return Row(article, what, script, {}, of, "100000.00", table={"commission": commission})


def side(article: str, what: str, coup: str, **results: str) -> Row:
    """The bets that no sensor sees, as the coup decides them."""
    return Row(article, what, f"1 bets player; lock; coup {coup}", results=results)


def option(article: str, what: str, coup: str, prize: str = "", meter: str = "", **terms: str) -> Row:
    """Seat 4 plays for the option that the article names."""
    letter = next(one for one in "abc" if one.upper() in article)
    script = f"4 bets player progressive; lock; coup {coup}"
    paid = {f"{letter}4": prize} if prize else {}
    return Row(article, what, script, paid, {}, meter, options=letter, terms=terms)


def shared(article: str, what: str, options: str, coup: str, each: str, meter: str, **terms: str) -> Row:
    """Seats 1, 4 and 7 play for the option, on different main bets; seat 8 does not."""
    bets = "1 bets player progressive; 4 bets banker progressive; 7 bets tie progressive; 8 bets banker"
    paid = {f"{options}{seat}": each for seat in (1, 4, 7)}
    return Row(article, what, f"{bets}; lock; coup {coup}", paid, {}, meter, options=options, terms=terms)


LOST, WON, PUSH = "lose", "win 1", "push"
ROWS = [
    main("55/2004", "8 or 9 of two cards: nobody draws", PLAYER_WINS, WON),
    main("55/2004", "Player draws up to 5, Banker by Player's third card", "2S 3S 4C / 3H 2D 9D", WON, LOST),
    main("55/2004", "Player stands on 6, then Banker draws up to 5", "2S 4S / 3H 2D 4D", LOST, "win 0.95"),
    main("55/2004", "a tie: Player and Banker bets push", TIE, PUSH, PUSH, "win 8"),
    main("13(1)(1)", "a bet on Player", PLAYER_WINS, WON, LOST, LOST),
    main("13(1)(2)", "a bet on Banker", BANKER_WINS, LOST, "win 0.95", LOST),
    main("13(1)(3)", "a bet on a tie", TIE, PUSH, PUSH, "win 8"),
    side("13(1)(4)(1)", "Player pair", "JS JD / 4H 5H", player_pair="win 11", banker_pair=LOST),
    side("13(1)(4)(1)", "Banker pair", "JS 9D / 4H 4C", player_pair=LOST, banker_pair="win 11"),
    side("13(1)(4)(1)", "both, of any colour and suit", "4S 4D / 5H 5C", player_pair="win 11", banker_pair="win 11"),
    side("13(1)(4)(1)", "J and Q are no pair", "JS QD / 4H 5H", player_pair=LOST, banker_pair=LOST),
    side("13(1)(4)(2)", "Banker wins with 7 of three cards", DRAGON_7, dragon7="win 40"),
    side("13(1)(4)(2)", "a 7 of two cards is none", BANKER_6.replace("3D", "4D"), dragon7=LOST),
    side("13(1)(4)(2)", "nor is a tie at 7", "2S 2H 3C / KH QC 7D", dragon7=LOST),
    option("13(1)(4)(3)A i", "royal flush: the first five, in any order", "KS JS AS / QS TS 9D", "100007.00"),
    option("13(1)(4)(3)A i", "a sixth card takes no part", "TS AS KS / JS QS AS", "100007.00"),
    option("13(1)(4)(3)A i", "five of six are not the first five", "KS QS 9S / JS TS AS"),
    option("13(1)(4)(3)A ii", "heavenly straight: an ace of another suit", "KS JS AH / QS TS 9D", "20000.00"),
    option("13(1)(4)(3)A ii", "another card of another suit is none", "KS JS AS / QH TS 9D"),
    option("13(1)(4)(3)A iii", "the first four of one rank and of four suits", "JS JC 2S / JH JD 5D", "10000.00"),
    option("13(1)(4)(3)A iii", "a suit twice: three of a kind in one reading", "4S 4D / 4H 4S", "300.00"),
    option("13(1)(4)(3)A iii", "and four of a kind in the other", "4S 4D / 4H 4S", "10000.00", **ANY_SUITS),
    option("13(1)(4)(3)A iv", "two pairs of different ranks", "4S 4D / 5H 5C", "500.00"),
    option("13(1)(4)(3)A v", "three of the first four, in any order", "3S 3D / 3H 6C", "300.00"),
    option("13(1)(4)(3)A v", "a fifth card takes no part", "3S 2H 3D / KC 3H 7S"),
    option("13(1)(4)(3)A vi", "Player pair", "4S 4D / KH 9C", "20.00"),
    option("13(1)(4)(3)A vi", "Banker pair", "4S 5D / 9H 9C", "20.00"),
    option("13(1)(4)(3)A vi", "J and Q are no pair", "JS QD / 4H 5H"),
    option("13(1)(4)(3)B i", "six of a kind", SIX, "100007.00"),
    option("13(1)(4)(3)B ii", "five of a kind", FIVE, "8000.00"),
    option("13(1)(4)(3)B iii", "two sets of three", DOUBLE_THREE, "4000.00"),
    option("13(1)(4)(3)B iv", "four of a kind", FOUR, "1000.00"),
    option("13(1)(4)(3)B v", "three of a kind", THREE, "800.00"),
    option("13(1)(4)(3)B", "two pairs and less win nothing", "4S 4D / 5H 5C"),
    option("13(1)(4)(3)C i", "six of a kind of spades and clubs", SIX_BLACK, "100007.00"),
    option("13(1)(4)(3)C i", "six of a kind of hearts and diamonds", SIX_RED, "100007.00"),
    option("13(1)(4)(3)C ii", "six of a kind of both colours", SIX, "25001.75"),
    option("13(1)(4)(3)C iii", "five of a kind, here not paid", FIVE),
    option("13(1)(4)(3)C iv", "two sets of three", DOUBLE_THREE, "4000.00"),
    option("13(1)(4)(3)C v", "four of a kind", FOUR, "1000.00"),
    option("13(1)(4)(3)C vi", "three of a kind", THREE, "800.00"),
    option("13(2)(1) B", "K, Q, J and 10 are four ranks", "KS JC 9S / QD TH 8D"),
    option("13(2)(2) B", "four, five and six are of all the cards of the round", FOUR, "1000.00"),
    option("13(2)(3) B", "three of a kind is of both sides together", "8S KC / 8D 8H", "800.00"),
    option("13(2)(3) C", "and so are two sets of three", DOUBLE_THREE, "4000.00"),
    Row(
        "13(3)",
        "a progressive bet goes with a Player, Banker or Tie bet; alone it takes no part and contributes nothing",
        f"1 bets progressive; 4 bets tie progressive; lock; coup {THREE}",
        {"b4": "800.00"},
        meter="99207.00",
    ),
    Row(
        "13(3)",
        "whether the main bet wins does not matter",
        f"1 bets player progressive; 4 bets banker progressive; lock; coup {THREE}",
        {"b1": "400.00", "b4": "400.00"},
        {"1 player": LOST, "4 banker": "win 0.95"},
        "99214.00",
    ),
    Row(
        "13(1)(4)(3)",
        "a table with three options: three bets, three pools, and of each one shared prize for the round",
        "1 bets banker progressive:a; 2 bets tie progressive:a progressive:b; "
        f"3 bets player progressive:a progressive:b progressive:c; lock; coup {THREE}",
        {"a1": "100.00", "a2": "100.00", "a3": "100.00", "b2": "400.00", "b3": "400.00", "c3": "800.00"},
        meter="99721.00",
        options="abc",
    ),
    Row(
        "13(1)(4)(3)",
        "the highest tier of each option alone is paid: A's single pair beside B's and C's six of a kind",
        f"1 bets player progressive:a progressive:b progressive:c; lock; coup {SIX_BLACK}",
        {"a1": "300.00", "b1": "100007.00", "c1": "100007.00"},
        options="abc",
    ),
    main("17(1)", "Player and Banker 1 to 1", BANKER_WINS, LOST, WON, LOST, commission="six_pays_half"),
    main("17(2)", "a tie 1 to 8", TIE, PUSH, PUSH, "win 8"),
    side("17(3)", "pairs 1 to 11", "4S 4D / 5H 5C", player_pair="win 11", banker_pair="win 11"),
    side("17(4)", "Dragon 7 1 to 40", DRAGON_7, dragon7="win 40"),
    shared("17(5)", "A's royal flush: all there is, shared", "a", "KS JS AS / QS TS 9D", "33340.33", "100000.01"),
    shared("17(5)", "B's six of a kind: all there is, shared", "b", SIX, "33340.33", "100000.01"),
    shared("17(6)", "the greater of fixed and 10%, shared", "a", "KS JS AH / QS TS 9D", "6666.66", "80021.02"),
    shared("17(7)", "A's four of a kind", "a", "JS JC 2S / JH JD 5D", "3333.33", "90021.01"),
    shared("17(7)", "A's double pair", "a", "4S 4D / 5H 5C", "166.66", "99521.02"),
    shared("17(7)", "A's three of a kind", "a", "3S 3D / 3H 6C", "100.00", "99721.00"),
    shared("17(7)", "A's single pair", "a", "4S 4D / KH 9C", "6.66", "100001.02"),
    shared("17(8)", "B's five of a kind", "b", FIVE, "2666.66", "92021.02"),
    shared("17(8)", "B's double three", "b", DOUBLE_THREE, "1333.33", "96021.01"),
    shared("17(8)", "B's four of a kind", "b", FOUR, "333.33", "99021.01"),
    shared("17(8)", "B's three of a kind", "b", THREE, "266.66", "99221.02"),
    shared("17(8)", "a fixed prize that the house pays", "b", THREE, "266.66", "100021.00", **HOUSE),
    shared("17(9)", "C's six of a kind of one colour: all there is", "c", SIX_RED, "33340.33", "100000.01"),
    shared("17(10)", "the greater of fixed and the house's percentage", "c", SIX, "8335.08", "75015.76"),
    shared("17(11)", "C's double three", "c", DOUBLE_THREE, "1333.33", "96021.01"),
    shared("17(11)", "C's four of a kind", "c", FOUR, "333.33", "99021.01"),
    shared("17(11)", "C's three of a kind", "c", THREE, "266.66", "99221.02"),
    main("18(1)", "5% of what Banker wins", BANKER_WINS, LOST, "win 0.95", LOST),
    main("18(1)", "also with 6", BANKER_6, LOST, "win 0.95", LOST),
    main("18(1)", "and on a Dragon 7", DRAGON_7, LOST, "win 0.95", LOST),
    main("18(2)", "half with 6", BANKER_6, LOST, "win 0.5", LOST, commission="six_pays_half"),
    main("18(2)", "else no commission", DRAGON_7, LOST, WON, LOST, commission="six_pays_half"),
    main("18(3)", "a Dragon 7: Banker pushes, the others lose", DRAGON_7, LOST, PUSH, LOST, commission="dragon7_push"),
    main("18(3)", "else no commission", BANKER_6, LOST, WON, LOST, commission="dragon7_push"),
    Row(
        "silent",
        "a void round, read as `carry`: the bet stands for the next round and contributes nothing again",
        f"4 bets player progressive; lock; void misdeal; 4 bets banker; lock; coup {THREE}",
        {"b4": "800.00"},
        meter="99207.00",
    ),
    Row(
        "silent",
        "read as `refund`: the house returns the stake, the contribution stays in the pool",
        f"4 bets player progressive; lock; void misdeal; 4 bets banker; lock; coup {THREE}",
        meter="100007.00",
        terms={"void_round": "refund"},
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.article} {row.what}" for row in ROWS])
def test_2_2009(row: Row) -> None:
    judge(row, play_baccarat(row))


# What only amounts can tell: a bet, the coup in dealing order, the commission, and what the bet wins.
FIVE_PERCENT, SIX_HALF, SEVEN_PUSH = "five_percent", "six_pays_half", "dragon7_push"
AMOUNTS = [
    ("17(1)", "player", "100.00", PLAYER_WINS, FIVE_PERCENT, "100.00"),
    ("17(1)", "banker", "100.00", BANKER_WINS, SEVEN_PUSH, "100.00"),
    ("17(2)", "tie", "100.00", TIE, FIVE_PERCENT, "800.00"),
    ("17(3)", "player_pair", "100.00", "JS JD / 4H 5H", FIVE_PERCENT, "1100.00"),
    ("17(3)", "banker_pair", "100.00", "JS 9D / 4H 4C", FIVE_PERCENT, "1100.00"),
    ("17(4)", "dragon7", "100.00", DRAGON_7, FIVE_PERCENT, "4000.00"),
    ("18(1)", "banker", "100.00", BANKER_WINS, FIVE_PERCENT, "95.00"),
    ("18(1)", "banker", "0.19", BANKER_WINS, FIVE_PERCENT, "0.18"),
    ("18(2)", "banker", "100.00", BANKER_6, SIX_HALF, "50.00"),
    ("18(2)", "banker", "0.05", BANKER_6, SIX_HALF, "0.02"),
    ("18(3)", "banker", "100.00", DRAGON_7, SEVEN_PUSH, "0.00"),
    ("18(3)", "player", "100.00", DRAGON_7, SEVEN_PUSH, "-100.00"),
    ("18(3)", "tie", "100.00", DRAGON_7, SEVEN_PUSH, "-100.00"),
]


@pytest.mark.parametrize(
    ("article", "kind", "stake", "coup", "commission", "net"), AMOUNTS, ids=[" ".join(one[:3]) for one in AMOUNTS]
)
def test_2_2009_in_money(article: str, kind: str, stake: str, coup: str, commission: str, net: str) -> None:
    chosen = ('commission = "five_percent"', f'commission = "{commission}"')
    told = asking(chosen, pool="bac-b")(cards=dealt(coup), bets=[bet(1, kind, stake)])
    assert told["bets"] == [{"seat": 1, "kind": kind, "net": net}], article


def dealt(coup: str) -> list[str]:
    """The cards of both sides in dealing order."""
    player, banker = (hand.split() for hand in coup.split(" / "))
    return [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]


# The paragraphs that no row above can show, and where they are kept.
ELSEWHERE = {
    "17(12)": "fixed prizes are approved beforehand: tests/daemon/test_approvals.py",
    "19": "permission: tests/daemon/test_approvals.py",
}
PARAGRAPHS = (
    ["55/2004", "13(3)", "19", "silent", "13(1)(4)(3)", "13(1)(4)(3)B"]
    + [f"13(1)({n})" for n in range(1, 4)]
    + [f"13(1)(4)({n})" for n in range(1, 3)]
    + [f"13(1)(4)(3)A {n}" for n in ("i", "ii", "iii", "iv", "v", "vi")]
    + [f"13(1)(4)(3)B {n}" for n in ("i", "ii", "iii", "iv", "v")]
    + [f"13(1)(4)(3)C {n}" for n in ("i", "ii", "iii", "iv", "v", "vi")]
    + ["13(2)(1) B", "13(2)(2) B", "13(2)(3) B", "13(2)(3) C"]
    + [f"17({n})" for n in range(1, 13)]
    + [f"18({n})" for n in range(1, 4)]
)


def test_no_paragraph_of_2_2009_is_left_out() -> None:
    shown = {row.article for row in ROWS} | {one[0] for one in AMOUNTS}
    assert shown.isdisjoint(ELSEWHERE)
    assert shown | ELSEWHERE.keys() == set(PARAGRAPHS)
