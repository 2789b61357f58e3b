"""What a supervisor may do with a round, and what is refused (design 1, law 7, and design 7)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.errors import RuleError
from jackpotd.core.parameters import Rules
from jackpotd.core.state import Phase
from tests.support.felt import (
    ACCOUNTANT,
    DEALER,
    FLUSH,
    ROOT,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    Felt,
    Spot,
    baccarat_table,
    stud_table,
)
from tests.support.pools import mop, option_pool, stud_pool

SEED, SHARE = mop("500000.00"), mop("7.00")


def stud() -> Spot:
    """A locked round of seat 3."""
    table = Felt([stud_pool()], [stud_table()]).spot("T01")
    table.bet(3)
    table.lock()
    return table


def held() -> Spot:
    """A round of seat 3 whose last card, the dealer's fifth, is missing."""
    table = stud()
    table.cards("AD KC KD QD JD 9S TD 7S 6D")
    table.end()
    assert table.table.hold_code == "cards_missing"
    return table


def coup(*, unread: bool = False) -> Spot:
    """A held coup: Player 8S KC, Banker KD and a card that is missing or was not read."""
    table = Felt([option_pool(Rules.BACCARAT_B)], [baccarat_table()]).spot("B01")
    table.bet(1)
    table.lock()
    table.cards("8S KD KC")
    if unread:
        table.unread()
    else:
        table.time_out("deal")
    return table


# ---- entering cards


def test_the_entry_of_a_missing_card_shows_what_the_devices_said_and_what_the_person_said() -> None:
    table = held()
    table.enter("0", 5, "3C")
    entered = table.felt.said(e.CardEntered)
    assert (entered.hand, entered.index, entered.card, entered.was, entered.by) == ("0", 5, "3C", "", SUPERVISOR)
    table.enter("0", 5, "10C")
    assert table.felt.said(e.CardEntered).was == "3C"
    assert table.table.hands["0"] == ["KC", "QD", "9S", "7S", "TC"]


def test_a_confirmed_stud_round_waits_for_the_dealers_end_and_pays_then() -> None:
    table = held()
    table.enter("0", 5, "3C")
    table.confirm("the card lay in the shoe's lid")
    assert (table.phase(), table.table.hold_code, table.felt.alarms()) == (Phase.DEALT, "", [])
    assert table.felt.state.hits == {}
    table.end()
    assert table.felt.hit("T01.1.stud-main.flush").awards == [e.Award(3, mop("500.00"))]


def test_a_confirmed_coup_settles_at_once() -> None:
    table = coup()
    table.enter("banker", 2, "KS")
    table.confirm()
    assert "B01.1.baccarat-b.three_of_a_kind" in table.felt.state.hits
    assert table.phase() is Phase.OPEN


def test_a_card_that_was_not_read_is_replaced_by_the_one_that_was_seen() -> None:
    table = coup(unread=True)
    table.enter("banker", 2, "KS")
    assert table.felt.said(e.CardEntered).was == "??"
    table.confirm()
    assert table.table.last_hands == {"player": ["8S", "KC"], "banker": ["KD", "KS"]}


def test_two_cards_may_be_exchanged_one_after_the_other() -> None:
    table = held()
    table.enter("0", 5, "3C")
    table.enter("3", 1, "KC")
    table.enter("0", 1, "AD")
    table.confirm()
    assert table.table.hands == {"3": ["KC", "KD", "JD", "TD", "6D"], "0": ["AD", "QD", "9S", "7S", "3C"]}


def test_once_a_supervisor_adds_cards_what_still_comes_is_only_noted() -> None:
    table = stud()
    table.cards("AD KC KD")
    table.lose("panel")
    table.enter("0", 2, "QD")
    table.cards("JD")
    assert table.table.hands == {"3": ["AD", "KD"], "0": ["KC", "QD"]}
    assert table.table.noted == ["JD"]


@pytest.mark.parametrize(
    ("hand", "index", "card", "why"),
    [
        ("4", 1, "3C", "no hand of this round"),
        ("player", 1, "3C", "no hand of this round"),
        ("0", 6, "3C", "at most 5 cards"),
        ("0", 0, "3C", "no card 0"),
        ("0", 5, "1C", "not a card"),
    ],
)
def test_a_card_that_cannot_be_entered_is_refused(hand: str, index: int, card: str, why: str) -> None:
    table = held()
    with pytest.raises(RuleError, match=why):
        table.enter(hand, index, card)


def test_at_baccarat_the_hands_are_the_players_and_the_bankers_of_three_cards() -> None:
    table = coup()
    table.enter("banker", 2, "KS")
    table.enter("banker", 3, "2S")
    with pytest.raises(RuleError, match="at most 3 cards"):
        table.enter("banker", 4, "3S")
    with pytest.raises(RuleError, match="no hand"):
        table.enter("1", 1, "3S")


# ---- confirming


def test_a_round_with_a_card_missing_cannot_be_confirmed() -> None:
    with pytest.raises(RuleError, match="0: KC QD 9S 7S, 3: AD KD JD TD 6D"):
        held().confirm()


def test_a_round_with_a_card_that_was_not_read_cannot_be_confirmed() -> None:
    table = stud()
    table.unread()
    table.cards("KC KD QD JD 9S TD 7S 6D 3C")
    with pytest.raises(RuleError, match="not complete"):
        table.confirm()


def test_a_round_without_any_card_cannot_be_confirmed() -> None:
    table = stud()
    table.end()
    with pytest.raises(RuleError, match="no card is known"):
        table.confirm()


def test_a_round_with_one_card_twice_cannot_be_confirmed() -> None:
    table = held()
    table.enter("0", 5, "AD")
    with pytest.raises(RuleError, match="AD came 2 times from 1 pack"):
        table.confirm()


def test_a_coup_with_a_third_card_against_the_drawing_rule_cannot_be_confirmed() -> None:
    table = coup()
    table.enter("banker", 2, "KS")
    table.enter("player", 3, "2S")
    with pytest.raises(RuleError, match="not complete"):
        table.confirm()


def test_a_round_of_a_suspended_pool_cannot_be_confirmed() -> None:
    table = held()
    table.enter("0", 5, "3C")
    table.felt.control(f.ChainBroken(7, "a bit is wrong"))
    with pytest.raises(RuleError, match="pool stud-main is suspended"):
        table.confirm()
    table.void()


def test_only_a_held_round_can_be_confirmed_or_given_cards() -> None:
    table = stud()
    with pytest.raises(RuleError, match="is not held, it is locked"):
        table.confirm()
    with pytest.raises(RuleError, match="is not held, it is locked"):
        table.enter("0", 1, "3C")


# ---- voiding


@pytest.mark.parametrize("phase", [Phase.LOCKED, Phase.DEALING, Phase.DEALT, Phase.HELD])
def test_a_supervisor_may_void_a_round_in_play(phase: Phase) -> None:
    table = held() if phase is Phase.HELD else stud()
    if phase is Phase.DEALING:
        table.card("AD")
    if phase is Phase.DEALT:
        table.deal({3: FLUSH, 0: DEALER})
    table.void("fire alarm")
    voided = table.felt.said(e.RoundVoided)
    assert (voided.cause, voided.by, voided.carried) == ("fire alarm", SUPERVISOR, {3: ("stud-main",)})
    assert table.felt.alarms() == []


@pytest.mark.parametrize("phase", [Phase.OPEN, Phase.LOCKING])
def test_without_a_round_in_play_there_is_nothing_to_void(phase: Phase) -> None:
    table = Felt([stud_pool()], [stud_table()]).spot("T01")
    if phase is Phase.LOCKING:
        table.press(f.BetsLocked())
    with pytest.raises(RuleError, match=f"its bets are {phase.value}"):
        table.void()


# ---- who, where and why


@pytest.mark.parametrize(
    "act",
    [
        lambda by: f.VoidRound(by, "T01", "why"),
        lambda by: f.ConfirmRound(by, "T01", "why"),
        lambda by: f.EnterCard(by, "T01", "0", 5, "3C"),
        lambda by: f.OpenTable(by, "T01"),
        lambda by: f.CloseTable(by, "T01"),
    ],
)
@pytest.mark.parametrize("by", [SURVEILLANCE, ACCOUNTANT, TECHNICIAN, ROOT, f.By("dee", "dealer-assist")])
def test_rounds_and_tables_are_a_supervisors(act: Callable[[f.By], f.Act], by: f.By) -> None:
    with pytest.raises(RuleError, match="this takes supervisor"):
        held().felt.act(act(by))


@pytest.mark.parametrize(
    "act",
    [
        f.VoidRound(SUPERVISOR, "T09", "why"),
        f.ConfirmRound(SUPERVISOR, "T09", "why"),
        f.EnterCard(SUPERVISOR, "T09", "0", 5, "3C"),
        f.OpenTable(SUPERVISOR, "T09"),
        f.CloseTable(SUPERVISOR, "T09"),
    ],
)
def test_a_table_that_does_not_exist_is_refused_with_those_that_do(act: f.Act) -> None:
    with pytest.raises(RuleError, match="there is no table T09; there are T01"):
        held().felt.act(act)


def test_a_site_without_tables_says_so() -> None:
    with pytest.raises(RuleError, match="there are none"):
        Felt([], []).act(f.OpenTable(SUPERVISOR, "T01"))


@pytest.mark.parametrize("act", ["void", "confirm"])
def test_a_decision_needs_its_reason(act: str) -> None:
    table = held()
    with pytest.raises(RuleError, match="needs its reason"):
        table.void("  ") if act == "void" else table.confirm("")
