"""A table goes on from another device: "with another shuffler or from a shoe" (61/2004 11(4)), as a supervisor says."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.closing import why_closed
from jackpotd.core.errors import RuleError
from jackpotd.core.state import Phase
from tests.support.felt import (
    BARE_SHOE,
    DEALER,
    FLUSH,
    KEYPAD,
    NOTHING_2,
    ROYAL,
    SHUFFLER,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    Felt,
    Spot,
    device,
    shuffler_or_shoe,
    stud_table,
)
from tests.support.pools import mop, stud_pool

SEED, SHARE = mop("500000.00"), mop("7.00")


def house() -> Spot:
    """A table with a shuffler, a shoe for when that fails, and claims for when both do."""
    return Felt([stud_pool()], [stud_table(**shuffler_or_shoe())]).spot("T01")


def from_shoe() -> Spot:
    """The same table, dealing from its shoe, a progressive in play at seat 3."""
    table = house()
    table.deal_from("shoe")
    table.bet(3)
    return table


# ---- the article


def test_after_the_shuffler_failed_in_the_deal_the_carried_bet_is_played_from_the_shoe() -> None:
    """61/2004 11(4): the round is void, progressive bets carry, play goes on with another shuffler or from a shoe."""
    table = house()
    table.bet(3)
    table.lock()
    table.card("2C")
    table.say("shuffler", f.ShufflerFault(7))
    assert table.felt.said(e.RoundVoided).carried == {3: ("stud-main",)}
    assert why_closed(table.felt.state, table.table) == "shuffler: shuffler fault"
    table.deal_from("shoe", "the shuffler jams")
    changed = table.felt.said(e.DealChanged)
    assert (changed.deal, changed.was, changed.by, changed.why) == (
        "shoe",
        "shuffler",
        SUPERVISOR,
        "the shuffler jams",
    )
    assert why_closed(table.felt.state, table.table) == ""
    table.bet(3, "ante")
    table.lock()
    assert table.felt.said(e.RoundLocked).contributions == (e.Contribution("stud-main", (), (3,)),)
    table.deal({3: FLUSH, 0: DEALER})
    table.end()
    hit = table.felt.hit("T01.2.stud-main.flush")
    assert (hit.grade, table.felt.meter()) == ("bare", SEED + SHARE - mop("500.00"))


def test_a_mended_shuffler_deals_again_when_the_supervisor_says_so() -> None:
    table = from_shoe()
    table.lock()
    table.deal({3: NOTHING_2, 0: DEALER})
    table.end()
    table.say("shuffler", f.ShufflerReady())
    assert table.table.deals == "shoe"
    table.deal_from("shuffler", "mended")
    table.bet(3)
    table.lock()
    table.deal({3: FLUSH, 0: DEALER})
    table.end()
    assert table.felt.hit("T01.2.stud-main.flush").grade == "journaled"


def test_when_neither_works_the_table_plays_by_claims() -> None:
    table = house()
    table.deal_from("claims", "shuffler and shoe are down")
    table.lose("shuffler")
    table.lose("shoe")
    assert why_closed(table.felt.state, table.table) == ""
    table.bet(3)
    table.lock()
    table.press(f.Claimed(3, 5, 0))
    table.end()
    table.press(f.KeyTurned(1))
    for index, card in enumerate(FLUSH.split(), start=1):
        table.enter("3", index, card)
    table.confirm()
    assert table.felt.hit("T01.1.stud-main.flush").grade == "claims"


# ---- when it may be changed, and by whom


@pytest.mark.parametrize("phase", [Phase.LOCKING, Phase.LOCKED, Phase.DEALING, Phase.DEALT, Phase.HELD])
def test_what_deals_changes_between_rounds_only(phase: Phase) -> None:
    table = house()
    table.bet(3)
    table.press(f.BetsLocked())
    if phase is not Phase.LOCKING:
        table.drain()
    if phase in (Phase.DEALING, Phase.HELD):
        table.card("2C")
    if phase is Phase.DEALT:
        table.deal({3: NOTHING_2, 0: DEALER})
    if phase is Phase.HELD:
        table.end()
    assert table.phase() is phase
    with pytest.raises(RuleError, match=rf"round in play \({phase.value}\): end it first, or void it"):
        table.deal_from("shoe")


@pytest.mark.parametrize(
    ("deal", "why", "text"),
    [
        ("hand", "it jams", "cannot deal from hand; its settings name shuffler, shoe, claims"),
        ("shuffler", "it jams", "deals from shuffler already"),
        ("shoe", " ", "needs its reason"),
    ],
)
def test_a_change_names_another_device_of_the_table_and_its_reason(deal: str, why: str, text: str) -> None:
    with pytest.raises(RuleError, match=text):
        house().deal_from(deal, why)


@pytest.mark.parametrize("by", [SURVEILLANCE, TECHNICIAN])
def test_the_change_is_the_supervisors(by: f.By) -> None:
    with pytest.raises(RuleError, match="this takes supervisor"):
        house().felt.act(f.ChangeDeal(by, "T01", "shoe", "it jams"))


# ---- how long it lasts


def test_what_deals_outlives_a_restart_and_a_reload_of_the_same_file() -> None:
    table = from_shoe()
    table.felt.start()
    assert table.table.deals == "shoe"


def test_another_order_of_preference_in_the_file_is_another_choice() -> None:
    table = house()
    table.deal_from("claims")
    table.felt.tables = [stud_table(**shuffler_or_shoe("shoe", "shuffler"))]
    table.felt.configure()
    assert table.table.deals == "shoe"


def test_a_shoe_that_deals_holds_after_a_restart_as_a_shoe_does() -> None:
    table = from_shoe()
    table.lock()
    table.felt.start()
    assert table.table.hold_code == "controller_restarted"


# ---- the device that stands by


def test_a_card_of_the_device_that_stands_by_holds_the_round() -> None:
    table = from_shoe()
    table.lock()
    table.say("shuffler", f.CardRead("2C"))
    assert table.table.hold_code == "wrong_device"
    table.say("shuffler", f.CardRead("3C"))
    assert table.table.noted == []


def test_a_card_of_the_device_that_stands_by_holds_with_bets_open_too() -> None:
    table = from_shoe()
    table.say("shuffler", f.CardRead("2C"))
    table.drain()
    assert table.table.hold_code == "wrong_device"


def test_what_the_mended_shuffler_still_had_in_its_journal_is_of_a_void_round() -> None:
    table = from_shoe()
    table.say("shuffler", f.CardRead("2C"), stale=True)
    table.say("shuffler", f.PacketOut(5), stale=True)
    assert table.phase() is Phase.OPEN


WORK_ON_IT: dict[str, Callable[[Spot], object]] = {
    "unplugged": lambda table: table.lose("shuffler"),
    "faulty": lambda table: table.say("shuffler", f.DeviceFault("7", "lid open", raised=True)),
    "jammed": lambda table: table.say("shuffler", f.ShufflerFault(7)),
    "restarted": lambda table: table.say("shuffler", f.DeviceStarted(2)),
    "unknown": lambda table: table.say("shuffler", f.UnknownSaid(0x77, "", "odd")),
    "gap": lambda table: table.watch("shuffler", f.JournalGap(9)),
    "skipped": lambda table: table.say("shuffler", f.ShufflerReady(), seq=9),
    "number gap": lambda table: table.say("shuffler", f.SequenceGap(1, 3)),
}


@pytest.mark.parametrize("work", WORK_ON_IT.values(), ids=WORK_ON_IT)
def test_work_on_the_shuffler_neither_closes_nor_holds_the_table_that_deals_from_its_shoe(
    work: Callable[[Spot], object],
) -> None:
    table = from_shoe()
    work(table)
    assert why_closed(table.felt.state, table.table) == ""
    table.lock()
    work(table)
    table.deal({3: FLUSH, 0: DEALER})
    table.end()
    assert "T01.1.stud-main.flush" in table.felt.state.hits


def test_a_shuffler_that_comes_back_with_its_journal_lost_holds_nothing_while_it_stands_by() -> None:
    table = from_shoe()
    table.say("shuffler", f.ShufflerReady())
    table.lock()
    table.hello("shuffler", newest=0)
    assert table.felt.alarms() == ["journal_lost-T01.shuffler"]
    assert table.phase() is Phase.LOCKED


def test_a_board_that_also_hears_bets_never_only_stands_by() -> None:
    board = device("panel")
    params = stud_table(deal=("shoe", "panel"), devices=(board, KEYPAD, BARE_SHOE))
    table = Felt([stud_pool()], [params]).spot("T01")
    table.lose("panel")
    assert why_closed(table.felt.state, table.table) == "panel offline: no answer"


def test_a_spare_that_is_not_there_keeps_no_whole_pool_from_being_paid() -> None:
    """Design 7: what may still hold an earlier round is a table that is offline, not a shuffler that stands by."""
    felt = Felt([stud_pool()], [stud_table("T01"), stud_table("T02", **shuffler_or_shoe("shoe", "shuffler"))])
    first, second = felt.spot("T01"), felt.spot("T02")
    second.lose("shuffler")
    first.bet(3)
    first.lock()
    first.deal({3: ROYAL, 0: DEALER})
    first.end()
    hit = "T01.1.stud-main.royal_flush"
    felt.act(f.ApproveHit(SUPERVISOR, hit))
    felt.act(f.PayHit(SUPERVISOR, hit, "17"))
    assert felt.hit(hit).slip == "17"


def test_the_first_of_the_file_deals_until_somebody_says_otherwise() -> None:
    assert (house().table.deals, SHUFFLER.name) == ("shuffler", "shuffler")
