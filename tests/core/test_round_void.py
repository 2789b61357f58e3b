"""Void rounds, carried bets and exposed cards: 61/2004 11; `void_round` of 2/2009."""

from __future__ import annotations

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.errors import RuleError
from jackpotd.core.money import Atoms
from jackpotd.core.parameters import DeviceParams, Rules
from jackpotd.core.postings import Posting
from jackpotd.core.state import Phase
from tests.support.felt import (
    BARE_SHOE,
    DEALER,
    FLUSH,
    NOTHING_2,
    ROYAL,
    SHUFFLER,
    SUPERVISOR,
    Felt,
    Spot,
    baccarat_table,
    device,
    stud_table,
)
from tests.support.pools import mop, option_pool, stud_pool

SEED, BET, SHARE = mop("500000.00"), mop("10.00"), mop("7.00")
IN_PLAY = (Phase.LOCKED, Phase.DEALING, Phase.DEALT)
CARRIED = {3: ["stud-main"]}


def stud(deals: DeviceParams = BARE_SHOE) -> Spot:
    return Felt([stud_pool()], [stud_table(deals=deals)]).spot("T01")


def in_phase(phase: Phase, deals: DeviceParams = BARE_SHOE) -> Spot:
    """A round of seat 3 in this phase."""
    table = stud(deals)
    table.bet(3)
    table.lock()
    if phase is Phase.DEALING:
        table.card("2C")
    if phase is Phase.DEALT:
        table.deal({3: NOTHING_2, 0: DEALER})
    assert table.table.phase is phase
    return table


def carried() -> Spot:
    """A table with a carried bet at seat 3."""
    table = in_phase(Phase.DEALT)
    table.press(f.VoidPressed("misdeal"))
    return table


@pytest.mark.parametrize("phase", IN_PLAY)
@pytest.mark.parametrize("reason", ["misdeal", "exposed", "shuffler", "other"])
def test_a_void_round_carries_its_progressive_bets_and_gives_back_the_rest(phase: Phase, reason: str) -> None:
    table = in_phase(phase)
    table.press(f.VoidPressed(reason))
    voided = table.felt.said(e.RoundVoided)
    assert (voided.cause, voided.by, voided.carried, voided.postings) == (reason, None, {3: ("stud-main",)}, ())
    assert (table.phase(), table.table.round, table.table.bets) == (Phase.OPEN, 2, {})
    assert table.table.carried == CARRIED
    assert table.felt.meter() == SEED + SHARE


def test_a_void_while_locking_waits_for_the_lock_and_then_voids() -> None:
    table = stud()
    table.bet(3)
    table.press(f.BetsLocked())
    table.press(f.VoidPressed("misdeal"))
    table.drain()
    assert table.table.carried == CARRIED


def test_a_void_undoes_folds() -> None:
    table = in_phase(Phase.DEALT)
    table.fold(3)
    table.press(f.VoidPressed("misdeal"))
    assert (table.table.carried, table.table.folded) == (CARRIED, [])


def test_a_bet_without_an_ante_was_never_accepted_and_carries_nothing() -> None:
    table = stud()
    table.bet(2, "progressive:stud-main")
    table.bet(3)
    table.lock()
    table.press(f.VoidPressed("misdeal"))
    assert table.table.carried == CARRIED


# ---- carried bets


def test_a_carried_bet_takes_part_in_the_next_round_and_contributes_nothing_again() -> None:
    table = carried()
    table.bet(3, "ante")
    table.lock()
    locked = table.felt.said(e.RoundLocked)
    assert locked.contributions == (e.Contribution("stud-main", (), (3,)),)
    assert locked.postings == ()
    assert table.table.carried == {}
    table.deal({3: FLUSH, 0: DEALER})
    table.end()
    assert table.felt.hit("T01.2.stud-main.flush").awards == [e.Award(3, mop("500.00"))]


def test_a_carried_bet_excludes_a_second_one() -> None:
    table = carried()
    table.bet(3)
    table.lock()
    assert table.felt.said(e.RoundLocked).contributions == (e.Contribution("stud-main", (), (3,)),)
    assert table.felt.meter() == SEED + SHARE


def test_a_carried_bet_waits_while_there_is_no_ante_and_others_play() -> None:
    table = carried()
    table.bet(5)
    table.lock()
    assert table.table.live == {"stud-main": [5]}
    table.deal({5: NOTHING_2, 0: DEALER})
    table.end()
    assert table.table.carried == CARRIED
    table.bet(3, "ante")
    table.lock()
    assert table.table.live == {"stud-main": [3]}


def test_a_carried_bet_carries_again_when_the_next_round_is_void_too() -> None:
    table = carried()
    table.bet(3, "ante")
    table.bet(4)
    table.lock()
    table.press(f.VoidPressed("misdeal"))
    assert table.table.carried == {3: ["stud-main"], 4: ["stud-main"]}
    assert table.felt.meter() == SEED + 2 * SHARE


def test_a_carried_bet_plays_for_whatever_the_pool_then_is() -> None:
    felt = Felt([stud_pool()], [stud_table("T01"), stud_table("T02")])
    first, second = felt.spot("T01"), felt.spot("T02")
    first.bet(3)
    first.lock()
    first.press(f.VoidPressed("misdeal"))
    second.bet(1)
    second.lock()
    second.deal({1: ROYAL, 0: DEALER})
    second.end()
    assert felt.meter() == SEED
    first.bet(3, "ante")
    first.lock()
    first.deal({3: ROYAL, 0: DEALER})
    first.end()
    assert felt.hit("T01.2.stud-main.royal_flush").from_pool_atoms == SEED


def test_a_carried_bet_survives_a_restart_and_the_closing_of_the_table() -> None:
    table = carried()
    table.felt.act(f.CloseTable(SUPERVISOR, "T01"))
    table.felt.start()
    table.connect()
    table.felt.act(f.OpenTable(SUPERVISOR, "T01"))
    assert table.table.carried == CARRIED


# ---- a carried bet given back


def test_a_carried_bet_goes_back_to_a_player_who_leaves_the_house_pays_and_the_pool_keeps_its_part() -> None:
    """61/2004 11(1): carried to the next round; a player who is not there for it gets his stake (rules.md 1)."""
    table = carried()
    table.refund(3, why="the player leaves")
    refunded = table.felt.said(e.BetRefunded)
    assert (refunded.seat, refunded.pool, refunded.by) == (3, "stud-main", SUPERVISOR)
    assert refunded.why == "the player leaves"
    assert refunded.postings == (Posting("house:stud-main", Atoms(-mop("10.00"))), Posting("wagers:stud-main", BET))
    assert table.table.carried == {}
    pool = table.felt.pool()
    assert (pool.pool_atoms, pool.wagers_atoms, pool.totals.wagered_atoms) == (SEED + SHARE, 0, BET)
    table.bet(3)
    table.lock()
    assert table.felt.said(e.RoundLocked).contributions == (e.Contribution("stud-main", (3,), ()),)


def test_a_bet_goes_back_once_and_only_where_one_waits() -> None:
    table = in_phase(Phase.DEALT)
    with pytest.raises(RuleError, match="seat 3 has no carried bet on stud-main; table T01 carries none"):
        table.refund(3)
    table.void()
    with pytest.raises(RuleError, match=r"seat 4 has no carried bet .* carries seat 3 on stud-main"):
        table.refund(4)
    with pytest.raises(RuleError, match="needs its reason"):
        table.refund(3, why=" ")
    table.refund(3)
    with pytest.raises(RuleError, match="has no carried bet"):
        table.refund(3)


def test_a_carried_bet_in_play_plays_its_round_first() -> None:
    table = carried()
    table.bet(3, "ante")
    table.press(f.BetsLocked())
    with pytest.raises(RuleError, match="are being locked"):
        table.refund(3)
    table.drain()
    with pytest.raises(RuleError, match="is in play: it can go back when the round is over"):
        table.refund(3)
    table.void()
    table.refund(3)
    assert table.table.carried == {}


def test_of_two_carried_bets_of_a_seat_one_may_go_back_while_the_round_goes_on_without_them() -> None:
    pools = [stud_pool(), stud_pool(pool="small")]
    table = Felt(pools, [stud_table(pools=("stud-main", "small"))]).spot("T01")
    table.bet(3, "ante", "progressive:stud-main", "progressive:small")
    table.lock()
    table.void()
    table.bet(5)
    table.lock()
    table.refund(3, "small")
    assert (table.table.carried, table.phase()) == (CARRIED, Phase.LOCKED)


def test_a_day_closes_over_no_carried_bet_unnamed() -> None:
    table = carried()
    table.felt.act(f.CloseDay(SUPERVISOR))
    assert table.felt.said(e.DayClosed).carried_bets == ("T01 seat 3 stud-main",)
    table.bet(3, "ante")
    table.lock()
    table.felt.act(f.CloseDay(SUPERVISOR, 2))
    assert table.felt.said(e.DayClosed).carried_bets == ("T01 seat 3 stud-main, in round 2",)


# ---- baccarat


def baccarat(**changes: str) -> Spot:
    table = Felt([option_pool(Rules.BACCARAT_B, **changes)], [baccarat_table()]).spot("B01")
    table.bet(1)
    table.bet(2)
    table.bet(5, "player")
    table.lock()
    table.card("8S")
    table.press(f.VoidPressed("other"))
    return table


def test_a_void_coup_carries_where_the_house_reads_it_so() -> None:
    table = baccarat(void_round="carry")
    assert table.table.carried == {1: ["baccarat-b"], 2: ["baccarat-b"]}


def test_a_void_coup_refunds_where_the_house_reads_it_so_and_the_contribution_stays() -> None:
    table = baccarat(void_round="refund")
    voided = table.felt.said(e.RoundVoided)
    assert voided.refunded == {1: ("baccarat-b",), 2: ("baccarat-b",)}
    assert voided.postings == (
        Posting("house:baccarat-b", Atoms(-mop("20.00"))),
        Posting("wagers:baccarat-b", mop("20.00")),
    )
    assert table.table.carried == {}
    pool = table.felt.pool("baccarat-b")
    assert (pool.pool_atoms, pool.wagers_atoms) == (mop("100014.00"), 0)
    assert pool.house_atoms == -mop("100014.00")


def test_a_refund_of_nothing_moves_nothing() -> None:
    table = Felt([option_pool(Rules.BACCARAT_B, void_round="refund")], [baccarat_table()]).spot("B01")
    table.card("8S")
    table.press(f.VoidPressed("other"))
    assert table.felt.said(e.RoundVoided).postings == ()


# ---- exposed cards


@pytest.mark.parametrize("phase", IN_PLAY)
def test_one_card_wrongly_exposed_leaves_the_round_standing(phase: Phase) -> None:
    table = in_phase(phase)
    table.press(f.CardExposed(0))
    assert table.phase() is phase
    assert table.table.exposed == [0]


@pytest.mark.parametrize("phase", IN_PLAY)
@pytest.mark.parametrize("positions", [(0, 0), (3, 0), (1, 2)])
def test_two_cards_wrongly_exposed_anywhere_void_the_round(phase: Phase, positions: tuple[int, int]) -> None:
    table = in_phase(phase)
    for position in positions:
        table.press(f.CardExposed(position))
    assert table.felt.said(e.RoundVoided).cause == "exposed"
    assert table.table.carried == CARRIED


def test_exposures_of_one_round_do_not_count_in_the_next() -> None:
    table = carried()
    table.bet(3, "ante")
    table.lock()
    table.press(f.CardExposed(0))
    assert table.phase() is Phase.LOCKED


def test_a_held_round_with_two_exposed_cards_can_only_be_voided() -> None:
    table = in_phase(Phase.DEALT)
    table.fold(7)
    for _ in range(3):
        table.press(f.CardExposed(3))
    assert table.phase() is Phase.HELD
    with pytest.raises(RuleError, match=r"61/2004 11\(1\)\(2\)"):
        table.confirm()
    table.void("two cards exposed")
    assert table.table.carried == CARRIED


# ---- shuffler


@pytest.mark.parametrize("phase", [Phase.LOCKED, Phase.DEALING])
def test_a_shuffler_that_fails_during_the_deal_voids_the_round(phase: Phase) -> None:
    table = in_phase(phase, SHUFFLER)
    table.say("shuffler", f.ShufflerFault(7))
    assert table.felt.said(e.RoundVoided).cause == "shuffler"
    assert table.table.carried == CARRIED
    assert table.table.devices["shuffler"].fault == "shuffler fault"
    table.say("shuffler", f.ShufflerReady())
    assert table.table.devices["shuffler"].fault == ""
    assert table.felt.alarms() == []


def test_a_shuffler_that_fails_while_the_round_is_locking_voids_it_once_it_is_locked() -> None:
    table = stud(SHUFFLER)
    table.bet(3)
    table.say("shuffler", f.CardRead("2C"))
    table.say("shuffler", f.ShufflerFault(7))
    table.drain()
    assert table.felt.said(e.RoundVoided).cause == "shuffler"
    assert table.table.carried == CARRIED


@pytest.mark.parametrize("phase", [Phase.OPEN, Phase.DEALT])
def test_a_shuffler_that_fails_outside_the_deal_voids_nothing(phase: Phase) -> None:
    table = stud(SHUFFLER) if phase is Phase.OPEN else in_phase(phase, SHUFFLER)
    table.say("shuffler", f.ShufflerFault(7))
    assert table.phase() is phase
    assert table.felt.alarms() == ["device_fault-T01.shuffler"]


def test_a_shuffler_that_does_not_deal_voids_nothing() -> None:
    params = stud_table(deals=BARE_SHOE, devices=(*stud_table().devices, device("shuffler")))
    table = Felt([stud_pool()], [params]).spot("T01")
    table.bet(3)
    table.lock()
    table.say("shuffler", f.ShufflerFault(7))
    assert table.phase() is Phase.LOCKED
