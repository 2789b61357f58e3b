"""Tables without card reading: a claim, a supervisor's key, entered cards that support it (design 7)."""

from __future__ import annotations

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.errors import RuleError
from jackpotd.core.parameters import Rules
from jackpotd.core.state import Claim, Phase
from tests.support.felt import FLUSH, FOUR, FULL_HOUSE, ROYAL, Felt, Spot, baccarat_table, stud_table
from tests.support.pools import mop, option_pool, stud_pool

SEED, SHARE = mop("500000.00"), mop("7.00")
ROYAL_TIER, FOUR_TIER, FLUSH_TIER = 1, 3, 5


def stud(*seats: int) -> Spot:
    """A locked round of these seats at a table without card reading."""
    table = Felt([stud_pool()], [stud_table(deals=None)]).spot("T01")
    for seat in seats:
        table.bet(seat)
    table.lock()
    return table


def claim(table: Spot, seat: int, tier: int, pool: int = 0) -> None:
    table.press(f.Claimed(seat, tier, pool))


def enter(table: Spot, hand: str, cards: str) -> None:
    for index, card in enumerate(cards.split(), start=1):
        table.enter(hand, index, card)


def claimed(tier: int = FLUSH_TIER) -> Spot:
    """A round that ended with a claim of seat 3."""
    table = stud(3, 5)
    claim(table, 3, tier)
    table.end()
    return table


def test_without_a_claim_the_end_of_the_round_settles_it() -> None:
    table = stud(3)
    table.end()
    assert table.felt.said(e.RoundSettled).outcome == "not read"
    assert (table.phase(), table.table.round) == (Phase.OPEN, 2)
    assert table.felt.meter() == SEED + SHARE


def test_a_claim_is_never_a_hit_by_itself() -> None:
    table = claimed()
    assert table.table.claims == [Claim(3, "flush", "stud-main")]
    assert (table.phase(), table.table.hold_code) == (Phase.HELD, "claim")
    assert table.felt.state.alarms["held-T01"].todo.startswith("Turn the supervisor's key")
    assert table.felt.state.hits == {}


def test_a_claim_said_twice_is_one_claim() -> None:
    table = stud(3)
    claim(table, 3, FLUSH_TIER)
    claim(table, 3, FLUSH_TIER)
    assert len(table.table.claims) == 1


def test_a_keypad_that_claims_everything_floods_no_screen() -> None:
    table = stud(*range(1, 8))
    for seat in range(1, 8):
        for tier in range(1, 6):
            claim(table, seat, tier)
    table.end()
    assert len(table.table.claims) == 35
    assert table.table.hold_text.endswith("seat 2 claims four_of_a_kind of stud-main and 27 more")


def test_a_claim_with_key_and_cards_becomes_a_hit() -> None:
    table = claimed()
    table.press(f.KeyTurned(1))
    enter(table, "3", FLUSH)
    table.confirm()
    hit = table.felt.hit("T01.1.stud-main.flush")
    assert (hit.awards, hit.grade) == ([e.Award(3, mop("500.00"))], "claims")
    assert table.felt.said(e.RoundSettled).hands == {"3": tuple(FLUSH.split())}
    assert table.phase() is Phase.OPEN


def test_a_claim_needs_the_supervisors_key() -> None:
    table = claimed()
    enter(table, "3", FLUSH)
    with pytest.raises(RuleError, match="key"):
        table.confirm()


@pytest.mark.parametrize("cards", ["", "AD KD", FOUR, "AD KD JD TD 2S"])
def test_a_claim_that_the_cards_do_not_support_is_refused(cards: str) -> None:
    table = claimed()
    table.press(f.KeyTurned(1))
    enter(table, "3", cards)
    with pytest.raises(RuleError, match="do not support flush"):
        table.confirm()
    assert table.phase() is Phase.HELD


def test_claims_of_one_card_at_two_seats_are_refused() -> None:
    table = stud(3, 5)
    claim(table, 3, FOUR_TIER)
    claim(table, 5, FOUR_TIER)
    table.end()
    table.press(f.KeyTurned(1))
    enter(table, "3", FOUR)
    enter(table, "5", FOUR)
    with pytest.raises(RuleError, match="4S came 2 times"):
        table.confirm()


def test_every_claim_of_the_round_must_be_supported() -> None:
    table = stud(3, 5)
    claim(table, 3, FLUSH_TIER)
    claim(table, 5, FOUR_TIER)
    table.end()
    table.press(f.KeyTurned(1))
    enter(table, "3", FLUSH)
    with pytest.raises(RuleError, match="seat 5"):
        table.confirm()
    enter(table, "5", FOUR)
    table.confirm()
    assert len(table.felt.state.hits) == 2


def test_a_false_claim_is_refused_and_the_true_one_of_the_round_is_paid() -> None:
    table = stud(3, 5)
    claim(table, 3, FLUSH_TIER)
    claim(table, 5, ROYAL_TIER)
    table.end()
    table.press(f.KeyTurned(1))
    enter(table, "3", FLUSH)
    enter(table, "5", FOUR)
    table.refuse(5)
    refused = table.felt.said(e.ClaimRefused)
    assert (refused.seat, refused.tier, refused.cards) == (5, "royal_flush", tuple(FOUR.split()))
    assert table.table.claims == [Claim(3, "flush", "stud-main")]
    assert table.phase() is Phase.HELD
    table.confirm()
    assert table.felt.hit("T01.1.stud-main.flush").awards == [e.Award(3, mop("500.00"))]
    assert len(table.felt.state.hits) == 1


def test_a_round_whose_only_claim_was_refused_goes_on_to_its_end_and_pays_nothing() -> None:
    table = claimed(ROYAL_TIER)
    table.refuse(3)
    table.confirm("a slip of the finger")
    assert table.phase() is Phase.LOCKED
    table.end()
    assert table.felt.said(e.RoundSettled).outcome == "not read"
    assert table.table.carried == {}
    assert table.felt.meter() == SEED + 2 * SHARE


def test_a_seat_whose_wrong_tier_was_refused_claims_again() -> None:
    table = claimed(ROYAL_TIER)
    table.refuse(3)
    claim(table, 3, FLUSH_TIER)
    table.press(f.KeyTurned(1))
    enter(table, "3", FLUSH)
    table.confirm()
    assert "T01.1.stud-main.flush" in table.felt.state.hits


def test_a_claim_that_the_cards_support_is_not_refused() -> None:
    table = claimed()
    enter(table, "3", FLUSH)
    with pytest.raises(RuleError, match="support flush: confirm the round"):
        table.refuse(3)


def test_a_refusal_needs_its_reason_a_held_round_and_a_claim() -> None:
    table = claimed()
    with pytest.raises(RuleError, match="needs its reason"):
        table.refuse(3, why=" ")
    with pytest.raises(
        RuleError, match="seat 5 claims nothing of stud-main; table T01 has claims of seat 3 on stud-main"
    ):
        table.refuse(5)
    table.refuse(3)
    with pytest.raises(RuleError, match="has claims of none"):
        table.refuse(3)
    table.void()
    with pytest.raises(RuleError, match="not held"):
        table.refuse(3)


def test_a_round_with_a_false_claim_may_be_voided_too() -> None:
    table = claimed(ROYAL_TIER)
    table.void("no such hand")
    assert table.table.carried == {3: ["stud-main"], 5: ["stud-main"]}


def test_a_folded_seat_wins_nothing_by_its_claim() -> None:
    table = stud(3)
    claim(table, 3, FLUSH_TIER)
    table.fold(3)
    table.end()
    table.press(f.KeyTurned(1))
    enter(table, "3", FLUSH)
    table.confirm()
    assert table.felt.state.hits == {}
    assert table.felt.said(e.RoundSettled).tiers == ()


@pytest.mark.parametrize(
    ("seat", "tier", "pool"),
    [(4, FLUSH_TIER, 0), (3, 0, 0), (3, 6, 0), (3, FLUSH_TIER, 1)],
    ids=["no progressive", "no tier", "beyond the last tier", "no such pool"],
)
def test_a_claim_that_cannot_be_is_held_for_the_supervisor_to_see(seat: int, tier: int, pool: int) -> None:
    table = stud(3)
    claim(table, seat, tier, pool)
    assert table.table.hold_code == "claim"
    assert f"seat {seat} claims tier {tier} of pool {pool}" in table.table.hold_text
    table.confirm("a slip of the finger")
    assert (table.phase(), table.table.hold_text, table.table.changed_ms) == (Phase.LOCKED, "", table.felt.now_ms)
    table.end()
    assert table.felt.said(e.RoundSettled).outcome == "not read"


def test_a_claim_at_a_table_that_reads_cards_holds() -> None:
    table = Felt([stud_pool()], [stud_table()]).spot("T01")
    table.bet(3)
    table.lock()
    claim(table, 3, FLUSH_TIER)
    assert table.table.hold_code == "claim"


def test_a_claim_with_no_round_in_play_holds() -> None:
    table = Felt([stud_pool()], [stud_table(deals=None)]).spot("T01")
    claim(table, 3, FLUSH_TIER)
    assert table.table.hold_code == "claim_alone"


def test_a_round_held_for_another_reason_goes_on_and_keeps_its_claims() -> None:
    table = stud(3)
    table.lose("panel")
    claim(table, 3, FLUSH_TIER)
    table.back("panel")
    table.confirm()
    assert table.phase() is Phase.LOCKED
    table.end()
    table.press(f.KeyTurned(1))
    enter(table, "3", FLUSH)
    table.confirm()
    assert "T01.1.stud-main.flush" in table.felt.state.hits


def test_a_table_without_card_reading_may_take_its_time() -> None:
    table = stud(3)
    assert table.time_out("deal") == []
    assert table.phase() is Phase.LOCKED


def test_a_royal_by_claim_restarts_the_pool() -> None:
    table = claimed(ROYAL_TIER)
    table.press(f.KeyTurned(1))
    enter(table, "3", ROYAL)
    table.confirm()
    assert table.felt.hit("T01.1.stud-main.royal_flush").from_pool_atoms == SEED + 2 * SHARE
    assert table.felt.meter() == SEED


def test_two_tiers_for_one_seat_cannot_both_be_supported() -> None:
    table = stud(3)
    claim(table, 3, FLUSH_TIER)
    claim(table, 3, FOUR_TIER)
    table.end()
    table.press(f.KeyTurned(1))
    enter(table, "3", FULL_HOUSE)
    with pytest.raises(RuleError, match="do not support"):
        table.confirm()


# ---- baccarat

THREE_OF_A_KIND_TIER = 5


def baccarat() -> Spot:
    table = Felt([option_pool(Rules.BACCARAT_B)], [baccarat_table(deals=None)]).spot("B01")
    table.bet(1)
    table.bet(4)
    table.lock()
    claim(table, 1, THREE_OF_A_KIND_TIER)
    table.end()
    table.press(f.KeyTurned(1))
    return table


def test_a_claim_at_baccarat_is_the_rounds_and_shared_by_its_bettors() -> None:
    table = baccarat()
    enter(table, "player", "8S KD")
    enter(table, "banker", "KC KS")
    table.confirm()
    assert table.felt.hit("B01.1.baccarat-b.three_of_a_kind").awards == [
        e.Award(1, mop("400.00")),
        e.Award(4, mop("400.00")),
    ]


@pytest.mark.parametrize(
    ("player", "banker"),
    [("8S KD", "KC"), ("8S KD KH", "KC KS"), ("8S QD", "KC KS"), ("2S KD KH", "KC 2H")],
    ids=["incomplete", "a third card against the rule", "no three", "a third card missing"],
)
def test_a_claim_at_baccarat_needs_a_whole_coup_that_follows_the_drawing_rule(player: str, banker: str) -> None:
    table = baccarat()
    enter(table, "player", player)
    enter(table, "banker", banker)
    with pytest.raises(RuleError, match="do not support three_of_a_kind"):
        table.confirm()
    table.refuse(1, "baccarat-b")
    assert table.felt.said(e.ClaimRefused).cards == tuple(f"{player} {banker}".split())
