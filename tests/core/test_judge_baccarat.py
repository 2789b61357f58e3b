"""Whole rounds of baccarat, article by article (2/2009, 55/2004 as published)."""

from __future__ import annotations

from typing import Any

import pytest

from jackpotd.core.baccarat import BetKind, Outcome
from jackpotd.core.cards import parse_cards
from jackpotd.core.errors import RuleError
from jackpotd.core.judge_baccarat import BaccaratRound, Bet, JudgedBaccarat, judge_baccarat
from jackpotd.core.judging import Funds, Irregularity
from jackpotd.core.money import Atoms
from jackpotd.core.parameters import Rules
from tests.support.felt import baccarat_table
from tests.support.pools import mop, option_pool

FUNDS = Funds(mop("88000.00"), mop("5.00"), mop("6.00"))
THREE_KINGS = "KS KD 8C KH"  # Player 8, Banker 0
FOUR_NINES = "9S 9D 9H 9C"  # Player 8, Banker 8
DRAGON_7 = "KS 2D QS KH 4S 5S"  # Player 0 and 4; Banker 2 and 5


def bets(*texts: str) -> tuple[Bet, ...]:
    """Bets of texts such as "3 banker 100.00"; a progressive one is 10.00."""
    return tuple(Bet(int(number), BetKind(kind), mop(amount)) for number, kind, amount in map(str.split, texts))


def judged(cards: str, placed: tuple[Bet, ...] = (), rules: Rules = Rules.BACCARAT_B, **more: Any) -> JudgedBaccarat:
    table = baccarat_table(**{key: more.pop(key) for key in ("commission", "decks") if key in more})
    return judge_baccarat(BaccaratRound(FUNDS, parse_cards(cards.split()), placed, **more), option_pool(rules), table)


def refused(cards: str, placed: tuple[Bet, ...] = (), **more: Any) -> str:
    with pytest.raises(RuleError) as caught:
        judged(cards, placed, **more)
    return str(caught.value)


def nets(*texts: str) -> tuple[Atoms, ...]:
    return tuple(mop(text) for text in texts)


ALL = bets(
    "1 player 100", "1 banker 100", "2 tie 100", "3 player_pair 100", "3 banker_pair 100", "4 dragon7 100"
)  # 13(1)
COUPS = [
    ("17(1) Player wins", "KS KD 8C KH", "five_percent", ("100", "-100", "-100", "-100", "1100", "-100")),
    ("17(2) a tie", FOUR_NINES, "five_percent", ("0", "0", "800", "1100", "1100", "-100")),
    ("18(1) Banker less 5%", DRAGON_7, "five_percent", ("-100", "95", "-100", "-100", "-100", "4000")),
    ("18(2) Banker whole with 7", DRAGON_7, "six_pays_half", ("-100", "100", "-100", "-100", "-100", "4000")),
    ("18(2) Banker half with 6", "KS KD QS 6H AC", "six_pays_half", ("-100", "50", "-100", "-100", "-100", "-100")),
    ("18(3) Banker pushes on a Dragon 7", DRAGON_7, "dragon7_push", ("-100", "0", "-100", "-100", "-100", "4000")),
]


@pytest.mark.parametrize(("article", "cards", "commission", "expected"), COUPS)
def test_every_bet_of_a_coup_pays_as_articles_17_and_18_say(
    article: str, cards: str, commission: str, expected: tuple[str, ...]
) -> None:
    assert judged(cards, ALL, commission=commission).nets == nets(*expected), article


def test_the_coup_and_its_outcome_are_told() -> None:
    done = judged(DRAGON_7)
    assert done.coup is not None
    assert (done.coup.player, done.coup.banker) == (parse_cards(["KS", "QS", "4S"]), parse_cards(["2D", "KH", "5S"]))
    assert (done.outcome, done.void) == (Outcome.BANKER, None)


def test_the_tier_is_the_rounds_whether_or_not_anybody_bet() -> None:
    done = judged(THREE_KINGS, bets("1 player 100"))
    assert (done.tier, done.settlement) == ("three_of_a_kind", FUNDS.untouched())


def test_a_round_without_a_tier_leaves_the_pool() -> None:
    done = judged("KS QD 8C JH", bets("1 player 100", "1 progressive 10"))
    assert (done.tier, done.settlement) == (None, FUNDS.untouched())


def test_the_prize_is_shared_by_the_bettors_whether_their_main_bet_wins_or_not_17() -> None:
    placed = bets("7 tie 5", "7 progressive 10", "1 banker 100", "1 progressive 10", "4 player 1", "4 progressive 10")
    done = judged(THREE_KINGS, placed)
    assert [turn.awards for turn in done.settlement.turns] == [
        ((1, mop("266.66")), (4, mop("266.66")), (7, mop("266.66")))
    ]
    assert done.settlement.pool_atoms == mop("87200.02")
    assert done.nets == (mop("-5"), None, mop("-100"), None, mop("1"), None)


def test_option_a_looks_at_the_dealing_order_13_1_4() -> None:
    placed = bets("1 player 100", "1 progressive 10")
    assert judged("KS QS JS TS AS 9D", placed, Rules.BACCARAT_A).tier == "royal_flush"
    assert judged("KS QS JS TS 9S AS", placed, Rules.BACCARAT_A).tier is None


@pytest.mark.parametrize("main", ["player", "banker", "tie"])
def test_a_progressive_bet_goes_with_a_player_banker_or_tie_bet_13_3(main: str) -> None:
    done = judged(THREE_KINGS, bets("1 progressive 10", f"1 {main} 100"))
    assert done.settlement.turns[0].awards == ((1, mop("800.00")),)


@pytest.mark.parametrize("cause", [Irregularity.MISDEAL, Irregularity.EXPOSED_TWO, Irregularity.SHUFFLER])
@pytest.mark.parametrize("cards", ["", "KS KD 8C KH KC KD KD KC KS"])
def test_a_void_round_has_no_coup_and_every_stake_goes_back(cause: Irregularity, cards: str) -> None:
    done = judged(cards, bets("1 player 100", "1 progressive 10"), irregularity=cause)
    assert done == JudgedBaccarat(None, None, (mop("0"), None), None, FUNDS.untouched(), cause)


def test_one_exposed_card_leaves_the_round_standing() -> None:
    done = judged(THREE_KINGS, irregularity=Irregularity.EXPOSED_ONE)
    assert (done.outcome, done.void) == (Outcome.PLAYER, None)


REFUSED = [
    ("a card short", "8S KD 7C 5H", (), {}, "another card for player"),
    ("no cards", "", (), {}, "another card for player"),
    ("a card too many", THREE_KINGS + " 2C", (), {}, "2C is beyond the drawing rule"),
    ("a third for Banker, who stands on 7", "2S 3D 3S 4H 9S 2C", (), {}, "2C is beyond the drawing rule"),
    ("nine of a card in eight packs", "KS " * 9, (), {"irregularity": Irregularity.MISDEAL}, "KS came 9 times"),
    ("two of a card in one pack", "KS KS 8C KH", (), {"decks": 1}, "KS came 2 times from 1 pack"),
    ("seat 10 of 9", THREE_KINGS, bets("10 player 100"), {}, "seat 10 is unknown: the table has seats 1 to 9"),
    ("seat 0", THREE_KINGS, bets("0 player 100"), {}, "seat 0 is unknown"),
    ("progressive alone", THREE_KINGS, bets("1 progressive 10"), {}, "without a Player, Banker or Tie bet"),
    (
        "progressive with another seat's bet",
        THREE_KINGS,
        bets("1 progressive 10", "2 player 100"),
        {},
        "seat 1 has a progressive bet without",
    ),
    (
        "progressive with a pair bet alone",
        THREE_KINGS,
        bets("1 progressive 10", "1 player_pair 100"),
        {},
        "without a Player, Banker or Tie bet",
    ),
    (
        "progressive of another amount",
        THREE_KINGS,
        bets("1 progressive 20", "1 player 100"),
        {},
        "another amount than the pool's",
    ),
    ("a bet twice", THREE_KINGS, bets("1 player 100", "1 player 50"), {}, "seat 1 has the bet player twice"),
    ("a bet of nothing", THREE_KINGS, bets("1 player 0"), {}, "more than nothing"),
    ("a bet of half a minor unit", THREE_KINGS, bets("1 player 0.005"), {}, "whole minor units"),
]


@pytest.mark.parametrize(("fault", "cards", "placed", "more", "words"), REFUSED)
def test_a_round_that_cannot_be_one_of_this_table_is_refused(
    fault: str, cards: str, placed: tuple[Bet, ...], more: dict[str, Any], words: str
) -> None:
    assert words in refused(cards, placed, **more), fault
