"""The lock of the bets: whichever comes first, whatever is heard first (design 7)."""

from __future__ import annotations

from typing import Any

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.locking import LOCK_TIMEOUT_MS
from jackpotd.core.parameters import Rules
from jackpotd.core.rounds import MAX_DEFERRED
from jackpotd.core.state import KEPT_MOVES, Phase
from tests.support.felt import (
    SEQUENCED_SHOE,
    SHUFFLER,
    Felt,
    Spot,
    baccarat_table,
    device,
    stud_table,
)
from tests.support.pools import option_pool, stud_pool

PROGRESSIVE = "progressive:stud-main"


def stud() -> Spot:
    return Felt([stud_pool()], [stud_table()]).spot("T01")


def live(spot: Spot) -> list[int]:
    return spot.table.live["stud-main"]


# ---- the lock


def test_the_keypad_locks_the_bets_and_nothing_after_it_counts() -> None:
    table = stud()
    table.bet(1)
    table.lock()
    table.bet(2)
    assert table.felt.last == []
    assert table.table.bets == {1: ["ante", PROGRESSIVE]}


def test_the_first_card_locks_the_bets_too() -> None:
    table = stud()
    table.bet(1)
    table.say("shoe", f.CardRead("AS"))
    assert table.felt.said(e.LockBegan).cause == "first card"
    assert table.table.changed_ms == table.felt.now_ms
    assert table.phase() is Phase.LOCKING
    table.drain()
    assert table.phase() is Phase.DEALING
    assert table.table.hands == {"1": ["AS"]}
    assert table.table.deferred == []
    assert live(table) == [1]


@pytest.mark.parametrize("word", [f.CardUnread(), f.PacketOut(5)])
def test_whatever_leaves_the_shoe_locks(word: f.TableWord) -> None:
    table = stud()
    table.bet(1)
    table.say("shoe", word)
    table.drain()
    assert table.phase() is Phase.HELD
    assert live(table) == [1]


@pytest.mark.parametrize(
    "word",
    [
        f.CardRead("AS", "burn", 1, again=True),
        f.CardRead("AS", "outside"),
        f.CardRead("AS", "player", 1, again=True),
    ],
)
def test_a_burnt_card_a_card_outside_play_and_a_retransmission_start_no_round(word: f.CardRead) -> None:
    table = Felt([option_pool(Rules.BACCARAT_B)], [baccarat_table(deals=SEQUENCED_SHOE)]).spot("B01")
    assert table.say("shoe", word) == []
    assert table.phase() is Phase.OPEN


def test_a_burnt_card_is_counted_for_its_shoe_and_starts_no_round() -> None:
    table = Felt([option_pool(Rules.BACCARAT_B)], [baccarat_table(deals=SEQUENCED_SHOE)]).spot("B01")
    table.card("AS", "burn")
    assert table.phase() is Phase.OPEN
    assert table.table.shoe.cards == {"AS": 1}


def test_a_bet_made_before_the_lock_counts_though_it_is_heard_after_it() -> None:
    table = stud()
    table.press(f.BetsLocked())
    lock_ms = table.table.lock_ms
    table.bet(5, said_ms=lock_ms)
    table.bet(6, said_ms=lock_ms + 1)
    table.drain()
    assert live(table) == [5]


def test_a_bet_made_after_the_lock_does_not_count_though_it_is_heard_before_it() -> None:
    table = stud()
    table.bet(1)
    lock_ms = table.felt.now_ms + 10
    table.bet(2, said_ms=lock_ms + 1)
    table.bet(3, said_ms=lock_ms)
    table.lock(said_ms=lock_ms)
    assert live(table) == [1, 3]
    assert sorted(table.table.bets) == [1, 3]


def test_a_bet_taken_back_after_the_lock_is_still_in_play() -> None:
    table = stud()
    table.bet(1)
    lock_ms = table.felt.now_ms + 10
    table.unbet(1, said_ms=lock_ms + 1)
    table.bet(1, said_ms=lock_ms + 2)
    table.unbet(1, said_ms=lock_ms + 3)
    table.lock(said_ms=lock_ms)
    assert live(table) == [1]


def test_a_clock_that_jumped_back_takes_no_bet_away() -> None:
    table = stud()
    table.bet(1)
    yesterday = table.felt.now_ms - 86_400_000
    table.press(f.BetsLocked(), at_ms=yesterday, said_ms=yesterday)
    table.drain()
    assert live(table) == [1]


def test_a_clock_set_back_a_second_takes_no_bet_away_also_of_those_that_it_makes_look_late() -> None:
    table = stud()
    first_ms = table.felt.now_ms
    table.bet(1, at_ms=first_ms, said_ms=first_ms)
    table.bet(2, at_ms=first_ms + 900, said_ms=first_ms + 900)
    set_back_ms = first_ms + 100
    table.press(f.BetsLocked(), at_ms=set_back_ms, said_ms=set_back_ms - 150)
    table.drain()
    assert live(table) == [1, 2]


@pytest.mark.parametrize("step_ms", [-86_400_000, -1, 86_400_000])
def test_a_chip_taken_back_while_the_clock_was_set_in_mid_lock_holds_the_round(step_ms: int) -> None:
    table = stud()
    table.bet(1)
    table.bet(2)
    table.press(f.BetsLocked())
    then_ms = table.table.changed_ms + step_ms
    table.say("panel", f.BetMoved(1, "progressive:stud-main", on=False), at_ms=then_ms, said_ms=then_ms)
    table.drain()
    assert table.table.hold_code == "bets_unsure"
    assert table.phase() is Phase.HELD


def test_a_move_that_another_has_undone_already_is_not_undone_again() -> None:
    table = stud()
    now = table.felt.now_ms
    table.bet(1, "ante", said_ms=now + 500)
    table.unbet(1, "ante", said_ms=now + 10)  # another panel's clock: heard later, made earlier
    table.lock(said_ms=now + 20)
    assert table.table.bets == {}
    assert table.phase() is Phase.LOCKED


def test_the_earlier_of_two_locks_counts_whichever_is_heard_first() -> None:
    table = stud()
    table.bet(1)
    early_ms = table.felt.now_ms + 10
    table.bet(2, said_ms=early_ms + 5)
    table.say("shoe", f.CardRead("AS"), said_ms=early_ms + 50)
    changed_ms = table.table.changed_ms
    table.press(f.BetsLocked(), said_ms=early_ms)
    assert table.table.lock_ms == early_ms
    assert table.table.changed_ms == changed_ms  # nobody waits longer for it
    table.press(f.BetsLocked(), said_ms=early_ms + 1)
    assert table.felt.last == []
    table.drain()
    assert live(table) == [1]
    assert table.table.hands == {"1": ["AS"]}


def test_bets_that_change_too_often_to_be_known_at_the_lock_hold_the_round() -> None:
    table = stud()
    lock_ms = table.felt.now_ms + 10
    for _ in range(KEPT_MOVES // 2):
        table.bet(1, "ante", said_ms=lock_ms + 1)
        table.unbet(1, "ante", said_ms=lock_ms + 1)
    table.bet(2, said_ms=lock_ms + 1)
    assert len(table.table.moves) == KEPT_MOVES
    table.lock(said_ms=lock_ms)
    assert table.table.hold_code == "bets_unsure"
    assert live(table) == []
    table.void()
    table.lock()
    assert table.phase() is Phase.LOCKED  # the next round has no such doubt


def test_the_round_locks_when_the_last_bet_device_has_nothing_new() -> None:
    table = stud()
    table.bet(1)
    table.press(f.BetsLocked())
    assert table.table.waiting == ["panel"]
    table.watch("keypad", f.Drained())
    assert table.phase() is Phase.LOCKING
    table.watch("panel", f.Drained())
    assert (table.phase(), table.table.changed_ms) == (Phase.LOCKED, table.felt.now_ms)


def test_a_board_with_keypad_and_bets_locks_at_once_for_its_journal_has_every_bet_before_its_lock() -> None:
    board = device("board")
    table = Felt([stud_pool()], [stud_table(deals=None, devices=(board,))]).spot("T01")
    table.connect()
    table.say("board", f.BetMoved(1, "ante", on=True))
    table.say("board", f.BetMoved(1, PROGRESSIVE, on=True))
    table.say("board", f.BetsLocked())
    assert [type(entry) for entry in table.felt.last or []] == [e.LockBegan, e.RoundLocked]
    assert live(table) == [1]


def test_a_lock_from_a_board_that_keeps_no_journal_is_followed_by_a_question() -> None:
    board = device("board", "vendor", "sequenced")
    table = Felt([stud_pool()], [stud_table(deals=None, devices=(board,), advisory_lock=True)]).spot("T01")
    table.hello("board")
    table.back("board")
    table.say("board", f.BetsLocked())
    assert table.table.waiting == ["board"]


def test_a_lock_out_of_a_journal_from_before_waits_for_its_own_board_too() -> None:
    table = Felt([stud_pool()], [stud_table(deals=SHUFFLER)]).spot("T01")
    table.press(f.BetsLocked(), stale=True)
    assert table.table.waiting == ["panel", "keypad"]


def test_a_table_without_bet_devices_waits_for_nobody() -> None:
    params = stud_table(devices=(SEQUENCED_SHOE,), advisory_lock=True)
    table = Felt([stud_pool()], [params]).spot("T01")
    table.say("shoe", f.CardRead("AS"))
    assert table.table.hold_code == "no_bets"


def test_what_is_said_while_the_round_is_locking_is_judged_in_its_order() -> None:
    table = stud()
    table.bet(1)
    table.say("shoe", f.CardRead("2C"))
    table.say("shoe", f.CardRead("KC"))
    table.press(f.CardExposed(0))
    table.press(f.VoidPressed("misdeal"))
    table.say("shoe", f.CardRead("4H"))
    table.drain()
    assert table.table.round == 2
    assert table.felt.said(e.RoundVoided).cause == "misdeal"
    # The card after the void is the next round's first, and asks for its own lock at its own time.
    assert table.phase() is Phase.LOCKING
    assert [kept.word for kept in table.table.deferred] == [f.CardRead("4H")]
    assert table.table.lock_ms == table.table.deferred[0].said_ms


def test_more_cards_than_a_round_has_while_locking_are_doubt() -> None:
    table = stud()
    table.bet(1)
    for _ in range(MAX_DEFERRED + 1):
        table.say("shoe", f.CardUnread())
    assert table.table.hold_code == "card_extra"
    assert len(table.table.noted) == MAX_DEFERRED


def test_a_bet_device_that_does_not_answer_in_time_holds_the_round() -> None:
    table = stud()
    table.bet(1)
    table.press(f.BetsLocked())
    assert LOCK_TIMEOUT_MS > 500  # a lost device is known by then
    assert table.time_out("deal") == []
    table.time_out("lock")
    assert table.table.hold_code == "lock_timeout"
    assert live(table) == [1]


@pytest.mark.parametrize("changes", [{"wait": "deal"}, {"round": 2}, {"since_ms": 1}])
def test_a_time_out_of_another_wait_means_nothing(changes: dict[str, Any]) -> None:
    table = stud()
    table.press(f.BetsLocked())
    word: dict[str, Any] = {"wait": "lock", "round": 1, "since_ms": table.table.changed_ms} | changes
    assert table.felt.control(f.TimedOut(**word), "T01") == []


def test_a_time_out_with_bets_open_means_nothing() -> None:
    table = stud()
    assert table.time_out("deal") == []


# ---- journals from before


def test_a_bet_out_of_the_journal_counts_while_bets_are_open() -> None:
    table = stud()
    table.lose("panel")
    table.bet(1, stale=True)
    table.back("panel")
    table.lock()
    assert live(table) == [1]


def test_a_lock_made_before_bets_out_of_a_journal_were_heard_counts_them_and_holds() -> None:
    table = stud()
    table.lose("panel")
    table.bet(1, stale=True)
    table.back("panel")
    heard_ms = table.table.moves[-1].at_ms
    table.lock(said_ms=heard_ms - 30)
    assert table.table.hold_code == "bets_unsure"
    assert live(table) == [1]


def test_a_raise_out_of_a_journal_puts_no_lock_in_doubt_nor_does_a_bet_that_was_heard_before_it() -> None:
    table = stud()
    table.bet(1, stale=True)
    lock_ms = table.table.moves[-1].at_ms
    table.bet(1, "raise", stale=True, at_ms=lock_ms + 5)
    table.lock(said_ms=lock_ms)
    assert table.phase() is Phase.LOCKED
    assert live(table) == [1]


def test_a_lock_while_nobody_listened_holds_what_a_bare_shoe_may_have_dealt() -> None:
    table = stud()
    table.bet(1)
    table.lose("keypad")
    table.back("keypad")
    table.lock(stale=True)
    assert table.table.hold_code == "cards_missed"


def test_a_lock_while_nobody_listened_is_a_lock_where_the_dealing_device_has_a_journal() -> None:
    table = Felt([stud_pool()], [stud_table(deals=SHUFFLER)]).spot("T01")
    table.bet(1)
    table.felt.start()
    table.connect()
    table.lock(stale=True)
    assert table.phase() is Phase.LOCKED
    assert live(table) == [1]


def test_a_lock_from_before_heard_while_locking_holds_a_bare_table_once_it_is_locked() -> None:
    table = stud()
    table.bet(1)
    table.say("shoe", f.CardRead("AS"))
    table.press(f.BetsLocked(), stale=True)
    assert table.table.lock_doubt == "cards_missed"
    table.press(f.BetsLocked(), stale=True)
    assert table.felt.last == []
    table.drain()
    assert table.table.hold_code == "cards_missed"


def test_a_raise_from_before_heard_while_locking_puts_nothing_in_doubt() -> None:
    table = stud()
    table.bet(1)
    table.press(f.BetsLocked())
    table.bet(1, "raise", stale=True)
    table.drain()
    assert table.phase() is Phase.LOCKED
    assert live(table) == [1]


def test_a_bet_from_before_heard_while_locking_counts_and_holds_for_nobody_knows_when_it_was_made() -> None:
    table = stud()
    table.press(f.BetsLocked())
    table.bet(1, stale=True)
    table.drain()
    assert table.table.hold_code == "bets_unsure"
    assert live(table) == [1]


def test_a_lock_that_is_heard_before_any_bet_device_is_in_step_waits_for_nobody_and_holds() -> None:
    table = stud()
    table.bet(1)
    for name in ("panel", "keypad"):
        table.lose(name)
    table.press(f.BetsLocked(), stale=True)
    assert table.table.hold_code == "cards_missed"
    assert live(table) == [1]
