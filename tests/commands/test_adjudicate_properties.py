"""Whole rounds against the plainly written references, and no cent lost, under every reading that the example names."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from jackpotd.commands.adjudicate import answer, chosen, judge_of
from tests.core import reference_baccarat, reference_settlement, reference_stud
from tests.core.reference_settlement import Book, Terms
from tests.support.adjudication import FOUR, FULL_HOUSE, LOW, ROYAL, Answer, said
from tests.support.configs import OPTION_A, OPTION_C, config

PACK = [rank + suit for suit in "SHCD" for rank in "AKQJT98765432"]
CENT = Fraction(1, 100)
AMOUNT = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]{2}([0-9]{0,5}[1-9])?")
FROM, REST = ("pool", "house"), ("pool", "house")
BASE, SHARED = ("round", "running"), ("split_greater", "greater_each")
RAISE_ODDS = {"two_pairs": 2, "three_of_a_kind": 3, "straight": 4, "flush": 5, "full_house": 7} | {
    "four_of_a_kind": 20,
    "straight_flush": 50,
    "royal_flush": 100,
}
STUD_FIXED = {
    "royal_flush": 500_000,
    "straight_flush": 50_000,
    "four_of_a_kind": 5_000,
    "full_house": 1_000,
    "flush": 500,
}
B_FIXED = {"five_of_a_kind": 8_000, "double_three": 4_000, "four_of_a_kind": 1_000, "three_of_a_kind": 800}
A_FIXED = {"heavenly_straight": 8_000, "four_of_a_kind": 1_000, "double_pair": 4_000, "three_of_a_kind": 80} | {
    "single_pair": 8
}
MAIN = ["player", "banker", "tie"]
SIDE = ["player_pair", "banker_pair", "dragon7"]
COMMISSIONS = ("five_percent", "six_pays_half", "dragon7_push")


def edit(key: str, old: str, new: str) -> tuple[str, str]:
    return (f'{key} = "{old}"', f'{key} = "{new}"')


STUD_JUDGES = {
    readings: judge_of(
        *chosen(
            config(
                edit("fixed_prizes_from", "pool", readings[0]),
                edit("remainder", "pool", readings[1]),
                edit("straight_flush_base", "round", readings[2]),
                edit("several_royals", "split_greater", readings[3]),
            ),
            "stud-main",
            None,
        )
    )
    for readings in product(FROM, REST, BASE, SHARED)
}
BACCARAT_JUDGES = {
    (commission, option): judge_of(
        *chosen(config(edit("commission", "five_percent", commission), *edits), "bac-b", None)
    )
    for commission in COMMISSIONS
    for option, edits in (("a", OPTION_A), ("b", ()), ("c", OPTION_C))
}


def money(text: str) -> Fraction:
    """An amount of an answer, which has the decimals needed and at least two."""
    assert AMOUNT.fullmatch(text), text
    return Fraction(text)


# Small meters, meters of any size to the last place below the cent, and those that three shares do not divide.
meters = st.one_of(
    st.integers(0, 10**14).map(lambda parts: f"{parts // 10**8}.{parts % 10**8:08}"),
    st.integers(0, 200_000_000).map(lambda cents: f"{cents // 100}.{cents % 100:02}"),
    st.sampled_from(["0.00", "0.01", "500000.00", "1000000.01", "40000.00"]),
)
stakes = st.integers(1, 10_000_000).map(lambda cents: f"{cents // 100}.{cents % 100:02}")


@st.composite
def hands(draw: st.DrawFn) -> list[list[str]]:
    """Eight disjoint hands: of a shuffled pack, or with many that win the progressive."""
    if draw(st.booleans()):
        pack = draw(st.permutations(PACK))
        return [pack[5 * at : 5 * at + 5] for at in range(8)]
    winning = [*ROYAL.values(), *LOW.values(), FOUR, FULL_HOUSE]
    return [list(hand) for hand in draw(st.permutations(winning))[:8]]


@st.composite
def stud_rounds(draw: st.DrawFn) -> dict[str, Any]:
    dealer, *others = draw(hands())
    seats = {
        str(number): {
            "cards": cards,
            "ante": draw(stakes),
            "folded": draw(st.sampled_from([False, False, False, True])),
            "progressive": draw(st.sampled_from([True, True, True, False])),
        }
        for number, cards in enumerate(others, start=1)
        if draw(st.sampled_from([True, True, True, False]))
    }
    return {
        "round": draw(st.text(max_size=5)),
        "meter": draw(meters),
        "reserve": draw(st.none() | meters),
        "overflow": draw(st.none() | meters),
        "dealer": dealer,
        "seats": seats,
        "irregularity": draw(st.sampled_from([None, None, None, "exposed_one", "exposed_two", "misdeal", "shuffler"])),
        "void_seats": draw(st.lists(st.integers(1, 7), max_size=1)),
    }


def stud_terms(readings: Sequence[str]) -> Terms:
    return {
        "unit": CENT,
        "seed": 500_000,
        "limit": 5_000_000,
        "fixed": STUD_FIXED,
        "share": {"royal_flush": Fraction(1), "straight_flush": Fraction(1, 10)},
        "fixed_prizes_from": readings[0],
        "remainder": readings[1],
        "straight_flush_base": readings[2],
        "several_royals": readings[3],
    }


def accounts(record: Mapping[str, Any]) -> tuple[Fraction, Fraction, Fraction]:
    return Fraction(record["meter"]), Fraction(record["reserve"] or 0), Fraction(record["overflow"] or 0)


def showdown(dealer: list[str], seat: dict[str, Any]) -> tuple[str, Fraction, Fraction]:
    """Result, ante and raise by the text of article 9, with the example's maximum payout of 200,000.00."""
    ante = Fraction(seat["ante"])
    if seat["folded"]:
        return "fold", -ante, Fraction(0)
    if not reference_stud.dealer_opens(dealer):
        return "push-raise", ante, Fraction(0)
    if reference_stud.beats(dealer, seat["cards"]):
        return "lose", -ante, -2 * ante
    hand, _ = reference_stud.described(seat["cards"])
    won = 2 * ante * RAISE_ODDS.get(hand, 1)
    return "win", ante, min(won, Fraction(200_000)) if RAISE_ODDS.get(hand, 1) >= 20 else won


def money_adds_up(record: Mapping[str, Any], answered: Answer, book: Book) -> None:
    """The answer's accounts are the reference's, and what went in is what came out."""
    meter, reserve, overflow = accounts(record)
    part = {key: money(answered[key]) for key in ("meter", "from_pool", "from_house", "rest_to_house")}
    seed = {key: money(answered[key]) for key in ("seed_from_reserve", "seed_from_house")}
    assert part["meter"] == book.pool
    assert part["from_pool"] + part["from_house"] == sum((each for _, _, each in book.paid), Fraction(0))
    assert seed["seed_from_reserve"] == reserve - book.reserve
    assert part["from_house"] + seed["seed_from_house"] - part["rest_to_house"] == book.house
    came = meter + sum(seed.values()) + overflow
    assert came == part["meter"] + part["from_pool"] + part["rest_to_house"] + book.overflow
    assert min(*part.values(), *seed.values()) >= 0


@settings(max_examples=200)
@given(st.sampled_from(sorted(STUD_JUDGES)), stud_rounds())
def test_a_stud_round_comes_out_as_the_reference_has_it_and_no_cent_is_lost(
    readings: tuple[str, str, str, str], record: dict[str, Any]
) -> None:
    answered = said(answer(json.dumps(record).encode(), STUD_JUDGES[readings]))
    void = record["irregularity"] in {"exposed_two", "misdeal", "shuffler"}
    playing = {
        int(at): seat for at, seat in record["seats"].items() if not void and int(at) not in record["void_seats"]
    }
    tiers = {
        at: reference_stud.described(seat["cards"])[0]
        for at, seat in playing.items()
        if seat["progressive"] and not seat["folded"]
    }
    book = reference_settlement.stud(
        stud_terms(readings), *accounts(record), {at: tier for at, tier in tiers.items() if tier in STUD_FIXED}
    )
    prizes = {seat: (tier, each) for tier, seat, each in book.paid}
    assert answered["round"] == record["round"]
    assert answered["void"] == (record["irregularity"] if void else None)
    assert set(answered["seats"]) == set(record["seats"])
    for number, found in answered["seats"].items():
        seat = record["seats"][number]
        expected = showdown(record["dealer"], seat) if int(number) in playing else ("void", 0, 0)
        assert (found["result"], money(found["ante"]), money(found["raise"])) == expected
        assert found["hand"] == reference_stud.described(seat["cards"])[0]
        prize = prizes.get(int(number))
        assert ((found["tier"], money(found["prize"])) if "tier" in found else None) == prize
    money_adds_up(record, answered, book)


@st.composite
def baccarat_rounds(draw: st.DrawFn) -> dict[str, Any]:
    ranks = draw(st.sampled_from(["A23456789TJQK", "A23456789TJQK", "KQ", "T", "49", "258", "AKQJT"]))
    suits = draw(st.sampled_from(["SHCD", "SHCD", "SH", "S"]))
    shoe = draw(st.lists(st.sampled_from([rank + suit for rank in ranks for suit in suits]), min_size=6, max_size=6))
    player, banker = reference_baccarat.played(shoe)
    bets: list[dict[str, Any]] = []
    for seat in draw(st.lists(st.integers(1, 9), unique=True, max_size=9)):
        kinds = draw(st.lists(st.sampled_from(MAIN), min_size=1, unique=True))
        kinds += draw(st.lists(st.sampled_from(SIDE), unique=True))
        bets += [{"seat": seat, "kind": kind, "amount": draw(stakes)} for kind in kinds]
        if draw(st.booleans()):
            bets.append({"seat": seat, "kind": "progressive"})
    return {
        "round": "b1",
        "meter": draw(meters),
        "reserve": draw(st.none() | meters),
        "overflow": draw(st.none() | meters),
        "cards": shoe[: len(player) + len(banker)],
        "bets": draw(st.permutations(bets)),
        "irregularity": draw(st.sampled_from([None, None, None, "exposed_one", "misdeal"])),
    }


def option_terms(option: str) -> Terms:
    share = {
        "a": {"royal_flush": Fraction(1), "heavenly_straight": Fraction(1, 10)},
        "b": {"six_of_a_kind": Fraction(1)},
        "c": {"six_of_a_kind_one_colour": Fraction(1), "six_of_a_kind": Fraction(75, 1000)},
    }[option]
    return {
        "unit": CENT,
        "seed": 100_000,
        "limit": None,
        "fixed": {"a": A_FIXED, "b": B_FIXED, "c": B_FIXED | {"six_of_a_kind": 90_000}}[option],
        "share": share,
        "fixed_prizes_from": "pool",
        "remainder": "pool",
    }


def option_tier(option: str, cards: list[str]) -> str | None:
    if option == "a":
        return reference_baccarat.option_a(cards, any_suits=False)
    return reference_baccarat.option_c(cards) if option == "c" else reference_baccarat.of_a_kind(cards)


def net(kind: str, stake: Fraction, player: list[str], banker: list[str], commission: str) -> Fraction:
    """What a bet wins by the text of articles 17 and 18."""
    winner = reference_baccarat.winner(player, banker)
    points = reference_baccarat.points(banker)
    dragon = winner == "banker" and len(banker) == 3 and points == 7
    if kind in {"player", "banker"} and winner == "tie":
        return Fraction(0)
    won = {
        "player": winner == "player",
        "banker": winner == "banker",
        "tie": winner == "tie",
        "player_pair": player[0][0] == player[1][0],
        "banker_pair": banker[0][0] == banker[1][0],
        "dragon7": dragon,
    }[kind]
    if not won:
        return -stake
    if kind != "banker":
        return stake * {"player": 1, "tie": 8, "dragon7": 40}.get(kind, 11)
    if commission == "dragon7_push":
        return Fraction(0) if dragon else stake
    rate = Fraction(95, 100) if commission == "five_percent" else Fraction(1, 2) if points == 6 else Fraction(1)
    return stake * rate // CENT * CENT


@settings(max_examples=200)
@given(st.sampled_from(sorted(BACCARAT_JUDGES)), baccarat_rounds())
def test_a_baccarat_round_comes_out_as_the_reference_has_it_and_no_cent_is_lost(
    setting: tuple[str, str], record: dict[str, Any]
) -> None:
    commission, option = setting
    answered = said(answer(json.dumps(record).encode(), BACCARAT_JUDGES[setting]))
    cards = record["cards"]
    player, banker = reference_baccarat.played([*cards, "KS", "KS"])
    void = record["irregularity"] == "misdeal"
    tier = None if void else option_tier(option, cards)
    bettors = [bet["seat"] for bet in record["bets"] if bet["kind"] == "progressive"]
    book = reference_settlement.baccarat(option_terms(option), *accounts(record), tier or "", bettors if tier else [])
    if void:
        assert answered["player"] is answered["banker"] is answered["outcome"] is None
    else:
        assert answered["player"] == {"cards": player, "total": reference_baccarat.points(player)}
        assert answered["banker"] == {"cards": banker, "total": reference_baccarat.points(banker)}
        assert answered["outcome"] == reference_baccarat.winner(player, banker)
    assert answered["tier"] == tier
    assert [(bet["seat"], bet["kind"], money(bet["net"])) for bet in answered["bets"]] == [
        (
            bet["seat"],
            bet["kind"],
            0 if void else net(bet["kind"], Fraction(bet["amount"]), player, banker, commission),
        )
        for bet in record["bets"]
        if bet["kind"] != "progressive"
    ]
    if tier is None or not bettors:
        assert "prize" not in answered
    else:
        prize = answered["prize"]
        assert prize["seats"] == sorted(bettors) == [seat for _, seat, _ in book.paid]
        assert {money(prize["each"])} == {each for _, _, each in book.paid}
        assert money(prize["paid"]) == money(prize["each"]) * len(bettors)
    money_adds_up(record, answered, book)
