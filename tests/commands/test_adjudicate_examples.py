"""The design's own examples and every worked example of the rules, from JSON to JSON."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.adjudication import FLUSH, FOUR, LOW, NO_OPEN, ROYAL, asking, bet, progressive, seat
from tests.support.configs import OPTION_A, OPTION_C

NOTHING = {
    "from_pool": "0.00",
    "from_house": "0.00",
    "seed_from_reserve": "0.00",
    "seed_from_house": "0.00",
    "rest_to_house": "0.00",
    "void": None,
}
RUNNING = ('straight_flush_base = "round"', 'straight_flush_base = "running"')
GREATER_EACH = ('several_royals = "split_greater"', 'several_royals = "greater_each"')
HOUSE = ('fixed_prizes_from = "pool"', 'fixed_prizes_from = "house"')
KEEPS_REST = ('remainder = "pool"', 'remainder = "house"')
RESTART = {"seed_from_house": "500000.00"}


def test_the_designs_stud_round_is_judged_to_the_letter() -> None:
    answer = asking()(
        meter="100000.00",
        dealer=["AS", "KD", "7C", "5H", "2S"],
        seats={"3": {"cards": ["9H", "TH", "JH", "QH", "KH"], "ante": "100.00", "folded": False, "progressive": True}},
    )
    assert answer == {
        "round": "r1",
        "dealer": {"hand": "high_card", "opens": True},
        "seats": {
            "3": {
                "hand": "straight_flush",
                "result": "win",
                "ante": "100.00",
                "raise": "10000.00",
                "tier": "straight_flush",
                "prize": "50000.00",
            }
        },
        **NOTHING,
        "meter": "50000.00",
        "from_pool": "50000.00",
    }


def test_the_designs_baccarat_cards_are_no_coup_for_player_has_5_and_draws_55_2004() -> None:
    answer = asking(pool="bac-b")(round="b1", cards=["8S", "KD", "7C", "5H"], bets=[bet(1, "banker")])
    assert answer["round"] == "b1"
    assert "another card for player" in answer["error"]


def test_the_designs_baccarat_round_with_a_tie_that_stands() -> None:
    answer = asking(pool="bac-b")(
        round="b1",
        meter="88000.00",
        cards=["8S", "KD", "8C", "6H"],
        bets=[bet(1, "banker"), {"seat": 1, "kind": "progressive"}],
    )
    assert answer == {
        "round": "b1",
        "player": {"cards": ["8S", "8C"], "total": 6},
        "banker": {"cards": ["KD", "6H"], "total": 6},
        "outcome": "tie",
        "bets": [{"seat": 1, "kind": "banker", "net": "0.00"}],
        "tier": None,
        **NOTHING,
        "meter": "88000.00",
    }


EXAMPLES: list[tuple[str, list[tuple[str, str]], str, dict[int, list[str]], dict[int, str], dict[str, str]]] = [
    (
        "1: straight flushes take a tenth each, the royal flush what is left",
        [],
        "1000000.00",
        {2: LOW["S"], 5: LOW["H"], 6: ROYAL["H"]},
        {2: "100000.00", 5: "100000.00", 6: "800000.00"},
        {"meter": "500000.00", "from_pool": "1000000.00"} | RESTART,
    ),
    (
        "1 with running: the second straight flush takes a tenth of what is left",
        [RUNNING],
        "1000000.00",
        {2: LOW["S"], 5: LOW["H"], 6: ROYAL["H"]},
        {2: "100000.00", 5: "90000.00", 6: "810000.00"},
        {"meter": "500000.00", "from_pool": "1000000.00"} | RESTART,
    ),
    (
        "2: the house pays what the pool lacks of the fixed amount",
        [],
        "420000.00",
        {1: FLUSH, 3: ROYAL["H"]},
        {1: "500.00", 3: "500000.00"},
        {"meter": "500000.00", "from_pool": "420000.00", "from_house": "80500.00"} | RESTART,
    ),
    (
        "2 with the royal flush first: the flush is all the house's",
        [],
        "420000.00",
        {1: ROYAL["H"], 3: FLUSH},
        {1: "500000.00", 3: "500.00"},
        {"meter": "500000.00", "from_pool": "420000.00", "from_house": "80500.00"} | RESTART,
    ),
    (
        "3: three royal flushes share, two hundredths stay",
        [],
        "1000000.01",
        {1: ROYAL["S"], 4: ROYAL["H"], 7: ROYAL["C"]},
        {1: "333333.33", 4: "333333.33", 7: "333333.33"},
        {"meter": "500000.02", "from_pool": "999999.99"} | RESTART,
    ),
    (
        "3 with the remainder to the house",
        [KEEPS_REST],
        "1000000.01",
        {1: ROYAL["S"], 4: ROYAL["H"], 7: ROYAL["C"]},
        {1: "333333.33", 4: "333333.33", 7: "333333.33"},
        {"meter": "500000.00", "from_pool": "999999.99", "rest_to_house": "0.02"} | RESTART,
    ),
    (
        "3 with greater_each: the fixed amount for each",
        [GREATER_EACH],
        "1000000.01",
        {1: ROYAL["S"], 4: ROYAL["H"], 7: ROYAL["C"]},
        {1: "500000.00", 4: "500000.00", 7: "500000.00"},
        {"meter": "500000.00", "from_pool": "1000000.01", "from_house": "499999.99"} | RESTART,
    ),
    (
        "4: the fixed amount is more than a tenth",
        [],
        "300000.00",
        {4: LOW["S"]},
        {4: "50000.00"},
        {"meter": "250000.00", "from_pool": "50000.00"},
    ),
    (
        "4 with house: the pool pays its tenth",
        [HOUSE],
        "300000.00",
        {4: LOW["S"]},
        {4: "50000.00"},
        {"meter": "270000.00", "from_pool": "30000.00", "from_house": "20000.00"},
    ),
    (
        "6: the pool is exhausted before the royal flush, and restarts once",
        [],
        "40000.00",
        {2: LOW["S"], 3: LOW["H"], 5: ROYAL["H"]},
        {2: "50000.00", 3: "50000.00", 5: "500000.00"},
        {"meter": "500000.00", "from_pool": "40000.00", "from_house": "560000.00"} | RESTART,
    ),
    (
        "7: the straight flush first, though it sits last",
        [],
        "1000000.00",
        {1: ROYAL["H"], 3: FOUR, 5: LOW["S"]},
        {1: "900000.00", 3: "5000.00", 5: "100000.00"},
        {"meter": "500000.00", "from_pool": "1000000.00", "from_house": "5000.00"} | RESTART,
    ),
]


@pytest.mark.parametrize(
    ("name", "edits", "meter", "hands", "prizes", "money"), EXAMPLES, ids=[example[0] for example in EXAMPLES]
)
def test_a_worked_example_of_stud_comes_out_to_the_cent(
    name: str,
    edits: list[tuple[str, str]],
    meter: str,
    hands: dict[int, list[str]],
    prizes: dict[int, str],
    money: dict[str, str],
) -> None:
    dealer = ["QD", "JD", "9D", "8D", "3D"]
    answer = asking(*edits)(
        meter=meter, dealer=dealer, seats={str(number): seat(cards) for number, cards in hands.items()}
    )
    assert {int(number): one["prize"] for number, one in answer["seats"].items()} == prizes, name
    assert {key: answer[key] for key in ("meter", *NOTHING)} == NOTHING | money, name


OPTIONS = [
    (
        "5: three share 800.00",
        "bac-b",
        (),
        ["KS", "KD", "8C", "KH"],
        [7, 1, 4],
        "three_of_a_kind",
        {"paid": "799.98", "each": "266.66", "seats": [1, 4, 7]},
        {"meter": "87200.02", "from_pool": "799.98"},
    ),
    (
        "B: six of a kind takes the pool",
        "bac-b",
        (),
        ["KS", "KD", "KC", "KH", "KS", "KD"],
        [1, 4, 7],
        "six_of_a_kind",
        {"paid": "87999.99", "each": "29333.33", "seats": [1, 4, 7]},
        {"meter": "100000.01", "from_pool": "87999.99", "seed_from_house": "100000.00"},
    ),
    (
        "A: royal flush of the first five takes the pool",
        "bac-b",
        OPTION_A,
        ["KS", "QS", "JS", "TS", "AS", "9D"],
        [2],
        "royal_flush",
        {"paid": "88000.00", "each": "88000.00", "seats": [2]},
        {"meter": "100000.00", "from_pool": "88000.00", "seed_from_house": "100000.00"},
    ),
    (
        "A: heavenly straight is the greater of its fixed amount and a tenth",
        "bac-b",
        OPTION_A,
        ["KS", "QS", "JS", "TS", "AH", "9D"],
        [2, 3, 4],
        "heavenly_straight",
        {"paid": "8799.99", "each": "2933.33", "seats": [2, 3, 4]},
        {"meter": "79200.01", "from_pool": "8799.99"},
    ),
    (
        "C: six of a kind of two colours takes its percentage or the fixed amount, here from pool and house",
        "bac-b",
        OPTION_C,
        ["KS", "KD", "KC", "KH", "KS", "KD"],
        [1],
        "six_of_a_kind",
        {"paid": "90000.00", "each": "90000.00", "seats": [1]},
        {"meter": "100000.00", "from_pool": "88000.00", "from_house": "2000.00", "seed_from_house": "100000.00"},
    ),
    (
        "C: six of a kind of one colour takes the pool",
        "bac-b",
        OPTION_C,
        ["KS", "KC", "KC", "KS", "KS", "KC"],
        [9],
        "six_of_a_kind_one_colour",
        {"paid": "88000.00", "each": "88000.00", "seats": [9]},
        {"meter": "100000.00", "from_pool": "88000.00", "seed_from_house": "100000.00"},
    ),
]


@pytest.mark.parametrize(
    ("name", "pool", "edits", "cards", "seats", "tier", "prize", "money"), OPTIONS, ids=[one[0] for one in OPTIONS]
)
def test_an_options_prize_is_one_for_the_round_shared_by_its_bettors(
    name: str,
    pool: str,
    edits: tuple[tuple[str, str], ...],
    cards: list[str],
    seats: list[int],
    tier: str,
    prize: dict[str, Any],
    money: dict[str, str],
) -> None:
    answer = asking(*edits, pool=pool)(meter="88000.00", cards=cards, bets=progressive(*seats))
    assert (answer["tier"], answer["prize"]) == (tier, prize), name
    assert {key: answer[key] for key in ("meter", *NOTHING)} == NOTHING | money, name


def test_option_cs_five_of_a_kind_under_not_paid_is_a_tier_without_a_prize() -> None:
    not_paid = ('five_of_a_kind = { fixed = "8000.00" }', 'five_of_a_kind = "not paid"')
    cards = ["KS", "KD", "KC", "KH", "KS", "9D"]
    answer = asking(*OPTION_C, not_paid, pool="bac-b")(cards=cards, bets=progressive(1))
    assert answer["tier"] == "five_of_a_kind"
    assert "prize" not in answer
    assert (answer["meter"], answer["from_pool"]) == ("1000000.00", "0.00")


def test_a_restart_takes_the_seed_from_the_reserve_first_and_the_overflow_up_to_the_limit() -> None:
    limit = ('limit = "5000000.00"', 'limit = "500100.00"')
    answer = asking(limit)(
        meter="1000000.00",
        reserve="120000.50",
        overflow="250.000001",
        dealer=NO_OPEN,
        seats={"1": seat(ROYAL["H"])},
    )
    assert answer["meter"] == "500100.00"
    assert (answer["seed_from_reserve"], answer["seed_from_house"]) == ("120000.50", "379999.50")


def test_amounts_have_all_their_decimals_and_no_more() -> None:
    answer = asking()(meter="712345.6700100", dealer=NO_OPEN, seats={"1": seat(LOW["H"])})
    assert answer["meter"] == "641111.11001"
    assert answer["seats"]["1"]["prize"] == "71234.56"
